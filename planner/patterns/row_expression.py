"""Extraction expressions as regular expressions over an encoded row of tokens (planner.patterns.tokens.encode)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, singledispatch
from itertools import groupby
from typing import Any, Final

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

    Reading, writing and compiling it takes longer than all else at the start, so each waits until a question may need
    it.
    """

    read: Callable[[], ex.Expression]
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
        source = _TOKEN_START + _source(self.read(), holes)
        return source, tuple(holes)


def row_expression(tree: ex.Expression) -> RowExpression:
    """The expression that matches runs of whole tokens."""
    return RowExpression(lambda: tree, ex.needs(tree))


@singledispatch
def _source(node: ex.Expression, _holes: list[Hole]) -> str:
    """The regular expression of a node; adds the named parts to the holes."""
    raise TypeError(f"no extraction expression: {node!r}")


@_source.register
def _(node: ex.Word, _holes: list[Hole]) -> str:
    return _token(regex.escape(node.text))


def _token(source: str) -> str:
    """A token whose word matches wholly."""
    return f"(?:{source}{ex.FIELD_END}{_FIELD}{_REST})"


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
    return _one_of([_parts_of(option) for option in node.options], holes)


def _one_of(rows: Sequence[tuple[ex.Expression, ...]], holes: list[Hole]) -> str:
    """One of some rows of parts. Neighbours that begin with the same word share it, and words that stand alone share
    what follows a word in the encoded row: the same is matched in the same order, and compiled in a third of the
    time."""
    options: list[str] = []
    for first, neighbours in groupby(rows, key=_first_word):
        same = list(neighbours)
        if first is None:
            options += ["".join(_source(part, holes) for part in row) for row in same]
        elif first == _ALONE:
            words = "|".join(regex.escape(row[0].text) for row in same if isinstance(row[0], ex.Word))
            options.append(_token(f"(?:{words})" if len(same) > 1 else words))
        elif len(same) == 1:
            options.append("".join(_source(part, holes) for part in same[0]))
        else:
            options.append(_token(regex.escape(first)) + _one_of([row[1:] for row in same], holes))
    return f"(?:{'|'.join(options)})"


_ALONE: Final = ""
"""Stands for the first word of rows of one word: no word is empty."""


def _first_word(row: tuple[ex.Expression, ...]) -> str | None:
    """The word that a row begins with, `_ALONE` where it is all of it; None where it begins with something else."""
    if not row or not isinstance(row[0], ex.Word):
        return None
    return _ALONE if len(row) == 1 else row[0].text


def _parts_of(node: ex.Expression) -> tuple[ex.Expression, ...]:
    return node.parts if isinstance(node, ex.Sequence) else (node,)


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
    """Tokens annotated as `kind`, or that the pattern of that name matched: the first one's tag has the count. Of
    several tags of a kind the longest stands last, and is met first."""
    other = f"[^{ex.TOKEN_END}]"
    options = []
    for length in range(ex.MAX_ANNOTATED_TOKENS, 0, -1):
        rest = f"(?:{other}+{ex.TOKEN_END}){{{length - 1}}}" if length > 1 else ""
        options.append(f"{length} {other}*{ex.TOKEN_END}{rest}")
    return f"(?:{other}* {regex.escape(kind)}(?:{'|'.join(options)}))"
