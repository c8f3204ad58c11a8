"""Retrieval with neighbourhoods, measured: Stack Exchange, lives, forums, and what is bought again.

`python -m reqap_kg.bench.related --help`; docs/related.md says what the figures show. `lives.py` and `forums.py` also
write the cases that the bundled gates are trained on.
"""
