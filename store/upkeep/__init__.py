"""Generations are built, sealed, copied and mended here.

In: the files of a store. Out: the next generation; what is damaged, and what was mended. Begin with `building.py`.
"""
