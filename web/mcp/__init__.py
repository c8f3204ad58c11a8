"""The Model Context Protocol: what is in a store as tools of assistants.

In: calls of tools, over standard input or by HTTP (already let in, `web/http`). Out: answers, rows and events as
structured content, of which one call gives no more than the settings allow, and a line in the store's folder for each
call. Begin with `server.py`. `tools.py` is the table of tools, `models.py` what they take and give; `answering.py`,
`querying.py` and `describing.py` do the work; `bounds.py` says how much is given away, and what of an event;
`server.py` also writes down what was, tells the steps of long work and has the route of an application.
"""
