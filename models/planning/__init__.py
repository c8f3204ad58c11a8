"""Models that propose trees: the bundled decomposer and router, and adapters for language models.

In: questions. Out: sketches of operators, completions. Begin with `decomposer.py`.
"""
