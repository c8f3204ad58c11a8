"""A text of an expression or tree: Python's syntax of it, and where in a larger text its parts stand."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ...errors import Place, TreeSyntaxError
from .limits import MAX_DEPTH, check_nesting

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
