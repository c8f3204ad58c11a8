"""The census statistics as a domain: entities of the first candidate, and answers against the tables themselves."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from reqap_kg.bench.census import MOST, NAMESPACE, NOW, Asked, Question, ask, opened, questions, shown_by, success
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.operators.syntax.text import parse_tree

Row = Mapping[str, str]


@pytest.fixture(scope="module")
def census() -> Iterator[tuple[KnowledgeGraph, tuple[Question, ...]]]:
    with opened() as found:
        yield found


@pytest.fixture(scope="module")
def tables() -> Iterator[Path]:
    with as_file(files("reqap_kg.examples").joinpath("census/data")) as folder:
        yield folder


def rows(tables: Path, name: str, keep: Callable[[Row], bool] = lambda row: True) -> list[Row]:
    with (tables / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if keep(row)]


def totals(found: list[Row], by: str, measure: str) -> dict[str, float]:
    sums: dict[str, float] = defaultdict(float)
    for row in found:
        sums[row[by]] += float(row[measure])
    return sums


# ---------------------------------------------------------------- what candidates show
@pytest.mark.model
@pytest.mark.parametrize(("suite", "least"), [("Table I", 29), ("other wording", 24), ("unseen", 23)])
def test_the_first_candidate_shows_what_is_asked(
    census: tuple[KnowledgeGraph, tuple[Question, ...]], suite: str, least: int
) -> None:
    known, asked = census
    found = [ask(known, question) for question in asked if question.suite == suite]
    assert len(found) in (30, 31)
    assert success(found, 1) >= least, [a.question.text for a in found if a.right != 1]
    assert success(found, MOST) >= success(found, 1)


def test_questions_name_terms_that_the_ontology_has(census: tuple[KnowledgeGraph, tuple[Question, ...]]) -> None:
    known, asked = census
    terms = {term for question in asked for term in question.shows | question.may_show}
    assert terms <= known.vocabulary.properties.keys()


def test_what_a_tree_shows(census: tuple[KnowledgeGraph, tuple[Question, ...]]) -> None:
    rows_of = (
        'EXTRACT(l=RETRIEVE(query="Power plants"), attr_names=["state", "net_generation"], attr_types=[str, float])'
    )
    tree = f"""MAP(l=GROUP_BY(l={rows_of}, attr_names=["state"]),
      fct=lambda group: sum(row["net_generation"] for row in group), res_name="net_generation")"""
    shown = shown_by(parse_tree(tree), census[0].vocabulary)
    assert shown == {NAMESPACE + "state", NAMESPACE + "netGeneration"}
    alone = shown_by(parse_tree(f'SUM(l={rows_of}, attr_name="net_generation")'), census[0].vocabulary)
    assert alone == {NAMESPACE + "netGeneration"}


def test_questions_are_read_in_order() -> None:
    turtle = f"""@prefix census: <{NAMESPACE}> .
      [] census:asked "b" ; census:number 2 ; census:suite "s" ; census:shows census:state, census:county .
      [] census:asked "a" ; census:number 1 ; census:suite "s" ; census:shows census:state ;
        census:mayShow census:age ."""
    first, second = questions(turtle)
    assert (first.text, second.text) == ("a", "b")
    assert second.shows == {NAMESPACE + "state", NAMESPACE + "county"}
    assert first.may_show == {NAMESPACE + "age"}


def test_success_counts_the_first_right_candidate() -> None:
    asked = [Asked(Question("s", "q", frozenset(), frozenset()), (), right, None, 0.0) for right in (1, 3, None)]
    assert [success(asked, k) for k in (1, 2, 3)] == [1, 1, 2]


# ---------------------------------------------------------------- what is answered
def test_population_adds_up_to_counties(census: tuple[KnowledgeGraph, tuple[Question, ...]], tables: Path) -> None:
    wanted = totals(rows(tables, "population_by_place", lambda r: r["state"] == "California"), "county", "population")
    answer = census[0].ask("Inhabitants of California by county", now=NOW)
    assert sorted(answer.values) == sorted(wanted.values())


def test_one_table_cell(census: tuple[KnowledgeGraph, tuple[Question, ...]], tables: Path) -> None:
    (cell,) = rows(
        tables, "marital_status", lambda r: r["state"] == "Massachusetts" and r["marital_status"] == "Never married"
    )
    answer = census[0].ask("Percent of men in Mass., 15 and over, never married", now=NOW)
    assert answer.values == (float(cell["percent_men"]),)


def test_years_are_not_added_up(census: tuple[KnowledgeGraph, tuple[Question, ...]], tables: Path) -> None:
    (cell,) = rows(tables, "crime", lambda r: r["year"] == "2012" and r["offence"] == "Violent crime")
    answer = census[0].ask("US Violent Crime", now=NOW)
    assert answer.values == (float(cell["crime_rate"]),)
    assert any("2012" in note for note in answer.notes)


def test_ages_and_years_filter(census: tuple[KnowledgeGraph, tuple[Question, ...]], tables: Path) -> None:
    kept = rows(
        tables,
        "population_by_age_state_year",
        lambda r: r["year"] == "2010" and r["state"] == "Texas" and 20 <= int(r["age"]) <= 29,
    )
    answer = census[0].ask("How many people aged 20 to 29 lived in Texas in 2010?", now=NOW)
    assert answer.values == (sum(int(row["population"]) for row in kept),)


def test_a_generation_is_read_by_year_of_birth(
    census: tuple[KnowledgeGraph, tuple[Question, ...]], tables: Path
) -> None:
    born = rows(tables, "population_by_age_state_year", lambda r: 1978 <= int(r["year"]) - int(r["age"]) <= 2000)
    wanted = totals([row for row in born if row["year"] == "2010"], "year", "population")
    answer = census[0].ask("Generation Y in 2010", now=NOW)
    assert answer.values == tuple(wanted.values())


def test_units_stuck_to_numbers(census: tuple[KnowledgeGraph, tuple[Question, ...]], tables: Path) -> None:
    large = rows(tables, "power_plants", lambda r: float(r["nameplate_capacity"]) >= 50)
    answer = census[0].ask("50MW+ Power Plants", now=NOW)
    assert sorted(answer.values) == sorted({float(row["nameplate_capacity"]) for row in large})


def test_the_whitest_name_comes_first(census: tuple[KnowledgeGraph, tuple[Question, ...]], tables: Path) -> None:
    whitest = max(rows(tables, "surnames"), key=lambda row: float(row["white_percent"]))
    answer = census[0].ask("And the whitest name in America is", now=NOW)
    assert answer.values[0] == whitest["name"]


def test_what_was_not_read_is_told(census: tuple[KnowledgeGraph, tuple[Question, ...]]) -> None:
    answer = census[0].ask("Population of purple towns by state", now=NOW)
    assert any("purple" in note for note in (*answer.notes, *answer.warnings))
