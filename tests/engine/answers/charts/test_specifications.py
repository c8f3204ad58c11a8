"""Specifications in Vega-Lite: valid, self-contained, in order, within bounds, whatever labels say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from charted import ONE_OF_EACH, answer, months, tabled
from jsonschema import Draft7Validator

from reqap_kg.engine.answers.answer import Answer
from reqap_kg.engine.answers.charts.choose import Chart, chart_of
from reqap_kg.engine.answers.charts.rules import Kind

HOSTILE = (
    "<script>alert(1)</script>", "]]> & \" ' `", "W" * 60, "فيروز‏", "坂本龍一", "👩‍👩‍👧‍👦🎸", "a.b[0]['c']",
    "{{ x }} ${y} %s", "line\nbreak\ttab", "\x00\x1b[31mred\x07", "\u202eturned", "\ud800", "", "datum.value", "=1+1",
)  # fmt: skip
ODD_NUMBERS = (0, -0.0, 1e308, -1e308, 5e-324, 1, 2.5, 1e15)


def chart(found: Answer) -> Chart:
    made = chart_of(found)
    assert made is not None
    return made


@cache
def validator() -> Draft7Validator:
    path = files("altair").joinpath("vegalite", "v6", "schema", "vega-lite-schema.json")
    return Draft7Validator(json.loads(path.read_text("utf-8")))


def walk(value: Any) -> Iterator[tuple[str, Any]]:
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield str(key), inner
        yield from walk(inner)


def expressions(spec: Any) -> set[str]:
    """All that Vega would run."""
    return {str(value) for key, value in walk(spec) if key in ("expr", "labelExpr", "test", "filter", "calculate")}


@pytest.mark.parametrize("kind", sorted(ONE_OF_EACH))
def test_every_kind_is_valid(kind: str) -> None:
    made = chart(ONE_OF_EACH[kind])
    assert made.kind.value == kind
    spec = json.loads(json.dumps(made.spec, allow_nan=False))
    assert [error.message[:200] for error in validator().iter_errors(spec)] == []


@pytest.mark.parametrize("kind", sorted(ONE_OF_EACH))
def test_every_kind_stands_by_itself(kind: str) -> None:
    found = ONE_OF_EACH[kind]
    made = chart(found)
    assert "url" not in {key for key, _ in walk(made.spec)}
    assert made.spec["title"]["text"] == [found.question]
    assert found.question in made.spec["description"]
    assert made.as_json() == {"kind": kind, "reason": made.reason, "spec": made.spec}


def test_marks_tell_what_they_show() -> None:
    spec = chart(tabled(("month", "distance"), [(month, 2500.5) for month in months()], "trend", unit="km")).spec
    assert values_of(spec)[0]["tells"] == "January 2024: 2,500.5 distance (km)"
    assert spec["encoding"]["description"]["field"] == "tells"


def test_every_kind_has_a_case() -> None:
    assert {Kind.NONE.value, *ONE_OF_EACH} == set(Kind)


def values_of(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return spec["data"]["values"]


def test_bars_of_names_are_sorted_and_those_of_a_ranking_as_asked() -> None:
    rows = [("a", 1), ("b", 3), ("c", 2)]
    assert [row["said"] for row in values_of(chart(tabled(("shop", "revenue"), rows)).spec)] == ["b", "c", "a"]
    fewest = chart(tabled(("shop", "revenue"), sorted(rows, key=lambda row: row[1]), "ranking"))
    assert [row["said"] for row in values_of(fewest.spec)] == ["a", "c", "b"]


def test_time_goes_on_and_gaps_have_no_value() -> None:
    rows = [("2024-04", 3), ("2024-01", 1), ("2024-02", 2)]
    spec = chart(tabled(("month", "value"), rows, answer_type="table")).spec
    assert [(row["by"][:7], row["value"]) for row in values_of(spec)] == [
        ("2024-01", 1),
        ("2024-02", 2),
        ("2024-03", None),
        ("2024-04", 3),
    ]


@pytest.mark.parametrize(("count", "labelled"), [(15, True), (16, False)])
def test_few_bars_have_their_numbers(count: int, labelled: bool) -> None:
    spec = chart(tabled(("month", "value"), [(month, 5) for month in months(count=count)], answer_type="table")).spec
    assert ("text" in {layer["mark"]["type"] for layer in spec["layer"]}) is labelled


def test_units_stand_in_titles() -> None:
    spec = chart(tabled(("month", "distance"), [(month, 5.5) for month in months()], "trend", unit="km")).spec
    assert spec["encoding"]["y"]["axis"]["title"] == "distance (km)"


def test_long_times_are_in_hours() -> None:
    spec = chart(tabled(("month", "duration"), [(month, 9000) for month in months()], "trend", unit="s")).spec
    assert spec["encoding"]["y"]["axis"]["title"] == "duration (h)"
    assert {row["value"] for row in values_of(spec)} == {2.5}


# ---------------------------------------------------------------- hostile data
@pytest.mark.parametrize("analysis", ["comparison", "ranking", "share", "distribution", "places", "list", ""])
def test_labels_are_data_alone(analysis: str) -> None:
    plain = chart(tabled(("name", "count"), [(f"n{at}", at + 1) for at in range(len(HOSTILE))], analysis))
    made = chart(tabled(("name", "count"), [(name, at + 1) for at, name in enumerate(HOSTILE)], analysis))
    assert made.kind is plain.kind
    assert expressions(made.spec) == expressions(plain.spec)
    text = json.dumps(made.spec, ensure_ascii=False)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e\ud800-\udfff]", text)


def test_names_of_columns_are_no_paths() -> None:
    made = chart(
        tabled(("a.b[0]", "c'd\\e\x1b"), [("x", 1), ("y", 2)], "comparison", question="<b>\x00\n" + "long " * 200)
    )
    fields = {value for key, value in walk(made.spec) if key == "field"}
    assert fields <= {"by", "said", "value", "label", "series", "other", "tells"}
    assert len(made.spec["title"]["text"]) <= 3


@pytest.mark.parametrize("analysis", ["comparison", "share", "trend", "places"])
@pytest.mark.parametrize("columns", [("artist", "count"), ("day", "count"), ("city", "count"), ("age", "count")])
def test_ten_thousand_rows_are_bounded(analysis: str, columns: tuple[str, str]) -> None:
    first = {"day": lambda at: f"{1700 + at // 336}-{at // 28 % 12 + 1:02d}-{at % 28 + 1:02d}", "age": lambda at: at}
    name = first.get(columns[0], lambda at: f"name {at}")
    made = chart(tabled(columns, [(name(at), at % 97) for at in range(12_000)], analysis))
    assert len(json.dumps(made.spec)) < 500_000
    assert made.spec["title"].get("subtitle")


def test_ten_thousand_numbers_are_bounded() -> None:
    made = chart(answer("How far?", [at / 7 for at in range(20_000)]))
    assert len(values_of(made.spec)) <= 25


@pytest.mark.parametrize("analysis", ["comparison", "share", "distribution", "trend"])
def test_odd_numbers_are_drawn(analysis: str) -> None:
    rows = [(f"n{at}", number) for at, number in enumerate(ODD_NUMBERS)]
    json.dumps(chart(tabled(("name", "count"), rows, analysis)).spec, allow_nan=False)
    json.dumps(chart(answer("How far?", ODD_NUMBERS)).spec, allow_nan=False)


def test_names_that_look_alike_stay_apart() -> None:
    made = chart(tabled(("name", "count"), [("a", 1), ("a\x00", 2), (" a ", 3), ("", 4)], "ranking"))
    assert [row["said"] for row in values_of(made.spec)] == ["a", "a (2)", "a (3)", "(blank)"]


def test_no_number_is_no_value() -> None:
    rows = [("a", float("nan")), ("b", float("inf")), ("c", 2), ("d", 3), (None, 4)]
    made = chart(tabled(("name", "count"), rows, "comparison"))
    assert [row["said"] for row in values_of(made.spec)] == ["d", "c"]
    assert "3 with no value left out" in made.spec["title"]["subtitle"][0]
