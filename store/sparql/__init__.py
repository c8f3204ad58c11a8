"""SPARQL queries as this project understands them, before Oxigraph sees anything.

In goes the text of a query or of a fragment of one; out comes the text that Oxigraph is given: the tokens that were
parsed, printed anew. What cannot be parsed, and what would reach the network, read other data or write, is a QueryError
with line and column. The grammar is that of SPARQL 1.1 without those parts (`grammar.lark`).

Begin reading with `reading.py`; then `lexer.py` (text to tokens), `parser.py` (tokens against the grammar),
`printing.py` (tokens to text), `datasets.py` (FROM and FROM NAMED, which are taken out before), `source.py` (where
things stand in Turtle, by the same tokens).
"""
