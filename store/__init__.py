"""The only importer of pyoxigraph: named graphs on disk, in generations, with their indexes.

In: quads and queries. Out: rows. `sparql/` reads queries, `queries/` runs them within limits, `index/` finds values
by word, `upkeep/` builds, seals and mends generations. Begin with `graph.py` and `generations.py`.
"""
