"""The resident service, measured as its callers meet it. Begin with `__main__.py`."""
