"""Phrases that name a class of events, and so cost no model.

In: a query in words. Out: its events, or which words are left for a search. Begin with `named.py`: words that name a
class (`naming.py`), what else in the phrase its events cover (`coverage.py`: values; `correspondents.py`: who wrote to
whom; `fragments.py`: words within values), and topics of entries that may tell of anything (`named.py`).
"""
