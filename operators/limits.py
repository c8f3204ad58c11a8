"""Bounds on texts of trees, checked before anything recursive sees them."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import Place, TreeSyntaxError

MAX_LENGTH = 50_000
"""Characters in the text of one tree."""
MAX_DEPTH = 100
"""Levels of operators, of brackets, and of expressions inside one condition."""


_OPENING = {")": "(", "]": "[", "}": "{"}


def check_nesting(text: str, line: int = 1, column: int = 1) -> None:
    """Raises TreeSyntaxError for a text that is too long, or whose brackets nest too deep or do not match.

    Quoted text and comments do not count. Python's own parser fails on deep nesting in ways that differ by version;
    this keeps it from having to.
    """
    if len(text) > MAX_LENGTH:
        message = f"{len(text)} characters are too many"
        raise TreeSyntaxError(message, place=Place(line, column), expected=f"at most {MAX_LENGTH}")
    stack: list[int] = []
    for position in _brackets(text, line, column):
        at = text[position]
        place = _place(text, position, line, column)
        if at not in _OPENING:
            stack.append(position)
            if len(stack) > MAX_DEPTH:
                raise TreeSyntaxError("nested too deep", place=place, expected=f"at most {MAX_DEPTH} levels")
        elif not stack or text[stack.pop()] != _OPENING[at]:
            raise TreeSyntaxError(f"unmatched {at!r}", place=place, expected=f"{_OPENING[at]!r} before it")
    if stack:
        place = _place(text, stack[-1], line, column)
        raise TreeSyntaxError(f"{text[stack[-1]]!r} is never closed", place=place, expected="its other bracket")


def _brackets(text: str, line: int, column: int) -> Iterator[int]:
    """Positions of the brackets outside quotes and comments."""
    quote, opened, position = "", 0, 0
    while position < len(text):
        at = text[position]
        if quote:
            if at == "\\":
                position += 1
            elif text.startswith(quote, position):
                position += len(quote) - 1
                quote = ""
            elif at == "\n" and len(quote) == 1:
                break
        elif at in "\"'":
            quote = at * 3 if text.startswith(at * 3, position) else at
            opened = position
            position += len(quote) - 1
        elif at == "#":
            end = text.find("\n", position)
            position = len(text) if end < 0 else end
        elif at in "()[]{}":
            yield position
        position += 1
    if quote:
        raise TreeSyntaxError(
            "unterminated string", place=_place(text, opened, line, column), expected=f"{quote} at its end"
        )


def _place(text: str, position: int, line: int, column: int) -> Place:
    lines = text.count("\n", 0, position)
    if lines:
        return Place(line + lines, position - text.rindex("\n", 0, position))
    return Place(line, column + position)
