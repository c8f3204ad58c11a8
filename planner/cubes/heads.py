"""What a question asks for: values, groups, order, and how values are put side by side."""

from __future__ import annotations

from dataclasses import replace

from .columns import Found, is_time
from .cube import COUNTING, Measure
from .query import Condition, CubeQuery, Kept, Key, Metric, Order, Pair, Value
from .sides import Sides, shared
from .trees import metrics
from .values import Values

_VERBS = frozenset(
    [
        "was",
        "were",
        "are",
        "is",
        "came",
        "come",
        "did",
        "had",
        "has",
        "have",
        "went",
        "got",
        "goes",
        "end",
        "ended",
        "made",
        "took",
        "were",
    ]
)
_EXTREME = {"most": "max", "least": "min"}


class Head(Values):
    """Reads what is left of a row once its conditions have been read."""

    def query(self) -> CubeQuery | None:
        """The query; None where the row asks for nothing of its facts."""
        self._groups()
        self._distributed()
        self._measured()
        self._ordered()
        for at in self.row.all("Aggregate"):
            self._aggregated(at)  # "takes longest on average"
        self._targets()
        for read in (self._absent, self._compared, self._shared, self._ranked, self._running, self._when, self._exists):
            made = read()
            if made is not None:
                return made
        return self._plain()

    def unmet(self, query: CubeQuery) -> tuple[str, ...]:
        """The words of conditions, groups and values that their fact tables do not have."""
        tables = self.row.cube.facts
        found = [metric for value in query.values for metric in metrics(value)]
        used = {metric.facts for metric in found} or {query.facts}
        lacking = [one.words for one in query.where if not any(_has(facts, one) for facts in used)]
        lacking += [one.words for one in query.where if one.timed and not all(tables[facts].timed for facts in used)]
        for key in query.by:
            if key.attribute is not None and not used <= key.attribute.facts:
                lacking.append(key.attribute.label)
            if key.grain and not all(tables[facts].timed for facts in used):
                lacking.append(key.grain)
        strange = [one for one in found if one.attribute is not None and one.facts not in one.attribute.facts]
        return (*lacking, *(one.label for one in strange))

    def partly(self, query: CubeQuery) -> tuple[str, ...]:
        """What is told of conditions that only some of the fact tables have."""
        used = sorted({metric.facts for value in query.values for metric in metrics(value)})
        return tuple(
            f"“{one.words}”: of {self.row.cube.facts[facts].label} alone"
            for one in query.where
            for facts in used
            if _has(facts, one) and not all(_has(other, one) for other in used)
        )

    def _absent(self) -> CubeQuery | None:
        """Members that never were in such facts."""
        row = self.row
        nevers = row.all("Never") or [at for at in row.all("Not") if (self.by or self.counted) and self.target]
        if not nevers:
            return None
        key = (
            Key(self.counted.key, self.counted) if self.counted is not None else next((key for key, _ in self.by), None)
        )
        at = nevers[0]
        if key is None or key.attribute is None:
            return None
        inside = [one for one in self.found if one.at > at and not (is_time(one) and one is self.found[-1] and False)]
        facts = row.all("facts")
        done = {table: row.deeds(table) for table in row.cube.facts}
        deed = next((table for table, places in done.items() if any(place > at for place in places)), row.facts)
        later = [place for place in facts if place > at] or facts
        named = row.names[later[0]].iri if later else deed
        before = {row.names[place].iri for place in facts if place < at}
        row.take(at, *facts, *(place for places in done.values() for place in places))
        row.take(*(i for i in row.all("dimension") if row.pieces[i - 1].words.lower() in ("a", "an", "any")))
        where = tuple(one.condition.negated() if one.negated else one.condition for one in inside)
        self.found = [one for one in self.found if one not in inside]
        self.by = [(key, at)]
        metric = Metric(named, "count", where=where)
        if not where:  # no facts at all: of the members that another table has
            others = [table for table in row.cube.facts if table != named and table in key.attribute.facts]
            others.sort(key=lambda table: table not in before and not any(place < at for place in done[table]))
            if not others:
                return None
            metric = replace(metric, facts=named)
            return self._made((metric,), shape="absent_groups" if self.counted else "absent", facts=others[0])
        self.values = []
        self.order = None
        return self._made((metric,), shape="without_groups" if self.counted is not None else "without", facts=named)

    def _compared(self) -> CubeQuery | None:
        """Two sides: a difference, ratio or growth, which is more."""
        of_groups = bool(self.target and self.by) and self.row.role_of_piece(0) == "Which"
        sides = Sides(self.row, self.found, [value for value, _ in self.values], of_groups=of_groups)
        way = sides.way()
        if not way:
            return self._versus()
        value = self._first_value()
        if not isinstance(value, Metric):
            return None
        made = sides.pair(way, value)
        if made is None:
            return None
        pair, left = made
        self.found = left
        self.values = []
        if way in ("more", "fewer") and of_groups:
            less = replace(pair, way="minus")
            self.kept.append(Kept(less, ">" if way == "more" else "<", "0"))
            return self._made((less,), order=None)
        return self._made((pair,))

    def _versus(self) -> CubeQuery | None:
        """Members or years side by side are a table of them."""
        row = self.row
        versus = row.all("Versus") or (row.all("More") if self.values or row.all("facts") else [])
        if not versus:
            return None
        if (
            not row.all("Versus")
            and not row.all("Than")
            and self.by
            and row.role_of_piece(0) == "Which"
            and not shared(self.found)
        ):
            self.order = Order("most" if row.pieces[versus[0]].said("op") == ">" else "least", one=True)
            row.take(*versus)
            return None
        lists = shared(self.found)
        named = [key.attribute.iri for key, _ in self.by if key.attribute is not None]
        if self.by and not row.all("Versus") and (lists is None or named != [lists.parts[0].condition.on]):
            return None
        value = self._first_value()
        if value is None:
            return None
        if lists is None:
            if len(self.values) > 1 or self.by:
                row.take(*row.all("Versus"))
            return None
        together = lists.together(row)
        if together is None:
            return None
        condition, key = together
        self.found = [one for one in self.found if one not in lists.parts] + [condition]
        self._add(key, versus[0])
        if row.role(versus[0]) == "More":
            self.order = Order("most" if row.pieces[versus[0]].said("op") == ">" else "least", one=True)
        row.take(*versus, *row.all("And"))
        return None

    def _shared(self) -> CubeQuery | None:
        """What share of the facts, or of a measure, meets a condition; or of each group."""
        row = self.row
        shares, rates = row.all("Share"), row.all("Rate")
        if not shares and not rates:
            return None
        value = self._first_value()
        if value is None:
            facts = Metric(row.facts, "count")
            value = facts if self.found else None
        if not isinstance(value, Metric):
            return None
        at = (shares or rates)[0]
        parts = (self._parts(at) if shares else []) or [one for one in self.found if 0 < at - one.last <= 1]
        row.take(*shares, *rates)
        if parts:
            self.found = [one for one in self.found if one not in parts]
            self.by = [(key, where) for key, where in self.by if where not in self.target]
            whole = value
            part = replace(value, where=tuple(one.condition for one in parts))
            return self._made((Pair("percent", part, whole),))
        if self.by and (value.adds or value.way == "distinct"):
            return self._made((value,), shape="share")
        return None

    def _parts(self, at: int) -> list[Found]:
        """The conditions of which a share is asked; the others say of what."""
        row = self.row
        after = [one for one in self.found if one.at > at]
        if not after:
            return []
        noun = next((i for i in range(at + 1, len(row.pieces)) if row.role(i) in ("facts", "measure", "dimension")), at)
        verbs = [
            i
            for i in range(noun + 1, len(row.pieces))
            if row.role_of_piece(i) in ("Light", "Exists") and _VERBS & set(row.pieces[i].words.lower().split())
        ]
        limits = [one for one in after if not (is_time(one) and "TimeRange" in row.pieces[one.at].kinds)]
        for verb in reversed(verbs):
            told = [one for one in limits if one.at > verb]
            if told:
                return told
        grouped = min((where for _, where in self.by if where > noun), default=len(row.pieces))
        inside = [one for one in limits if one.at < grouped]
        behind = [one for one in inside if one.at > noun]
        limits = inside or limits
        return behind or limits or ([] if self.by else after)

    def _ranked(self) -> CubeQuery | None:
        row = self.row
        ranks = row.all("Rank")
        subject = next((one for one in self.found if len(one.values) == 1 and not one.negated), None)
        value = self._first_value() if ranks else None
        if not ranks or subject is None or value is None:
            return None
        dimension = row.cube.dimensions[subject.condition.on]
        self.found = [one for one in self.found if one is not subject]
        self.by = [(Key(dimension.key, dimension), ranks[0])]
        row.take(*ranks)
        return self._made((value,), shape="rank", subject=subject.values[0])

    def _running(self) -> CubeQuery | None:
        row = self.row
        places = row.all("Running")
        value = self._first_value() if places else None
        if not isinstance(value, Metric) or not value.adds or len(self.by) > 1:
            return None
        if not self.by:
            self._add(Key("month", None, "month"), places[0])
            self.notes.append("running total: by month")
        row.take(*places)
        return self._made((value,), shape="running")

    def _when(self) -> CubeQuery | None:
        row = self.row
        edges, whens = row.all("Edge"), row.all("When")
        if not edges or not (row.all("facts") or whens):
            return None
        end = row.pieces[edges[0]].said("end")
        row.take(*edges, *whens)
        self._pass_facts()
        return self._made((), shape="when" if whens else "events", end=end)

    def _exists(self) -> CubeQuery | None:
        row = self.row
        asked = row.all("Exists")
        if not asked or self.order is not None:
            return None
        if asked[0] != 0 or self.counted is not None:
            row.take(*asked)
            return None
        row.take(*asked)
        if self.kept and self.by:
            return self._made(tuple(one.value for one in self.kept[:1]), shape="exists")
        if self.values and not row.all("facts"):
            return None
        self._pass_facts()
        self.by = []
        return self._made((), shape="exists")

    def _plain(self) -> CubeQuery | None:
        row = self.row
        if self.kept:
            return self._of_groups()
        listed = self._listed()
        if listed is not None:
            return listed
        value = self._first_value()
        if value is None:
            asked = self.found or row.all("Which") or row.role_of_piece(0) == "Which"
            return self._made((), shape="members") if self.by and self.order is None and asked else None
        self._side_by_side()
        values = tuple(dict.fromkeys(v for v, _ in self.values)) or (value,)
        if self.per is not None and isinstance(values[0], Metric):
            values = (self._divided(values[0], self.per),)
        if self.over and self.by and isinstance(values[0], Metric):
            return self._made(values[:1], shape="mean", over=self.over, order=None)
        if self.order is not None:
            return self._in_order(values[0], self.order)
        if len(values) > 1 and not self.by:
            self.sure -= 1
            return None
        return self._made(values)

    def _in_order(self, value: Value, order: Order) -> CubeQuery | None:
        """Groups in the order of a value, or the greatest of all facts."""
        if not self.by or self._is_extreme_of_each(value):
            return self._extreme(value)
        self.order = replace(order, one=order.one or self._is_one() or bool(order.within))
        return self._made((value,))

    def _divided(self, first: Metric, per: Metric) -> Value:
        """A value per fact, or per unit of another; a mean of the same facts is one already."""
        self.over = ""
        if not first.adds and first.way != "distinct" and per.way == "count" and per.facts == first.facts:
            return first  # "average fee per consultation"
        return Pair("ratio", first, per, self.scale)

    def _side_by_side(self) -> None:
        """Revenue in Bonn and Kiel: of each, where nothing asks for one number."""
        row = self.row
        listed = next((one for one in self.found if one.listed), None)
        numbers = [piece for piece in row.pieces if piece.role in ("HowMany", "HowMuch", "Aggregate")]
        if listed is None or numbers or self.by or self.order is not None or self.per is not None:
            return
        dimension = row.cube.dimensions[listed.condition.on]
        self._add(Key(dimension.key, dimension), listed.at)

    def _of_groups(self) -> CubeQuery | None:
        """Members whose value meets a condition, or their number."""
        if self.counted is not None:
            self.by = [(Key(self.counted.key, self.counted), 0)]
        if not self.by:
            return None
        kept = tuple(dict.fromkeys(one.value for one in self.kept))
        shown = tuple(dict.fromkeys((*(value for value, _ in self.values), *kept)))
        self._pass_facts()
        if self.counted is not None:
            return self._made(kept, shape="groups", order=None)
        if self.order is not None:
            self.order = replace(self.order, one=self._is_one())
        return self._made(shown)

    def _listed(self) -> CubeQuery | None:
        """Facts themselves: which consultations cost over 100, the longest repair."""
        row = self.row
        facts = row.all("facts")
        first = row.role_of_piece(0) if row.pieces else ""
        if not facts or self.by or self.counted is not None or self.per is not None:
            return None
        metric = self.values[0][0] if self.values else None
        measured = isinstance(metric, Metric) and isinstance(metric.attribute, Measure) and metric.way not in COUNTING
        if self.order is not None and measured and isinstance(metric, Metric):
            spoken = max((place for _, place in self.values), default=0) > facts[0]
            ranked = self.ranked or 0
            if first != "Which" or spoken or not (ranked > facts[0] or row.after(ranked) == facts[0]):
                return None
            self._pass_facts()
            return self._made(
                (), shape="events", order=replace(self.order, one=not self.order.number), ranked_by=metric.attribute
            )
        if first == "Which" and not self.values and self.order is None and not row.all("Aggregate"):
            self._pass_facts()
            return self._made((), shape="events")
        return None

    def _extreme(self, value: Value) -> CubeQuery | None:
        """The highest fee: of all facts."""
        assert self.order is not None
        if (
            not isinstance(value, Metric)
            or value.attribute is None
            or value.way in ("distinct", "count")
            or self.order.place > 1
            or self.order.number > 1
        ):
            return None
        way = _EXTREME[self.order.way]
        self.order = None
        return self._made((replace(value, way=way, weight=None),))

    def _is_extreme_of_each(self, value: Value) -> bool:
        """The longest transit time by carrier: of each, where the values do not add up to one to rank by."""
        assert self.order is not None
        named = self.target or self.order.number or self.order.place or self.order.one
        return isinstance(value, Metric) and not value.adds and value.way != "distinct" and not named

    def _is_one(self) -> bool:
        """Whether the best alone is asked for: one member, and no number of them."""
        assert self.order is not None
        if self.order.number or self.order.place:
            return False
        named = [at for at in self.target if self.row.role(at) in ("dimension", "Grain")]
        if not named:
            return self.row.pieces[0].words.lower().split()[0] in ("who", "where")
        words = self.row.pieces[named[0]].words.lower()
        return self.forms.singular(words) == words


def _has(facts: str, condition: Condition) -> bool:
    """Whether a fact table has all that a condition is about."""
    return all(facts in one.facts for one in condition.reads)
