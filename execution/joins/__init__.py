"""JOINs that a query would do badly: pairs of rows found by sorting columns (ReQAP, appendix A.2).

In: the two inputs of a JOIN and its condition. Out: pairs, or counts without the pairs. Begin with `joining.py`.
"""
