"""Patterns: what a run of words means, written in Turtle (QUASL, section IV-B, listing 1).

A `pg:Pattern` has extraction expressions (`pg:extract`, see planner.patterns.extraction; several are alternatives)
and, for the variables that its named groups do not already give, a transformation (`pg:compute`): the inside of a
SPARQL WHERE, mostly BINDs, over the groups, ?now, ?today and ?weekday (1 = Monday). The variables named by
`pg:output` must come out bound, else the words do not mean this. Patterns cascade: those that others use run first,
and what they found is matched like a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

from ...errors import QueryError, QueryStopped, QueryTimeout, RuleError
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode, Term
from ...store.words import nearest_name
from . import extraction as ex
from .functions import Clock
from .index import index_of
from .limits import BoundedGraph
from .row_expression import Hole, RowExpression, row_expression
from .summaries import Summary
from .tokens import Text, encode, tokenise

TIMEOUT_SECONDS = 0.5
"""Longest time that one pattern may take on one question."""


@dataclass(frozen=True)
class Pattern:
    """One pattern as written; `kinds` are the local names of the classes that its annotations get.

    A pattern without kinds only serves inside others.
    """

    iri: str
    label: str
    extracts: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    compute: str = ""
    look: str = ""
    """A SELECT over the data, whose variables the transformation may use."""
    outputs: tuple[str, ...] = ()
    applies_to: tuple[str, ...] = ()
    confidence: float = 1.0
    path: str | None = None

    @property
    def name(self) -> str:
        """The local name, by which other patterns refer to it."""
        return self.iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


@dataclass(frozen=True)
class Group:
    """A named group of a match: tokens `first` to `last` (exclusive)."""

    name: str
    first: int
    last: int


@dataclass(frozen=True)
class PatternMatch:
    """A pattern that fired on tokens `first` to `last` (exclusive), with its variables."""

    pattern: Pattern
    first: int
    last: int
    variables: Mapping[str, Term]
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class CompiledPattern:
    """A pattern ready to run; `used` when other patterns refer to it, `uses` those it refers to; `listed` are the words
    of the names that it lists as {#Class}."""

    pattern: Pattern
    expressions: tuple[RowExpression, ...]
    used: bool
    uses: frozenset[str]
    listed: frozenset[str] = frozenset()


Names = Callable[[], Mapping[str, Sequence[str]]]
"""The names of things of each class, for `{#Class}`."""


def compile_patterns(
    patterns: Iterable[Pattern], names: Names = dict, known: Mapping[str, Summary] = MappingProxyType({})
) -> tuple[CompiledPattern, ...]:
    """Patterns ready to run, those that others use before their users. `known` are summaries of patterns, whose
    expressions are not read before a question may match them.

    Raises RuleError for a malformed expression, an unknown pattern (with the nearest name) or a circle of uses.
    """
    by_name: dict[str, Pattern] = {}
    for pattern in patterns:
        if pattern.name in by_name:
            raise RuleError(f"two patterns are called {pattern.name}: {by_name[pattern.name].iri} and {pattern.iri}")
        by_name[pattern.name] = pattern
    known = {name: known[name] for name, pattern in by_name.items() if _is_of(known.get(name), pattern)}
    uses = {name: known[name].uses if name in known else _uses(pattern) for name, pattern in by_name.items()}
    used = {other for name in uses for other in uses[name]}
    return tuple(
        _from_summary(pattern, known[pattern.name], pattern.name in used, names)
        if pattern.name in known
        else _compiled(pattern, pattern.name in used, names)
        for pattern in _cascade(by_name, uses)
    )


def _is_of(known: Summary | None, pattern: Pattern) -> bool:
    return known is not None and len(known.needs) == len(pattern.extracts)


def summaries(patterns: Iterable[CompiledPattern]) -> dict[str, Summary]:
    """What is known of patterns once they are compiled, by their names."""
    return {
        c.pattern.name: Summary(_uses(c.pattern), tuple(one.needs for one in c.expressions), c.listed) for c in patterns
    }


def _compiled(pattern: Pattern, used: bool, names: Names) -> CompiledPattern:
    kinds = _kinds_listed(pattern)
    listed = tuple((kind, tuple(names()[kind])) for kind in kinds if kind in names()) if kinds else ()
    words = frozenset(word for _, same in listed for word in _words_of(same))
    return CompiledPattern(pattern, _expressions(pattern, listed), used, frozenset(_uses(pattern)), words)


def _from_summary(pattern: Pattern, known: Summary, used: bool, names: Names) -> CompiledPattern:
    def read(place: int) -> ex.Expression:
        tree = _trees(pattern)[place]
        kinds = dict.fromkeys(ex.kinds_listed(tree))
        return ex.with_names(tree, {kind: _as_words(names().get(kind, ())) for kind in kinds})

    expressions = tuple(RowExpression(partial(read, place), needs) for place, needs in enumerate(known.needs))
    return CompiledPattern(pattern, expressions, used, frozenset(known.uses), known.listed)


@lru_cache(maxsize=4096)
def _expressions(pattern: Pattern, names: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[RowExpression, ...]:
    """A pattern's expressions with the names of the classes that it lists; kept, since most rule books hold it."""
    listed = {kind: _as_words(same) for kind, same in names}
    return tuple(row_expression(ex.with_names(tree, listed)) for tree in _trees(pattern))


@lru_cache(maxsize=4096)
def _kinds_listed(pattern: Pattern) -> tuple[str, ...]:
    return tuple(dict.fromkeys(kind for tree in _trees(pattern) for kind in ex.kinds_listed(tree)))


_VARIABLE = re.compile(r"[?$](\w+)")


def _with_terms(query: str, terms: Mapping[str, Term]) -> str:
    """The query with the variables that have a value written as that term: aggregates and filters see it too."""
    return _VARIABLE.sub(lambda found: str(terms[found[1]]) if found[1] in terms else found[0], query)


def _as_words(names: Iterable[str]) -> tuple[ex.Expression, ...]:
    """Names as rows of words, the longest first: an alternative that matches ends the search."""
    rows = {tuple(ex.Word(token.lower) for token in tokenise(name).tokens) for name in names}
    ordered = sorted(rows, key=lambda words: (-len(words), [word.text for word in words]))
    return tuple(words[0] if len(words) == 1 else ex.Sequence(words) for words in ordered)


@lru_cache(maxsize=64)
def _words_of(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(token.lower for name in names for token in tokenise(name).tokens)


def needed_for(patterns: Sequence[CompiledPattern], kinds: frozenset[str]) -> tuple[CompiledPattern, ...]:
    """Those of the patterns that have one of the kinds, and those that they use, in the same order."""
    wanted = {c.pattern.name for c in patterns if kinds.intersection(c.pattern.kinds)}
    for compiled in reversed(patterns):
        if compiled.pattern.name in wanted:
            wanted |= compiled.uses
    return tuple(c for c in patterns if c.pattern.name in wanted)


@lru_cache(maxsize=4096)
def _trees(pattern: Pattern) -> tuple[ex.Expression, ...]:
    where = f"{pattern.path or ''} pattern {pattern.name}".strip()
    return tuple(ex.parse_extraction(source, where) for source in pattern.extracts)


@lru_cache(maxsize=4096)
def _uses(pattern: Pattern) -> tuple[str, ...]:
    """Names of the patterns that a pattern uses, each once."""
    return tuple(dict.fromkeys(sub.pattern for tree in _trees(pattern) for sub in ex.sub_patterns(tree)))


def _cascade(by_name: Mapping[str, Pattern], uses: Mapping[str, Sequence[str]]) -> list[Pattern]:
    """Patterns in an order in which each comes after those it uses."""
    done: dict[str, Pattern] = {}

    def visit(pattern: Pattern, above: tuple[str, ...]) -> None:
        if pattern.name in above:
            raise RuleError(f"pattern {pattern.name} uses itself: {' → '.join([*above, pattern.name])}")
        if pattern.name in done:
            return
        for name in uses[pattern.name]:
            visit(_referred(name, pattern, by_name), (*above, pattern.name))
        done[pattern.name] = pattern

    for pattern in by_name.values():
        visit(pattern, ())
    return list(done.values())


def _referred(name: str, owner: Pattern, by_name: Mapping[str, Pattern]) -> Pattern:
    found = by_name.get(name)
    if found is None:
        nearest = nearest_name(name, by_name)
        raise RuleError(f"pattern {owner.name} uses {{{name}}}, which is no pattern", nearest=nearest)
    return found


Known = str | Literal | None
"""The IRI that words mean, or the value as the data has it."""
Computed = dict[tuple[Any, ...], dict[str, Term] | None]
"""Variables by what they were computed of; None where a transformation had no value, or a look-up found nothing."""
MOST_COMPUTED = 50_000
"""Results that are kept."""
_CLOCK = re.compile(r"[?$](?:now|today|weekday)\b")


@dataclass
class Matcher:
    """Runs patterns on questions asked at one time. `graph` evaluates the transformations; results are kept by their
    inputs."""

    graph: BoundedGraph
    clock: Clock
    data: Graph | None = None
    """The person's profile and events, for patterns that look things up in them; without it these match nothing."""
    too_slow: set[str] = field(default_factory=set)
    """Names of patterns whose look-up took too long: so large a graph is asked without them."""
    kept: Computed = field(default_factory=dict)
    """What transformations and look-ups gave, by what they were given; may be shared by matchers of other times."""

    def run(
        self, patterns: Sequence[CompiledPattern], text: Text, known: Mapping[tuple[str, int, int], Known]
    ) -> list[PatternMatch]:
        """Matches of all patterns, at most one per expression and place where it can begin; inside others the first
        counts.

        `known` holds what was annotated before: (kind, first token, end token) and the best resource, which a named
        `{p=@Property}` exports as ?p_matches, or the value as the data has it, ?p_value. Raises RuleError when a
        pattern runs too long.
        """
        tags: list[set[str]] = [set() for _ in text.tokens]
        present = {token.lower for token in text.tokens}
        for kind, first, last in known:
            tags[first].add(f"{kind}{last - first}")
            present.add("@" + kind)
        row = encode(text, tags)
        found: dict[tuple[str, int, int], list[PatternMatch]] = {}
        agenda = index_of(patterns).positions(present)
        for position in agenda:
            compiled = patterns[position]
            before = len(found)
            for one in compiled.expressions:
                if all(not need.isdisjoint(present) for need in one.needs):
                    for match in self._search(compiled, one.expression, row.text):
                        self._take(compiled, match, one.holes, text, row.token_at, found, known)
            if compiled.used and len(found) > before:
                present.add("@" + compiled.pattern.name)
                agenda.add("@" + compiled.pattern.name)
                for name, first, last in list(found)[before:]:
                    tags[first].add(f"{name}{last - first}")
                row = encode(text, tags)
        return [match for same in found.values() for match in same]

    def _search(self, compiled: CompiledPattern, expression: Any, row: str) -> list[Any]:
        try:
            return list(expression.finditer(row, overlapped=True, timeout=TIMEOUT_SECONDS))
        except TimeoutError as bad:
            raise RuleError(
                f"pattern {compiled.pattern.name} ran longer than {TIMEOUT_SECONDS} s on this question"
            ) from bad

    def _take(
        self,
        compiled: CompiledPattern,
        match: Any,
        holes: tuple[Hole, ...],
        text: Text,
        token_at: Mapping[int, int],
        found: dict[tuple[str, int, int], list[PatternMatch]],
        known: Mapping[tuple[str, int, int], Known],
    ) -> None:
        """Adds the match to `found`, unless it is there already or its transformation has no value."""
        first, last = token_at[match.start()], token_at[match.end()]
        if last == first:
            return
        given: dict[str, Term] = {}
        groups: list[Group] = []
        for hole in holes:
            if match.start(hole.group) < 0 or match.start(hole.group) == match.end(hole.group):
                continue
            group = Group(hole.name, token_at[match.start(hole.group)], token_at[match.end(hole.group)])
            groups.append(group)
            given[hole.name] = Literal(text.words(group.first, group.last))
            resource = known.get((hole.kind, group.first, group.last)) if hole.kind else None
            if isinstance(resource, Literal):
                given[f"{hole.name}_value"] = resource
            elif resource is not None:
                given[f"{hole.name}_matches"] = NamedNode(resource)
            if hole.pattern is not None:
                inner = found[hole.pattern, group.first, group.last][0].variables
                given.update({f"{hole.name}_{name}": term for name, term in inner.items()})
                given[hole.name] = inner.get("value", given[hole.name])
        variables = self._compute(compiled.pattern, given)
        same = found.get((compiled.pattern.name, first, last), [])
        if variables is not None and not any(other.groups == tuple(groups) for other in same):
            made = PatternMatch(compiled.pattern, first, last, variables, tuple(groups))
            found[compiled.pattern.name, first, last] = [*same, made]

    def _compute(self, pattern: Pattern, given: dict[str, Term]) -> dict[str, Term] | None:
        """`given` with the computed variables; None where one of them stays unbound (the words do not mean this)."""
        if not pattern.compute and not pattern.look:
            return given
        asked_at = self.clock.now if _CLOCK.search(pattern.compute) or _CLOCK.search(pattern.look) else None
        key = (pattern.iri, asked_at, tuple(sorted((name, str(term)) for name, term in given.items())))
        if key not in self.kept:
            if len(self.kept) > MOST_COMPUTED:
                self.kept.clear()
            self.kept[key] = self._transform(pattern, given)
        return self.kept[key]

    def _transform(self, pattern: Pattern, given: dict[str, Term]) -> dict[str, Term] | None:
        inputs = {**self.clock.variables(), **given}
        if pattern.look:
            seen = self._looked_up(pattern, inputs)
            if seen is None:
                return None
            inputs |= seen
        names = " ".join(f"?{name}" for name in inputs)
        values = " ".join(str(term) for term in inputs.values())
        outputs = " ".join(f"?{name}" for name in pattern.outputs)
        query = f"SELECT {outputs} WHERE {{ VALUES ({names}) {{ ({values}) }} {pattern.compute}\n}} LIMIT 1"
        try:
            rows = self.graph.select(query)
        except QueryError as bad:
            raise RuleError(f"the transformation of pattern {pattern.name} is not SPARQL: {bad}") from bad
        except QueryStopped as bad:
            raise RuleError(f"the transformation of pattern {pattern.name} was stopped: {bad}") from bad
        row = next(iter(rows), None)
        if row is None or any(term is None for term in row):
            return None
        computed = {name: term for name, term in zip(pattern.outputs, row, strict=True) if term is not None}
        return {**given, **computed}

    def _looked_up(self, pattern: Pattern, inputs: dict[str, Term]) -> dict[str, Term] | None:
        """What the data says, of the first row that the look-up finds; None where it finds none, or took too long."""
        if self.data is None or pattern.name in self.too_slow:
            return None
        query = _with_terms(pattern.look, inputs)
        if (query,) not in self.kept:
            self.kept[query,] = self._seen(pattern, query, self.data)
        return self.kept[query,]

    def _seen(self, pattern: Pattern, query: str, data: Graph) -> dict[str, Term] | None:
        try:
            rows = data.select(query)
        except QueryError as bad:
            raise RuleError(f"the look-up of pattern {pattern.name} is not SPARQL: {bad}") from bad
        except QueryTimeout:
            self.too_slow.add(pattern.name)
            return None
        row = next(iter(rows), None)
        if row is None:
            return None
        found = zip(rows.variables, row, strict=True)
        return {name: term for name, term in found if isinstance(term, Literal | NamedNode)}
