"""Extraction expressions as regular expressions over an encoded row of tokens (planner.patterns.tokens.encode)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, singledispatch
from typing import Any

import regex

from . import extraction as ex

_TOKEN_START = rf"(?:\A|(?<={ex.TOKEN_END}))"
_FIELD = f"[^{ex.FIELD_END}{ex.TOKEN_END}]*"
_REST = f"{ex.FIELD_END}{_FIELD}{ex.TOKEN_END}"


@dataclass(frozen=True)
class Hole:
    """A named part: the regex group that holds it, and the pattern or kind of annotation that it is, if it is one."""

    name: str
    group: str
    pattern: str | None = None
    kind: str | None = None


@dataclass(frozen=True)
class RowExpression:
    """An extraction expression over rows, with what must be there for it to match.

    Writing and compiling it takes longer than all else at the start, so each waits until a question may need it.
    """

    tree: ex.Expression
    needs: tuple[frozenset[str], ...]

    @property
    def source(self) -> str:
        """As a regular expression."""
        return self._written[0]

    @property
    def holes(self) -> tuple[Hole, ...]:
        """Its named parts."""
        return self._written[1]

    @cached_property
    def expression(self) -> Any:
        """The compiled expression."""
        return regex.compile(self.source)

    @cached_property
    def _written(self) -> tuple[str, tuple[Hole, ...]]:
        holes: list[Hole] = []
        source = _TOKEN_START + _source(self.tree, holes)
        return source, tuple(holes)


def row_expression(tree: ex.Expression) -> RowExpression:
    """The expression that matches runs of whole tokens."""
    return RowExpression(tree, ex.needs(tree))


@singledispatch
def _source(node: ex.Expression, _holes: list[Hole]) -> str:
    """The regular expression of a node; adds the named parts to the holes."""
    raise TypeError(f"no extraction expression: {node!r}")


@_source.register
def _(node: ex.Word, _holes: list[Hole]) -> str:
    return f"(?:{regex.escape(node.text)}{ex.FIELD_END}{_FIELD}{_REST})"


@_source.register
def _(node: ex.Stem, _holes: list[Hole]) -> str:
    return f"(?:{_FIELD}{ex.FIELD_END}{regex.escape(node.text)}{_REST})"


@_source.register
def _(node: ex.TokenRegex, _holes: list[Hole]) -> str:
    if node.negated:
        return f"(?:(?!(?:{node.source}){ex.FIELD_END})[^{ex.TOKEN_END}]+{ex.TOKEN_END})"
    return f"(?:(?:{node.source}){ex.FIELD_END}{_FIELD}{_REST})"


@_source.register
def _(_node: ex.AnyToken, _holes: list[Hole]) -> str:
    return f"(?:[^{ex.TOKEN_END}]+{ex.TOKEN_END})"


@_source.register
def _(node: ex.Edge, _holes: list[Hole]) -> str:
    return r"\A" if node.start else r"\Z"


@_source.register
def _(node: ex.Annotated, _holes: list[Hole]) -> str:
    return _tagged(node.kind)


@_source.register
def _(node: ex.Sequence, holes: list[Hole]) -> str:
    return "".join(_source(part, holes) for part in node.parts)


@_source.register
def _(node: ex.Alternatives, holes: list[Hole]) -> str:
    return "(?:" + "|".join(_source(option, holes) for option in node.options) + ")"


@_source.register
def _(node: ex.Repeat, holes: list[Hole]) -> str:
    return f"(?:{_source(node.inner, holes)}){node.quantifier}"


@_source.register
def _(node: ex.Named, holes: list[Hole]) -> str:
    kind = node.inner.kind if isinstance(node.inner, ex.Annotated) else None
    return _hole(Hole(node.name, f"g{len(holes)}", kind=kind), node.inner, holes)


@_source.register
def _(node: ex.Sub, holes: list[Hole]) -> str:
    if node.name is None:
        return _tagged(node.pattern)
    return _hole(Hole(node.name, f"g{len(holes)}", pattern=node.pattern), ex.Annotated(node.pattern), holes)


def _hole(hole: Hole, inner: ex.Expression, holes: list[Hole]) -> str:
    holes.append(hole)
    return f"(?P<{hole.group}>{_source(inner, holes)})"


def _tagged(kind: str) -> str:
    """Tokens annotated as `kind`, or that the pattern of that name matched: the first one's tag has the count."""
    other = f"[^{ex.TOKEN_END}]"
    options = []
    for length in range(ex.MAX_ANNOTATED_TOKENS, 0, -1):
        rest = f"(?:{other}+{ex.TOKEN_END}){{{length - 1}}}" if length > 1 else ""
        options.append(f"{other}* {regex.escape(kind)}{length} {other}*{ex.TOKEN_END}{rest}")
    return "(?:" + "|".join(options) + ")"
