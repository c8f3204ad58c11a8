"""A map's Turtle read into the model, with the place of everything in it.

In: Turtle. Out: a model, or an error with line, column and what was expected. Begin with `load.py`.
"""
