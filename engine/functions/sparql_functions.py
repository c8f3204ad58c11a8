"""RETRIEVE and EXTRACT as functions of a user's SPARQL: `rq:matches(?event, "…")` and `rq:extract(?event, "…", "…")`.

Each distinct query is retrieved once, before the SPARQL runs, and the function looks events up in a hash table. What
EXTRACT is asked for only a run can tell: the first run notes the events for which a value is missing, these are
extracted in one batch, and the query runs again, until nothing is missing. As Oxigraph tests cheap conditions first
wherever they stand, these are the events that the rest of the query leaves over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from time import perf_counter
from typing import Final, Generic, TypeVar

from ...errors import QueryError, QueryTimeout
from ...extraction.extract import Unresolved, resolve_attribute
from ...ontology.namespaces import RQ, XSD
from ...operators.nodes import AttributeType
from ...operators.resolution import AttributeMatch, ClassMatch, RetrieveMatch
from ...retrieval.context import RetrieveContext
from ...retrieval.retrieve import resolve_retrieve
from ...retrieval.retrieved import matched_events
from ...store.graph import Function, MemoryGraph, StoreGraph
from ...store.queries.deadline import within
from ...store.queries.results import unknown_terms
from ...store.rdf import BlankNode, Literal, NamedNode, Term, Triple
from .sparql_calls import EXTRACT, MATCHES, find_calls

T = TypeVar("T")
Asked = tuple[str, AttributeType | None]
"""A key of EXTRACT and its type; None: as the value stands in the graph."""
_PATIENCE: Final = 3
"""Runs after which whole classes are extracted instead of what the last run asked for."""
_AT_ONCE: Final = 2000
_MOST_NAMED: Final = 10_000
"""Events that a query for values names; for more it reads all values of the property."""
_TRUE, _FALSE = Literal(True), Literal(False)


@dataclass(frozen=True)
class Evaluated(Generic[T]):
    """What a query gave, with how its phrases were read, for the reader to check, and terms of it that nothing has."""

    value: T
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def evaluate(
    query: str,
    find_context: Callable[[], RetrieveContext],
    graph: StoreGraph,
    run: Callable[[StoreGraph], T],
    *,
    seconds: float,
) -> Evaluated[T]:
    """Runs a query with the functions that it calls: `run` is given the graph whose queries may call them.

    Raises QueryError for a query that does not parse or calls the functions wrongly, before anything is retrieved;
    QueryTimeout when all of it together passes `seconds`.
    """
    calls = find_calls(query)
    if not calls:
        value, unknown = within(seconds, lambda: (run(graph), unknown_terms(query, graph)))
        return Evaluated(value, warnings=unknown)
    MemoryGraph(functions={RQ + name: _nothing for name in (MATCHES, EXTRACT)}).answered(query, _nothing)
    limit, context = _Limit(perf_counter() + seconds, seconds), find_context()
    tables = _Tables(context)
    for text in dict.fromkeys(call.text for call in calls if call.function == MATCHES):
        tables.retrieve(text)
        limit.check()
    asked = dict.fromkeys((call.text, call.type) for call in calls if call.function == EXTRACT)
    tables.values.update({about: {} for about in asked})
    groups = len(context.index.classes()) + len(tables.matches)
    for number in range(_PATIENCE + 2 + len(asked) * groups):
        value = limit.within(lambda: run(graph.with_functions(tables.functions)))
        tables.refuse_unknown()
        if not tables.missing:
            break
        tables.extract(whole=number >= _PATIENCE, check=limit.check)
    else:
        raise QueryError("rq:extract is asked for other events in each run of this query")
    warnings = (*tables.warnings, *limit.within(lambda: unknown_terms(query, graph)))
    return Evaluated(value, tuple(dict.fromkeys(tables.notes)), tuple(dict.fromkeys(warnings)))


def _nothing(*_: object) -> None:
    return None


@dataclass(frozen=True)
class _Limit:
    end: float
    seconds: float

    def check(self) -> None:
        """Raises QueryTimeout when it has passed."""
        if perf_counter() > self.end:
            raise QueryTimeout(f"the query passed its limit of {self.seconds:g} s; narrow it, or raise --timeout")

    def within(self, work: Callable[[], T]) -> T:
        """Result of `work` if it ends in time."""
        self.check()
        try:
            return within(self.end - perf_counter(), work)
        except QueryTimeout:
            self.check()
            raise


@dataclass
class _Tables:
    """The hash tables behind the functions of one query, and what the last run missed in them."""

    context: RetrieveContext
    matches: dict[str, RetrieveMatch] = field(default_factory=dict)
    matched: dict[str, frozenset[Term]] = field(default_factory=dict)
    values: dict[Asked, dict[Term, Literal | NamedNode | BlankNode | None]] = field(default_factory=dict)
    missing: dict[Asked, set[NamedNode]] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    """Arguments that were not found in the query's text, so that nothing was prepared for them."""
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def retrieve(self, text: str) -> None:
        """Finds the events that a phrase means."""
        found = resolve_retrieve(text, self.context)
        self.matches[text] = found.match
        self.matched[text] = frozenset(NamedNode(hit.event) for hit in matched_events(found.match, self.context.graph))
        self.notes.extend(found.notes)
        self.warnings.extend(found.warnings)

    # ------------------------------------------------------------ the functions
    @property
    def functions(self) -> Mapping[str, Function]:
        """By IRI. They run on the query's thread, so they only look up, and note what is missing."""
        return {RQ + MATCHES: self._matches, RQ + EXTRACT: self._extract}

    def _matches(self, *terms: object) -> Literal | None:
        event, text = terms[0], terms[1]
        found = self.matched.get(text.value) if isinstance(text, Literal) else None
        if found is None:
            self.unknown.add(str(text))
            return None
        return _TRUE if event in found else _FALSE

    def _extract(self, *terms: object) -> Literal | NamedNode | BlankNode | Triple | None:
        event, texts = terms[0], [term.value if isinstance(term, Literal) else "" for term in terms[1:]]
        about = (texts[0], AttributeType(texts[1]) if len(texts) > 1 and texts[1] in tuple(AttributeType) else None)
        table = self.values.get(about)
        if table is None:
            self.unknown.add(texts[0])
            return None
        if not isinstance(event, NamedNode):
            return None
        if event not in table:
            self.missing.setdefault(about, set()).add(event)
            return None
        return table[event]

    def refuse_unknown(self) -> None:
        """Raises QueryError where a function was called with what does not stand in the query as it is written."""
        if self.unknown:
            raise QueryError(f"{min(self.unknown)} is no text that stands in the query as an argument of rq: functions")

    # ------------------------------------------------------------ EXTRACT
    def extract(self, *, whole: bool, check: Callable[[], None]) -> None:
        """Extracts what the last run missed; `whole`: for all events of the classes that it missed."""
        missing, self.missing = self.missing, {}
        for (key, kind), events in missing.items():
            table = self.values[key, kind]
            table.update(dict.fromkeys(events))
            for label, match, own in self._parted(events, whole=whole):
                for event, value in self._read(label, match, key, kind, own).items():
                    table[event] = value
                if whole:
                    table.update({event: table.get(event) for event in own})
                check()

    def _parted(self, events: set[NamedNode], *, whole: bool) -> list[tuple[str, RetrieveMatch, set[NamedNode]]]:
        """The events by what they are extracted as: what a RETRIEVE of the query found, else their class."""
        parts: list[tuple[str, RetrieveMatch, set[NamedNode]]] = []
        left = set(events)
        for text, match in self.matches.items():
            own = left & self.matched[text]
            if own:
                parts.append(
                    (text, match, {e for e in self.matched[text] if isinstance(e, NamedNode)} if whole else own)
                )
                left -= own
        for name, own in self._by_class(left).items():
            match = ClassMatch((name,))
            info = self.context.vocabulary.classes.get(name)
            if whole:
                own = {NamedNode(hit.event) for hit in matched_events(match, self.context.graph)}
            parts.append((info.label if info else name, match, own))
        return parts

    def _by_class(self, events: Iterable[NamedNode]) -> dict[str, set[NamedNode]]:
        """Events by their class; what is no event is left out."""
        present = {iri for iri, _ in self.context.index.classes()}
        found: dict[str, set[NamedNode]] = {}
        for names in _batches(events):
            for event, kind in self.context.graph.select(f"SELECT ?e ?c {{ VALUES ?e {{ {names} }} ?e a ?c }}"):
                if isinstance(event, NamedNode) and kind is not None and kind.value in present:
                    found.setdefault(kind.value, set()).add(event)
        return found

    def _read(
        self, label: str, match: RetrieveMatch, key: str, kind: AttributeType | None, events: set[NamedNode]
    ) -> dict[Term, Literal | NamedNode | BlankNode]:
        outcome = resolve_attribute(label, match, key, kind or AttributeType.STR, self.context)
        if isinstance(outcome, Unresolved):
            self.warnings.append(str(outcome))
            return {}
        self.notes.extend(outcome.notes)
        self.warnings.extend(outcome.warnings)
        held = _values(outcome.match, events, self.context)
        terms = {event: _together([_typed(value, kind) for value in own]) for event, own in held.items()}
        return {event: term for event, term in terms.items() if term is not None}


