"""`reqap-kg bench`: run and score suites; generate lives, distil them.

Begin with `bench_app.py`.
"""
