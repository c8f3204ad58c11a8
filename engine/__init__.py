"""The wiring: the only place where floors meet.

In: what the command line or a program asks for. Out: answers, reports. `knowledge.py` is the facade; `asking/`,
`conversation/`, `answers/`, `importing/`, `authoring/` and `admin/` do the work, `functions/` serve users'
SPARQL. Begin with `knowledge.py`.
"""
