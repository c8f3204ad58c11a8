"""How far a pattern got: which of its words a question has, and what stands where it expected something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch

import regex

from ..annotation.annotations import known_terms
from ..annotation.reading import Reading
from ..patterns import extraction as ex
from ..patterns.patterns import CompiledPattern, Matcher
from ..patterns.row_expression import row_expression
from ..patterns.tokens import Text, encode

TIMEOUT_SECONDS = 0.2


@dataclass(frozen=True)
class Progress:
    """A pattern's best try: the words that it matched, what it expected next, and the words that stand there.

    `share` is the part of the expression that matched; `computed` is false where all words match and the transformation
    has no value.
    """

    pattern: CompiledPattern
    matched: str
    expected: str
    stands: str
    share: float
    words: int

    def __str__(self) -> str:
        if not self.expected:
            return f"its words match “{self.matched}”, but the transformation has no value for them"
        there = f"where “{self.stands}” stands" if self.stands else "at the end"
        if self.expected == "$":
            return f"“{self.matched}” matches, but “{self.stands}” is left over"
        return f"after “{self.matched}” it expects {self.expected} {there}"


def progress_of(
    patterns: Sequence[CompiledPattern], book: Sequence[CompiledPattern], reading: Reading, matcher: Matcher
) -> list[Progress]:
    """The best try of each of the patterns that began on a reading's core without matching it, the furthest first."""
    rows = _Row(reading, book, matcher)
    fired = {annotation.pattern for annotation in reading.annotations}
    waiting = (compiled for compiled in patterns if compiled.pattern.iri not in fired)
    found = [best for compiled in waiting if (best := rows.best(compiled)) is not None]
    return sorted(found, key=lambda p: (-p.share * p.words, -p.words))


class _Row:
    """The core of a reading as patterns see it, with all that other patterns matched in it."""

    def __init__(self, reading: Reading, book: Sequence[CompiledPattern], matcher: Matcher) -> None:
        self.text: Text = reading.core
        known = known_terms(a for a in reading.annotations if a.pattern is None)
        tags: list[set[str]] = [set() for _ in self.text.tokens]
        used = [c for c in book if c.used]
        matches = matcher.run(used, self.text, known)
        for kind, first, last in (*known, *((m.pattern.name, m.first, m.last) for m in matches)):
            tags[first].add(f"{kind}{last - first}")
        self._row = encode(self.text, tags)

    def best(self, compiled: CompiledPattern) -> Progress | None:
        """The expression of the pattern that gets furthest."""
        tries = [self._furthest(compiled, ex.parse_extraction(source)) for source in compiled.pattern.extracts]
        found = [one for one in tries if one is not None]
        return max(found, key=lambda p: (p.share * p.words, p.words), default=None)

    def _furthest(self, compiled: CompiledPattern, tree: ex.Expression) -> Progress | None:
        if any(isinstance(node, ex.Listed) for node in _leaves(tree)):
            return None
        parts = tree.parts if isinstance(tree, ex.Sequence) else (tree,)
        reached: tuple[int, tuple[int, int]] | None = None
        for count in range(1, len(parts) + 1):  # what does not match a beginning matches no more of it
            span = self._span(parts[:count])
            if span is None:
                break
            reached = count, span
        return self._progress(compiled, parts, *reached) if reached else None

    def _span(self, parts: Sequence[ex.Expression]) -> tuple[int, int] | None:
        source = row_expression(ex.Sequence(tuple(parts))).source
        try:
            found = regex.search(source, self._row.text, timeout=TIMEOUT_SECONDS)
        except TimeoutError:
            return None
        return (self._row.token_at[found.start()], self._row.token_at[found.end()]) if found else None

    def _progress(
        self, compiled: CompiledPattern, parts: Sequence[ex.Expression], count: int, span: tuple[int, int]
    ) -> Progress | None:
        first, last = span
        said = sum(_is_said(part) for part in parts[:count])
        if last == first or not said:
            return None
        rest = parts[count:]
        expected = next((part for part in rest if not _is_optional(part)), rest[0] if rest else None)
        stands = self.text.words(last, len(self.text.tokens)) if last < len(self.text.tokens) else ""
        written_out = (
            " ".join(written(part) for part in rest[: rest.index(expected) + 1]) if expected is not None else ""
        )
        share = said / max(1, sum(_is_said(part) for part in parts))
        return Progress(compiled, self.text.words(first, last), written_out, stands, share, last - first)


def _leaves(tree: ex.Expression) -> Iterator[ex.Expression]:
    match tree:
        case ex.Named(inner=inner) | ex.Repeat(inner=inner):
            yield from _leaves(inner)
        case ex.Sequence(parts=parts) | ex.Alternatives(options=parts):
            for part in parts:
                yield from _leaves(part)
        case _:
            yield tree


def _is_optional(part: ex.Expression) -> bool:
    return isinstance(part, ex.Repeat) and (part.quantifier[0] in "?*" or part.quantifier.startswith("{0"))


def _is_said(part: ex.Expression) -> bool:
    """Whether the part asks for certain words: wildcards and edges match anywhere."""
    anything = (ex.AnyToken, ex.Edge)
    return not _is_optional(part) and any(
        not isinstance(leaf, anything) and not (isinstance(leaf, ex.TokenRegex) and leaf.negated)
        for leaf in _leaves(part)
    )


@singledispatch
def written(node: ex.Expression) -> str:
    """An expression as it is written in pg:extract."""
    raise TypeError(f"no extraction expression: {node!r}")


@written.register
def _(node: ex.Word) -> str:
    return node.text


@written.register
def _(node: ex.Stem) -> str:
    return "~" + node.text


@written.register
def _(node: ex.TokenRegex) -> str:
    return f"{'!' if node.negated else ''}/{node.source}/"


@written.register
def _(_node: ex.AnyToken) -> str:
    return "_"


@written.register
def _(node: ex.Edge) -> str:
    return "^" if node.start else "$"


@written.register
def _(node: ex.Annotated) -> str:
    return f"{{@{node.kind}}}"


@written.register
def _(node: ex.Listed) -> str:
    return f"{{#{node.kind}}}"


@written.register
def _(node: ex.Sub) -> str:
    return f"{{{node.name}={node.pattern}}}" if node.name else f"{{{node.pattern}}}"


@written.register
def _(node: ex.Named) -> str:
    if isinstance(node.inner, ex.Annotated | ex.Listed):
        return written(node.inner).replace("{", f"{{{node.name}=", 1)
    return f"<{node.name}: {written(node.inner)}>"


@written.register
def _(node: ex.Sequence) -> str:
    return " ".join(f"({written(p)})" if isinstance(p, ex.Alternatives) else written(p) for p in node.parts)


@written.register
def _(node: ex.Alternatives) -> str:
    return " | ".join(written(option) for option in node.options)


@written.register
def _(node: ex.Repeat) -> str:
    inner = written(node.inner)
    grouped = f"({inner})" if isinstance(node.inner, ex.Sequence | ex.Alternatives) else inner
    return grouped + node.quantifier
