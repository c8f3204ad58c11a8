"""Logical sources: CSV, JSON and XML files as iterations, and references into them.

In: a file below the map's root. Out: iterations in a stream. Begin with `file_input.py`.
"""
