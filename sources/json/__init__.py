"""JSON as streams in constant memory, and lists of key-value events.

In: bytes. Out: elements, or errors as values. Begin with `jsonstream.py`.
"""
