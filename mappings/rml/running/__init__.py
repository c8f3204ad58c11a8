"""A map compiled to plain functions, and run: over records, or over the files its logical sources name.

In: the model of a map. Out: N-Quads lines, and what was kept out. Begin with `compiled.py`.
"""
