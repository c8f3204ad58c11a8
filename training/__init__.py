"""Training of the bundled models, from a checkout: each module writes a folder of `models/trained`.

In: the hand-written texts of `data/`, and lives. Out: weights with their card. Begin with `texts.py`.
"""
