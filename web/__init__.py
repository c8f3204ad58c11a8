"""The resident service: one process that keeps a store open and warm, for the command line, for SPARQL clients, for
programs and for assistants.

Begin with `holding.py`: the store that is kept open, on a thread of its own. Around it stand `resident/` (commands of
other processes, by a socket in the store's folder), `http/` (who is let in), `sparql/` (the SPARQL 1.1 Protocol),
`api/` (questions, trees and events as JSON) and `mcp/` (tools of assistants). `service.py` puts them together.
"""
