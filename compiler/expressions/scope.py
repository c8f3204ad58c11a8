"""What compiling a part of an expression needs of what stands around it; `Expressions` is what gives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ...operators.checking.types import Kind
from ...operators.expressions import Expression
from ..scope import Context
from ..sparql.algebra import Expr, Step, Var
from .values import Value


class Scope(Protocol):
    """Names that are bound, what expressions need in the pattern, and the compiling of other expressions."""

    context: Context
    names: Mapping[str, Any]
    lets: list[Step]

    def let(self, value: Expr, wish: str) -> Var:
        """A variable for an expression that is used more than once."""
        ...

    def condition(self, expression: Expression) -> Expr:
        """A condition."""
        ...

    def truth(self, value: Value) -> Expr:
        """A value's truth."""
        ...

    def value(self, expression: Expression) -> Value:
        """An expression's SPARQL and type. Raises TreeTypeError."""
        ...

    def term(self, expression: Expression) -> Value:
        """An expression as a term."""
        ...

    def of_kind(self, expression: Expression, kind: Kind) -> Value:
        """An expression's value. Raises TreeTypeError where it is of another kind."""
        ...

    def inside(self, names: Mapping[str, Any], lets: list[Step]) -> Scope:
        """The same with more names, whose operators go elsewhere."""
        ...
