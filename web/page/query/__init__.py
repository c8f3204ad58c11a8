"""SPARQL in an editor: what is typed is completed, run within limits, and shown as a table, a chart or a text.

Begin in `routes.py`, which keeps results, so that a long table is shown bit by bit. `cells.py` runs a
query and shows its rows; `terms.py` and `examples.py` know what the store has.
"""
