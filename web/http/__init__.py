"""Who is let in by HTTP, and what every answer is headed with.

In: routes of the API, of SPARQL, of assistants, and an `Access` (token, hosts, origins, limits). Out: one ASGI
application, and the settings of the server that runs it. Begin with `guarding.py`, which asks of each
request, in this order: is its address short enough, is this machine meant, were there too many, may that page ask,
does it have the token (`tokens.py`), does its body come whole and in time. What is refused, and what fails, is told
as a `problems.py`, from which the places of files are taken out. `serving.py` has what the server itself
bounds.
"""
