"""The root of the operators, below both trees and expressions: each may hold the other."""

from __future__ import annotations


class Node:
    """Root of the operators (`nodes.py`)."""

    __slots__ = ()
