"""Values put side by side: of two members, of two periods, of two measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from .columns import Found, is_time
from .query import Condition, Key, Metric, Pair, Value
from .row import Row
from .times import whole_period


@dataclass(frozen=True)
class Shared:
    """Conditions about one thing that stand for two or more sides."""

    parts: tuple[Found, ...]

    def together(self, row: Row) -> tuple[Found, Key] | None:
        """One condition that any of them meets, and what tells them apart; None where nothing does."""
        first = self.parts[0]
        if not is_time(first):
            dimension = row.cube.dimensions[first.condition.on]
            if len(self.parts) == 1:
                return first, Key(dimension.key, dimension)
            text = " or ".join(f"({one.condition.text})" for one in self.parts)
            return replace(first, condition=replace(first.condition, text=f"({text})", words=_words(self.parts))), Key(
                dimension.key, dimension
            )
        grains = {whole_period(row.pieces[one.at]) for one in self.parts}
        grain = grains.pop()
        if grains or not grain:
            return None
        text = " or ".join(f"({one.condition.text})" for one in self.parts)
        made = replace(first.condition, text=f"({text})", words=_words(self.parts))
        return replace(first, condition=made), Key(grain, None, grain)


def _words(parts: Sequence[Found]) -> str:
    return ", ".join(one.condition.words for one in parts)


def shared(found: Sequence[Found]) -> Shared | None:
    """Conditions about the same dimension, or two times, of which neither is negated."""
    plain = [one for one in found if not one.negated]
    for one in plain:
        if len(one.values) > 1:
            return Shared((one,))
    for one in plain:
        same = tuple(
            other for other in plain if other.condition.on == one.condition.on and (other.values or is_time(other))
        )
        if len(same) > 1 and (one.values or is_time(one)):
            return Shared(same)
    return None


class Sides:
    """The two sides of a comparison in a row."""

    def __init__(self, row: Row, found: Sequence[Found], values: Sequence[Value], *, of_groups: bool = False) -> None:
        self.row = row
        self.found = list(found)
        self.values = values
        self.of_groups = of_groups
        """Whether the sides are compared for each member of a dimension."""

    def way(self) -> str:
        """How the sides are put together; empty where nothing says it."""
        row = self.row
        if row.all("Ratio"):
            return "ratio"
        if row.all("AsShare") and len(self.values) > 1:
            return "percent"
        if row.all("Growth"):
            return "growth"
        if row.all("Difference"):
            piece = row.pieces[row.all("Difference")[0]]
            if row.all("Moved"):
                return "later"
            if piece.variables.get("apart") is not None or "between" in piece.words.lower():
                return "minus"
            if any("later" in row.pieces[at].variables for at in row.all("Difference")):
                return "later"
            return "less" if piece.variables.get("l") is not None else "minus"
        moved = row.all("Moved")
        if moved and len([one for one in self.found if is_time(one)]) > 1:
            return "later"
        if row.all("More") and row.all("Than") and (row.role_of_piece(0) == "Exists" or self.of_groups):
            return "more" if row.pieces[row.all("More")[0]].said("op") == ">" else "fewer"
        return ""

    def pair(self, way: str, metric: Metric) -> tuple[Pair, list[Found]] | None:
        """The two values and the conditions that hold for both; None where there are no two sides."""
        row = self.row
        two = self._conditions(way) if way != "percent" else None
        if way == "growth":
            row.take(*(at for at in row.all("Share") if row.pieces[at].words.lower() in ("percent", "%", "percentage")))
        used = [*row.all("AsShare"), *row.all("Ratio"), *row.all("Growth"), *row.all("Difference"), *row.all("Moved")]
        if two is None:
            others = [value for value in self.values if isinstance(value, Metric) and value != metric]
            if not others:
                counted = row.all("facts")
                others = [Metric(row.names[at].iri, "count") for at in counted[:1] if metric.facts != row.names[at].iri]
                row.take(*counted[: len(others)])
            if not others or way in ("growth", "later"):
                return None
            left, right, rest = metric, others[0], self.found
        else:
            (one, other), rest = two
            left, right = (replace(metric, where=(*metric.where, side.condition)) for side in (one, other))
            row.take(*(at for at in row.all("facts") if row.names[at].iri == metric.facts))
        if way == "less":
            left, right, way = right, left, "minus"
        if way == "later":
            left, right, way = right, left, "minus"
        row.take(
            *used,
            *row.all("Than"),
            *row.all("More"),
            *row.all("And"),
            *row.all("Versus"),
            *row.all("Range"),
            *(at for at in row.all("Exists") if at == 0),
        )
        return Pair(way, left, right), rest

    def _conditions(self, way: str) -> tuple[tuple[Found, Found], list[Found]] | None:
        plain = [one for one in self.found if not one.negated or not one.values]
        for one in plain:
            if len(one.values) == 2:
                attribute = one.condition.reads[0]
                rest = [other for other in self.found if other is not one]
                return (one.of(one.values[0], attribute), one.of(one.values[1], attribute)), rest
        for one in plain:
            same = [other for other in plain if other.condition.on == one.condition.on and self._tells(other)]
            if len(same) == 2:
                first, second = same
                if is_time(first) and way in ("growth", "later", "minus", "ratio"):
                    first, second = self._in_order(first, second, way)
                return (first, second), [other for other in self.found if other not in same]
        if way in ("growth", "later"):
            return self._year_before()
        return None

    def _tells(self, one: Found) -> bool:
        """Whether a condition may be a side: a member, a time, or that something is so, or not."""
        dimension = self.row.cube.dimensions.get(one.condition.on)
        return bool(one.values) or is_time(one) or (dimension is not None and self.row.truth(dimension) is not None)

    def _in_order(self, one: Found, other: Found, way: str) -> tuple[Found, Found]:
        """Growth and change go from the earlier to the later."""
        begins = [self.row.pieces[side.at].said("begin") for side in (one, other)]
        if way in ("growth", "later") and all(begins) and begins[0] > begins[1]:
            return other, one
        return one, other

    def _year_before(self) -> tuple[tuple[Found, Found], list[Found]] | None:
        """Growth in 2024: over the year before."""
        for one in self.found:
            piece = self.row.pieces[one.at]
            if is_time(one) and not one.negated and whole_period(piece) == "year":
                begin = date.fromisoformat(piece.said("begin")[:10])
                start, end = (f"date({year}, {begin.month}, 1)" for year in (begin.year - 1, begin.year))
                text = f'{{}}["start_date"] >= {start} and {{}}["start_date"] < {end}'
                before = replace(one, condition=Condition(text, (), one.condition.words, one.condition.on, timed=True))
                return (before, one), [other for other in self.found if other is not one]
        return None
