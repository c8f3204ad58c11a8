"""What of an answer can be looked at below it: charts, the values, the table, how it ran, its query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from ....engine.answers.answer import Answer
from ....engine.answers.charts.aspects import CALENDAR, MOST_DAYS, TIME, WEEKDAY, Aspects, Measured
from ....engine.answers.charts.choose import Chart, chart_of
from ....engine.answers.charts.frame import Grain
from ....engine.answers.charts.parts import MOST_LABELLED
from ....engine.answers.charts.rules import Document, Kind
from ....engine.answers.compared import measures, sides_of
from ....engine.answers.evidence import attributes_table
from ....engine.answers.statement import Period
from ....engine.asking.planned import GIVEN, Planned
from ....engine.knowledge import KnowledgeGraph
from ....errors import ReqapError
from ....operators.nodes import ArgMax, ArgMin, Avg, GroupBy, Map, Sum
from ....operators.wording import wording
from ....planner.forms.lowering import MEASURE
from ....planner.search.plan import AnswerForm
from ....store.words import key_words
from .kept import Kept, with_all

CHART, RANKING, LISTED, TABLE, HOW, SPARQL = "chart", "ranking", "list", "table", "how", "sparql"
_GRAINS: Final = {
    Grain.DAY: "By day", Grain.WEEK: "By week", Grain.MONTH: "By month", Grain.YEAR: "By year",
    Grain.QUARTER: "By quarter", Grain.WEEKDAY: "By weekday", Grain.HOUR: "By hour",
}  # fmt: skip
_SAME: Final = 1e-6
_MOST_MEASURED: Final = 3_000
_LEAST_ROWS: Final = 2


@dataclass(frozen=True)
class Tab:
    """One of them: its name in the address, and what it is called."""

    name: str
    label: str


def _is_short(period: Period) -> bool:
    """Whether a period has days enough for a calendar, and no more."""
    return period.last != date.max and (period.last - period.first).days < MOST_DAYS


@dataclass(frozen=True)
class Tabs:
    """The tabs of an answer."""

    kept: Kept
    known: KnowledgeGraph
    rules: tuple[Document, ...] = ()

    def all(self) -> tuple[Tab, ...]:
        """Those that say something of it, the first of which is open at first."""
        found = self.kept.later.get("tabs")
        if found is None:
            found = self.kept.later["tabs"] = tuple(self._found())
        return found

    @property
    def open_first(self) -> str:
        """The tab that is open at first; "" where none says more than the answer itself."""
        first = next(iter(self.all()), None)
        alone = len(self.kept.answer.events) < _LEAST_ROWS and self.kept.answer.table is None
        is_open = first is not None and first.name not in (HOW, SPARQL) and not (first.name == TABLE and alone)
        return first.name if first is not None and is_open else ""

    def _found(self) -> Iterator[Tab]:
        kept = self.kept
        if kept.answer.answer_type == "events" or kept.answer.dialog is not None:
            yield Tab(LISTED, "List")
        if self._is_ranking:
            yield Tab(RANKING, "Ranking")
        own = self._own()
        if own is not None:
            yield Tab(CHART, self._label(own))
        if kept.answer.answer_type not in ("table", "boolean") or own is None:
            # of very many events it is seen from the first what the others can be drawn as
            is_many = kept.answer.more_events and not self._is_measure
            aspects = Aspects(kept.answer) if is_many else self._aspects
            stated = kept.answer.statement
            is_long = kept.answer.more_events and (stated is None or not _is_short(stated.period))
            for name in aspects.names if self._can_be_spread else ():
                if name == CALENDAR and is_long:
                    continue
                over_time = "Over time" if kept.answer.more_events else _GRAINS[aspects.grain]
                yield Tab(name, {TIME: over_time, WEEKDAY: "By weekday", CALENDAR: "Calendar"}[name])
        if kept.answer.events or kept.answer.table is not None:
            yield Tab(TABLE, "Table")
        if kept.answer.plan:
            yield Tab(HOW, "How it ran")
        if kept.answer.sparql:
            yield Tab(SPARQL, "SPARQL")

    def chart(self, name: str) -> Chart | None:
        """The chart of a tab; None for one that is no chart."""
        if name == CHART:
            return self._own()
        if name == RANKING:
            return self._ranked()
        return self._aspects.chart(name) if name in (TIME, WEEKDAY, CALENDAR) else None

    def _own(self) -> Chart | None:
        """The chart of the answer itself, where that is more than its events over time."""
        later = self.kept.later
        if "own chart" not in later:
            try:
                chart = chart_of(self.kept.answer, self.rules)
            except ReqapError:  # a rule of the user's own that is wrong; `rules check` says so
                chart = None
            is_own = chart is not None and not chart.data.counted and chart.kind is not Kind.TABLE
            later["own chart"] = chart if is_own else None
        return later["own chart"]

    def _label(self, chart: Chart) -> str:
        if chart.kind is Kind.MAP:
            return "Map"
        grain = chart.data.dimensions[0].grain if chart.data.dimensions else None
        return _GRAINS.get(grain, "Chart") if grain is not None else "Chart"

    @property
    def _is_ranking(self) -> bool:
        """Whether the answer is the first or last of groups that can all be shown."""
        tree = self.kept.tree
        return (
            isinstance(tree, ArgMax | ArgMin)
            and isinstance(tree.input, Map)
            and isinstance(tree.input.input, GroupBy)
            and self.kept.answer.also is None
        )

    def ranking(self) -> Answer | None:
        """All groups of which the answer is the first or the last, the first first."""
        tree, later = self.kept.tree, self.kept.later
        if not isinstance(tree, ArgMax | ArgMin) or not self._is_ranking or not isinstance(tree.input, Map):
            return None
        if "ranking" not in later:
            groups = replace(tree.input, name=MEASURE)  # by this name rows are groups with one measure each
            plan = Planned(groups, AnswerForm("number"), GIVEN, 1.0)
            found = self.known.ask_plan(self.kept.answer.question, plan, now=self.kept.at)
            table = found.table
            if table is not None:
                numbered = [row for row in table.rows if isinstance(row[-1], int | float) and None not in row]
                numbered.sort(key=lambda row: (row[-1], row[:-1]), reverse=isinstance(tree, ArgMax))
                measure = wording(tree.input).partition(" of ")[0]
                columns = (*table.columns[:-1], "times" if measure == "number" else measure)
                table = replace(table, columns=columns, rows=tuple(numbered))
                found = replace(found, table=table, analysis="ranking", question=self.kept.answer.question)
            later["ranking"] = found if table is not None else None
        return later["ranking"]

    def _ranked(self) -> Chart | None:
        answer = self.ranking()
        if answer is None or answer.table is None:
            return None
        most = answer.table.rows[:MOST_LABELLED]
        chart = chart_of(replace(answer, table=replace(answer.table, rows=most)), self.rules)
        left = len(answer.table.rows) - len(most)
        return replace(chart, data=chart.data.told(f"And {left:,} more.")) if chart is not None and left else chart

    @property
    def _aspects(self) -> Aspects:
        found = self.kept.later.get("aspects")
        if found is None:
            answer = with_all(self.kept, self.known)
            found = self.kept.later["aspects"] = Aspects(answer, self._measured())
        return found

    @property
    def _is_measure(self) -> bool:
        """Whether the answer, or what it compares, is a sum or an average of what events have, and no number of
        events."""
        tree = self.kept.tree
        return tree is not None and any(map(measures, sides_of(tree) or (tree,)))

    @property
    def _can_be_spread(self) -> bool:
        """Whether its events over time are of what was asked."""
        return not self._is_measure or self._aspects.measured is not None

    def _measured(self) -> Measured | None:
        """What a sum or an average is of, by event; None where it is not what a property of them says."""
        answer, tree = self.kept.answer, self.kept.tree
        if not isinstance(tree, Sum | Avg) or len(answer.values) != 1 or len(answer.events) > _MOST_MEASURED:
            return None
        events = with_all(self.kept, self.known).events
        if len(events) > _MOST_MEASURED:
            return None
        table = attributes_table(self.known.graph, events, self.kept.vocabulary)
        column = next((name for name in table.columns if key_words(name) == key_words(tree.name)), None)
        if column is None:
            return None
        at, is_average = table.columns.index(column), isinstance(tree, Avg)
        numbers = {str(row[6]): row[at] for row in table.rows}
        amounts = {iri: float(number) for iri, number in numbers.items() if isinstance(number, int | float)}
        total = answer.values[0]
        found = sum(amounts.values()) / (max(1, len(amounts)) if is_average else 1)
        if not isinstance(total, int | float) or abs(found - total) > _SAME * max(1.0, abs(total)):
            return None
        return Measured(key_words(tree.name), answer.unit, amounts, is_average)
