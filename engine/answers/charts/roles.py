"""From the table of an answer to what is drawn: which of its columns tell rows apart and which measure them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ....texts.lexicon.positions import position_of
from ..answer import Table
from .columns import Read, read_column
from .frame import MOST_ROWS, ChartData, Column, Role, Row, Type

_GROUPED: Final = frozenset({"ranking", "share", "trend", "comparison", "distribution", "places"})
"""Analyses whose rows are groups: their first column tells them apart, even where it is a number."""
_PLACES: Final = frozenset({"city", "town", "country", "place", "location", "destination", "origin", "home_town"})
_NORTH: Final = frozenset({"latitude", "lat"})
_EAST: Final = frozenset({"longitude", "lon", "lng", "long"})
_SHARES: Final = frozenset({"share", "percent", "percentage", "proportion"})
_LEAST_KNOWN: Final = 0.5
"""Share of the names of a column that must be known places for it to be one of places."""
LATITUDE, LONGITUDE = "latitude", "longitude"


@dataclass(frozen=True)
class Asked:
    """What an answer tells, its type and the unit of its values, and the question."""

    analysis: str
    answer_type: str
    unit: str | None
    question: str

    @property
    def is_grouped(self) -> bool:
        """Whether rows are groups."""
        return self.answer_type == "table" or self.analysis in _GROUPED


def data_of_table(table: Table, asked: Asked) -> ChartData | None:
    """What is drawn of a table; None where it has no rows."""
    rows = table.rows[:MOST_ROWS]
    if not rows:
        return None
    reads = [read_column(name, [row[at] for row in rows]) for at, name in enumerate(table.columns)]
    roles = _roles(table.columns, reads, asked)
    columns = [
        Column(name, role, read.type, read.grain, order=read.order)
        for name, role, read in zip(table.columns, roles, reads, strict=True)
    ]
    data = ChartData(
        tuple(columns), tuple(zip(*(r.values for r in reads), strict=True)), asked.analysis, asked.question
    )
    if len(table.rows) > MOST_ROWS:
        data = data.told(f"Of {len(table.rows):,} rows the first {MOST_ROWS:,} are looked at.")
    return located(_with_units(_measured(data), asked.unit))


def _roles(names: Sequence[str], reads: Sequence[Read], asked: Asked) -> list[Role]:
    """Dimensions first, then measures; numbers that say where something is are positions."""
    words = [re.sub(r"_\d+$", "", name.lower()) for name in names]
    roles = [Role.MEASURE if read.type is Type.QUANTITATIVE else Role.DIMENSION for read in reads]
    north, east = ([at for at, word in enumerate(words) if word in one] for one in (_NORTH, _EAST))
    if len(north) == len(east) == 1 and _within(reads[north[0]], 90) and _within(reads[east[0]], 180):
        roles[north[0]] = roles[east[0]] = Role.POSITION
    if asked.is_grouped:
        for at in _keys(reads, roles):
            roles[at] = Role.DIMENSION
    return roles


def _within(read: Read, most: float) -> bool:
    """Whether a column has numbers alone, none of them beyond so many degrees."""
    numbers = [value for value in read.values if isinstance(value, int | float)]
    return read.type is Type.QUANTITATIVE and all(abs(number) <= most for number in numbers)


def _keys(reads: Sequence[Read], roles: Sequence[Role]) -> list[int]:
    """The places of numbers that tell groups apart: of the first columns as many as it takes, never the last."""
    keys = [at for at, role in enumerate(roles) if role is Role.DIMENSION]
    numbers = [at for at, role in enumerate(roles) if role is Role.MEASURE]
    found: list[int] = []
    for at in numbers[:-1]:
        before = sorted(key for key in (*keys, *found))
        if before and _is_key([reads[key] for key in before]):
            break
        found.append(at)
    return found


def _is_key(reads: Sequence[Read]) -> bool:
    rows = list(zip(*(read.values for read in reads), strict=True))
    return len(set(rows)) == len(rows)


def _measured(data: ChartData) -> ChartData:
    """Of a share among other measures the share alone."""
    shares = [column for column in data.measures if _is_share(column)]
    if data.analysis != "share" or not shares or len(data.measures) == 1:
        return data
    dropped = {at for at in data.at(Role.MEASURE) if data.columns[at] is not shares[-1]}
    return _only(data, [at for at in range(len(data.columns)) if at not in dropped])


def _is_share(column: Column) -> bool:
    return bool(_SHARES & set(column.name.lower().split("_")))


def _only(data: ChartData, kept: Sequence[int]) -> ChartData:
    rows = tuple(tuple(row[at] for at in kept) for row in data.rows)
    return replace(data, columns=tuple(data.columns[at] for at in kept), rows=rows)


def _with_units(data: ChartData, unit: str | None) -> ChartData:
    """Shares are in per cent where they are not parts of 1; the unit of an answer is that of its one measure."""
    one = len(data.measures) == 1
    columns = tuple(
        replace(column, unit=_unit_of(data, column, unit if one else None)) if column.role is Role.MEASURE else column
        for column in data.columns
    )
    return replace(data, columns=columns)


def _unit_of(data: ChartData, column: Column, unit: str | None) -> str | None:
    percent = _is_share(column) and max(data.numbers(column), default=0.0) > 1.5
    return unit or ("%" if percent else None)


def located(data: ChartData) -> ChartData:
    """With the positions of the places of its first column of places, if it has one."""
    if any(data.at(Role.POSITION)):
        return data
    for at in data.at(Role.DIMENSION):
        column = data.columns[at]
        if column.type is Type.NOMINAL and (_word(column.name) in _PLACES or data.analysis == "places"):
            found = {str(name): position_of(str(name)) for name in data.members(column)}
            known = sum(position is not None for position in found.values())
            if found and known / len(found) >= _LEAST_KNOWN:
                places = (None if row[at] is None else found[str(row[at])] for row in data.rows)
                return _with_positions(data, at, tuple(tuple(place) if place else (None, None) for place in places))
    return data


def _word(name: str) -> str:
    return re.sub(r"_\d+$", "", name.lower()).removesuffix("_name")


def _with_positions(data: ChartData, at: int, places: tuple[Row, ...]) -> ChartData:
    columns = [*data.columns]
    columns[at] = replace(columns[at], type=Type.GEOGRAPHIC)
    columns += [Column(name, Role.POSITION, Type.QUANTITATIVE, unit="°") for name in (LATITUDE, LONGITUDE)]
    rows = tuple((*row, *place) for row, place in zip(data.rows, places, strict=True))
    return replace(data, columns=tuple(columns), rows=rows)
