"""`reqap-kg rules`: check, test, explain, new, list.

Begin with `rules_app.py`.
"""
