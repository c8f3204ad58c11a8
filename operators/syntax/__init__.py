"""Trees as text and as RDF, both ways; what models write slightly wrong is put right by named rules.

In: text. Out: a tree, or an error with line, column and what was expected. Begin with `text.py`.
"""
