"""From files to a new generation of the store: all of it or nothing.

In: paths. Out: a generation and a report. Begin with `ingest.py`; users' maps run apart (`mapping_subprocess.py`).
"""
