"""Bounds on texts of trees, checked before anything recursive sees them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
    for position in _brackets(text, line, column):
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


def _brackets(text: str, line: int = 1, column: int = 1) -> Iterator[int]:
    """Positions of the brackets outside quotes and comments. Raises TreeSyntaxError for an unterminated quote."""
    position = 0
    while position < len(text):
        at = text[position]
        if at in "\"'#":
            end, closed = _quoted_end(text, position)
            if not closed:
                place = place_in(text, position, line, column)
                raise TreeSyntaxError("unterminated string", place=place, expected=f"{at} at its end")
            position = end
            continue
        if at in "()[]{}":
            yield position
        position += 1


def _quoted_end(text: str, start: int) -> tuple[int, bool]:
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


ALLOWED = "an attribute, a literal, a comparison, and/or/not, arithmetic, or one of the functions of the algebra"


@dataclass(frozen=True)
class Source:
    """A text being read, and where it stands inside a larger one."""

    text: str
    line: int = 1
    column: int = 1
    exact: bool = True
    """False where escapes make columns inside unknowable; then errors point to the start."""

    def place(self, line: int, byte_offset: int | None) -> Place:
        """Place of a 1-based line of the wrapped text and a 0-based UTF-8 byte offset in it."""
        if not self.exact:
            return Place(self.line, self.column)
        lines = self.text.split("\n")
        here = lines[min(line, len(lines)) - 1]
        wrapped = 1 if line == 1 else 0
        offset = max(0, (byte_offset or 0) - wrapped)
        column = len(here.encode()[:offset].decode(errors="ignore")) + 1
        if line == 1:
            return Place(self.line, self.column + column - 1)
        return Place(self.line + line - 1, column)

    def parse(self) -> ast.expr:
        """The text's syntax. Raises TreeSyntaxError where it has none, or is nested too deep."""
        check_nesting(self.text, self.line, self.column)
        try:
            return ast.parse(f"({self.text}\n)", mode="eval").body
        except SyntaxError as bad:
            place = self._place_of_error(bad.lineno or 1, (bad.offset or 1) - 1)
            raise TreeSyntaxError(bad.msg, place=place, expected=ALLOWED) from bad
        except (RecursionError, MemoryError) as bad:
            raise TreeSyntaxError(
                "nested too deep", place=Place(self.line, self.column), expected=f"at most {MAX_DEPTH} levels"
            ) from bad
        except ValueError as bad:
            raise TreeSyntaxError(str(bad), place=Place(self.line, self.column), expected=ALLOWED) from bad

    def _place_of_error(self, line: int, characters: int) -> Place:
        """Place of Python's complaint, which counts characters of the wrapped text and may point behind its end."""
        lines = ("(" + self.text).split("\n")
        if line > len(lines):
            line, characters = len(lines), len(lines[-1])
        return self.place(line, len(lines[line - 1][:characters].encode()))
