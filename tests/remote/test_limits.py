"""Limits of time and of rows: what passes them is an error in one sentence, in time, and the next query is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

import pytest
from remote.conftest import Placing
from remote.places import G1, G2, P, Place, X, quad, values
from remote.servers import missing, served

from reqap_kg.errors import QueryTimeout, StoreError
from reqap_kg.store.queries.deadline import within
from reqap_kg.store.rdf import Literal, NamedNode, Triple
from reqap_kg.store.remote.generations import keep_address
from reqap_kg.store.remote.sent import STANDS_FOR

NUMBERS = [quad(G1, Literal(number), of=NamedNode(f"{X}{number}")) for number in range(1_500)]
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?q ?d FILTER(REGEX(CONCAT(STR(?a), STR(?d)), '^.*9.*8.*7$')) }"
"""Takes seconds, and ends."""


@pytest.fixture(scope="module", params=["embedded", "oxigraph", "virtuoso"])
def numbers(placing: Placing, request: pytest.FixtureRequest) -> Place:
    place = placing(request.param)
    place.import_(*NUMBERS, quad(G2, Literal("two")))
    return place


def test_a_query_is_given_up_in_time(numbers: Place) -> None:
    with numbers.open() as graph:
        begin = monotonic()
        with pytest.raises(QueryTimeout, match=r"limit of 0\.5 s|within 0\.\d+ s"):
            within(0.5, lambda: graph.select(SLOW))
        assert monotonic() - begin < 3
        assert values(graph, f"GRAPH <{G2}> {{ ?s ?p ?o }}") == ["two"]


@pytest.mark.parametrize("kind", ["oxigraph", "virtuoso"])
def test_a_request_is_given_up_in_time(placing: Placing, kind: str) -> None:
    place = placing(kind)
    place.import_(*NUMBERS, quad(G2, Literal("two")))
    hasty = replace(place, access=place.access.model_copy(update={"seconds": 1.0}))
    with hasty.open() as graph:
        begin = monotonic()
        with pytest.raises(QueryTimeout, match=r"the store at sparql\+http://127.* did not answer within 1 s"):
            graph.sent(SLOW, list, {})  # type: ignore[attr-defined]
        assert monotonic() - begin < 4
    with place.open() as graph:
        assert values(graph, f"GRAPH <{G2}> {{ ?s ?p ?o }}") == ["two"]


def test_a_store_has_any_number_of_graphs(remote: Place) -> None:
    """A year of questions leaves a thousand derivations, which all are in what a query is about."""
    remote.import_(quad(G1, Literal("one")))
    derived = [f"{X}derived/{number}" for number in range(1_200)]
    with remote.open() as graph:
        lines = (f"<{iri}?at=0> {STANDS_FOR} <{iri}> .\n".encode() for iri in derived)
        graph.connection.put(graph.manifest.node.value, b"".join(lines), add=True)  # type: ignore[attr-defined]
    remote.import_(quad(G2, Literal("two")))
    with remote.open(write=True) as graph:
        assert graph.graphs() == sorted([G1, G2, *derived])
        graph.replace_graph(derived[7], [Triple(NamedNode(G1), P, Literal("three"))])
        assert values(graph) == ["one", "three", "two"]
        assert graph.select("SELECT ?g { GRAPH ?g { ?s ?p 'three' } }").rows == ((NamedNode(derived[7]),),)
        graph.drop_graphs(derived)
        assert values(graph) == ["one", "two"]
    remote.import_(drop=[G2])
    with remote.open() as graph:
        assert graph.graphs() == [G1]


@pytest.mark.long
def test_an_answer_that_virtuoso_cuts_off_is_an_error(tmp_path_factory: pytest.TempPathFactory) -> None:
    why = missing("virtuoso")
    if why is not None:
        pytest.skip(why)
    with served("virtuoso", rows=10_000) as server:
        place = Place("virtuoso", tmp_path_factory.mktemp("rows") / "place", server.access)
        keep_address(place.folder, server.address)
        many = [quad(G1, Literal(number), of=NamedNode(f"{X}{number}")) for number in range(12_000)]
        place.import_(*many, quad(G2, Literal("two")))
        with place.open(write=True) as graph:
            assert graph.count() == 12_001
            asks: tuple[Callable[[], object], ...] = (
                lambda: graph.select("SELECT ?s ?o { ?s ?p ?o }"),
                lambda: graph.select(f"SELECT (COUNT(*) AS ?n) {{ GRAPH ?g {{ ?s {P} ?o }} }}"),
                lambda: graph.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"),
                lambda: list(graph.pairs(G1, P.value)),
                lambda: graph.ask(f"ASK {{ ?s {P} ?o FILTER(?o = 11999) }}"),
                lambda: list(graph.described(G1)),
            )
            for ask in asks:
                with pytest.raises(StoreError, match=r"(no whole answers|of the 12,000 triples).*: raise its limits"):
                    ask()
            assert values(graph, f"GRAPH <{G2}> {{ ?s ?p ?o }}") == ["two"]
            graph.replace_graph(G2, [Triple(NamedNode(X + "a"), P, Literal("three"))])
            assert values(graph, f"GRAPH <{G2}> {{ ?s ?p ?o }}") == ["three"]
        with pytest.raises(StoreError, match="of the 12,000 triples"):
            place.import_(quad(G1, Literal("more")))  # of which all that there was is a part
        with place.open() as graph:
            assert graph.count(G1) == 12_000
