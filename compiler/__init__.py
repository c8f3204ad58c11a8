"""Operator tree → one SPARQL query that anybody can run again.

In: a checked tree whose open parts are resolved (`operators/resolution.py`), and what is known of the data
(`facts.py`). Out: the query for the answer and the one for its evidence. `rewrites/` bring a tree into a form that
compiles well; `compile.py` says one operator after the other as graph patterns; `expressions/` say conditions and
functions; `sparql/` is the algebra that all of them build, and its printer. Begin with `compile.py`, then `query.py`.
"""
