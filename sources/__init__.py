"""One module per export format: file → iterator of records, or of errors as values.

In: files within limits (`files.py`, `archives.py`). Out: records. Begin with `base.py`, then `registry.py` and
`detect.py`.
"""
