"""From the rows of a run tree to the values of an answer: type, unit, months and weekdays by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from ..operators.nodes import Apply, Avg, Filter, Max, Min, Node, Sum
from ..operators.resolution import AttributeMatch, Resolution
from ..planner.plan import AnswerForm
from ..store.graph import Graph
from ..store.rdf import NamedNode
from ..store.vocabulary import Vocabulary
from .answer import Plain, plain


@dataclass(frozen=True)
class Shaped:
    """Values best first, their type and unit, and what the reader should know."""

    values: tuple[Plain, ...]
    answer_type: str
    unit: str | None
    warnings: tuple[str, ...] = ()


def shape(
    found: Sequence[Any], tree: Node, form: AnswerForm, resolution: Resolution, vocabulary: Vocabulary, graph: Graph,
    events: Sequence[str],
) -> Shaped:  # fmt: skip
    """The values of an answer in the form that the question asks for; a value stands once."""
    present = [value for value in found if value is not None]
    if not present:
        return Shaped((), "none", None)
    if form.type == "boolean":
        return Shaped((bool(present[0]),), "boolean", None)
    kind = _type(form.type, present[0])
    source = measured(tree, form, resolution)
    unit, warnings = _source_unit(source, graph, events)
    values: list[Any] = list(present)
    if form.unit and unit and form.unit != unit and kind in ("number", "duration"):
        values, unit = _converted(values, unit, form.unit, vocabulary)
    said = dict.fromkeys(plain(value, kind) for value in values)
    return Shaped(tuple(said), kind, unit if kind in ("number", "duration") else None, warnings)


def measured(tree: Node, form: AnswerForm, resolution: Resolution) -> AttributeMatch | None:
    """The attribute whose values the answer is made of, None when it counts or names things."""
    name = form.column
    node: Node = tree
    if isinstance(node, Sum | Avg | Min | Max):
        name = node.name
    elif isinstance(node, Apply | Filter) and name is None:
        return None
    matches = {key: match for (_, key), match in resolution.attributes}
    return matches.get(name) if name else None


def _type(wanted: str, value: Any) -> str:
    """The type asked for, unless the value cannot be of it; `events` and `text` yield to what the value is."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, timedelta):
        return "duration"
    if wanted in ("month", "weekday", "duration", "year"):
        return "number" if wanted == "year" else wanted
    if isinstance(value, datetime):
        return wanted if wanted in ("date", "time") else "datetime"
    if isinstance(value, date):
        return "date"
    if isinstance(value, time):
        return "time"
    if isinstance(value, int | float):
        return "number"
    return "text" if wanted in ("number", "date", "datetime", "time", "boolean", "none") else wanted


def _source_unit(
    source: AttributeMatch | None, graph: Graph, events: Sequence[str]
) -> tuple[str | None, tuple[str, ...]]:
    """The unit of the values as they are stored; a warning where several units were mixed."""
    if source is None:
        return None, ()
    if source.unit_property is None or not events:
        return source.unit, ()
    nodes = " ".join(str(NamedNode(iri)) for iri in events)
    query = f"SELECT ?unit (COUNT(*) AS ?n) {{ VALUES ?e {{ {nodes} }} ?e {NamedNode(source.unit_property)} ?unit }} "
    units = [row[0].value for row in graph.select(query + "GROUP BY ?unit ORDER BY DESC(?n)") if row[0]]
    if len(units) > 1:
        return None, (f"the amounts are in different units, which were not converted: {', '.join(units)}",)
    return (units[0] if units else None), ()


def _converted(values: list[Any], unit: str, wanted: str, vocabulary: Vocabulary) -> tuple[list[Any], str]:
    """The values in the unit asked for, where both measure the same kind of quantity."""
    old, new = vocabulary.unit_named(unit), vocabulary.unit_named(wanted)
    if old is None or new is None or old.kind != new.kind:
        return values, unit
    factor = old.factor / new.factor
    return [float(value) * factor if isinstance(value, int | float) else value for value in values], new.symbol
