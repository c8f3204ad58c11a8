"""Bounds on texts of trees, checked before anything recursive sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import Place, TreeSyntaxError

MAX_LENGTH = 50_000
"""Characters in the text of one tree."""
MAX_DEPTH = 100
"""Levels of operators, of brackets, and of expressions inside one condition."""
MAX_ATTRIBUTES = 100
"""Attributes that the EXTRACTs of a tree add in all: a query's cost grows faster than their number."""

_OPENING = {")": "(", "]": "[", "}": "{"}


def check_length(text: str, line: int = 1, column: int = 1) -> None:
    """Raises TreeSyntaxError for a text that is too long."""
    if len(text) > MAX_LENGTH:
        message = f"{len(text)} characters are too many"
        raise TreeSyntaxError(message, place=Place(line, column), expected=f"at most {MAX_LENGTH}")


def check_attributes(counts: Iterable[int]) -> None:
    """Raises TreeSyntaxError for a tree whose EXTRACTs add too many attributes; `counts` has those of each."""
    every = sum(counts)
    if every > MAX_ATTRIBUTES:
        raise TreeSyntaxError(
            f"{every} attributes are too many", place=Place(1, 1), expected=f"at most {MAX_ATTRIBUTES} in a tree"
        )


def check_nesting(text: str, line: int = 1, column: int = 1) -> None:
    """Raises TreeSyntaxError for a text that is too long, or whose brackets nest too deep or do not match.

    Quoted text and comments do not count. Python's own parser fails on deep nesting in ways that differ by version;
    this keeps it from having to.
    """
    check_length(text, line, column)
    stack: list[int] = []
    for position in bracket_positions(text, line, column):
        at = text[position]
        place = place_in(text, position, line, column)
        if at not in _OPENING:
            stack.append(position)
            if len(stack) > MAX_DEPTH:
                raise TreeSyntaxError("nested too deep", place=place, expected=f"at most {MAX_DEPTH} levels")
        elif not stack or text[stack.pop()] != _OPENING[at]:
            raise TreeSyntaxError(f"unmatched {at!r}", place=place, expected=f"{_OPENING[at]!r} before it")
    if stack:
        place = place_in(text, stack[-1], line, column)
        raise TreeSyntaxError(f"{text[stack[-1]]!r} is never closed", place=place, expected="its other bracket")


def bracket_positions(text: str, line: int = 1, column: int = 1) -> Iterator[int]:
    """Positions of the brackets outside quotes and comments. Raises TreeSyntaxError for an unterminated quote."""
    position = 0
    while position < len(text):
        at = text[position]
        if at in "\"'#":
            end, closed = quoted_end(text, position)
            if not closed:
                place = place_in(text, position, line, column)
                raise TreeSyntaxError("unterminated string", place=place, expected=f"{at} at its end")
            position = end
            continue
        if at in "()[]{}":
            yield position
        position += 1


def quoted_end(text: str, start: int) -> tuple[int, bool]:
    """Where the quote or comment that begins at `start` ends, and whether it is closed; an open one ends its line."""
    at = text[start]
    if at == "#":
        end = text.find("\n", start)
        return (len(text) if end < 0 else end), True
    quote = at * 3 if text.startswith(at * 3, start) else at
    position = start + len(quote)
    while position < len(text):
        if text.startswith(quote, position):
            return position + len(quote), True
        if text[position] == "\n" and len(quote) == 1:
            return position, False
        position += 2 if text[position] == "\\" else 1
    return len(text), False


def place_in(text: str, position: int, line: int = 1, column: int = 1) -> Place:
    """The place of a position in a text that starts at a line and column."""
    lines = text.count("\n", 0, position)
    if lines:
        return Place(line + lines, position - text.rindex("\n", 0, position))
    return Place(line, column + position)
