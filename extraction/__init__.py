"""EXTRACT: values of keys from events, by the ontology where a property has them, else read from texts.

In: events and keys with types. Out: typed values with their evidence, as derivations. Begin with `extract.py`, then
`extract_texts.py`; `readers/` read one kind of value each, `mentions/` the events that texts tell of, `coreference/`
links those that are the same.
"""
