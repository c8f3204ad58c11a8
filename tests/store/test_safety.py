"""Queries that could reach the network or write are refused before they run."""

from __future__ import annotations

import pytest

from reqap_kg.errors import QueryError
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.safety import check_query

REFUSED = [
    "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * { service silent <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * { \\u0053ERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "PREFIX : <http://127.0.0.1:9/> SELECT * { SERVICE:x { ?s ?p ?o } }",
    "SELECT * { FILTER(1<2)SERVICE?x { ?s ?p ?o } }",
    "SELECT * { ?s ?p '''it''s''' . #comment\n Service ?x { ?s ?p ?o } }",
    "LOAD <http://127.0.0.1:9/>",
    "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
    "PREFIX ex: <urn:> DELETE WHERE { ?s ?p ?o }",
    "CLEAR ALL",
]

ALLOWED = [
    "SELECT ?service { ?service ex:SERVICE 'SERVICE' } # SERVICE",
    'SELECT ?s { ?s ?p """a "SERVICE" b""" }',
    "SELECT ?s { ?s ev:load <http://x/SERVICE> }",
    "ASK { ?drop ?load ?insert }",
]


@pytest.mark.parametrize("query", REFUSED)
def test_refused(query: str) -> None:
    with pytest.raises(QueryError, match=r"network|write") as bad:
        check_query(query)
    assert bad.value.place is not None


@pytest.mark.parametrize("query", ALLOWED)
def test_allowed(query: str) -> None:
    check_query(query)


def test_a_refused_query_changes_nothing() -> None:
    graph = MemoryGraph()
    for query in REFUSED:
        with pytest.raises(QueryError):
            graph.query(query)
    assert graph.count() == 0


def test_the_place_of_a_syntax_error() -> None:
    with pytest.raises(QueryError) as bad:
        MemoryGraph().select("SELECT ?x {\n ?x ev:start }")
    assert bad.value.place is not None
    assert (bad.value.place.line, bad.value.place.column) == (2, 14)
