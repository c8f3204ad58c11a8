"""Models that propose trees: the bundled parser and router, and adapters for language models.

In: questions. Out: forms, completions. Begin with `parser.py`.
"""
