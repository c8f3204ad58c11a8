"""Conditions and functions of rows as SPARQL expressions, which must agree with `operators/evaluation`.

In: expressions of a tree and what their variables mean (`compiler/scope.py`). Out: those of SPARQL, with their types.
Begin with `expressions.py`; each other module says one kind of expression.
"""
