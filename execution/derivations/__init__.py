"""What neural steps found, as triples in named graphs of their own with their provenance (PROV-O).

In: values, hits or pairs, and what they depend on. Out: graphs that later questions find again. Begin with `derive.py`.
"""
