"""What EXTRACT read from texts, as a derivation: typed values that any query reads, with the words that said them.

The values are triples of a property of the derivation's own, so that queries on top need no model; beside them stand
evidence and confidence of each (PROV-O for the whole; ontology/keys.ttl says what the terms mean).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Final

from ..execution.derivations.derive import DerivationGraph, Step, activity_triples, keep
from ..execution.derivations.values_written import derived_property
from ..ontology.namespaces import EV, PROV, XSD
from ..operators.nodes import AttributeType
from ..operators.reading.readers import Conventions, read_amount
from ..store.graph import Graph
from ..store.rdf import Literal, NamedNode, Triple
from .page import Found

_NUMBERS: Final = frozenset({AttributeType.INT, AttributeType.FLOAT, AttributeType.DURATION})
_MIDNIGHT: Final = time()


def typed(found: Found, kind: AttributeType) -> Literal | None:
    """A value as a literal of the type asked for; None where it is no such value."""
    value = found.value
    if kind in _NUMBERS:
        return _number(value, kind)
    if kind is AttributeType.DATE:
        return _literal(value.date().isoformat(), "date") if isinstance(value, datetime) else _dated(value, "date")
    if kind is AttributeType.DATETIME:
        moment = datetime.combine(value, _MIDNIGHT) if type(value) is date else value
        return _literal(moment.isoformat(timespec="seconds"), "dateTime") if isinstance(moment, datetime) else None
    if kind is AttributeType.TIME:
        clock = value.time() if isinstance(value, datetime) else value
        return _literal(clock.isoformat(timespec="seconds"), "time") if isinstance(clock, time) else None
    if kind is AttributeType.BOOL:
        return Literal(True)
    return Literal(plain_text(value))


def plain_text(value: object) -> str:
    """A value as a text: numbers without an exponent, dates in ISO form."""
    if isinstance(value, Decimal):
        return f"{value:f}"
    return value.isoformat() if isinstance(value, date | time) else str(value)


def write_texts(
    graph: DerivationGraph,
    step: Step,
    found: Mapping[str, tuple[Found, ...]],
    kind: AttributeType,
    *,
    unit: str | None,
    ended: str,
) -> int:
    """Writes the values by event; returns how many events have one."""
    prop, activity = NamedNode(derived_property(step)), NamedNode(step.activity)
    triples: list[Triple] = []
    number = events = 0
    for event, values in found.items():
        held = [(one, literal) for one in values if (literal := typed(one, kind)) is not None]
        events += bool(held)
        for one, literal in held:
            number += 1
            triples.append(Triple(NamedNode(event), prop, literal))
            triples += _reading(NamedNode(f"{step.graph}#read-{number}"), activity, event, one, literal)
    mapping = NamedNode(f"{step.graph}#mapping-1")
    facts = [
        *activity_triples(graph, step, ended, results=number),
        Triple(activity, NamedNode(EV + "valueCount"), Literal(events)),
        Triple(mapping, NamedNode(EV + "mappingOf"), activity),
        Triple(mapping, NamedNode(EV + "rank"), Literal(1)),
        Triple(mapping, NamedNode(EV + "mapsTo"), prop),
        Triple(prop, NamedNode(PROV + "wasDerivedFrom"), NamedNode(EV + "text")),
    ]
    if unit is not None:
        facts.append(Triple(activity, NamedNode(EV + "valueUnit"), Literal(unit)))
    keep(graph, step, [*facts, *triples])
    return events


def values_of(graph: Graph, step: Step) -> int:
    """How many events have a value by a derivation."""
    rows = graph.select(f"SELECT ?n WHERE {{ {NamedNode(step.activity)} ev:valueCount ?n }}")
    return int(rows.rows[0][0].value) if rows.rows and rows.rows[0][0] is not None else 0


def _reading(node: NamedNode, activity: NamedNode, event: str, found: Found, literal: Literal) -> Iterable[Triple]:
    yield Triple(node, NamedNode(EV + "readingOf"), activity)
    yield Triple(node, NamedNode(EV + "event"), NamedNode(event))
    yield Triple(node, NamedNode(EV + "value"), literal)
    yield Triple(node, NamedNode(EV + "evidence"), Literal(found.evidence))
    yield Triple(node, NamedNode(EV + "evidenceStart"), Literal(found.start))
    yield Triple(node, NamedNode(EV + "confidence"), _literal(f"{found.confidence:.3f}", "decimal"))


def _number(value: object, kind: AttributeType) -> Literal | None:
    if isinstance(value, str):
        read = read_amount(value, Conventions())
        value = read.value if read is not None else None
    if not isinstance(value, Decimal):
        return None
    try:
        whole = value == value.to_integral_value()
    except InvalidOperation:
        return None
    if kind is AttributeType.INT:
        return _literal(str(int(value)), "integer") if whole else None
    return _literal(f"{value:f}", "decimal")


def _dated(value: object, datatype: str) -> Literal | None:
    return _literal(value.isoformat(), datatype) if isinstance(value, date) else None


def _literal(text: str, datatype: str) -> Literal:
    return Literal(text, datatype=NamedNode(XSD + datatype))
