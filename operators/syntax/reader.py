"""What reading a part of an expression needs of the reader of the whole; `ExpressionReader` is what gives it."""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager
from typing import Protocol

from ...errors import TreeSyntaxError
from ..expressions import Expression, Function
from .source import ALLOWED


class Reader(Protocol):
    """Reads Python's syntax nodes as expressions, in a scope of names."""

    @property
    def depth(self) -> int:
        """How many expressions stand around."""
        ...

    def read(self, node: ast.expr) -> Expression:
        """The expression of a syntax node. Raises TreeSyntaxError with its place."""
        ...

    def function(self, node: ast.expr) -> Function:
        """A lambda of one parameter, or a function by name."""
        ...

    def with_names(self, *names: str) -> Reader:
        """The reader inside a scope that binds names."""
        ...

    def refused(
        self, node: ast.expr, message: str, expected: str, known: frozenset[str] | None = None
    ) -> TreeSyntaxError:
        """The error of a node, with its place."""
        ...

    def placed(self, node: ast.expr, expected: str = ALLOWED) -> AbstractContextManager[None]:
        """Gives the refusals of constructors the node's place."""
        ...
