"""SPARQL in an editor: what is typed is completed, run within limits, and shown as a table, a chart or a text.

Begin in `routes.py`. `running.py` runs a query and `kept.py` keeps what came of it, so that a long table is shown bit
by bit; `cells.py` and `charting.py` show it; `terms.py` and `examples.py` know what the store has.
"""
