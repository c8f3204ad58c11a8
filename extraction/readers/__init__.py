"""Readers of one kind of value each: who took part, where, what was eaten, bought, said by the doctor.

In: a text laid open (`extraction/page.py`). Out: values with the words that say them. Begin with `concepts.py`.
"""
