"""Logical forms: what a question asks, compact and typed, one step before the operator tree.

In: the text of a form (the corpus), or a decoder's steps (the parser). Out: a `Form`; `planner/forms` makes an operator
tree of it. Begin with `grammar.py` (what may stand where), then `reader.py` (text to form), `decoding.py` (steps).
"""
