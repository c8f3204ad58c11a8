"""`reqap-kg domain check`: a domain's folder read as a compiler reads a program, every mistake with its place.

In: the folder, and data that stand in for its own. Out: findings. Begin with `check.py`.
"""
