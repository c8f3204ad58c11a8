"""The answer as people and programs get it: values, unit, sentence, evidence.

In: rows of a tree that was run. Out: an `Answer`. Begin with `answer.py`.
"""
