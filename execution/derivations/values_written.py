"""The derivation of a property's values: read in Python, written as typed triples, with what could not be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

from ...ontology.namespaces import DERIVED, EV, PROV, XSD
from ...operators.nodes import AttributeType
from ...operators.reading.read_amounts import Quantity
from ...operators.reading.readers import Conventions, Value, infer, read, read_amount
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode, Term, Triple
from ...store.vocabulary import UnitInfo, Vocabulary
from ..context import StoreContext
from ..units import Stated, converted, unit_called
from .derive import Step, activity_triples, keep

_NUMERIC: Final = frozenset(
    XSD + name
    for name in (
        *("integer", "decimal", "double", "float", "int", "long", "short", "byte", "nonNegativeInteger"),
        *("positiveInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte"),
    )
)
_LARGEST: Final = Decimal(10) ** 17
"""What a query's decimals can hold, with room for sums."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be read: a property's values as a type, quantities in the unit `target` (None: the commonest)."""

    prop: str
    kind: AttributeType
    target: str | None
    stated: Stated

    @property
    def text(self) -> str:
        """The task in words, which name the derivation."""
        stated = self.stated.property or self.stated.fixed
        parts = (f"<{self.prop}> as {self.kind}", self.target and f"in {self.target}", stated and f"from {stated}")
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a derivation made: `values` counts those there were, `unread` those that are no such value (`example` is
    one), `assumed` those of no stated unit. `unit` is the one of all values; `mixed`: they are in several that do not
    convert, each said per event."""

    values: int
    unread: int = 0
    assumed: int = 0
    example: str | None = None
    unit: str | None = None
    mixed: bool = False


@dataclass(frozen=True, slots=True)
class _Held:
    """One value as it stands: the event, the term, the source, and the unit that the event states."""

    event: Term
    term: Term
    source: str
    unit: str | None


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number read, its unit where it is known to the ontology, and as it is written."""

    value: Decimal
    unit: UnitInfo | None
    written: str | None


def derived_property(step: Step) -> str:
    """IRI of the property that holds a derivation's values."""
    return step.graph + "#value"


def unit_property(step: Step) -> str:
    """IRI of the property that holds the unit of each event's value, where they differ."""
    return step.graph + "#unit"


def original_property(prop: str, graph: Graph) -> str:
    """The property of the data whose values a derivation's property holds; of another, itself."""
    if not prop.startswith(DERIVED):
        return prop
    rows = graph.select(f"SELECT DISTINCT ?p {{ {NamedNode(prop)} prov:wasDerivedFrom ?p }}")
    return next((found.value for (found,) in rows if found is not None), prop)


def derive_values(step: Step, task: Task, context: StoreContext) -> None:
    """Reads all values of the property and writes them as a derivation."""
    held = _held(task, context.graph)
    conventions = _conventions(held, task.kind)
    if task.kind in (AttributeType.INT, AttributeType.FLOAT):
        triples, summary = _amounts(held, conventions, step, task, context.vocabulary)
    else:
        triples, summary = _values(held, conventions, step, task)
    read = summary.values - summary.unread
    facts = [*activity_triples(context.graph, step, context.now, results=read), *_summary_triples(step, task, summary)]
    keep(context.graph, step, [*facts, *triples])


def read_summary(step: Step, graph: Graph) -> Summary:
    """What a derivation of values made."""
    rows = graph.select(f"SELECT DISTINCT ?p ?o {{ {NamedNode(step.activity)} ?p ?o }}")
    said = {p.value.removeprefix(EV): o.value for p, o in rows if p is not None and o is not None}
    return Summary(
        values=int(said["valueCount"]),
        unread=int(said["unreadCount"]),
        assumed=int(said["assumedCount"]),
        example=said.get("unreadExample"),
        unit=said.get("valueUnit"),
        mixed=said["mixedUnits"] == "true",
    )


def _held(task: Task, graph: Graph) -> tuple[_Held, ...]:
    beside = f"OPTIONAL {{ ?e {NamedNode(task.stated.property)} ?u }}" if task.stated.property else ""
    rows = graph.select(
        f"SELECT DISTINCT ?e ?v ?s ?u {{ ?e {NamedNode(task.prop)} ?v OPTIONAL {{ ?e ev:source ?s }} {beside} }} "
        "ORDER BY ?e ?v ?s ?u"
    )
    found: dict[tuple[Term, Term], _Held] = {}
    for event, value, source, unit in rows:
        if event is not None and value is not None:
            stated = unit.value if unit is not None else task.stated.fixed
            found.setdefault((event, value), _Held(event, value, source.value if source else "", stated))
    return tuple(found.values())


def _conventions(held: Sequence[_Held], kind: AttributeType) -> Mapping[str, Conventions]:
    """How each source writes the values; what its own do not show is taken from all."""
    texts: dict[str, list[str]] = {}
    for value in held:
        own = texts.setdefault(value.source, [])
        if isinstance(value.term, Literal) and (value.term.datatype.value not in _NUMERIC or kind in _TIMES):
            own.append(value.term.value)
    together = infer((text for own in texts.values() for text in own), kind)
    return {source: infer(own, kind).or_else(together) for source, own in texts.items()}


_TIMES = frozenset({AttributeType.DATE, AttributeType.DATETIME, AttributeType.TIME})


def _values(
    held: Sequence[_Held], conventions: Mapping[str, Conventions], step: Step, task: Task
) -> tuple[list[Triple], Summary]:
    """Dates, times, lengths of time and truth values."""
    triples, unread = list[Triple](), list[str]()
    prop = NamedNode(derived_property(step))
    for one in held:
        value = _value(one, task.kind, conventions[one.source])
        if value is None or not isinstance(one.event, NamedNode):
            unread.append(one.term.value)
        else:
            triples.append(Triple(one.event, prop, _literal(value)))
    unit = "s" if task.kind is AttributeType.DURATION else None
    return triples, Summary(len(held), len(unread), 0, next(iter(unread), None), unit)


