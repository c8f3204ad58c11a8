"""What a graph says around one of its instances, and what in it is related to that (DAQu, section 3.2).

In: an event, or any row of a domain. Out: its neighbourhood by category, and instances ranked by a query that both
make. Begin with `related.py`; `walking.py` is the neighbourhood itself.
"""
