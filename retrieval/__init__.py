"""RETRIEVE: the events that a phrase means (ReQAP, section 3.3).

In: a query in words. Out: events with scores, as a derivation where they were searched. Begin with `retrieve.py`: a
phrase that names a class costs no model (`structured.py`), others are searched (`search.py`, `candidates.py`),
classified (`classify.py`, `judge.py`), and linked (`extraction/coreference`).
"""
