"""The resorts warehouse of QUASL's figures: what its questions mean, against plain SQL over the same files."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from warehouse import LISTING, NOW, RESORTS, SETTINGS, rows_of, tables

from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.ontology.namespaces import BASE

R = BASE + "example/resorts#"
TOP5 = "Top 5 middle-aged customers in my city"
PROPOSED_CITY = "“in my city”: proposed city “Palo Alto”, by your profile"


@pytest.fixture(scope="module")
def known(resorts: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(resorts, SETTINGS) as opened:
        yield opened


@pytest.fixture(scope="module")
def sql() -> sqlite3.Connection:
    return tables()


def near(rows: list[list[Any]]) -> list[list[Any]]:
    return [[pytest.approx(v) if isinstance(v, float) else v for v in row] for row in rows]


# ---------------------------------------------------------------- the paper's question
def test_the_papers_question_gives_what_its_listing_says(known: KnowledgeGraph, sql: sqlite3.Connection) -> None:
    where = "WHERE City.CITY = 'Palo Alto' AND AGE >= 20 AND AGE <= 30 GROUP BY customer ORDER BY measure DESC LIMIT 5"
    expected = [list(row) for row in sql.execute(LISTING.format(price="Service.PRICE") + where)]
    answer = known.ask(TOP5, now=NOW)
    assert answer.table is not None
    assert answer.table.columns == ("customer", "revenue")
    assert [list(row) for row in answer.table.rows] == expected
    assert list(answer.values) == [customer for customer, _ in expected]
    assert answer.analysis == "ranking"


def test_its_second_interpretation_is_by_margin(known: KnowledgeGraph, sql: sqlite3.Connection) -> None:
    first, second = known.plans(TOP5, now=NOW, top=2)
    assert (first.form.measures, second.form.measures) == ((R + "revenue",), (R + "margin",))
    assert first.score > second.score
    where = "WHERE City.CITY = 'Palo Alto' AND AGE >= 20 AND AGE <= 30 GROUP BY customer ORDER BY measure DESC LIMIT 5"
    expected = [list(row) for row in sql.execute(LISTING.format(price="(Service.PRICE - Service.COST)") + where)]
    assert list(known.run(second.tree, now=NOW).values) == pytest.approx([margin for _, margin in expected])


def test_what_was_proposed_is_told(known: KnowledgeGraph) -> None:
    notes = known.plan(TOP5, now=NOW).notes
    assert "proposed measure: revenue" in notes
    assert PROPOSED_CITY in notes
    assert "“middle-aged”: age from 20 to 30" in notes


# ---------------------------------------------------------------- other questions, against SQL
@pytest.mark.parametrize(
    ("question", "select"),
    [
        ("margin by country", ("(Service.PRICE - Service.COST)", "Country.COUNTRY", "", "1")),
        ("revenue per resort in 2011", ("Service.PRICE", "Resort.RESORT", "strftime('%Y', INV_DATE) = '2011'", "1")),
        (
            "profit by region for customers older than 40",
            ("(Service.PRICE - Service.COST)", "Region.REGION", "AGE > 40", "1"),
        ),
        ("bottom 3 services by revenue", ("Service.PRICE", "Service.SERVICE", "", "2 LIMIT 3")),
        (
            "revenue in Palo Alto and Boston",
            ("Service.PRICE", "City.CITY", "City.CITY IN ('Palo Alto', 'Boston')", "1"),
        ),
        (
            "turnover per month in 2010",
            ("Service.PRICE", "strftime('%Y-%m-01', INV_DATE)", "strftime('%Y', INV_DATE) = '2010'", "1"),
        ),
        ("revenue per year", ("Service.PRICE", "CAST(strftime('%Y', INV_DATE) AS INTEGER)", "", "1")),
        ("revenue by city in Germany", ("Service.PRICE", "City.CITY", "Country.COUNTRY = 'Germany'", "1")),
    ],
)
def test_answers_are_those_of_sql(
    known: KnowledgeGraph, sql: sqlite3.Connection, question: str, select: tuple[str, str, str, str]
) -> None:
    price, by, where, order = select
    query = LISTING.format(price=price).replace("Customer.LAST_NAME AS customer", f"{by} AS by_")
    query += f"{'WHERE ' + where if where else ''} GROUP BY by_ ORDER BY {order}"
    expected = [list(row) for row in sql.execute(query)]
    assert expected
    found = rows_of(known, question)
    if "LIMIT" not in order:
        found.sort(key=lambda row: str(row[0]))
        expected.sort(key=lambda row: str(row[0]))
    assert found == near([[k, float(v)] for k, v in expected])


def test_one_number_where_the_question_asks_for_it(known: KnowledgeGraph, sql: sqlite3.Connection) -> None:
    (expected,) = sql.execute(
        "SELECT sum(DAYS * NB_GUESTS * PRICE) FROM invoice_line NATURAL JOIN service NATURAL JOIN sales "
        "WHERE INV_DATE BETWEEN '2011-01-01' AND '2011-12-31'"
    ).fetchone()
    assert known.ask("How much revenue did we make in 2011?", now=NOW).values == (expected,)


def test_counts_of_members(known: KnowledgeGraph, sql: sqlite3.Connection) -> None:
    expected = sql.execute(
        "SELECT COUNTRY, COUNT(DISTINCT CUST_ID) FROM sales NATURAL JOIN customer NATURAL JOIN city "
        "NATURAL JOIN region NATURAL JOIN country GROUP BY 1 ORDER BY 1"
    )
    assert rows_of(known, "number of customers by country") == [list(row) for row in expected]


def test_the_other_fact_table_has_its_own_measures(known: KnowledgeGraph, sql: sqlite3.Connection) -> None:
    expected = sql.execute(
        "SELECT RESORT, SUM(RES_DAYS) FROM reservation_line NATURAL JOIN service NATURAL JOIN service_line "
        "NATURAL JOIN resort GROUP BY 1 ORDER BY 1"
    )
    assert rows_of(known, "reservation days by resort") == [list(row) for row in expected]
    assert "proposed measure: reservation days" not in known.plan("reservation days by resort", now=NOW).notes


@pytest.mark.long
def test_several_measures_stand_beside_each_other(known: KnowledgeGraph) -> None:
    answer = known.ask("revenue and margin by resort", now=NOW)
    assert answer.table is not None
    assert answer.table.columns == ("resort", "revenue", "margin")
    assert len(answer.table.rows) == 4


def test_shares_add_up(known: KnowledgeGraph) -> None:
    rows = rows_of(known, "share of revenue by service line")
    assert sum(row[-1] for row in rows) == pytest.approx(100)


def test_a_filter_on_a_measure_is_one_on_sums(known: KnowledgeGraph) -> None:
    every = {row[0]: row[1] for row in rows_of(known, "revenue by customer")}
    rich = rows_of(known, "customers with revenue over 50000")
    assert {row[0] for row in rich} == {name for name, revenue in every.items() if revenue > 50000}


# ---------------------------------------------------------------- structural constraints
@pytest.mark.parametrize(
    "question",
    [TOP5, "revenue", "customers", "reservation days by city", "revenue and future guests by resort", "Palo Alto"],
)
def test_what_is_in_one_query_goes_together(known: KnowledgeGraph, question: str) -> None:
    plans = known.plans(question, now=NOW, top=50)
    assert plans
    for plan in plans:
        used = (*plan.form.measures, *plan.form.dimensions, *(i for i in plan.form.limits if i.startswith(R)))
        shared = [set(known.vocabulary.properties[iri].domain) for iri in used if iri not in plan.form.measures]
        measured = [set(known.vocabulary.properties[iri].domain) for iri in plan.form.measures]
        # Measures of two tables go side by side where both have all that they are shown and limited by.
        assert set.intersection(*shared, *measured) or all(set().union(*measured) <= one for one in shared)


def test_two_meanings_of_the_same_words_are_never_in_one_query(known: KnowledgeGraph) -> None:
    for plan in known.plans("number of customers by country", now=NOW, top=50):
        assert not {R + "customerCount", R + "customer"} <= {*plan.form.measures, *plan.form.dimensions}


def test_a_dimension_with_one_value_is_not_shown(known: KnowledgeGraph) -> None:
    assert known.plan("revenue of customers in the city Palo Alto", now=NOW).form.dimensions == ()
    assert known.plan("revenue in Palo Alto and Boston", now=NOW).form.dimensions == (R + "city",)


def test_a_lone_measure_gets_a_dimension_and_a_lone_dimension_a_measure(known: KnowledgeGraph) -> None:
    by = [plan for plan in known.plans("revenue", now=NOW, top=20) if plan.form.dimensions]
    assert {R + "resort", R + "year"} == {plan.form.dimensions[0] for plan in by[:2]}
    assert any(note.startswith("proposed dimension") for note in by[0].notes)
    of = known.plan("sales persons", now=NOW)
    assert of.form.measures == (R + "revenue",)
    assert "proposed measure: revenue" in of.notes


# ---------------------------------------------------------------- analysis types
@pytest.mark.parametrize(
    ("question", "analysis"),
    [
        (TOP5, "ranking"),
        ("How much revenue did we make in 2011?", "number"),
        ("share of revenue by service line", "share"),
        ("revenue per month in 2011", "trend"),
        ("revenue per year", "trend"),
        ("compare revenue of Palo Alto and Boston", "comparison"),
        ("revenue by service line", "comparison"),
        ("revenue by customer", "distribution"),
        ("revenue by age", "distribution"),
        ("revenue by country", "places"),
        ("Which customers live in Palo Alto?", "list"),
    ],
)
def test_analysis_types(known: KnowledgeGraph, question: str, analysis: str) -> None:
    assert known.plan(question, now=NOW).form.analysis == analysis
    assert known.ask(question, now=NOW, most_events=1).as_json()["analysis"] == analysis


def test_the_store_tells_where_facts_come_from(known: KnowledgeGraph) -> None:
    answer = known.ask("How much revenue did we make in 2011?", now=NOW, most_events=3)
    assert {event.source for event in answer.events} == {"resorts"}
    assert {event.type for event in answer.events} == {"Sale"}


def test_another_profile_has_another_city(tmp_path: Path) -> None:
    shutil.copytree(RESORTS, tmp_path / "domain")
    profile = tmp_path / "domain" / "profile.ttl"
    profile.write_text(profile.read_text(encoding="utf-8").replace("Palo Alto", "Osaka"), encoding="utf-8")
    settings = SETTINGS.model_copy(update={"domain": tmp_path / "domain"})
    ingest([], tmp_path / "store", IngestOptions(settings, NOW))
    with KnowledgeGraph.open(tmp_path / "store", settings) as known:
        assert 'attr["city"] == "Osaka"' in known.plan("revenue in my city", now=NOW).tree
