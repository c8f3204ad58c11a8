"""Builds, seals, copies and repairs generations.

In: the files of a store. Out: the next generation; what is damaged, and what was repaired. Begin with `building.py`.
"""