def _value(one: _Held, kind: AttributeType, conventions: Conventions) -> Value | None:
    if not isinstance(one.term, Literal):
        return None
    number = one.term.datatype.value in _NUMERIC and kind is AttributeType.DURATION
    return read(one.term.value, kind, Conventions() if number else conventions, unit=one.unit)


def _amounts(
    held: Sequence[_Held], conventions: Mapping[str, Conventions], step: Step, task: Task, vocabulary: Vocabulary
) -> tuple[list[Triple], Summary]:
    """Numbers, in one unit where they convert to it."""
    units_called = lru_cache(maxsize=None)(lambda text: unit_called(text, vocabulary))
    read_ = [(one, _amount(one, conventions[one.source], units_called)) for one in held]
    amounts = [amount for _, amount in read_ if amount is not None]
    target = unit_called(task.target, vocabulary) if task.target else _commonest(amounts)
    shown = target.symbol if target else task.target or _only(amount.written for amount in amounts)
    prop, beside = NamedNode(derived_property(step)), NamedNode(unit_property(step))
    triples, units, unread, assumed = list[Triple](), list[Triple](), list[str](), 0
    mixed = False
    for one, amount in read_:
        found = _in_unit(amount, target, shown, strict=task.stated.official) if amount else None
        if found is None or not isinstance(one.event, NamedNode) or abs(found.value) >= _LARGEST:
            unread.append(one.term.value)
            continue
        value = int(found.value) if task.kind is AttributeType.INT else found.value
        triples.append(Triple(one.event, prop, _literal(value)))
        assumed += amount is not None and amount.written is None and shown is not None
        mixed = mixed or found.unit != shown
        if found.unit is not None:
            units.append(Triple(one.event, beside, Literal(found.unit)))
    example = next(iter(unread), None)
    told = Summary(len(held), len(unread), assumed, example, None if mixed else shown, mixed)
    return [*triples, *units] if mixed else triples, told


def _amount(one: _Held, conventions: Conventions, called: Callable[[str], UnitInfo | None]) -> _Amount | None:
    if not isinstance(one.term, Literal):
        return None
    if one.term.datatype.value in _NUMERIC:
        try:
            value = Decimal(one.term.value)
        except InvalidOperation:
            return None
        found = Quantity(value) if value.is_finite() else None
    else:
        found = read_amount(one.term.value, conventions)
    if found is None:
        return None
    written = found.unit or one.unit
    return _Amount(found.value, called(written) if written else None, written)


def _in_unit(amount: _Amount, target: UnitInfo | None, shown: str | None, *, strict: bool) -> Quantity | None:
    """The amount in the unit wanted; in its own where it does not convert, or none if that may not be (`strict`)."""
    if amount.written is None:
        return Quantity(amount.value, shown)
    value = converted(amount.value, amount.unit, target) if amount.unit and target else None
    if value is not None:
        return Quantity(value, shown)
    own = amount.unit.symbol if amount.unit else amount.written
    return None if strict and own != shown else Quantity(amount.value, own)


def _commonest(amounts: Iterable[_Amount]) -> UnitInfo | None:
    counted = Counter(amount.unit.symbol for amount in amounts if amount.unit)
    best = max(counted, key=lambda symbol: (counted[symbol], symbol), default=None)
    return next((amount.unit for amount in amounts if amount.unit and amount.unit.symbol == best), None)


def _only(written: Iterable[str | None]) -> str | None:
    """The one unit that is written, where there is one."""
    units = {unit for unit in written if unit is not None}
    return units.pop() if len(units) == 1 else None


def _literal(value: Value) -> Literal:
    """A value as the typed literal that queries compare."""
    if isinstance(value, bool):
        return Literal(value)
    if isinstance(value, timedelta):
        value = Decimal(value // timedelta(microseconds=1)) / 1_000_000
    if isinstance(value, Decimal):
        return Literal(f"{value:f}", datatype=NamedNode(XSD + "decimal"))
    if isinstance(value, int):
        return Literal(str(value), datatype=NamedNode(XSD + "integer"))
    kind = "dateTime" if isinstance(value, datetime) else "date" if isinstance(value, date) else "time"
    assert isinstance(value, date | time)
    return Literal(value.isoformat(), datatype=NamedNode(XSD + kind))


def _summary_triples(step: Step, task: Task, found: Summary) -> list[Triple]:
    """The derivation's result, so that it is told again when it is reused."""
    activity, mapping = NamedNode(step.activity), NamedNode(f"{step.graph}#mapping-1")
    said: dict[str, str | int | bool | None] = {
        "valueCount": found.values,
        "unreadCount": found.unread,
        "assumedCount": found.assumed,
        "mixedUnits": found.mixed,
        "unreadExample": found.example[:60] if found.example else None,
        "valueUnit": found.unit,
    }
    return [
        *(Triple(activity, NamedNode(EV + name), Literal(value)) for name, value in said.items() if value is not None),
        Triple(mapping, NamedNode(EV + "mappingOf"), activity),
        Triple(mapping, NamedNode(EV + "rank"), Literal(1)),
        Triple(mapping, NamedNode(EV + "mapsTo"), NamedNode(derived_property(step))),
        Triple(NamedNode(derived_property(step)), NamedNode(PROV + "wasDerivedFrom"), NamedNode(task.prop)),
    ]
