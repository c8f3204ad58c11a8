"""The values of a store, found by word, and what is counted of its graphs.

In: the graphs of a generation. Out: an SQLite file for each. Begin with `index.py`.
"""
