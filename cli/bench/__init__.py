"""`reqap-kg bench`: run and score suites; generate lives.

Begin with `bench_app.py`.
"""
