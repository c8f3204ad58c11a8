"""What was watched, read and heard: YouTube and Google's activity, Goodreads, StoryGraph, Kindle, Last.fm, and others.

In: an export's files. Out: a record for each viewing, reading, highlight, play or search. Begin with `record.py`.
"""
