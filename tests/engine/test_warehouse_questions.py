"""What words do in questions to warehouses: conditions on measures, shares, times, what is counted, what is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from warehouse import LISTING, NOW, SETTINGS, rows_of, tables

from reqap_kg.engine.knowledge import KnowledgeGraph

LINES = LISTING[LISTING.index("FROM City") :]
REVENUE = "Invoice_Line.DAYS * Invoice_Line.NB_GUESTS * Service.PRICE"
MARGIN = "Invoice_Line.DAYS * Invoice_Line.NB_GUESTS * (Service.PRICE - Service.COST)"
IN_2011 = "strftime('%Y', INV_DATE) = '2011'"
MONDAYS = "strftime('%w', INV_DATE) = '1'"
COUNT = f"SELECT count(*) {LINES} WHERE "


@pytest.fixture(scope="module")
def known(resorts: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(resorts, SETTINGS) as opened:
        yield opened


@pytest.fixture(scope="module")
def sql() -> sqlite3.Connection:
    return tables()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("question", "select"),
    [
        # A condition on a measure is one of facts where facts are named, of counts wherever it stands.
        ("How many sales with revenue over 2000?", COUNT + f"{REVENUE} > 2000"),
        ("number of sales with revenue between 1000 and 2000", COUNT + f"{REVENUE} BETWEEN 1000 AND 2000"),
        (
            "number of sales with a margin of at least 500 in Germany",
            COUNT + f"{MARGIN} >= 500 AND COUNTRY = 'Germany'",
        ),
        # Times of the facts.
        ("How many sales on Mondays?", COUNT + MONDAYS),
        ("number of sales except on Mondays", COUNT + f"NOT {MONDAYS}"),
        (
            "How much revenue on weekends?",
            f"SELECT sum({REVENUE}) {LINES} WHERE strftime('%w', INV_DATE) IN ('0', '6')",
        ),
        ("number of sales every June", COUNT + "strftime('%m', INV_DATE) = '06'"),
        # Members are counted, facts are counted, and the highest is of all facts.
        ("How many customers bought in 2011?", f"SELECT count(DISTINCT Customer.LAST_NAME) {LINES} WHERE {IN_2011}"),
        ("How many cities are there?", f"SELECT count(DISTINCT City.CITY) {LINES}"),
        ("What was the highest revenue in 2011?", f"SELECT max({REVENUE}) {LINES} WHERE {IN_2011}"),
        ("How much revenue did customers over 40 bring?", f"SELECT sum({REVENUE}) {LINES} WHERE AGE > 40"),
        ("What share of sales were in Germany?", f"SELECT 100.0 * sum(COUNTRY = 'Germany') / count(*) {LINES}"),
        (
            "What percentage of revenue came from Germany?",
            f"SELECT 100.0 * sum((COUNTRY = 'Germany') * {REVENUE}) / sum({REVENUE}) {LINES}",
        ),
    ],
)
def test_one_number(known: KnowledgeGraph, sql: sqlite3.Connection, question: str, select: str) -> None:
    (expected,) = sql.execute(select).fetchone()
    assert [float(value) for value in known.ask(question, now=NOW).values] == [pytest.approx(float(expected))]


@pytest.mark.parametrize(
    ("question", "select"),
    [
        (
            "share of sales by country",
            f"SELECT COUNTRY, 100.0 * count(*) / (SELECT count(*) {LINES}) {LINES} GROUP BY 1",
        ),
        (
            "number of sales with revenue over 2000 by country",
            f"SELECT COUNTRY, count(*) {LINES} WHERE {REVENUE} > 2000 GROUP BY 1",
        ),
        ("age distribution of customers", f"SELECT AGE, count(DISTINCT Customer.LAST_NAME) {LINES} GROUP BY 1"),
        (
            "distribution of customers by region",
            f"SELECT Region.REGION, count(DISTINCT Customer.LAST_NAME) {LINES} GROUP BY 1",
        ),
        ("revenue per sale by country", f"SELECT COUNTRY, avg({REVENUE}) {LINES} GROUP BY 1"),
        ("average revenue of sales by country", f"SELECT COUNTRY, avg({REVENUE}) {LINES} GROUP BY 1"),
        (
            "countries with revenue between 10000 and 200000",
            f"SELECT COUNTRY, sum({REVENUE}) {LINES} GROUP BY 1 HAVING sum({REVENUE}) BETWEEN 10000 AND 200000",
        ),
    ],
)
def test_tables(known: KnowledgeGraph, sql: sqlite3.Connection, question: str, select: str) -> None:
    expected = sorted([str(key), pytest.approx(float(value))] for key, value in sql.execute(select))
    found = sorted([str(row[0]), float(row[-1])] for row in rows_of(known, question))
    assert expected
    assert found == expected


def test_the_best_is_one_and_the_top_are_many(known: KnowledgeGraph) -> None:
    every = rows_of(known, "top countries by revenue")
    assert len(every) > 1
    assert rows_of(known, "Which country had the highest revenue?") == every[:1]


def test_what_a_query_does_not_say_is_told(known: KnowledgeGraph) -> None:
    notes = known.plan("shiny revenue by country", now=NOW).notes
    assert "not read: “shiny”" in notes
