"""Rewrites of operator trees: the same answer, computed with less work."""

from .rules import REWRITES, Rewrite, Rewritten, rewrite

__all__ = ["REWRITES", "Rewrite", "Rewritten", "rewrite"]
