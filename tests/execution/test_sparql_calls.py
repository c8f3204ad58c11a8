"""Calls of rq: functions in the text of a query: which are found, and how wrong ones are refused."""

from __future__ import annotations

import pytest

from reqap_kg.engine.functions.sparql_calls import find_calls
from reqap_kg.errors import QueryError
from reqap_kg.operators.nodes import AttributeType


def calls(query: str) -> list[tuple[str, str, AttributeType | None]]:
    return [(call.function, call.text, call.type) for call in find_calls(query)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('ASK { ?e a ?c FILTER(rq:matches(?e, "my runs")) }', [("matches", "my runs", None)]),
        ("ASK { ?e a ?c FILTER(rq:matches(?e,'my runs'@en)) }", [("matches", "my runs", None)]),
        ('ASK { ?e a ?c FILTER(rq:matches(?e, """a "b"\nc""")) }', [("matches", 'a "b"\nc', None)]),
        ("ASK { ?e a ?c FILTER(rq:matches(?e, '''it's''')) }", [("matches", "it's", None)]),
        (r'ASK { ?e a ?c FILTER(rq:matches(?e, "\"caf\u00e9\"\t\\")) }', [("matches", '"café"\t\\', None)]),
        ('SELECT (rq:extract(?e, "price", "float") AS ?p) { ?e a ?c }', [("extract", "price", AttributeType.FLOAT)]),
        (
            'SELECT * { ?e a ?c BIND(rq:extract(?e,"a") AS ?a) FILTER(!rq:matches(?e,"b") || rq:matches(?e,"c")) }',
            [("extract", "a", None), ("matches", "b", None), ("matches", "c", None)],
        ),
        (
            'PREFIX my: <https://w3id.org/reqap-kg/retrieval#> ASK { ?e a ?c FILTER my:matches(?e, "x") }',
            [("matches", "x", None)],
        ),
        ('ASK { ?e a ?c FILTER(<https://w3id.org/reqap-kg/retrieval#matches>(?e, "x")) }', [("matches", "x", None)]),
        (
            'BASE <https://w3id.org/reqap-kg/> PREFIX : <retrieval#> ASK { ?e a ?c FILTER(:matches(?e, "x")) }',
            [("matches", "x", None)],
        ),
        (
            'base <https://w3id.org/reqap-kg/x> ASK { ?e a ?c FILTER(<retrieval#matches>(?e, "x")) }',
            [("matches", "x", None)],
        ),
        (
            'ASK { ?e a ?c FILTER(rq:matches(IF(BOUND(?e), ?e, IRI(CONCAT("a", ","))), # which\n "x")) }',
            [("matches", "x", None)],
        ),
        ('ASK { ?e a ?c FILTER(?c<"z" && rq:matches(?e,"x") && ?c>"a") }', [("matches", "x", None)]),
        ('ASK { ?e rdfs:label "rq:matches(?e, ?q)" } # rq:matches(?e, ?q)', []),
        ("ASK { ?e a <https://example.org/rq:matches(?e,?q)> }", []),
        ("PREFIX rq: <https://example.org/> ASK { ?e a ?c FILTER(rq:matches(?e, ?q)) }", []),
        ("PREFIX xrq: <urn:x> ASK { ?e a ?c FILTER(xrq:matches(?e, ?q)) }", []),
        ("SELECT ?rq { ?rq a rq:matches }", []),
    ],
)
def test_calls_are_found_where_the_grammar_has_them(query: str, found: list) -> None:
    assert calls(query) == found


@pytest.mark.parametrize(
    ("query", "line", "column", "said"),
    [
        ("ASK {\n  ?e a ?c\n  FILTER(rq:matches(?e, ?q)) }", 3, 25, "not \\?q"),
        ('ASK { FILTER(rq:matches(?e, CONCAT("a", "b"))) }', 1, 29, "not CONCAT"),
        ('ASK { FILTER(rq:matches(?e, "a"^^xsd:string)) }', 1, 29, "text in quotes"),
        ("ASK { FILTER(rq:matches(?e, )) }", 1, 29, "not SPARQL"),
        ("ASK { FILTER(rq:matches(?e)) }", 1, 14, r"1 arguments; expected rq:matches\(\?event, \"query\"\)"),
        ("ASK { FILTER(rq:matches()) }", 1, 14, "0 arguments"),
        ('ASK { FILTER(rq:matches(?e, "a", "b")) }', 1, 14, "3 arguments"),
        ('ASK { FILTER(rq:extract(?e, "a", "flaot")) }', 1, 34, "did you mean float"),
        ('ASK { FILTER(rq:extract(?e, "a", ?t)) }', 1, 34, "the type of rq:extract"),
        ('ASK { FILTER(rq:matches(?e, "?!")) }', 1, 14, "has no word"),
        ('ASK { FILTER(rq:matches(?e, "")) }', 1, 14, "has no word"),
        ('ASK { FILTER(rq:match(?e, "a")) }', 1, 14, "did you mean rq:matches"),
        ('ASK { FILTER(rq:matches(?e, "a"', 1, 32, "ends too early"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(query: str, line: int, column: int, said: str | None) -> None:
    if said is None:
        assert calls(query) == [("matches", "a", None)]  # the parser of SPARQL says what is missing
        return
    with pytest.raises(QueryError, match=said) as raised:
        find_calls(query)
    assert raised.value.place is not None
    assert (raised.value.place.line, raised.value.place.column) == (line, column)
