"""Measures what docs/benchmarks.md reports, and scores suites of questions (docs/benchmarking.md).

In: a folder of questions with answers, or nothing. Out: answers, scores, tables. `suites/` read questions,
`systems.py` has who answers them, `baselines/` those we are compared with, `lives/` generates lives. Begin with
`running.py` and `metrics.py`.
"""
