"""How likely an answer is the right one, and what is said where that is in doubt.

Begin with `grounds.py`, what an answer rests on; `ranking.py` makes one probability of it and of who proposed the
reading; `sentences.py` says in plain English what is not sure.
"""
