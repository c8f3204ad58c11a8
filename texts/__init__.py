"""Grammars of what texts say, used by planner, extraction and import alike; nothing here knows the graph.

In: a text, and when it was written. Out: spans with values. `time/`, `quantities/`, `people/` and `lexicon/` hold one
grammar each; `tokens.py` is the tokenizer. Begin with `time/times.py`.
"""
