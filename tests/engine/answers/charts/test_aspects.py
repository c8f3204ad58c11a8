"""The events behind an answer over time, in several ways."""

from __future__ import annotations

from datetime import date, timedelta

from reqap_kg.engine.answers.answer import Answer, Evidence
from reqap_kg.engine.answers.charts.aspects import CALENDAR, TIME, WEEKDAY, Aspects, Measured
from reqap_kg.engine.answers.charts.frame import Grain
from reqap_kg.engine.answers.charts.rules import Kind
from reqap_kg.engine.answers.nouns import Called
from reqap_kg.engine.answers.statement import Period, Statement


def _answer(days: list[date], period: Period | None = None, **more) -> Answer:
    events = tuple(Evidence(f"urn:{at}", "W", "s", "", day.isoformat(), None, "run") for at, day in enumerate(days))
    stated = Statement("count", "", Called("run", "runs"), period or Period(), ())
    return Answer("How many?", (len(days),), "number", "", "", "rules", 1.0, events=events, statement=stated, **more)


WEEKLY = [date(2024, 2, 6) + timedelta(days=7 * at) for at in range(30)]


def test_a_year_that_was_asked_for_is_drawn_whole() -> None:
    asked = Aspects(_answer(WEEKLY, Period(date(2024, 1, 1), date(2024, 12, 31))))
    chart = asked.chart(TIME)
    assert asked.names == (TIME, WEEKDAY, CALENDAR)
    assert asked.grain is Grain.MONTH
    assert chart is not None
    assert chart.data.rows[0] == ("2024-01", 0)
    assert chart.data.rows[-1] == ("2024-12", 0)
    assert sum(chart.data.numbers(chart.data.measures[0])) == 30
    assert chart.data.measures[0].title == "runs"


def test_without_a_period_it_is_from_the_first_to_the_last() -> None:
    chart = Aspects(_answer(WEEKLY)).chart(TIME)
    assert chart is not None
    assert [chart.data.rows[0][0], chart.data.rows[-1][0]] == ["2024-02", "2024-08"]


def test_weekdays_stand_in_their_order_with_those_that_have_none() -> None:
    chart = Aspects(_answer(WEEKLY)).chart(WEEKDAY)
    assert chart is not None
    assert [row for row in chart.data.rows if row[1]] == [("Tuesday", 30)]
    assert chart.data.rows[0] == ("Monday", 0)
    assert chart.spec["layer"]


def test_what_is_added_up_is_drawn_with_its_unit() -> None:
    measured = Measured("distance", "km", {f"urn:{at}": 2.5 for at in range(30)})
    chart = Aspects(_answer(WEEKLY), measured).chart(TIME)
    assert chart is not None
    assert sum(chart.data.numbers(chart.data.measures[0])) == 75
    assert chart.data.measures[0].title == "distance (km)"


def test_what_is_an_average_is_drawn_as_averages() -> None:
    amounts = {f"urn:{at}": float(at) for at in range(30) if at != 3}
    chart = Aspects(_answer(WEEKLY), Measured("distance", "km", amounts, average=True)).chart(TIME)
    assert chart is not None
    assert chart.data.rows[0] == ("2024-02", 1.0)  # of 0, 1, 2; one has none
    assert chart.data.rows[1] == ("2024-03", 5.5)
    assert chart.data.measures[0].title == "average distance (km)"
    assert not chart.data.counted


def test_few_events_and_short_times_have_fewer_ways() -> None:
    assert Aspects(_answer([])).names == ()
    assert Aspects(_answer(WEEKLY[:1])).chart(TIME) is None
    assert Aspects(_answer(WEEKLY[:3])).names == (TIME,)
    long = [date(2015, 1, 1) + timedelta(days=200 * at) for at in range(20)]
    assert CALENDAR not in Aspects(_answer(long)).names


def test_many_periods_are_a_line() -> None:
    days = [date(2022, 1, 1) + timedelta(days=10 * at) for at in range(140)]
    chart = Aspects(_answer(days)).chart(TIME)
    assert chart is not None
    assert chart.kind is Kind.LINE


def test_what_is_left_out_is_noted() -> None:
    undated = Evidence("urn:x", "W", "s", "", None, None, "run")
    answer = _answer(WEEKLY)
    chart = Aspects(Answer(**{**vars(answer), "events": (*answer.events, undated)})).chart(TIME)
    assert chart is not None
    assert chart.data.note == "1 of the 31 events have no date."
