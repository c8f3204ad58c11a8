"""Texts in many voices; see `case`."""

from .buying import BUYING
from .case import Case
from .films import FILMS
from .sports import SPORTS

__all__ = ["BUYING", "FILMS", "SPORTS", "Case"]
