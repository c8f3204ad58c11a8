"""Options that several commands have.

Begin with `options.py`.
"""
