"""What workers are worth: in, rows and texts; out, a table and `docs/scale.svg`. Begin with `__main__.py`."""
