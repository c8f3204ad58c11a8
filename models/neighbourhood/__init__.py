"""Queries represented with what a database says around them (DAQu, sections 3.2 and 3.3).

In: the vector of a query, and the vectors of the values around it by category. Out: one vector, that of the query and
its neighbourhood. Begin with `set_encoder.py`, then `related_model.py`, which joins it with the texts' encoder.
"""
