"""How import, index, questions and RETRIEVE grow with the number of events. Begin with `__main__.py`."""
