"""Models: loading and inference. Nothing here knows the graph or the algebra.

In: texts, questions, features. Out: vectors, labels, scores. `reading/` reads texts and classifies them, `planning/`
proposes trees, `coreference/` links accounts, `set_encoder.py` joins a query with its neighbourhood; `trained/` has
what ships, written by `training/`. Begin with `encoder.py`.
"""
