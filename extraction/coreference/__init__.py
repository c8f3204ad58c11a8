"""Event coreference: records and mentions that tell of one happening become one row.

In: events of a store. Out: links between them, kept for each state of the store. Begin with `links.py`;
RETRIEVE joins by them (`retrieval/occurrences.py`).
"""
