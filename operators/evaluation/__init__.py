"""What expressions mean: their value over plain Python values, within bounds.

In: an expression and a row. Out: a value. Begin with `evaluate.py`.
"""
