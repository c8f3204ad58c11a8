"""The functions of `fn:` that maps may call (docs/mapping-functions.md).

In: values. Out: values. Begin with `functions.py`.
"""
