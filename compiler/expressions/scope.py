"""What compiling a part of an expression needs of what stands around it; `Expressions` is what gives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ...operators.checking.types import Kind
from ...operators.expressions import Expression
from ..scope import Context
from .values import Value


class Scope(Protocol):
    """Names that are bound, the lines that texts need in the pattern, and the compiling of other expressions."""

    context: Context
    names: Mapping[str, Any]
    lets: list[str]

    def let(self, text: str, wish: str) -> str:
        """A variable for a text that is used more than once."""
        ...

    def condition(self, expression: Expression) -> str:
        """Text of a condition."""
        ...

    def truth(self, value: Value) -> str:
        """Text of a value's truth."""
        ...

    def value(self, expression: Expression) -> Value:
        """An expression's text and type. Raises TreeTypeError."""
        ...

    def term(self, expression: Expression) -> Value:
        """An expression as a term."""
        ...

    def of_kind(self, expression: Expression, kind: Kind) -> Value:
        """An expression's value. Raises TreeTypeError where it is of another kind."""
        ...

    def inside(self, names: Mapping[str, Any], lets: list[str]) -> Scope:
        """The same with more names, whose lines go elsewhere."""
        ...
