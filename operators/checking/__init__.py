"""Ill-typed trees are refused before anything runs.

In: a tree. Out: its type, or what is wrong in it. Begin with `checking.py`.
"""
