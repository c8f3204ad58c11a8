"""What a question computes of facts, and in what order it wants it."""

from __future__ import annotations

from dataclasses import replace

from .cube import Dimension, Measure
from .groups import Groups
from .numbers import metric_of
from .query import Key, Metric, Order, Value

SORTS = {
    "long": ("duration", "length", "minutes", "hours", "time"),
    "price": ("price", "fee", "cost", "amount", "charge", "paid", "payout", "payment", "spend", "spending"),
    "weight": ("weight", "kilos", "tonnes"),
    "age": ("age",),
    "warm": ("temperature", "degrees"),
}
"""Words by which the labels of measures say what is long, dear, heavy, old."""


class Values(Groups):
    """Measures, numbers of facts and members, order, and what is asked for by its name alone."""

    def _measured(self) -> None:
        row = self.row
        for at in row.all("Percentile"):
            place = self._next(at, ("measure",))
            measure = row.measure(place)
            if measure is not None and place is not None:
                metric = replace(metric_of(measure, row, "percentile"), at=int(row.pieces[at].said("at")), weight=None)
                self._value(metric, place)
                row.take(at, place)
        for at in row.all("HowMany"):
            self._number(at)
        for at in row.all("Aggregate"):
            self._aggregated(at)
        for at in row.all("measure"):
            measure = row.measure(at)
            assert measure is not None
            self._value(metric_of(measure, row), at)
            row.take(at)

    def _units(self, at: int) -> bool:
        """How many hours, how many tonnes: a measure in that unit."""
        row = self.row
        place = row.after(at)
        if place is None or row.role(place) not in ("Unit", "Grain"):
            return False
        unit = self.conditions.vocabulary.unit_named(row.pieces[place].words)
        found = self.conditions.column_in(unit) if unit is not None else None
        if not isinstance(found, Measure) or unit is None or self._next(place, ("measure",)) is not None:
            return False
        self._value(metric_of(found, row, "sum" if found.aggregate == "avg" else ""), place)
        self.factor = self.conditions.factor(found, unit)
        row.take(at, place)
        return True

    def _number(self, at: int) -> None:
        """How many facts, members or units."""
        row = self.row
        if self._units(at):
            return
        place = self._next(at, ("facts", "dimension", "measure", "Grain"))
        role, often = row.role(place), row.pieces[at].words.lower().endswith(("often", "times", "frequently"))
        if often and role != "facts":
            place, role = None, ""
        inner = self._counted_within(at, place) if role == "facts" else None
        if inner is not None:
            self.counted = inner
            row.take(at, place)
        elif role == "facts" and place is not None:
            self._value(Metric(row.names[place].iri, "count", label=row.pieces[place].words), place)
            row.take(at, place)
        elif role == "measure" and place is not None:
            measure = row.measure(place)
            assert measure is not None
            self._value(metric_of(measure, row), place)
            row.take(at, place)
        elif role == "dimension" and place is not None and not often:
            self.counted = row.dimension(place)
            row.take(at, place)
        elif often:
            self._value(Metric(row.facts, "count"), at)
            row.take(at)

    def _counted_within(self, at: int, place: int | None) -> Dimension | None:
        """Different courses booked: members, though "courses booked" names facts."""
        row = self.row
        if place is None or not {"different", "distinct", "unique"} & set(row.pieces[at].words.lower().split()):
            return None
        named = self.conditions.vocabulary.properties_named(row.pieces[place].words.split()[0])
        return next((row.cube.dimensions[one.iri] for one in named if one.iri in row.cube.dimensions), None)

    def _aggregated(self, at: int) -> None:
        """The average of a measure; of numbers of facts, that of the groups' numbers."""
        row = self.row
        way = row.pieces[at].said("aggregate")
        place = self._next(at, ("measure", "facts"))
        known = next((place for value, place in self.values if isinstance(value, Metric) and place > at), None)
        measure = row.measure(place)
        if (
            measure is not None
            and place is not None
            and measure.aggregate not in ("count", "distinct")
            and (known is None or place < known)
        ):
            row.take(at, place)
            grouped = self._by_period() and way in ("avg", "median") and measure.aggregate == "sum"
            if grouped:
                self.over = way
            self._value(metric_of(measure, row, "" if grouped else way), place)
            return
        counting = measure is not None or row.role(place) == "facts"
        if way == "sum":
            row.take(at)
            return
        spoken = next((n for n, (_, p) in enumerate(self.values) if p > at), None)
        if spoken is not None and not self._by_period() and self.per is None:
            metric, where = self.values[spoken]
            if isinstance(metric, Metric) and isinstance(metric.attribute, Measure) and metric.way != "distinct":
                self.values[spoken] = (metric_of(metric.attribute, row, way), where)  # "median number of passengers"
                row.take(at)
                return
        if known is not None or counting or self.counted is not None:
            if known is None and place is not None and self.counted is None:
                metric = metric_of(measure, row) if measure is not None else Metric(row.names[place].iri, "count")
                self._value(metric, place)
                row.take(place)
            if self.by or self.per is not None:
                self.over = way
                row.take(at)
            return
        if len(self.values) == 1 and isinstance(self.values[0][0], Metric) and self.values[0][0].attribute is not None:
            metric, where = self.values[0]
            self.values = [(replace(metric, way=way), where)]  # "fees on average"
            row.take(at)

    def _by_period(self) -> bool:
        """Whether groups are those of which a mean is taken: periods, and people."""
        return (
            bool(self.by)
            and all(
                key.grain or (isinstance(key.attribute, Dimension) and key.attribute.sort == "person")
                for key, at in self.by
                if self.row.role(self.row.before(at)) == "Per" or self.row.role(at) == "GrainEach"
            )
            and any(
                self.row.role(self.row.before(at)) == "Per"
                or (self.row.role(at) == "GrainEach" and " " in self.row.pieces[at].words)
                for _, at in self.by
            )
        )

    # ------------------------------------------------------------ order

    def _ordered(self) -> None:
        row = self.row
        tops = row.all("Top")
        if not tops:
            return
        at = tops[0]
        said = row.pieces[at].said
        number, place = int(float(said("n") or 0)), int(float(said("o") or 0))
        self.order = Order(said("way"), number, place)
        self.ranked = at
        row.take(*tops[:1])
        if said("m") not in ("", "count") and not any(at < where for _, where in self.values):
            self._by_sort(said("m"))
        for other in tops[1:]:
            if row.pieces[other].said("way") == said("way"):
                row.take(other)

    def _by_sort(self, sort: str) -> None:
        """The measure that "longest" or "cheapest" is about."""
        labels = SORTS[sort]
        known = [
            m
            for m in self.row.cube.measures.values()
            if self.row.facts in m.facts and any(word in label.lower().split() for word in labels for label in m.labels)
        ]
        best = max(known, key=lambda one: (one.preference, one.iri), default=None)
        if best is not None:
            self._value(metric_of(best, self.row), self.ranked or 0)

    def _targets(self) -> None:
        """Dimensions and grains that are asked for by their name alone."""
        row = self.row
        for at in row.all("Grain"):
            if row.role(row.before(at)) in ("Which", "Top", "") or (
                self.order is not None and row.role(row.before(at, ("Light", "Which"))) in ("Top", "")
            ):
                self._key(at)
                self.target.append(at)
                row.take(at)
        for at in row.all("dimension"):
            dimension = row.dimension(at)
            assert dimension is not None
            before = row.before(at, ("Light", "Aggregate", "Top", "Never", "Not", "Number", "Does"))
            asked = row.role(before) == "Which" or row.role(row.before(at)) in ("Which", "Top") or before is None
            if (self.values or self.counted or row.all("facts")) and not self.kept and not asked and self._carries(at):
                row.take(at)  # "fees of practices in Porto": the members say which
                continue
            self.target.append(at)
            self._how_many(at)
        named = [at for at in self.target if row.dimension(at) is not None]
        if self.counted is None and (not self.by or self.order is not None):
            grouped = self.by[0][0].name if self.by and named and self.order is not None else ""
            for at in named:
                self._key(at)
                row.take(at)
            if grouped and self.order is not None and not self.order.number:
                self.order = replace(self.order, within=grouped)
        self._who()

    def _carries(self, at: int) -> bool:
        """Whether a dimension is named for the sake of a condition beside it, or of the groups: "beginner courses",
        "halls higher than 15 m", "by home town of the member"."""
        row = self.row
        before, after = row.before(at), row.after(at)
        limits = ("member", "dimension", "measure", "Compared", "Number", "Not", "Test")
        if before in row.read and row.role(before) in ("member", "dimension", "Test") and not self._is_key(before):
            return True
        if after in row.read and row.role(after) in limits and not self._is_key(after):
            return True
        if row.role(after) == "Time" and after is not None and row.names.get(after - 1) is not None and after - 1 != at:
            return True
        article = row.pieces[at - 1].words.lower().split()[-1] if at else ""
        if article in ("the", "a", "an", "our") and self.forms.singular(row.pieces[at].words) == row.pieces[at].words:
            return True
        return bool(self.by) and row.role(before) == "dimension" and before in row.read and self.order is None

    def _is_key(self, at: int | None) -> bool:
        """Whether a piece names what is grouped by."""
        return any(where == at for _, where in self.by)

    def _how_many(self, at: int) -> None:
        """The three ports with the most crossings."""
        before = self.row.before(at)
        if (
            self.order is not None
            and not self.order.number
            and before is not None
            and self.row.role(before) == "Number"
        ):
            self.order = replace(self.order, number=int(float(self.row.pieces[before].said("number"))))
            self.row.take(before)

    def _who(self) -> None:
        """Who and where ask for a dimension that is a person or a place."""
        row = self.row
        first = row.pieces[0].words.lower().split()[0] if row.pieces else ""
        sort = {"who": "person", "where": "place"}.get(first)
        if sort is None or self.by or self.counted is not None:
            return
        known = [d for d in row.cube.dimensions.values() if d.sort == sort and row.facts in d.facts]
        best = max(known, key=lambda one: (one.preference, one.iri), default=None)
        if best is not None:
            self._add(Key(best.key, best), 0)

    def _default(self) -> Value | None:
        """What is computed where nothing says it: the number of facts that are named, else the measure most liked."""
        row = self.row
        facts = row.all("facts")
        if facts:
            row.take(*facts[:1])
            return Metric(row.names[facts[0]].iri, "count", label=row.pieces[facts[0]].words)
        if self.order is not None and self.ranked is not None and row.pieces[self.ranked].said("m") == "count":
            return Metric(row.facts, "count")
        for at in row.all("Does") if row.all("HowMuch") else ():
            self._by_sort(row.pieces[at].said("sort"))
            if self.values:
                return self.values[0][0]
        return None

    def _pass_facts(self) -> None:
        """Names of the facts themselves beside a measure say nothing more."""
        self.row.take(*(at for at in self.row.all("facts") if self.row.names[at].iri == self.row.facts))

    def _first_value(self) -> Value | None:
        if self.values:
            self._pass_facts()
            return self.values[0][0]
        if self.counted is not None:
            self._pass_facts()
            return Metric(self.row.facts, "distinct", self.counted, label=self.counted.label)
        return self._default()

    # ------------------------------------------------------------ shapes
