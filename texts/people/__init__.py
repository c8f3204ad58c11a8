"""The people whom a text names, by the profile of the person whose life it is.

In: a text and a profile. Out: mentions with who is meant. Begin with `mentions.py`.
"""
