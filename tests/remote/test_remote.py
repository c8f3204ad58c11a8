"""A store behind an address holds what an embedded one holds, on real servers; what is cut off changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from operator_examples.life import NOW, RESOLUTION, life
from remote.conftest import Serving
from remote.servers import Server

from reqap_kg.config import Settings
from reqap_kg.engine.admin.doctor import Outcome, examine
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import NoStore, QueryError, StoreError, UsageError
from reqap_kg.execution.run import run
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.store.generations import EventGraph, begin_import, open_graph
from reqap_kg.store.queries.deadline import within
from reqap_kg.store.queries.sealed import can_seal, is_sealed
from reqap_kg.store.rdf import Literal, NamedNode, Quad, Triple, parse_turtle, write_nquads
from reqap_kg.store.remote.address import read_address
from reqap_kg.store.remote.client import Connection
from reqap_kg.store.remote.generations import keep_address

G1, G2, P = "https://x.example/g1", "https://x.example/g2", NamedNode("https://x.example/p")
A = NamedNode("https://x.example/a")


@pytest.fixture(params=["oxigraph", "virtuoso"])
def server(serving: Serving, request: pytest.FixtureRequest) -> Server:
    return serving(request.param)


@pytest.fixture
def place(server: Server, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A folder that stands for a store of its own on the server."""
    name = f"t{abs(hash(request.node.nodeid)) % 10**9}"
    keep_address(tmp_path / "place", f"{server.address}name={name}")
    return tmp_path / "place"


def quad(graph: str, value: Any) -> Quad:
    return Quad(A, P, value, NamedNode(graph))


def import_(place: Path, server: Server, *quads: Quad, drop: frozenset[str] = frozenset(), forget: bool = False) -> str:
    with begin_import(place, access=server.access) as new:
        write_nquads(new.work / "given.nq", quads)
        new.build(drop, [new.work / "given.nq"], forget=forget)
        new.commit()
        return new.name


def values(graph: EventGraph, where: str = "?s ?p ?o") -> list[str]:
    return sorted(o.value for (o,) in graph.select(f"SELECT ?o {{ {where} }}") if o is not None)


def test_an_import_is_seen_whole_and_only_when_it_is_committed(server: Server, place: Path) -> None:
    with pytest.raises(NoStore), open_graph(place, access=server.access):
        pass
    first = import_(place, server, quad(G1, Literal("one")), quad(G2, Literal("two")))
    with begin_import(place, access=server.access) as new:
        write_nquads(new.work / "given.nq", [quad(G1, Literal("three"))])
        new.build(frozenset({G1}), [new.work / "given.nq"])  # and is never committed
    with open_graph(place, access=server.access) as graph:
        assert graph.generation == first
        assert values(graph) == ["one", "two"]
    import_(place, server, quad(G1, Literal("four")), drop=frozenset({G1}))
    with open_graph(place, access=server.access) as graph:
        assert values(graph) == ["four", "two"]
        assert graph.graphs() == [G1, G2]
        assert graph.count() == 2
        assert graph.count(G1) == 1
        assert values(graph, f"GRAPH <{G2}> {{ ?s ?p ?o }}") == ["two"]
        assert [str(g) for (g,) in graph.select("SELECT ?g { GRAPH ?g { ?s ?p 'four' } }")] == [f"<{G1}>"]
        assert dict(graph.described(G2)) == {A.value: [(P.value, Literal("two"))]}
        assert list(graph.pairs(G2, P.value)) == [(str(A), '"two"')]
        assert graph.graphs_about(A) == {G1, G2}


def test_functions_of_ours_are_called_here(server: Server, place: Path) -> None:
    import_(place, server, quad(G1, Literal("one")), quad(G2, Literal("two")))
    said = "https://x.example/said"
    with open_graph(place, access=server.access) as graph:
        calling = graph.with_functions({said: lambda term: Literal(f"said {term.value}")})  # type: ignore[union-attr]
        query = f"SELECT ?x {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(?g != <{G1}>) BIND(<{said}>(?o) AS ?x) }}"
        assert calling.select(query).rows == ((Literal("said two"),),)


