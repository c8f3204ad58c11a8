"""`reqap-kg bench run` and `score`: a suite's questions put to the system, and its answers scored.

In: a folder of lives with questions. Out: predictions and their trace; tables of scores. `suites/` read the folders,
`systems.py` has who answers. Begin with `running.py`, then `metrics.py`.
"""
