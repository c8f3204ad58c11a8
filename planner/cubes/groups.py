"""What a question groups facts by, and what it divides by."""

from __future__ import annotations

from dataclasses import replace

from ..patterns.inflection import Forms
from .conditions import Conditions
from .cube import TIME, Dimension
from .numbers import metric_of
from .query import CubeQuery, Key, Metric, Order, Value
from .row import Row
from .trees import metrics

WITHIN = 6
"""Pieces within which a condition on a noun stands behind it."""


class Groups:
    """What is left of a row once its conditions have been read, and its groups."""

    def __init__(self, row: Row, conditions: Conditions, forms: Forms) -> None:
        self.row = row
        self.found = list(conditions.found)
        self.kept = [kept for _, kept in sorted(conditions.kept, key=lambda one: one[0])]
        self.forms = forms
        self.by: list[tuple[Key, int]] = []
        self.values: list[tuple[Value, int]] = []
        self.target: list[int] = []
        """Dimensions that are asked for without a word such as "by"."""
        self.counted: Dimension | None = None
        """The dimension whose members are counted."""
        self.per: Metric | None = None
        self.scale = 1
        self.over = ""
        self.order: Order | None = None
        self.ranked: int | None = None
        self.notes: list[str] = list(conditions.notes)
        self.conditions = conditions
        self.factor = ""
        self.distribution = bool(row.all("Distribution"))
        self.sides = bool(row.all("Versus"))
        self.sure = 0.0

    # ------------------------------------------------------------ the whole

    def _groups(self) -> None:
        row = self.row
        for at in sorted((*row.all("By"), *row.all("Per"))):
            self._group(at)
        for at in row.all("GrainEach"):
            self._add(Key(row.pieces[at].said("grain"), None, row.pieces[at].said("grain")), at)
            row.take(at)
        for at in row.all("Drill"):
            self._drill(at)

    def _distributed(self) -> None:
        """Age distribution of customers, distribution of sales by region: what is counted by something else."""
        row = self.row
        for at in row.all("Distribution"):
            before, counted = at - 1, row.after(at)
            if row.dimension(before) is not None and before not in row.read:
                self._key(before)
                row.take(before)
            dimension = row.dimension(counted)
            if dimension is not None and counted not in row.read:
                if self.by:
                    self.counted = dimension
                else:
                    self._key(counted or 0)
                    self._value(Metric(row.facts, "count"), at)
                row.take(counted)
            row.take(at)

    def _group(self, at: int) -> None:
        row = self.row
        place = row.after(at, ("Light", "Aggregate") if row.role(at) == "By" else ("Light",))
        number = 0
        if row.role(at) == "Per" and row.role(place) == "Number" and place is not None:
            number, place = int(float(row.pieces[place].said("number"))), row.after(place)
        if row.role(at) == "Per":
            place = next(
                (i for i in range(place or 0, len(row.pieces)) if i not in row.read and row.role(i) != "Light"), place
            )
        role = row.role(place)
        if place is None or place in row.read:
            return
        names_value = role == "measure" or (role == "facts" and row.pieces[at].words.lower().split()[-1] == "by")
        if role in ("facts", "measure") and (row.role(at) == "Per" or not names_value):
            self._divide(at, place, number)
            return
        if names_value:
            row.take(at)  # "by revenue" says what is compared
            return
        if self._is_doer(at, place):
            row.take(at, place)
            return
        place = self._innermost(place)
        dimension = row.dimension(place)
        if dimension is not None and row.role(at) == "Per" and [i for i in row.all("By") if i != at]:
            self.per = Metric(row.facts, "distinct", dimension, label=dimension.label)
            row.take(at, place)
            return
        self._keys(at, place)

    def _is_doer(self, at: int, place: int) -> bool:
        """Whether "by" says who did it, with a condition on them: "used by bakers hired after 2010"."""
        row = self.row
        words = row.pieces[place].words.lower()
        if row.pieces[at].words.lower() != "by" or row.dimension(place) is None or self.forms.singular(words) == words:
            return False
        on = {one.at for one in self.found if one.condition.on != TIME and not one.listed}
        for beyond in range(place + 1, min(place + WITHIN, len(row.pieces))):
            if row.role(beyond) in ("And", "By", "Per"):
                return False
            if beyond in on:
                return True
        return False

    def _innermost(self, place: int) -> int:
        """Of two dimensions that stand together the second: "vet specialty"."""
        row = self.row
        if row.dimension(place) is None or row.dimension(place + 1) is None:
            return place
        if not row.cube.related(row.names[place + 1].iri, row.names[place].iri):
            return place
        row.take(place)
        return place + 1

    def _keys(self, at: int, place: int | None) -> None:
        """By this, that and that."""
        row = self.row
        while place is not None and self._key(place):
            row.take(at, place)
            joint = row.after(place)
            beyond = row.after(joint) if joint is not None and row.role(joint) == "And" else None
            if beyond is None or row.role(beyond) not in ("dimension", "Grain") or beyond in row.read:
                return
            row.take(joint)
            place = beyond

    def _divide(self, at: int, place: int, number: int) -> None:
        row = self.row
        measure = row.measure(place)
        if row.role(place) == "facts":
            per: Metric | None = Metric(row.names[place].iri, "count", label=row.pieces[place].words)
        elif measure is not None:
            per = metric_of(measure, row)
        else:
            return
        if self.per is None:
            self.per, self.scale = per, number or 1
            row.take(at, place)
            if number:
                row.take(row.after(at))

    def _key(self, at: int) -> bool:
        row = self.row
        dimension = row.dimension(at)
        if row.role(at) == "Grain":
            grain = row.pieces[at].said("grain")
            timely = next(
                (
                    d
                    for d in row.cube.dimensions.values()
                    if d.sort == "time" and row.facts in d.facts and d.key == grain
                ),
                None,
            )
            if timely is not None:
                self._add(Key(timely.key, timely), at)
            else:
                self._add(Key(grain, None, grain), at)
            return True
        if dimension is None:
            return False
        self._add(Key(dimension.key, dimension), at)
        return True

    def _add(self, key: Key, at: int) -> None:
        if key not in [one for one, _ in self.by]:
            self.by.append((key, at))

    def _drill(self, at: int) -> None:
        row = self.row
        for one in self.found:
            dimension = row.cube.dimensions.get(one.condition.on)
            below = row.cube.below.get(dimension.iri) if dimension is not None else None
            if below is not None and not self.by:
                finer = row.cube.dimensions[below]
                self._add(Key(finer.key, finer), at)
                row.take(at)
                return
        if self.by:
            row.take(at)

    # ------------------------------------------------------------ values

    def _value(self, metric: Metric, at: int) -> None:
        if metric not in [value for value, _ in self.values]:
            self.values.append((metric, at))
            self.values.sort(key=lambda one: one[1])

    def _next(self, at: int, roles: tuple[str, ...]) -> int | None:
        row = self.row
        return next((i for i in range(at + 1, len(row.pieces)) if i not in row.read and row.role(i) in roles), None)

    def _made(self, values: tuple[Value, ...], **more: object) -> CubeQuery:
        facts = metrics(values[0])[0].facts if values else self.row.facts
        where = tuple(one.condition for one in self.found)
        by = tuple(dict.fromkeys(key for key, _ in self.by))
        query = CubeQuery(facts, values, where, by, tuple(self.kept), self.order, notes=tuple(self.notes))
        query = replace(query, factor=self.factor, distribution=self.distribution, sides=self.sides)
        return replace(query, **more)  # type: ignore[arg-type]

    # ------------------------------------------------------------ groups
