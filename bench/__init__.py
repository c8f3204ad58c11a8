"""Measures what docs/benchmarks.md reports; run from a checkout, not installed.

In: nothing, or a folder of lives. Out: tables of figures. `baselines/` are the systems that we are compared with,
`lives/` generates lives with gold answers. Begin with `run.py`.
"""
