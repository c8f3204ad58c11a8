"""What of an answer is drawn: roles and types of columns, events over time, lists, places."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from charted import WEEKDAYS, answer, days, resting_on, tabled

from reqap_kg.engine.answers.answer import Table
from reqap_kg.engine.answers.charts.data import ChartData, Grain, Role, Type, data_of


def drawn(found: Any) -> ChartData:
    data = data_of(found)
    assert data is not None
    return data


@pytest.mark.parametrize(
    ("name", "values", "kind", "grain"),
    [
        ("month", ["2024-03", "2024-04"], Type.TEMPORAL, Grain.MONTH),
        ("month", ["2011-01-01", "2011-02-01"], Type.TEMPORAL, Grain.MONTH),
        ("start_date", ["2024-03-01", "2024-04-01"], Type.TEMPORAL, Grain.DAY),
        ("month", [1, 12], Type.ORDINAL, Grain.MONTH_OF_YEAR),
        ("month", ["March", "January"], Type.ORDINAL, Grain.MONTH_OF_YEAR),
        ("year", [2009, 2010], Type.TEMPORAL, Grain.YEAR),
        ("period", ["2009", "2010"], Type.TEMPORAL, Grain.YEAR),
        ("quarter", ["2024-Q1", "2024-Q2"], Type.TEMPORAL, Grain.QUARTER),
        ("week", ["2024-W09", "2024-W10"], Type.TEMPORAL, Grain.WEEK),
        ("week", ["2024-03-04", "2024-03-11"], Type.TEMPORAL, Grain.WEEK),
        ("when", ["2024-03-04T10:00:00", "2024-03-04T11:30:00+02:00"], Type.TEMPORAL, None),
        ("weekday", [0, 6], Type.ORDINAL, Grain.WEEKDAY),
        ("on", ["Sunday", "Monday"], Type.ORDINAL, Grain.WEEKDAY),
        ("hour", [0, 23], Type.ORDINAL, Grain.HOUR),
        ("hour", ["7", "12"], Type.ORDINAL, Grain.HOUR),
        ("age group", ["60+", "20-29"], Type.ORDINAL, None),
        ("artist", ["Gwenno", "Spinvis"], Type.NOMINAL, None),
        ("code", ["007", "012"], Type.NOMINAL, None),
        ("city", ["Paris", "Lisbon"], Type.GEOGRAPHIC, None),
        ("city", ["Nowheretown", "Elsewhereville"], Type.NOMINAL, None),
        ("day", ["2024-02-30", "2024-03-01"], Type.NOMINAL, None),
    ],
)
def test_types_are_told_by_values(name: str, values: list[Any], kind: Type, grain: Grain | None) -> None:
    column = drawn(tabled((name, "count"), [(value, at) for at, value in enumerate(values)], "comparison")).columns[0]
    assert (column.role, column.type, column.grain) == (Role.DIMENSION, kind, grain)


def test_time_is_written_so_that_it_sorts() -> None:
    data = drawn(tabled(("month", "revenue"), [("2011-02-01", 3), ("2011-01-01", 4)], "trend"))
    assert data.rows == (("2011-02", 3), ("2011-01", 4))
    assert data.members(data.columns[0]) == ["2011-01", "2011-02"]


def test_weekdays_have_names_and_an_order() -> None:
    data = drawn(tabled(("weekday", "revenue"), [(6, 3), (0, 4)], "trend"))
    assert data.rows == (("Sunday", 3), ("Monday", 4))
    assert data.columns[0].order == WEEKDAYS


def test_steps_of_a_scale_follow_one_another() -> None:
    data = drawn(tabled(("age", "count"), [("60+", 3), ("<20", 1), ("20-29", 4)], answer_type="table"))
    assert data.members(data.columns[0]) == ["<20", "20-29", "60+"]


@pytest.mark.parametrize(
    ("columns", "rows", "analysis", "roles"),
    [
        (("age", "revenue"), [(19, 5), (20, 5)], "distribution", "dimension measure"),
        (("distance", "duration"), [(1.5, 5), (2.5, 5)], "list", "measure measure"),
        (("resort", "revenue", "margin"), [("A", 5, 2), ("B", 5, 1)], "comparison", "dimension measure measure"),
        (("resort", "age", "revenue"), [("A", 5, 2), ("A", 6, 1)], "comparison", "dimension dimension measure"),
        (("latitude", "longitude", "stays"), [(48.8, 2.3, 4)], "list", "position position measure"),
    ],
)
def test_roles(columns: Any, rows: Any, analysis: str, roles: str) -> None:
    assert " ".join(column.role for column in drawn(tabled(columns, rows, analysis)).columns) == roles


def test_the_unit_is_of_the_only_measure() -> None:
    assert drawn(tabled(("month", "value"), [("2024-01", 6.5)], "trend", unit="km")).columns[1].title == "km"
    two = drawn(tabled(("month", "distance", "count"), [("2024-01", 6.5, 2)], "trend", unit="km"))
    assert [column.unit for column in two.columns] == [None, None, None]


def test_of_a_share_the_share_is_drawn() -> None:
    data = drawn(tabled(("line", "revenue", "share"), [("A", 80, 80.0), ("B", 20, 20.0)], "share"))
    assert [column.title for column in data.columns] == ["line", "share (%)"]


# ---------------------------------------------------------------- events
def test_events_of_two_months_are_counted_by_day() -> None:
    data = drawn(resting_on(["2024-03-01T10:00:00", "2024-03-04", "2024-03-01"]))
    assert data.rows == (("2024-03-01", 2), ("2024-03-02", 0), ("2024-03-03", 0), ("2024-03-04", 1))
    assert data.columns[0].grain is Grain.DAY


@pytest.mark.parametrize(
    ("last", "grain", "rows"),
    [
        ("2024-02-29", Grain.DAY, 60),
        ("2024-12-31", Grain.MONTH, 12),
        ("2027-06-01", Grain.MONTH, 42),
        ("2031-01-01", Grain.YEAR, 8),
    ],
)
def test_the_grain_goes_by_the_span(last: str, grain: Grain, rows: int) -> None:
    data = drawn(resting_on(["2024-01-01", last]))
    assert (data.columns[0].grain, len(data.rows)) == (grain, rows)
    assert sum(int(row[1] or 0) for row in data.rows) == 2


def test_weeks_begin_on_monday() -> None:
    data = drawn(resting_on(["2023-12-31", "2024-01-01", "2024-03-20"]))
    assert data.rows[:2] == (("2023-W52", 1), ("2024-W01", 1))


def test_undated_events_and_those_left_out_are_told() -> None:
    assert "1 of the 3 events have no date" in drawn(resting_on(["2024-03-01", "2024-03-04", None])).note
    assert "there are more" in drawn(resting_on(["2024-03-01", "2024-03-04"], more_events=True)).note


@pytest.mark.parametrize(
    "found",
    [
        answer("How far?", [8.5], unit="km"),
        resting_on(["2024-03-01"]),
        resting_on([None, None]),
        answer("Did I?", [True], "boolean", events=resting_on(["2024-03-01", "2024-03-02"]).events),
        answer("What?", [], "none"),
        answer("Which artist?", ["Gwenno", "Spinvis"], "text"),
        tabled(("artist", "count"), []),
    ],
)
def test_nothing_to_draw(found: Any) -> None:
    assert data_of(found) is None


# ---------------------------------------------------------------- lists and places
def test_numbers_are_a_distribution() -> None:
    data = drawn(answer("How far?", [5, 6.5, 7], unit="km"))
    assert (data.analysis, data.rows, data.columns[0].unit) == ("distribution", ((5,), (6.5,), (7,)), "km")


def test_times_of_day_are_counted_by_hour() -> None:
    data = drawn(answer("When did I start?", ["07:30", "07:45:10", "21:00"], "time"))
    assert (data.rows[7], data.rows[21], len(data.rows)) == ((7, 2), (21, 1), 24)


def test_days_are_counted_over_time() -> None:
    assert len(drawn(answer("When?", days(date(2024, 1, 1), date(2024, 12, 31), 20), "date")).rows) == 12


def test_places_have_positions() -> None:
    data = drawn(tabled(("country", "revenue"), [("France", 2), ("Bahamas Beach", 3), ("Japan", 4)], "places"))
    assert [column.name for column in data.columns] == ["country", "revenue", "latitude", "longitude"]
    assert data.rows[1][2:] == (None, None)
    north, east = data.rows[0][2:]
    assert isinstance(north, float)
    assert isinstance(east, float)
    assert 42 < north < 51
    assert -5 < east < 8


def test_a_list_of_places_counts_the_rows_of_each() -> None:
    rows = (("2023", "Paris", "France"), ("2024", "Lyon", "France"), ("2024", "Oslo", "Norway"))
    found = answer(
        "Which countries did I visit?",
        ["France", "Norway"],
        "text",
        table=Table(("year", "city", "country"), rows),
        analysis="list",
    )
    assert [row[:2] for row in drawn(found).rows] == [("France", 2), ("Norway", 1)]


def test_a_town_of_a_state_is_not_another_of_its_name() -> None:
    data = drawn(tabled(("city", "count"), [("Springfield, Illinois", 2), ("Paris, France", 3), ("Oslo", 1)], "places"))
    assert data.rows[0][2:] == (None, None)
    assert data.rows[1][2:] != (None, None)
