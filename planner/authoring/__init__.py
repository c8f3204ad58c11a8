"""What helps who writes patterns and rules: checks, cases, drafts, and why a rule did not fire.

In: Turtle documents with places of their terms. Out: findings with line and column. Begin with `checks.py`.
"""