def _values(match: AttributeMatch, events: set[NamedNode], context: RetrieveContext) -> dict[Term, list[Term]]:
    """The values of events: of the first property that each has."""
    found: dict[Term, list[Term]] = {}
    for iri in match.properties:
        prop, held = NamedNode(iri), dict[Term, list[Term]]()
        wanted = [f"VALUES ?e {{ {names} }}" for names in _batches(events)] if len(events) <= _MOST_NAMED else [""]
        for named in wanted:
            for event, value in context.graph.select(f"SELECT DISTINCT ?e ?v {{ {named} ?e {prop} ?v }}"):
                if event is not None and value is not None and event in events and event not in found:
                    held.setdefault(event, []).append(value)
        found.update((event, sorted(own, key=str)) for event, own in held.items())
    return found


def _batches(events: Iterable[NamedNode]) -> list[str]:
    """The names of events, so many at a time as a query can take."""
    names = sorted(map(str, events))
    return [" ".join(names[at : at + _AT_ONCE]) for at in range(0, len(names), _AT_ONCE)]


def _together(values: Sequence[Term | None]) -> Literal | NamedNode | BlankNode | None:
    """One term for all values of an event: the only one, or their texts with a comma between."""
    held = list(dict.fromkeys(value for value in values if value is not None))
    if len(held) < 2:
        return held[0] if held else None
    return Literal(", ".join(term.value for term in held))


