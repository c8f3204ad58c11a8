"""Queries are read by the grammar and printed anew; what would reach the network, other data or write is refused."""

from __future__ import annotations

from pathlib import Path

import orjson
import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parse_tables import make_tables

from reqap_kg.errors import QueryError
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import Literal
from reqap_kg.store.sparql import parser
from reqap_kg.store.sparql.reading import check_expression, check_where, read_query

REFUSED = [
    "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * { service silent <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * { \\u0053ERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * { FILTER(1<2)SERVICE?x { ?s ?p ?o } }",
    "SELECT * { ?s ?p '''it''s''' . #comment\n Service ?x { ?s ?p ?o } }",
    "SELECT * { ?s ?p true SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * FROM <http://127.0.0.1:9/> { ?s ?p ?o }",
    "SELECT * FROM NAMED <http://127.0.0.1:9/> { ?s ?p ?o }",
    "LOAD <http://127.0.0.1:9/>",
    "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
    "PREFIX ex: <urn:> DELETE WHERE { ?s ?p ?o }",
    "CLEAR ALL",
]
NO_SPARQL = [
    "",
    "SELECT",
    "PREFIX : <http://127.0.0.1:9/> SELECT * { SERVICE:x { ?s ?p ?o } }",
    "SELECT * { FILTER(trueSERVICE<http://127.0.0.1:9/>{}) }",
    "SELECT * { ?s ?p 'not closed }",
    "SELECT * { ?s ?p 'no such \\escape' }",
    "SELECT * { ?s undeclared:p ?o }",
    "SELECT * { ?s <relative> ?o }",
    "SELECT * { ?s ?p '\\uD800' }",
    "SELECT * { ?s ?p ?o } SELECT * { ?s ?p ?o }",
]
READ = [
    ("SELECT ?service { ?service ev:SERVICE 'SERVICE' } # SERVICE",
     '<https://w3id.org/reqap-kg/event#SERVICE> "SERVICE" }'),
    ('SELECT ?s { ?s ?p """a "SERVICE" b""" }', '"a \\"SERVICE\\" b"'),
    ("SELECT ?s { ?s ev:load <http://x/SERVICE> }", "<http://x/SERVICE>"),
    ("ASK { ?drop ?load ?insert }", "ASK { ?drop ?load ?insert }"),
    ("prefix service: <urn:x:> select*{service:a ?p ?o}", "SELECT * { <urn:x:a> ?p ?o }"),
    ("BASE <http://a/b/> PREFIX c: <../d#> ASK { <e> c:f\\.g $h }", "ASK { <http://a/b/e> <http://a/d#f.g> ?h }"),
    ("ASK { ?s a ev:Event ; ?p 'it\\'s', 1, -2.5, +1e6, True }", '"it\'s" , 1 , -2.5 , +1e6 , true }'),
    ("ASK { FILTER(coalesce(1, BNODE()) IN ()) }", "FILTER ( COALESCE( 1 , BNODE() ) IN () ) }"),
]  # fmt: skip
WORDS = [
    *("SELECT", "*", "{", "}", "(", ")", "?x", "'a'", '"b"', "1", ".", ";", ",", "/", "|", "^", "!", "a", "ev:p"),
    *("<urn:x>", "UNION", "OPTIONAL", "FILTER", "BIND", "AS"),
]


@pytest.mark.parametrize("query", REFUSED)
def test_refused(query: str) -> None:
    with pytest.raises(QueryError, match=r"network|write|other data") as bad:
        read_query(query)
    assert bad.value.place is not None
    assert bad.value.expected


@pytest.mark.parametrize("query", NO_SPARQL)
def test_no_sparql(query: str) -> None:
    with pytest.raises(QueryError) as bad:
        read_query(query)
    assert bad.value.place is not None


@pytest.mark.parametrize(("query", "part"), READ)
def test_read_and_printed_anew(query: str, part: str) -> None:
    text = read_query(query)
    assert part in text
    assert read_query(text) == text
    MemoryGraph().answered(query, bool)


def test_a_refused_query_changes_nothing() -> None:
    graph = MemoryGraph()
    for query in REFUSED:
        with pytest.raises(QueryError):
            graph.answered(query, bool)
    assert graph.count() == 0


def test_the_place_of_a_syntax_error() -> None:
    with pytest.raises(QueryError) as bad:
        MemoryGraph().select("SELECT ?x {\n ?x ev:start }")
    assert bad.value.place is not None
    assert (bad.value.place.line, bad.value.place.column) == (2, 14)


def test_the_place_of_what_only_oxigraph_refuses() -> None:
    with pytest.raises(QueryError) as bad:
        MemoryGraph().select("SELECT ?x {\n  ?x ev:start ?y .\n  BIND(1 AS ?y)\n}")
    assert bad.value.place is not None
    assert bad.value.place.line in (3, 4)


@given(st.text(max_size=40))
def test_texts_come_back_as_they_are(text: str) -> None:
    literal = Literal(text)
    (row,) = MemoryGraph().select(f"SELECT ({literal} AS ?x) {{}}")
    assert row == (literal,)


@given(st.lists(st.sampled_from(WORDS)))
def test_what_the_grammar_reads_oxigraph_reads_alike(words: list[str]) -> None:
    query = "SELECT * { ?x ?y ?z " + " ".join(words) + " }"
    try:
        text = read_query(query)
    except QueryError:
        return
    assert read_query(text) == text
    assert _parsed(query) == _parsed(text)


def _parsed(query: str) -> object:
    """What Oxigraph makes of a query over nothing: its variables, or that it refuses it."""
    try:
        found = ox.Store().query(query, prefixes={"ev": "https://w3id.org/reqap-kg/event#"})
    except SyntaxError:
        return None
    assert isinstance(found, ox.QuerySolutions)
    return [v.value for v in found.variables]


@pytest.mark.parametrize("fragment", ["} {", "} UNION {", "?a ?b ?c } LIMIT 1 #", "SERVICE <urn:x> {}", "SELECT * {}"])
def test_what_is_no_inside_of_a_where(fragment: str) -> None:
    with pytest.raises(QueryError):
        check_where(fragment)


@pytest.mark.parametrize("fragment", ["1) AS ?x) BIND((2", "", "1 2", "EXISTS { SERVICE <urn:x> {} }"])
def test_what_is_no_expression(fragment: str) -> None:
    with pytest.raises(QueryError):
        check_expression(fragment)


def test_fragments() -> None:
    check_where("BIND(fn:date(?y, 7, 10) AS ?begin) # the begin")
    check_where("")
    check_expression("?days * ?guests * -?price")


def test_the_tables_are_those_of_the_grammar() -> None:
    grammar = Path(parser.__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    assert orjson.loads(orjson.dumps(make_tables(grammar))) == orjson.loads(orjson.dumps(parser.load_tables()))
