"""Conversations: question after question, kept in the store's journal or not, as `reqap-kg chat` keeps them.

Begin in `routes.py`; `talks.py` holds the conversations that run.
"""