def _typed(value: Term, kind: AttributeType | None) -> Term | None:
    """A value as a literal of the type asked for; None where it is no such value."""
    if kind is None or not isinstance(value, Literal):
        return value
    try:
        return _AS[kind](value.value)
    except (ValueError, InvalidOperation):
        return None


def _of(datatype: str, text: str) -> Literal:
    return Literal(text, datatype=NamedNode(XSD + datatype))


def _number(text: str) -> Literal:
    return _of("decimal", f"{Decimal(text):f}")


def _truth(text: str) -> Literal:
    if text not in ("true", "false", "1", "0"):
        raise ValueError(text)
    return Literal(text in ("true", "1"))


_AS: Final[Mapping[AttributeType, Callable[[str], Literal]]] = {
    AttributeType.STR: Literal,
    AttributeType.LIST: Literal,
    AttributeType.INT: lambda text: _of("integer", str(int(Decimal(text)))),
    AttributeType.FLOAT: _number,
    AttributeType.DURATION: _number,
    AttributeType.BOOL: _truth,
    AttributeType.DATE: lambda text: _of("date", date.fromisoformat(text[:10]).isoformat()),
    AttributeType.TIME: lambda text: _of("time", time.fromisoformat(text.rpartition("T")[2]).isoformat()),
    AttributeType.DATETIME: lambda text: _of("dateTime", datetime.fromisoformat(text).isoformat()),
}
"""What `readable` leaves as a query reads it (execution/derivations/values_read.py), so these take ISO texts and
plain numbers."""
