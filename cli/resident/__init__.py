"""Commands that a running service answers for another process, so that they cost no start of their own.

Begin with `client.py`, which every command line passes before anything else is imported: it hands the command, with its
standard streams, to the service of the store, if one runs. `serving.py` runs it there as a process of its own would
(its streams, its folder, its environment are borrowed), over the store that is open already. `protocol.py` is what
the two say to each other.
"""
