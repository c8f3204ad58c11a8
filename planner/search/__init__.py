"""Recursive decomposition of a question into trees, and their order (ReQAP, section 3.1; QUASL, section VII).

In: readings of a question and the rule book. Out: plans with scores. Begin with `plan.py`, then `search.py`;
`tense.py` and `at_now.py` keep questions on their side of now.
"""
