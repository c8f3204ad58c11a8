"""Which accounts tell of the same happening: a logistic regression over pairs.

In: accounts of events. Out: links with a probability. Begin with `model.py`.
"""
