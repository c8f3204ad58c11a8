"""Question → ranked operator trees.

In: a question, the vocabulary, the data's values, the time of asking. Out: plans, the likeliest first, each with how
it came about. `annotation/` says what words may mean, `patterns/` and `rules/` are what people authored in Turtle,
`search/` plans with them, `proposers/` ask models, `followups/` make questions self-contained, `authoring/` helps who
writes rules. Begin with `search/plan.py`.
"""
