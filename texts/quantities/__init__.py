"""Sums of money, distances, lengths of time, and number words.

In: a text. Out: spans with amounts and units. Begin with `money.py` and `lengths.py`.
"""
