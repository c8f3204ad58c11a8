"""World knowledge that texts presuppose: cues and the values they imply, in Turtle (docs/lexicons.md).

In: lexicon files and a text's tokens. Out: cues found. Begin with `lexicon.py`.
"""
