"""Domains and rules as their authors see them: loading, checking, testing, drafting.

In: a folder or files of Turtle. Out: findings, results of cases, drafts. Begin with `authoring.py`.
"""