def test_nothing_holds_in_a_graph_that_there_is_not(server: Server, place: Path) -> None:
    import_(place, server, quad(G1, Literal("one")), quad(G1, Literal("two")))
    with open_graph(place, access=server.access) as graph:
        for inside, there in ((G1, True), (G2, False)):
            assert graph.ask(f"ASK {{ GRAPH <{inside}> {{ {A} {P} 'one' }} }}") == there
            query = f"SELECT ?o {{ GRAPH <{inside}> {{ {A} {P} 'one' }} {A} {P} ?o }}"
            assert len(graph.select(query)) == (2 if there else 0)


def test_a_thread_to_which_the_network_is_closed_is_answered_at_once(server: Server, place: Path) -> None:
    import_(place, server, quad(G1, Literal("one")))
    with open_graph(place, access=server.access) as graph:
        assert within(5.0, lambda: (is_sealed() == can_seal(), values(graph))) == (True, ["one"])


def test_two_imports_at_once_leave_one_of_them(server: Server, place: Path, tmp_path: Path) -> None:
    import_(place, server, quad(G1, Literal("one")))
    other = tmp_path / "other"
    keep_address(other, read_address((place / "remote.json").read_text().split('"')[3]).text)
    with begin_import(place, access=server.access) as slow:
        write_nquads(slow.work / "given.nq", [quad(G2, Literal("slow"))])
        slow.build(frozenset(), [slow.work / "given.nq"])
        import_(other, server, quad(G2, Literal("quick")))
        with pytest.raises(StoreError, match="another import came first"):
            slow.commit()
    with open_graph(place, access=server.access) as graph:
        assert values(graph) == ["one", "quick"]


def test_what_is_derived_is_a_graph_of_its_own_and_is_seen_by_the_next(server: Server, place: Path) -> None:
    import_(place, server, quad(G1, Literal("one")))
    with open_graph(place, write=True, access=server.access) as graph:
        graph.replace_graph(G2, [Triple(A, P, Literal("derived"))])
        graph.replace_graph(G2, [Triple(A, P, Literal("anew"))])
        assert (graph.changes, graph.removals) == (2, 1)
        assert values(graph) == ["anew", "one"]
    with open_graph(place, write=True, access=server.access) as graph:
        assert values(graph) == ["anew", "one"]
        graph.drop_graphs([G2])
        assert values(graph) == ["one"]


def test_terms_come_back_as_they_were(server: Server, place: Path) -> None:
    told = [Literal('a "quote", a \\ and\na line'), Literal("Grüße", language="de"), Literal("😀" * 50), Literal(7)]
    import_(place, server, *(quad(G1, value) for value in told))
    with open_graph(place, access=server.access) as graph:
        assert {o for (o,) in graph.select("SELECT ?o { ?s ?p ?o }")} == set(told)
        assert graph.ask("ASK { ?s ?p ?o }", {"o": told[0]})
        assert graph.select("SELECT ?s { ?s ?p ?o }", {"o": told[1]}).rows == ((A,),)


