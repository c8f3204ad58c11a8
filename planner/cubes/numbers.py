"""Conditions on numbers: ranges with units, comparisons, what is above the average."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from ...store.vocabulary import UnitInfo
from .columns import Columns, Found
from .cube import COUNTING, Measure
from .query import Condition, Kept, Metric
from .row import Row
from .trees import quoted


@dataclass
class Numbers(Columns):
    """What numbers say of facts, and of groups of them."""

    def _ranges(self) -> None:
        """between 10 and 20 kg, from 10 to 20."""
        row = self.row
        for at in row.all("Number"):
            one = self._amount(at)
            joint = one and one[3] + 1
            if one is None or joint is None or row.role(joint) != "And":
                continue
            other = self._amount(joint + 1)
            begin = row.before(at)
            opened = begin if row.role(begin) == "Range" else None
            if other is None or (opened is None and row.pieces[joint].words.lower() != "to"):
                continue
            unit = other[1] or one[1]
            target = self._target(at if opened is None else opened, other[3], unit, one[2] or other[2])
            if target is None:
                continue
            column, where = target
            low, high = (self._in_unit(number, unit, column) for number in (one[0], other[0]))
            words = row.pieces[at].words + "–" + row.pieces[joint + 1].words
            row.take(opened, at, joint, one[3], other[3], joint + 1, *where)
            if isinstance(column, Measure) and self._noun(at) is not None:
                kept = (Kept(metric_of(column, row), sign, bound) for sign, bound in ((">=", low), ("<=", high)))
                self.kept += [(at, one) for one in kept]
                continue
            text = f'{{}}["{column.key}"] >= {low} and {{}}["{column.key}"] <= {high}'
            self.found.append(Found(Condition(text, (column,), words, column.iri), at, other[3]))

    def _compared(self) -> None:
        """over 10 kg, 10 or more, fee of at least 20."""
        row = self.row
        for at in (*row.all("Compared"), *row.all("ComparedAfter")):
            behind = row.role(at) == "ComparedAfter" and row.role(row.after(at)) != "Number"
            if behind:
                number = row.before(at) if row.role(row.before(at)) != "Unit" else row.before(row.before(at) or 0)
            else:
                number = row.after(at)
            one = self._amount(number)
            if one is None or number is None:
                continue
            first, last = (number, max(at, one[3])) if behind else (at, one[3])
            self._test(first, last, row.pieces[at].said("op"), one, (at, number, one[3]))

    def _test(
        self, first: int, last: int, op: str, one: tuple[Decimal, UnitInfo | None, bool, int], taken: Iterable[int]
    ) -> None:
        row = self.row
        counted = row.after(last)
        noun = self._noun(first)
        if row.role(counted) == "facts" and counted is not None and not one[1]:
            row.take(*taken, counted, *self._negators(first))
            test = _opposite(op) if self._is_negated(first) else op
            metric = Metric(row.names[counted].iri, "count", label=row.pieces[counted].words)
            self.kept.append((first, Kept(metric, test, str(one[0]))))
            return
        named = row.dimension(counted)
        if named is not None and counted is not None and not one[1] and not named.is_number and noun is not None:
            row.take(*taken, counted)
            self.kept.append((first, Kept(Metric(row.facts, "distinct", named), op, str(one[0]))))
            return
        target = self._target(first, last, one[1], one[2])
        if target is None:
            return
        column, where = target
        number = self._in_unit(one[0], one[1], column)
        negators = self._negators(first)
        test = _opposite(op) if negators else op
        row.take(*taken, *where, *negators, *self._of_unit(last, column))
        measured = next((at for at in where if row.measure(at) is not None), None)
        aggregate = row.before(measured) if measured is not None else None
        way = (
            row.pieces[aggregate].said("aggregate")
            if aggregate is not None and row.role(aggregate) == "Aggregate"
            else ""
        )
        if isinstance(column, Measure) and (noun is not None or way) and (noun is None or noun < first):
            if way:
                row.take(aggregate)
            self.kept.append((first, Kept(metric_of(column, row, way), test, number)))
            return
        text = f'{{}}["{column.key}"] {test} {number}'
        self.found.append(Found(Condition(text, (column,), row.pieces[first].words, column.iri), first, last))

    def _averages(self) -> None:
        """above average, more consultations than the average."""
        row = self.row
        for at in row.all("ThanAverage"):
            places = [
                place
                for place in (row.after(at), row.before(at))
                if place is not None and row.role(place) in ("measure", "facts")
            ]
            measured = next((place for place in places if row.measure(place) is not None), None)
            mean = row.before(measured) if measured is not None else None
            if row.role(mean) == "Aggregate" and mean is not None and row.pieces[mean].said("aggregate") == "avg":
                row.take(mean)
            self._average(
                at, at, row.pieces[at].said("op"), measured if measured is not None else next(iter(places), None), ()
            )
        for at in row.all("Than"):
            mean, more = row.after(at), next((place for place in reversed(row.all("More")) if place < at), None)
            if mean is None or row.pieces[mean].said("aggregate") != "avg" or more is None:
                continue
            named = next((place for place in range(more + 1, at) if row.role(place) in ("measure", "facts")), None)
            self._average(more, mean, row.pieces[more].said("op"), named, (at, mean))

    def _average(self, first: int, last: int, op: str, named: int | None, taken: Iterable[int]) -> None:
        row = self.row
        noun = self._noun(first)
        measure = row.measure(named)
        if measure is None and (
            "long" in row.pieces[first].words.lower() or "short" in row.pieces[first].words.lower()
        ):
            measure = next(
                (one for one in self._columns() if isinstance(one, Measure) and one.label in self._long()), None
            )
        behind = row.after(last)
        if measure is not None and noun is None and measure.aggregate not in COUNTING and row.facts in measure.facts:
            every = f"RETRIEVE(query={quoted(row.cube.facts[row.facts].label)})"
            read = f'EXTRACT(l={every}, attr_names=["{measure.key}"], attr_types=[{measure.kind}])'
            tree = f'AVG(l={read}, attr_name="{measure.key}").result'
            text = f'{{}}["{measure.key}"] {op} {tree}'
            self.found.append(Found(Condition(text, (measure,), row.pieces[first].words, measure.iri), first, last))
            row.take(first, last, named, *taken, behind if behind == named else None)
        elif noun is not None and (measure is not None or row.role(named) == "facts"):
            assert named is not None
            metric = metric_of(measure, row) if measure is not None else Metric(row.names[named].iri, "count")
            self.kept.append((first, Kept(metric, op, None)))
            row.take(first, last, named, *taken)

    def _long(self) -> set[str]:
        """The names of columns that say how long something took, the most liked first."""
        timed = {"duration", "minutes", "length", "time", "hours"}
        return {
            one.label
            for one in self._columns()
            if timed & {word for label in one.labels for word in label.lower().split()}
        }

    def _equal(self) -> None:
        """rating of 5, age 7: a number right behind a column."""
        row = self.row
        for at in row.all("Number"):
            one, named = self._amount(at), row.before(at)
            column = row.column(named)
            if one is None or column is None or not column.is_number or named is None or named in row.read:
                continue
            if isinstance(column, Measure) and column.aggregate in ("count", "distinct"):
                continue
            negated = self._is_negated(named) or self._is_negated(at)
            sign = "!=" if negated else "=="
            text = f'{{}}["{column.key}"] {sign} {self._in_unit(one[0], one[1], column)}'
            self.found.append(Found(Condition(text, (column,), row.pieces[at].words, column.iri), at, one[3]))
            row.take(at, one[3], named, *self._negators(named), *self._negators(at))


def metric_of(measure: Measure, row: Row, way: str = "") -> Metric:
    """What a measure computes, as it is declared or as the question says."""
    facts = row.facts if row.facts in measure.facts else min(measure.facts)
    if measure.aggregate == "count":
        return Metric(facts, "count", label=measure.label)
    if measure.aggregate == "distinct":
        counted = row.cube.attribute(measure.of or "")
        return Metric(facts, "distinct", counted, label=measure.label)
    weight = row.cube.measures.get(measure.weight or "")
    own = "avg" if measure.aggregate == "none" else measure.aggregate
    return Metric(facts, way or own, measure, weight, label=measure.label)


def _opposite(op: str) -> str:
    return {">": "<=", "<": ">=", ">=": "<", "<=": ">", "==": "!="}.get(op, op)
