"""Notes: Markdown files, diaries, Google Keep.

In: a file. Out: a record for each note. Begin with `markdown.py`.
"""
