"""Money, distances and lengths of time in a text, and which sum is the one that was paid.

Numbers and plain lengths of time are read as exports' are (operators/reading/read_amounts.py); here is where they
stand, the words beside them, and number words.
"""

from __future__ import annotations

from .lengths import Distance, Length, distances, durations
from .money import Money, Role, money, total_paid

__all__ = ["Distance", "Length", "Money", "Role", "distances", "durations", "money", "total_paid"]
