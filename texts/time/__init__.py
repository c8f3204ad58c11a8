"""Time expressions of a text, resolved against when it was written.

In: a text and a day. Out: spans with the time they say. Begin with `times.py`.
"""
