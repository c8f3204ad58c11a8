"""What workers are worth: in, a number of rows and texts; out, a table and `docs/scale.svg`. Begin with `__main__.py`."""
