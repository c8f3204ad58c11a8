"""Work with a time limit: its result, its errors, its end."""

from __future__ import annotations

import time

import pytest

from reqap_kg.errors import QueryError, QueryTimeout
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.queries.deadline import within
from reqap_kg.store.queries.results import ResultFormat, run_query
from reqap_kg.store.rdf import Literal, NamedNode, Quad


def test_results_and_errors_come_back() -> None:
    assert within(5, lambda: 7) == 7
    with pytest.raises(QueryError, match="CONSTRUCT"):
        within(5, lambda: run_query(MemoryGraph(), "SELECT * { ?s ?p ?o }", ResultFormat.TURTLE))


def test_what_takes_too_long_is_given_up() -> None:
    numbers = [Quad(NamedNode(f"urn:{i}"), NamedNode("urn:p"), Literal(i), NamedNode("urn:g")) for i in range(2000)]
    graph = MemoryGraph(numbers)
    begin = time.monotonic()
    with pytest.raises(QueryTimeout, match=r"limit of 0\.2 s"):
        within(0.2, lambda: graph.select("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . FILTER(?c * ?f > 1) }"))
    assert time.monotonic() - begin < 3
