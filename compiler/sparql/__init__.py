"""SPARQL as typed algebra, what is done to it before it is printed, and the one printer.

In: what the compiler makes of a tree. Out: the text of a query. Begin reading with `algebra.py`, then `printing.py`;
`reads.py` and `passes.py` hold the passes, from algebra to algebra; `passes.py` says their order.
"""
