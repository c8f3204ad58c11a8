"""Questions that lean on earlier ones, and dialogues that are kept.

In: turns. Out: self-contained questions and their answers; a journal. Begin with `conversation.py`.
"""
