"""Extension functions and word forms."""

import pytest

from reqap_kg.planner.patterns.functions import extension_functions, statement
from reqap_kg.store.graph import MemoryGraph


@pytest.fixture
def value(book):
    graph = MemoryGraph(functions=extension_functions(book.forms))

    def compute(expression: str) -> str | None:
        (row,) = graph.select(f"SELECT ?v WHERE {{ BIND({expression} AS ?v) }}")
        return None if row[0] is None else row[0].value

    return compute


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("fn:date(2024, 2, 29)", "2024-02-29"),
        ("fn:date(2023, 2, 29)", None),
        ("fn:date(2023, 13, 1)", "2024-01-01"),
        ("fn:date(2023, 0, 31)", "2022-12-31"),
        ("fn:date(2023, 1.5, 1)", None),
        ('fn:addDays("2024-02-28"^^xsd:date, 2)', "2024-03-01"),
        ('fn:addMonths("2024-03-31"^^xsd:date, -1)', "2024-02-29"),
        ('fn:addMonths("2024-03-31"^^xsd:date, 12)', "2025-03-31"),
        ('fn:addMonths("0001-01-31"^^xsd:date, -1)', None),
        ('fn:addDays("x", 1)', None),
        ('fn:weekday("2025-09-14"^^xsd:date)', "7"),
        ('fn:case("B", "a=1|b=2")', "2"),
        ('fn:case("c", "a=1|b=2")', None),
        ('fn:case("c", "a=1", "0")', "0"),
        ('fn:tree("2025-08-01"^^xsd:date)', "date(2025, 8, 1)"),
        ('fn:tree("2025-08-01T09:05:00"^^xsd:dateTime)', "datetime(2025, 8, 1, 9, 5, 0)"),
        ("fn:tree(1800.0)", "1800"),
        ("fn:tree(8.04672e0)", "8.04672"),
        ("fn:tree(100)", "100"),
        ('fn:times("t", "18:00", "24:00")', "t >= time(18, 0)"),
        ('fn:times("t", "00:00", "08:30")', "t < time(8, 30)"),
        ('fn:times("t", "09:00", "11:00")', "t >= time(9, 0) and t < time(11, 0)"),
        ('fn:times("t", "22:00", "05:00")', "t >= time(22, 0) or t < time(5, 0)"),
        ('fn:timeKey("month", "d", true)', "d.month"),
        ('fn:timeKey("month", "d", false)', "date(d.year, d.month, 1)"),
        ('fn:timeKey("month_of_year", "d", false)', "d.month"),
        ('fn:timeKey("century", "d", false)', None),
    ],
)
def test_functions(value, expression, expected):
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("base", "past"),
    [
        ("listen to", "listened to"),
        ("go swimming", "went swimming"),
        ("gone", "went"),
        ("watching TV", "watched TV"),
        ("buy", "bought"),
        ("study", "studied"),
        ("shop", "shopped"),
        ("practise", "practised"),
        ("running", "ran"),
        ("cycling", "cycled"),
        ("using", "used"),
        ("played", "played"),
        ("often eat", "often ate"),
        ("not run", "not ran"),
        ("spend", "spent"),
        ("stay", "stayed"),
        ("swims", "swam"),
        ("goes to bed", "went to bed"),
        ("plays chess", "played chess"),
        ("tries", "tried"),
        ("miss the bus", "missed the bus"),
    ],
)
def test_past_of_verbs(book, base, past):
    assert book.forms.past(base) == past


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("songs", "song"),
        ("TV shows", "TV show"),
        ("series", "series"),
        ("movies", "movie"),
        ("stories", "story"),
        ("lunches", "lunch"),
        ("boxes", "box"),
        ("bus", "bus"),
        ("yoga class", "yoga class"),
        ("people", "person"),
    ],
)
def test_singular_of_nouns(book, many, one):
    assert book.forms.singular(many) == one


@pytest.mark.parametrize(
    ("auxiliary", "subject", "rest", "expected"),
    [
        ("did", "I", "listen to ABBA", "I listened to ABBA"),
        ("have", "we", "been to Rome", "we went to Rome"),
        ("have", "i", "been swimming", "I swam"),
        ("was", "I", "at the dentist", "I was at the dentist"),
        ("were", "we", "at home", "we were at home"),
        ("do", "Anna and I", "meet", "Anna and I met"),
        ("did", "i've", "watched", "I watched"),
        ("did", "I had", "a doctor's appointment", "I had a doctor's appointment"),
        ("did", "I", "really like it", "I liked it"),
        ("did", "I", "", "I"),
    ],
)
def test_clauses_become_statements(book, auxiliary, subject, rest, expected):
    assert statement(book.forms, auxiliary, subject, rest) == expected
