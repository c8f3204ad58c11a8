"""What reads texts for RETRIEVE and EXTRACT: the bundled reader, or models of the paper's kinds by name.

In: texts and keys. Out: marked values, classes, relevance. Begin with `readers.py`.
"""
