"""What the words of a question may mean, before any rule looks at it (QUASL, section IV).

In: a question. Out: readings, each a row of annotations, and the parse graph of them in RDF. Begin with `annotate.py`.
"""
