"""Which kind of chart shows what, by the shipped rules and by a user's own."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

import pytest
from charted import CITIES, GENRES, ONE_OF_EACH, answer, days, months, resting_on, tabled

from reqap_kg.engine.answers.answer import Answer
from reqap_kg.engine.answers.charts.choose import chart_of
from reqap_kg.engine.answers.charts.rules import Kind, rules_of
from reqap_kg.errors import RuleError

EVERY_DAY = [(date(2023, 1, 1) + timedelta(days=at)).isoformat() for at in range(400)]
NAMES = ("short", "names", "stand", "beside")


def parts(count: int, least: float = 1.0) -> list[tuple[str, float]]:
    return [(f"part {at}", least + at) for at in range(count)]


MANY, SOME, YEARS = "ABCDEFGHIJKLMNO", "uvwxyz", range(2009, 2015)
LONG = "The shop at the corner of the park"


def pairs(ones: Iterable[Any], others: Iterable[Any], value: float = 5) -> list[tuple[Any, Any, float]]:
    held = list(others)
    return [(one, other, value) for one in ones for other in held]


CASES: list[tuple[str, Answer, str]] = [
    ("events of a year", resting_on(days(date(2024, 1, 3), date(2024, 12, 29), 57)), "bar"),
    ("events of a month", resting_on(days(date(2024, 1, 3), date(2024, 2, 9), 20)), "bar"),
    ("a trend by month", tabled(("month", "revenue"), [(m, 5) for m in months()], "trend"), "line"),
    ("a trend of two years", tabled(("year", "revenue"), [(2009, 5), (2010, 6)], "trend"), "bar"),
    ("a few months", tabled(("month", "value"), [(m, 5) for m in months()], "", "table"), "bar"),
    ("very many months", tabled(("month", "value"), [(m, 5) for m in months(count=90)], "", "table"), "line"),
    ("a value for every day", tabled(("day", "weight"), [(d, 70.5) for d in EVERY_DAY], "trend"), "line"),
    ("some days of a year", tabled(("day", "distance"), [(d, 5.5) for d in EVERY_DAY[::5]], "trend"), "calendar"),
    ("some days below 0", tabled(("day", "balance"), [(d, -5.5) for d in EVERY_DAY[::5]], "trend"), "line"),
    ("by weekday", tabled(("weekday", "revenue"), [(at, 5) for at in range(7)], "trend"), "bar"),
    ("by hour", tabled(("hour", "count"), [(at, 5) for at in range(24)], "distribution"), "bar"),
    ("weekday by hour", ONE_OF_EACH["heatmap"], "heatmap"),
    ("month by weekday", tabled(("month", "weekday", "n"), pairs(months(), range(7)), "trend"), "heatmap"),
    ("a ranking", tabled(("artist", "count"), parts(5), "ranking"), "horizontal-bar"),
    ("a ranking of 100", tabled(("artist", "count"), parts(100), "ranking"), "horizontal-bar"),
    ("a share", tabled(("genre", "count"), parts(10), "share"), "pie"),
    ("a share of eleven", tabled(("genre", "count"), parts(11), "share"), "bar"),
    ("a share with a loss", tabled(("shop", "profit"), parts(4, -2), "share"), "bar"),
    ("a share of nothing", tabled(("shop", "profit"), [("A", 0), ("B", 0)], "share"), "bar"),
    ("shares of no whole", tabled(("shop", "share"), [("A", 20.0), ("B", 30.0)], "share"), "bar"),
    ("shares over time", ONE_OF_EACH["area"], "area"),
    ("shares of groups", ONE_OF_EACH["stacked-bar"], "stacked-bar"),
    ("a comparison", tabled(("shop", "revenue"), [(name, 5) for name in NAMES], "comparison"), "bar"),
    ("a comparison of long names", tabled(("shop", "revenue"), [(LONG, 5), ("B", 4)]), "horizontal-bar"),
    ("a comparison of many", tabled(("shop", "revenue"), parts(25), "comparison"), "horizontal-bar"),
    ("profits and losses", tabled(("shop", "profit"), [("North", 5), ("South", -4)], "comparison"), "bar"),
    ("two dimensions", tabled(("c", "s", "revenue"), pairs("ABC", "xy"), "comparison"), "grouped-bar"),
    ("many amounts of two dimensions", tabled(("c", "s", "count"), pairs(MANY, SOME)), "stacked-bar"),
    ("many means of two dimensions", tabled(("c", "s", "mean"), pairs(MANY, SOME, 5.5)), "heatmap"),
    ("a few series over time", tabled(("g", "year", "n"), pairs(GENRES, YEARS), "trend"), "line"),
    ("many series over time", tabled(("g", "year", "n"), pairs(MANY, YEARS), "trend"), "heatmap"),
    ("measures of one size", ONE_OF_EACH["grouped-bar"], "grouped-bar"),
    ("measures of two sizes", tabled(("shop", "revenue", "visits"), [(c, 90000, 2) for c in MANY]), "scatter"),
    ("three dimensions", ONE_OF_EACH["table"], "table"),
    ("two measures of runs", ONE_OF_EACH["scatter"], "scatter"),
    ("runs over time", tabled(("start_date", "distance"), [("2024-03-01", at) for at in range(5)], "list"), "scatter"),
    ("a list of numbers", answer("How far?", range(3, 40)), "histogram"),
    ("values of 100 customers", tabled(("customer", "revenue"), parts(100), "distribution"), "histogram"),
    ("values by age", tabled(("age", "revenue"), [(at, 5) for at in range(19, 60)], "distribution"), "bar"),
    ("values by 200 steps", tabled(("minute", "revenue"), [(at, 5) for at in range(200)], "distribution"), "area"),
    ("known places", tabled(("city", "nights"), CITIES, "places"), "map"),
    ("unknown places", tabled(("resort", "revenue"), [("Bahamas Beach", 5), ("Hawaiian Club", 6)], "places"), "bar"),
    ("places compared", tabled(("city", "nights"), CITIES[:2], "comparison"), "bar"),
    ("a list of countries", answer("Which countries did I visit?", ["Denmark", "Norway"], "text"), "map"),
    ("no positions", tabled(("latitude", "longitude"), [(480.8, 2.3), (52.1, 5.2)], "list"), "scatter"),
    ("positions", tabled(("latitude", "longitude"), [(48.8, 2.3), (52.1, 5.2)], "list"), "map"),
]


@pytest.mark.parametrize(("found", "kind"), [pytest.param(a, k, id=name) for name, a, k in CASES])
def test_kinds(found: Answer, kind: str) -> None:
    chart = chart_of(found)
    assert chart is not None
    assert chart.kind.value == kind
    assert chart.reason.endswith(".")


@pytest.mark.parametrize(
    "found",
    [
        answer("How far?", [5.5], unit="km"),
        answer("How far?", [5.5, 6.5], unit="km"),
        tabled(("shop", "revenue"), [("A", 5)], "comparison"),
        tabled(("shop", "revenue"), [("A", None), ("B", None)], "comparison"),
        answer("Did I?", [True], "boolean"),
    ],
)
def test_what_is_better_said(found: Answer) -> None:
    assert chart_of(found) is None


def test_every_rule_says_why_and_orders_differ() -> None:
    rules = rules_of()
    assert all(rule.reason for rule in rules)
    assert len({rule.order for rule in rules}) == len(rules)
    assert {rule.kind for rule in rules} == set(Kind)


# ---------------------------------------------------------------- rules of users
PREFIXES = """@prefix chart: <https://w3id.org/reqap-kg/chart#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://example.org/> .
"""
MINE = "ex:mine a chart:Rule ; sh:order 1 ; chart:kind '%s' ; rdfs:comment 'As I like it.' ; sh:ask '%s' ."
PERIODS = tabled(("month", "revenue"), [(month, 5) for month in months()], "trend", unit="EUR")


def mine(kind: str, ask: str) -> list[tuple[str, str]]:
    return [("mine.ttl", PREFIXES + MINE % (kind, ask))]


def test_a_users_rule_comes_in_its_order() -> None:
    chart = chart_of(PERIODS, mine("area", 'ASK { ?data chart:measure/chart:unit "EUR" }'))
    assert chart is not None
    assert (chart.kind, chart.reason) == (Kind.AREA, "As I like it.")


def test_a_users_prefixes_may_be_used() -> None:
    chart = chart_of(PERIODS, mine("bar", "ASK { ?data chart:rows ?n FILTER NOT EXISTS { ?data ex:bad true } }"))
    assert chart is not None
    assert chart.kind is Kind.BAR


@pytest.mark.parametrize("kind", ["pie", "map", "heatmap", "histogram", "calendar"])
def test_a_rule_never_makes_a_kind_draw_what_it_cannot(kind: str) -> None:
    losses = tabled(("shop", "profit"), parts(12, -5), "comparison")
    chart = chart_of(losses, mine(kind, "ASK { ?data a chart:Data }"))
    assert chart is not None
    assert chart.kind.value == (kind if kind == "histogram" else "horizontal-bar")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MINE % ("barr", "ASK { ?data a chart:Data }"), "did you mean bar?"),
        (MINE % ("bar", "ASK { ?data a "), "http://example.org/mine"),
        (MINE % ("bar", "SELECT ?data { ?data a chart:Data }"), "http://example.org/mine"),
        (MINE % ("bar", "ASK { SERVICE <http://example.org/> { ?data ?p ?o } }"), "http://example.org/mine"),
        ("ex:mine a chart:Rule ; chart:kind 'bar' .", "has no sh:ask"),
        ("ex:mine a chart:Rule ; chart:kind 'bar', 'pie' ; sh:ask 'ASK {}' .", "has 2 chart:kind"),
        ("ex:mine a chart:Rule ; sh:order 'first' ; chart:kind 'bar' ; sh:ask 'ASK {}' .", "sh:order is 'first'"),
        ("ex:mine a", "mine.ttl:4"),
    ],
)
def test_errors_name_file_and_rule(text: str, said: str) -> None:
    with pytest.raises(RuleError, match=r"mine\.ttl") as raised:
        chart_of(PERIODS, [("mine.ttl", PREFIXES + text)])
    assert said in str(raised.value)


def test_what_is_told_of_data_is_documented() -> None:
    from importlib.resources import files

    from reqap_kg.engine.answers.charts.data import data_of
    from reqap_kg.engine.answers.charts.describing import described
    from reqap_kg.ontology.namespaces import CHART

    text = files("reqap_kg").joinpath("mappings", "charts", "charts.ttl").read_text("utf-8")
    found: set[str] = set()
    for one in ONE_OF_EACH.values():
        data: Any = data_of(one)
        found |= {triple.predicate.value.removeprefix(CHART) for triple in described(data)}
    assert {name for name in found if ":" not in name and f"chart:{name} a rdf:Property" not in text} == set()
