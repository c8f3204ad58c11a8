"""How likely an answer is the right one, and what is said where that is in doubt.

Begin with `grounds.py`: what an answer rests on, one probability made of it and of who proposed the reading, and what
is not sure, in plain English.
"""
