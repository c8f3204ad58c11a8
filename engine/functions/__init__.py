"""RETRIEVE and EXTRACT as functions of SPARQL: `rq:matches` and `rq:extract` (docs/derivations.md).

In: a user's query. Out: its answer, with what was retrieved for it. Begin with `sparql_functions.py`.
"""
