"""What rules know of some data, as triples; mappings/charts/charts.ttl says what each of them means."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ....ontology.namespaces import CHART, RDF_TYPE
from ....store.rdf import Literal, NamedNode, Triple
from .frame import ChartData, Column, Role
from .periods import period_said, span

DATA: Final = NamedNode("urn:data")
_ALIKE: Final = 50.0
"""How many times as great as another a measure may be that shares its axis."""
_PERCENT: Final = frozenset({"share", "percent", "percentage", "proportion"})
_AMOUNTS: Final = frozenset({"count", "number", "total", "sum", "amount", "share", "plays", "times", "revenue"})
_MEANS: Final = frozenset({"average", "mean", "avg", "median", "rate", "age", "minimum", "maximum", "ratio"})


def described(data: ChartData) -> list[Triple]:
    """The triples of some data and of its columns."""
    dimensions, measures = data.dimensions, data.measures
    found = [Triple(DATA, NamedNode(RDF_TYPE), NamedNode(CHART + "Data"))]
    told: dict[str, str | float | bool | None] = {
        "analysis": data.analysis,
        "rows": rows_with_value(data),
        "dimensions": len(dimensions),
        "measures": len(measures),
        "placesKnown": _places_known(data),
        "repeated": is_repeated(data),
        "comparable": are_comparable(data),
        "counted": data.counted,
    }
    found += _said(DATA, told)
    for role, columns in (("dimension", dimensions), ("measure", measures)):
        for place, column in enumerate(columns, 1):
            node = NamedNode(f"urn:{role}:{place}")
            found.append(Triple(DATA, NamedNode(CHART + role), node))
            known = _of_dimension(data, column) if role == "dimension" else _of_measure(data, column)
            grain = column.grain.value if column.grain is not None else None
            about = {"name": column.name, "place": place, "type": column.type.value, "grain": grain}
            found += _said(node, {**about, "unit": column.unit, **known})
    return found


def _said(node: NamedNode, told: dict[str, str | float | bool | None]) -> Iterator[Triple]:
    for name, value in told.items():
        if value is not None:
            yield Triple(node, NamedNode(CHART + name), Literal(value))


def rows_with_value(data: ChartData) -> int:
    """How many rows have a measure, or without measures any value."""
    places = data.at(Role.MEASURE) or range(len(data.columns))
    return sum(any(row[at] is not None for at in places) for row in data.rows)


def is_repeated(data: ChartData) -> bool:
    """Whether rows of the same dimensions come more than once; rows without dimensions are none of the same."""
    places = data.at(Role.DIMENSION)
    keys = [tuple(row[at] for at in places) for row in data.rows]
    return bool(places) and len(set(keys)) < len(keys)


def are_comparable(data: ChartData) -> bool:
    """Whether one axis does for all measures."""
    sizes = [max(map(abs, numbers)) for column in data.measures if (numbers := data.numbers(column))]
    units = {column.unit for column in data.measures}
    return len(units) <= 1 and bool(sizes) and max(sizes) <= _ALIKE * min(sizes)


def _places_known(data: ChartData) -> float | None:
    places = data.at(Role.POSITION)
    if not places or not data.rows:
        return None
    return sum(all(row[at] is not None for at in places) for row in data.rows) / len(data.rows)


def _of_dimension(data: ChartData, column: Column) -> dict[str, str | float | bool | None]:
    members = data.members(column)
    longest = max((len(period_said(str(one), column.grain)) for one in members), default=0)
    known: dict[str, str | float | bool | None] = {
        "members": len(members),
        "longestLabel": longest,
        "letters": longest * len(members),
        "returns": column.grain is not None and column.grain.returns,
    }
    if column.grain is not None and not column.grain.returns and members:
        periods = span(str(members[0]), str(members[-1]), column.grain)
        known |= {"span": periods, "filled": len(members) / periods}
    return known


def _of_measure(data: ChartData, column: Column) -> dict[str, str | float | bool | None]:
    numbers = data.numbers(column)
    if not numbers:
        return {}
    return {
        "least": min(numbers),
        "most": max(numbers),
        "negative": min(numbers) < 0,
        "whole": _is_whole(column, numbers),
        "adds": _adds(column, numbers),
        "order": _order(numbers),
    }


def _is_whole(column: Column, numbers: list[float]) -> bool | None:
    """Whether shares add up to the whole; None for what is no share. Nothing is no whole either."""
    total = math.fsum(numbers)
    if column.unit == "%" or _PERCENT & set(column.name.lower().split("_")):
        return math.isclose(total, 100.0, abs_tol=1.0) or math.isclose(total, 1.0, abs_tol=0.01)
    return None if total > 0 else False


def _adds(column: Column, numbers: list[float]) -> bool:
    words = set(column.name.lower().replace("_", " ").split())
    if words & _MEANS:
        return False
    return bool(words & _AMOUNTS) or all(number.is_integer() for number in numbers)


def _order(numbers: list[float]) -> str:
    if all(one >= other for one, other in pairwise(numbers)):
        return "descending"
    return "ascending" if all(one <= other for one, other in pairwise(numbers)) else "none"
