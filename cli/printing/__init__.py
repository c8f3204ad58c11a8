"""The one way out: everything printed goes through `console.py`, and is made safe there.

In: text and tables. Out: what a terminal, a pipe or a program reads. Begin with `console.py`.
"""
