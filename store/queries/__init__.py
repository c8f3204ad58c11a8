"""Queries within limits: time, memory, no way to the network; their results in the formats people ask for.

In: work to do on a graph. Out: its result, or why it was given up. Begin with `deadline.py`.
"""
