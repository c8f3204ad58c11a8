"""Questions that lean on earlier ones, put into self-contained words.

In: a question and the turns before it. Out: self-contained questions that it may mean, the likeliest first. Begin with
`followups.py`; each other module knows one way of leaning on what was said.
"""
