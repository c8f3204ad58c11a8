"""Bounds on texts of trees, checked before anything recursive sees them."""

from __future__ import annotations

from ..errors import Place, TreeSyntaxError

MAX_LENGTH = 50_000
"""Characters in the text of one tree."""
MAX_DEPTH = 100
"""Levels of operators, of brackets, and of expressions inside one condition."""


def check_nesting(text: str, line: int = 1, column: int = 1) -> None:
    """Raises TreeSyntaxError for a text that is too long or whose brackets nest too deep; quoted text does not count.

    Python's own parser fails on deep nesting in ways that differ by version; this keeps it from having to.
    """
    if len(text) > MAX_LENGTH:
        raise TreeSyntaxError(
            f"{len(text)} characters are too many", place=Place(line, column), expected=f"at most {MAX_LENGTH}"
        )
    depth, quote, position = 0, "", 0
    while position < len(text):
        at = text[position]
        if quote:
            if at == "\\":
                position += 1
            elif text.startswith(quote, position):
                position += len(quote) - 1
                quote = ""
        elif at in "\"'":
            quote = at * 3 if text.startswith(at * 3, position) else at
            position += len(quote) - 1
        elif at in "([{":
            depth += 1
            if depth > MAX_DEPTH:
                raise TreeSyntaxError(
                    "nested too deep",
                    place=_place(text, position, line, column),
                    expected=f"at most {MAX_DEPTH} levels",
                )
        elif at in ")]}":
            depth = max(0, depth - 1)
        position += 1


def _place(text: str, position: int, line: int, column: int) -> Place:
    before = text[:position]
    lines = before.count("\n")
    if lines:
        return Place(line + lines, position - before.rindex("\n"))
    return Place(line, column + position)
