"""An operator tree taken apart and changed by whoever reads it: what is counted, of which events, under which
conditions.

In: a tree. Out: its parts in words, each with the trees that it becomes without it or with another in its place. Begin
in `parts.py`; `offers.py` makes the trees, and knows what else the data have.
"""
