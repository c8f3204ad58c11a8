"""What all parts of the page share: the frame around them, what files they load, how values are written.

Begin in `pages.py`.
"""
