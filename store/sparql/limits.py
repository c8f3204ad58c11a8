"""How deep a query may be nested, and how long its chains may be: Oxigraph evaluates both on the stack.

Counted on the tokens, before the grammar or Oxigraph sees them. A thread that evaluates has room for several times as
much (`store/queries/deadline.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...errors import QueryError
from .lexer import Token, place_in

MOST_DEEP: Final = 200
"""Brackets of any kind inside one another."""
MOST_LINKS: Final = 5_000
"""Operators, elements of a group and triples, each of which Oxigraph puts around those before it."""
OPENING: Final = frozenset({"OPEN", "LBRACE", "LBRACKET"})
CLOSING: Final = frozenset({"CLOSE", "RBRACE", "RBRACKET"})
_LINKED_BY: Final = """OR AND PIPE SLASH STAR PLUS MINUS_SIGN SIGNED CARET NOT_SIGN EQUALS COMPARE DOT SEMICOLON UNION
  OPTIONAL MINUS FILTER BIND GRAPH VALUES EXISTS AS"""
_LINKS: Final = frozenset(_LINKED_BY.split())


def check_nesting(tokens: Sequence[Token], text: str) -> None:
    """Raises QueryError with the place of the bracket that is nested too deeply, or the link that is one too many."""
    depth = links = 0
    for kind, _, offset in tokens:
        depth += (kind in OPENING) - (kind in CLOSING)
        links += kind in _LINKS
        if depth > MOST_DEEP:
            wrong, expected = f"this is nested more than {MOST_DEEP} deep", "fewer brackets"
        elif links > MOST_LINKS:
            wrong, expected = f"the query has more than {MOST_LINKS:,} operators and elements", "a shorter query"
        else:
            continue
        raise QueryError(wrong, place=place_in(text, offset), expected=expected)
