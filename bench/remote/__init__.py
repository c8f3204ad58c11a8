"""Trees and questions on a store of this machine and on SPARQL servers: times, requests, the same rows. Begin with
`__main__.py`."""
