"""Mails: mbox files and single messages.

In: bytes. Out: a record for each message. Begin with `mail.py`.
"""