def test_nothing_is_sent_that_is_no_query_to_read(server: Server, place: Path) -> None:
    import_(place, server, quad(G1, Literal("one")))
    with open_graph(place, access=server.access) as graph:
        before = graph.connection.requests  # type: ignore[attr-defined]
        for text in ("DROP ALL", "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "LOAD <http://127.0.0.1/>"):
            with pytest.raises(QueryError):
                graph.select(text)
        assert graph.connection.requests == before  # type: ignore[attr-defined]


KM = 'EXTRACT(l=RETRIEVE(query="%s"), attr_names=["km", "kind"], attr_types=[float, str])'
RUNS, NONE, GAPS = (KM % name for name in ("runs", "none", "gaps"))
TREES = (
    f'APPLY(l={RUNS}, fct=lambda l: sum(e["km"] for e in l))',
    f'ARGMAX(l={RUNS}, arg_attr_name="kind", val_attr_name="km")',
    f'JOIN(l1={GAPS}, l2={RUNS}, condition="i1.kind == i2.kind")',
    f'APPLY(l={NONE}, fct=lambda l: sum(e["km"] for e in l))',
    f'APPLY(l={NONE}, fct=lambda l: mean([e["km"] for e in l]))',
    'EXTRACT(l=RETRIEVE(query="gaps"), attr_names=["done"], attr_types=[bool])',
    'APPLY(l=EXTRACT(l=RETRIEVE(query="runs"), attr_names=["friends"], attr_types=[list]),'
    ' fct=lambda l: any("Bob" in e["friends"] for e in l))',
)


def test_trees_give_the_rows_that_they_give_embedded(server: Server, place: Path) -> None:
    held = life()
    import_(place, server, *held._store)
    with open_graph(place, write=True, access=server.access) as graph:
        for text in TREES:
            tree = parse_tree(text)
            here = run(tree, graph=held, resolution=RESOLUTION, now=NOW)
            there = run(tree, graph=graph, resolution=RESOLUTION, now=NOW)
            assert (there.rows, there.answer) == (here.rows, here.answer), text


def test_doctor_and_status_say_where_it_is_and_what_answers(server: Server, place: Path) -> None:
    settings = Settings(access=server.access)
    assert next(f.said for f in examine(place, settings) if f.part == "graphs").startswith("none")
    import_(place, server, quad(G1, Literal("one")), quad(G2, Literal("two")))
    found = {finding.part: finding for finding in examine(place, settings)}
    assert {one.outcome for one in found.values()} == {Outcome.FINE}
    assert "answers queries" in found["server"].said
    assert ("Virtuoso" in found["server"].said) == (server.name == "virtuoso")
    assert found["graphs"].said.startswith("2 with 2 triples")
    assert str(place) in found["folder"].said


def test_nobody_answers_is_said_in_one_sentence(tmp_path: Path) -> None:
    keep_address(tmp_path / "place", "sparql+http://127.0.0.1:9/query")
    with pytest.raises(StoreError, match="nobody answers there"), open_graph(tmp_path / "place"):
        pass


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("sparql+ftp://host/query", "no address of a store"),
        ("sparql+https://me:secret@host/query", "no user or password"),
        ("sparql+https://host/query?shop=1", "has no 'shop'"),
        ("sparql+https://host/query?name=a/b", "no name of a store"),
    ],
)
def test_what_is_no_address_is_told(text: str, wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        read_address(text)


RIDES = """@prefix hire: <https://bikes.example/terms#> . @prefix b: <https://bikes.example/data/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
b:s1 a hire:Station ; hire:inCity "Lyon" . b:s2 a hire:Station ; hire:inCity "Porto" .
b:r1 a hire:Ride ; hire:began "2024-01-02T10:00:00"^^xsd:dateTime ;
  hire:from b:s1 ; hire:model "e-bike" ; hire:fare 2.5 .
b:r2 a hire:Ride ; hire:began "2024-03-02T10:00:00"^^xsd:dateTime ;
  hire:from b:s2 ; hire:model "e-bike" ; hire:fare 3.5 .
b:r3 a hire:Ride ; hire:began "2023-03-02T10:00:00"^^xsd:dateTime ;
  hire:from b:s1 ; hire:model "cargo" ; hire:fare 4 .
"""


def test_a_graph_of_others_is_asked_in_place(server: Server, tmp_path: Path) -> None:
    graph = f"https://bikes.example/{server.name}"
    connection = Connection(read_address(server.address), server.access)
    try:
        triples = [q.triple for q in parse_turtle(RIDES)]
        connection.put(graph, "".join(f"{t.subject} {t.predicate} {t.object} .\n" for t in triples).encode())
    finally:
        connection.close()
    place = tmp_path / "rides"
    keep_address(place, f"{server.address}in-place=yes&graph={graph}")
    settings = Settings(domain=Path(__file__).parent / "rides", access=server.access)
    with KnowledgeGraph.open(place, settings) as known:
        assert known.ask("How many rides were there in 2024?", now=NOW).values == (2,)
        assert known.ask("revenue in Lyon", now=NOW).values == (6.5,)
    with pytest.raises(StoreError, match="in place"), begin_import(place, access=server.access):
        pass
