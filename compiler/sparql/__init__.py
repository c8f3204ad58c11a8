"""SPARQL as typed algebra, what is done to it before it is printed, and the one printer.

In: what the compiler makes of a tree. Out: the text of a query. Begin reading with `algebra.py`, then `printing.py`;
`share.py`, `prune.py` and `reads.py` are passes, from algebra to algebra, and `passes.py` says their order.
"""
