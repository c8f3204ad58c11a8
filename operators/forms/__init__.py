"""Logical forms: what a question asks, compact and typed, one step before the operator tree.

In: the steps of a decoder (the parser). Out: a `Form`; `planner/forms` makes an operator
tree of it. Begin with `grammar.py` (what may stand where), then `decoding.py` (steps).
"""
