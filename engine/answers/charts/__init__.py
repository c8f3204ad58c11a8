"""Charts of answers: which kind of chart shows an answer, its specification in Vega-Lite, and the chart drawn.

In: an `Answer`. Out: a `Chart` (kind, why that kind, specification), or a file or text with it drawn. Nothing is
fetched: all that is drawn stands in the specification. Begin with `choose.py` (`chart_of`). `data.py` makes a
`ChartData` (`frame.py`) of an answer, with `columns.py` and `roles.py`; `rules.py` asks the rules of
mappings/charts/charts.ttl; `fitting.py` says what a kind can draw and what it leaves out; `vega.py` has one function
for each kind; `draw.py` writes files, `terminal.py` draws in text.
"""
