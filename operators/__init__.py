"""The algebra: operator trees, their expressions, and what they mean. No I/O.

In and out: frozen trees. `syntax/` reads and writes their text and RDF, `checking/` refuses ill-typed ones,
`evaluation/` is what expressions mean, `reading/` reads values from the texts that exports write. Begin with
`nodes.py`.
"""
