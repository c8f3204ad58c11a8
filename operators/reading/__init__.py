"""Values from the texts that exports write: numbers with units, dates, truth values.

In: a text and a type. Out: a value, or nothing. Begin with `readers.py`.
"""
