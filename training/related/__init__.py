"""Training of queries with neighbourhoods (DAQu, section 3.4): adapter, set encoder and re-ranker.

In: a folder of cases (`task.py`). Out: weights for `models/neighbourhood`. Begin with `__main__.py`, the command.
"""
