"""SPARQL in an editor: what is typed is completed, run within limits, and shown as a table, a chart or a text.

Begin in `routes.py`, which keeps results, so that a long table is shown bit by bit. `running.py` runs a query,
`cells.py` shows a row; `terms.py` and `examples.py` know what the store has.
"""
