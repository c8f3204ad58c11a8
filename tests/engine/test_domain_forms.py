"""Logical forms over a domain of one's own: rows of fact tables, members, measures and times, held against SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from warehouse import LISTING, NOW, SETTINGS, tables

from reqap_kg.engine.asking.candidates import Readings
from reqap_kg.engine.asking.proposals import domain_keys
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.planner.proposers.parsing import Parsed
from reqap_kg.planner.proposers.proposing import Refused
from reqap_kg.training.forms import parse_form

LINES = LISTING[LISTING.index("FROM City") :]
REVENUE = "Invoice_Line.DAYS * Invoice_Line.NB_GUESTS * Service.PRICE"


@pytest.fixture(scope="module")
def known(resorts: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(resorts, SETTINGS) as opened:
        yield opened


@pytest.fixture(scope="module")
def sql() -> sqlite3.Connection:
    return tables()


def read(known: KnowledgeGraph, form: str, refused: list[Refused] | None = None) -> tuple[object, ...] | None:
    """What a form answers."""
    readings = known.proposals.readings("sales?", NOW)
    assert isinstance(readings, Readings)
    found = readings.borne_out("?", Parsed(parse_form(form), 1.0), NOW, [] if refused is None else refused)
    if found is None:
        return None
    assert isinstance(found.value, tuple)
    return found.value[1]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("form", "select"),
    [
        ('count(events("sales", time="in 2011"))', f"count(*) {LINES} WHERE strftime('%Y', INV_DATE) = '2011'"),
        ('count(events("sales", time!="in 2011"))', f"count(*) {LINES} WHERE strftime('%Y', INV_DATE) != '2011'"),
        ('count(events("sales", time="on Mondays"))', f"count(*) {LINES} WHERE strftime('%w', INV_DATE) = '1'"),
        ('sum(revenue, events("revenue", city="Palo Alto"))', f"sum({REVENUE}) {LINES} WHERE CITY = 'Palo Alto'"),
        ('sum(revenue, events("sales", city!="Palo Alto"))', f"sum({REVENUE}) {LINES} WHERE CITY != 'Palo Alto'"),
        ('sum(revenue, events("sales", region="Germany"))', f"sum({REVENUE}) {LINES} WHERE COUNTRY = 'Germany'"),
        ('max(revenue, events("sales in Germany"))', None),
        ('count(events("Germany sales", age>"40"))', f"count(*) {LINES} WHERE COUNTRY = 'Germany' AND AGE > 40"),
        ('distinct(customer, events("sales"))', f"count(DISTINCT Customer.LAST_NAME) {LINES}"),
        (
            'ratio(sum(revenue, events("sales", country="Germany")), sum(revenue, events("sales")))',
            f"1.0 * sum((COUNTRY = 'Germany') * {REVENUE}) / sum({REVENUE}) {LINES}",
        ),
    ],
)
def test_one_number(known: KnowledgeGraph, sql: sqlite3.Connection, form: str, select: str | None) -> None:
    found = read(known, form)
    if select is None:  # "in" names nothing by itself, and nothing is left out silently
        assert found is None
        return
    (expected,) = sql.execute(f"SELECT {select}").fetchone()
    assert found == (pytest.approx(float(expected)),)


def test_groups(known: KnowledgeGraph, sql: sqlite3.Connection) -> None:
    rows = sql.execute(f"SELECT COUNTRY {LINES} GROUP BY 1 ORDER BY sum({REVENUE}) DESC LIMIT 2").fetchall()
    assert read(known, 'most(country, sum(revenue, events("sales")), "2")') == tuple(row[0] for row in rows)


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ('count(events("zeppelins"))', "“zeppelins” names nothing in the data"),
        ('count(events("sales", city="Atlantis"))', "no city is called “Atlantis”"),
        ('count(events("sales", time="when it rained"))', "“when it rained” names no time"),
    ],
)
def test_what_the_data_has_not_is_refused(known: KnowledgeGraph, form: str, told: str) -> None:
    refused: list[Refused] = []
    assert read(known, form, refused) is None
    assert told in [one.reason for one in refused]


def test_forms_name_the_attributes_of_the_domain(known: KnowledgeGraph) -> None:
    keys = domain_keys(known.proposals.planner())
    assert {"customer", "sales_person", "revenue", "month", "time"} <= set(keys)
    assert "number_of_sales" not in keys  # what is counted is said by the form
    assert "artist" not in keys
