"""Conversations: WhatsApp, ChatGPT, logs as JSON, and the journal of dialogues, which is never imported.

In: a file. Out: messages in the order of time, with their sessions. Begin with `conversations.py`.
"""
