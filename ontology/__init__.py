"""The event ontology, shapes, keys and units in Turtle, and the namespaces by name. Begin with `namespaces.py`."""
