"""The baseline that translates: question → tree, by the same proposers → SQL over what the sources show (DuckDB).

Every operator becomes SQL; RETRIEVE is the choice of a table and of words, EXTRACT the choice of a column, and nothing
is read from texts. Source: ReQAP's baseline of translation into SQL (section 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from time import perf_counter
from typing import Any

import duckdb

from ...compiler.query import Shape
from ...engine.answers.answer_values import Shaped, shape
from ...engine.asking.planned import Planned
from ...engine.knowledge import KnowledgeGraph
from ...errors import NotUnderstood, TreeTypeError
from ...evaluation.suites.base import Life, Question
from ...evaluation.systems import Response, System, Tracing
from ...execution.run import Result
from ...operators.checking.types import ANY, Kind, Type
from .relations import VALUE, Relation, Relations
from .tables import LABEL, Tables

_ANSWER_TYPES = {
    **dict.fromkeys((Kind.INT, Kind.FLOAT), "number"),
    **dict.fromkeys((Kind.STR, Kind.LIST, Kind.TUPLE, Kind.ANY, Kind.EVENT), "text"),
    **{kind: kind.value for kind in (Kind.DATE, Kind.TIME, Kind.DATETIME, Kind.DURATION)},
    Kind.BOOL: "boolean",
}


def open_sql(known: KnowledgeGraph, life: Life, tracing: Tracing) -> System:  # noqa: ARG001 - as systems are opened
    """The system `sql` over a life's records."""
    tables = Tables(known.graph, known.index, known.vocabulary)

    def answer(question: Question) -> Response:
        begin = perf_counter()
        try:
            planned = known.plan(question.text, now=question.now)
        except NotUnderstood as bad:
            return Response((), reason=f"not understood: {bad}")
        ready = perf_counter()
        more: dict[str, Any] = {"plan": planned.tree, "planner": planned.planner, "score": planned.score}
        try:
            relation = Relations(tables, question.now).query(planned.node)
            more["sql"] = query = finished(relation)
            names, rows = tables.rows(query)
        except (TreeTypeError, duckdb.Error) as bad:
            return Response((), reason=f"no SQL: {str(bad).splitlines()[0]}", more=more)
        shaped = shape(result(relation, names, rows, query), planned.form, known.vocabulary)
        values = _values(shaped, planned, relation, names, rows)
        ms = {"plan": _ms(begin, ready), "sql": _ms(ready, perf_counter())}
        reason = "" if values else "nothing in the tables matches"
        return Response(values, reason, ms, more | {"type": shaped.answer_type})

    return answer


def finished(relation: Relation) -> str:
    """The whole query: its rows in order of time. Raises TreeTypeError where what is asked for is in no table."""
    if relation.value is None and relation.focus is not None and relation.focus not in relation.columns:
        raise TreeTypeError(f"no table has a column for {relation.focus!r}")
    if relation.value is not None or "start_datetime" not in relation.columns:
        return relation.sql
    return f"SELECT * FROM ({relation.sql}) q ORDER BY start_datetime"  # noqa: S608


def result(relation: Relation, names: Sequence[str], rows: Sequence[tuple[Any, ...]], query: str) -> Result:
    """What a query gave, as the engine's answers are made of."""
    held = _held(relation)
    place = names.index(VALUE if relation.value is not None else relation.focus) if _answers(relation) else None
    values = [] if place is None else [_python(item, held) for row in rows for item in _items(row[place])]
    if held.part == "isoweekday":
        values = [value - 1 for value in values]
    answer = tuple({(type(value), value): value for value in values if value is not None}.values())
    kind = "events" if place is None else (_kind(held) if answer else "none")
    plain = tuple(tuple(_python(cell, ANY) for cell in row) for row in rows)
    return Result(tuple(names), plain, answer, kind, held.unit, bool(rows), (), query, Shape.ROWS)


def _answers(relation: Relation) -> bool:
    return relation.value is not None or relation.focus in relation.columns


def _held(relation: Relation) -> Type:
    """The type of what answers; of a list, of its items."""
    if relation.value is not None:
        if relation.value.many:
            return ANY
        return relation.value.items if relation.value.type.kind is Kind.LIST else relation.value.type
    return relation.columns[relation.focus].type if relation.focus is not None and _answers(relation) else ANY


def _kind(held: Type) -> str:
    if held.part in ("month", "weekday", "isoweekday"):
        return "month" if held.part == "month" else "weekday"
    return _ANSWER_TYPES.get(held.kind, "text")


def _items(value: Any) -> Iterator[Any]:
    """A value, or those of a list; of a row in a list its name."""
    if isinstance(value, list):
        for item in value:
            yield from _items(item)
    elif isinstance(value, dict):
        yield value.get(LABEL)
    else:
        yield value


def _python(value: Any, held: Type) -> Any:
    if held.kind is Kind.DURATION and isinstance(value, int | float):
        return timedelta(seconds=float(value))
    if isinstance(value, list):
        return tuple(value)
    return value


def _values(
    shaped: Shaped, planned: Planned, relation: Relation, names: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> tuple[Any, ...]:
    """The values of the answer; where records are asked for, their names."""
    if shaped.answer_type == "none" and rows and (planned.form.type == "events" or not _answers(relation)):
        return tuple(dict.fromkeys(row[names.index(LABEL)] for row in rows)) if LABEL in names else ()
    return shaped.values


def _ms(begin: float, end: float) -> float:
    return round((end - begin) * 1000, 1)
