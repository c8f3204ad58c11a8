"""Patterns written in Turtle: runs of words and what is computed of them (QUASL, section IV-B).

In: the tokens of a question. Out: matches with their variables. Begin with `patterns.py`; `extraction.py` reads the
little language in which patterns say their words, `functions.py` has what they may call.
"""
