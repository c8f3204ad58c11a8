"""Runs an operator tree: what no query can say is computed first and written as derived triples, then one query is
asked.

In: a plan's tree, what its searches and keys stand for, and an open store. Out: rows with provenance. `joins/` pair
rows, `derivations/` keep what was found. Begin with `run.py` and `materialise.py`; the naive evaluator that everything
is compared with stands in `tests/reference.py`.
"""
