"""Measurements of the answer dialog: turns to the event that is meant (`turns.py`), InfoRank at scale and against a
reader's ranking (`ranks.py`). Begin with `turns.py`."""
