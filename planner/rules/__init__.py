"""The rule book: patterns, rules and words from Turtle, and what a rule constructs.

In: Turtle documents, shipped or a user's own. Out: a `RuleBook`; pieces of trees. Begin with `rulebook.py`.
"""
