"""A store behind an address: any server of SPARQL 1.1 (query, update, graph store protocol) holds the named graphs.

In: `sparql+https://host/path`. Out: the same graphs as those of an embedded store (store/graph.py); one suite of tests
holds for both (tests/remote/test_conformance.py). What is computed from the graphs, indexes and caches, stays in a
folder of this machine (store/folder.py). Begin with `generations.py`, then `graph.py`; `client.py` has the requests,
`dialects.py` what servers do in their own way.
"""
