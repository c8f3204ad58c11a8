"""Trees that models propose: parsers of logical forms, a language model, worked examples near the question.

In: a question. Out: steps of a decomposition, or whole trees. Begin with `proposing.py`, the interface of all of them.
"""
