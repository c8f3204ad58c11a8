"""What holds of every store, embedded or on a server: generations, derivations, queries. Terms: test_terms.py; trees:
test_trees.py; limits: test_limits.py."""

from __future__ import annotations

from pathlib import Path

import counted_statistics
import pytest
from operator_examples.life import life
from remote.conftest import Placing
from remote.places import G1, G2, G3, A, B, P, Place, Q, X, build, quad, state, values

from reqap_kg.errors import NoStore, QueryError
from reqap_kg.store.generations import EventGraph
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.index.index import ValueIndex, open_index
from reqap_kg.store.rdf import Literal, NamedNode, Quad, Term, Triple
from reqap_kg.store.sparql.datasets import Dataset
from reqap_kg.store.vocabulary import packaged_vocabulary

ONE, TWO, THREE = (Literal(text) for text in ("one", "two", "three"))


class Stopped(Exception):
    """An import was left in its middle."""


def on_server(graph: EventGraph) -> set[str]:
    """The names of all graphs that the server has for a store, but for those that say which they are."""
    rows = graph._register._rows("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }")  # type: ignore[attr-defined]
    return {name for (name,) in rows if name.startswith(X)}


# ---------------------------------------------------------------- generations
def test_there_is_no_store_before_the_first_commit(place: Place) -> None:
    with pytest.raises(NoStore), place.open():
        pass
    with place.importing() as new:
        build(new, quad(G1, ONE))
    with pytest.raises(NoStore), place.open():
        pass
    place.import_(quad(G2, TWO))
    assert state(place) == {G2: ["two"]}


def test_nothing_shows_before_the_commit_and_a_reader_keeps_its_generation(place: Place) -> None:
    first = place.import_(quad(G1, ONE), quad(G2, TWO))
    with place.open() as reader:
        with place.importing() as new:
            build(new, quad(G1, THREE), drop=[G1])
            assert state(place) == {G1: ["one"], G2: ["two"]}
            new.commit()
        assert state(place) == {G1: ["three"], G2: ["two"]}
        assert reader.generation == first
        assert reader.graphs() == [G1, G2]
        assert values(reader) == ["one", "two"]
        assert dict(reader.described(G1)) == {A.value: [(P.value, ONE)]}


@pytest.mark.parametrize("built", [False, True], ids=["amid the building", "before the commit"])
def test_an_import_that_is_left_leaves_the_old_state(place: Place, built: bool) -> None:
    first = place.import_(quad(G1, ONE))

    def fail(_: object) -> None:
        raise Stopped

    def leave() -> None:
        with place.importing() as new:
            (new.work / "given.nq").write_text(f'<{A.value}> <{P.value}> "left" <{G2}> .\n')
            new.build(frozenset({G1}), [new.work / "given.nq"], finish=None if built else fail)
            raise Stopped

    with pytest.raises(Stopped):
        leave()
    with place.open() as graph:
        assert graph.generation == first
        assert values(graph) == ["one"]
    assert place.import_(quad(G2, TWO)) == "gen-000002"
    assert state(place) == {G1: ["one"], G2: ["two"]}


def test_graphs_of_an_import_that_is_left_are_taken_away_by_the_next(remote: Place) -> None:
    left, taken = X + f"left/{remote.folder.parent.name}", X + f"taken/{remote.folder.parent.name}"
    remote.import_(quad(left, ONE))
    with remote.importing() as new:  # and is not committed
        build(new, quad(left, Literal("left")), drop=[left])
    with remote.open() as graph:
        assert len([name for name in on_server(graph) if name.startswith(left)]) == 2
    remote.import_(quad(taken, TWO))
    with remote.open() as graph:
        assert sorted(name.partition("?")[0] for name in on_server(graph) if name[:20] in (left[:20], taken[:20])) == [
            left, taken
        ]  # fmt: skip


def test_sources_are_added_to_replaced_and_dropped(place: Place) -> None:
    place.import_(quad(G1, ONE), quad(G2, TWO))
    place.import_(quad(G1, THREE), quad(G3, ONE))
    assert state(place) == {G1: ["one", "three"], G2: ["two"], G3: ["one"]}
    place.import_(quad(G1, TWO), drop=[G1, G3])
    assert state(place) == {G1: ["two"], G2: ["two"]}
    place.import_(drop=[G2])
    assert state(place) == {G1: ["two"]}
    place.import_(drop=[G1])
    assert state(place) == {}


def test_what_is_forgotten_is_nowhere(place: Place) -> None:
    secret, kept = X + f"secret/{place.folder.parent.name}", X + f"kept/{place.folder.parent.name}"
    place.import_(quad(secret, Literal("Zubrowka")), quad(kept, ONE))
    with (
        place.open() as graph,
        open_index(graph.index_directory, graph, packaged_vocabulary(), generation=graph.generation),
    ):
        pass
    place.import_(drop=[secret], forget=True)
    assert state(place) == {kept: ["one"]}
    with place.open() as graph:
        if place.kind != "embedded":
            names = [name for name in on_server(graph) if name.startswith((secret, kept))]
            assert [name.partition("?")[0] for name in names] == [kept]
    assert not [path for path in place.folder.rglob("*") if path.is_file() and b"Zubrowka" in path.read_bytes()]


# ---------------------------------------------------------------- derivations
def test_derivations_are_written_replaced_and_dropped(place: Place) -> None:
    place.import_(quad(G1, ONE))
    with place.open(write=True) as graph:
        graph.replace_graph(G2, [Triple(A, P, TWO), Triple(B, P, TWO)])
        assert (graph.changes, graph.removals) == (1, 0)
        assert values(graph) == ["one", "two", "two"]
        graph.replace_graph(G2, [Triple(A, P, THREE)])
        assert (graph.changes, graph.removals) == (2, 1)
        graph.replace_graph(G3, [])
        assert graph.graphs() == [G1, G2]
        assert values(graph) == ["one", "three"]
        assert graph.count(G2) == 1
    with place.open(write=True) as graph:
        assert (graph.changes, graph.removals) == (0, 0)
        assert values(graph) == ["one", "three"]
        assert values(graph, f"GRAPH <{G2}> {{ ?s ?p ?o }}") == ["three"]
        graph.drop_graphs([])
        assert (graph.changes, graph.removals) == (0, 0)
        graph.drop_graphs([G2, G3])
        assert (graph.changes, graph.removals) == (2, 2)
        assert values(graph) == ["one"]
        graph.drop_graphs([G2])
    assert state(place) == {G1: ["one"]}


def test_a_derivation_of_many_triples_is_written_whole(place: Place) -> None:
    place.import_(quad(G1, ONE))
    triples = [Triple(NamedNode(f"{X}{number}"), P, Literal(number)) for number in range(6_000)]
    with place.open(write=True) as graph:
        graph.replace_graph(G2, triples)
        assert graph.count(G2) == len(triples)
    with place.open() as graph:
        assert {term for (term,) in graph.select(f"SELECT ?o {{ GRAPH <{G2}> {{ ?s ?p ?o }} }}")} == {
            triple.object for triple in triples
        }


def test_derivations_stay_through_an_import_that_finishes_them(place: Place) -> None:
    place.import_(quad(G1, ONE))
    with place.open(write=True) as graph:
        graph.replace_graph(G2, [Triple(A, P, TWO)])
    with place.importing() as new:
        (new.work / "given.nq").write_text(f'<{B.value}> <{P.value}> "three" <{G3}> .\n')
        new.build(
            frozenset(), [new.work / "given.nq"], finish=lambda graph: graph.replace_graph(G1 + "/seen", [
                Triple(s, P, o) for s, o in graph.select("SELECT ?s ?o { ?s ?p ?o FILTER(?o != 'one') }")  # type: ignore[arg-type]
            ])
        )  # fmt: skip
        assert state(place) == {G1: ["one"], G2: ["two"]}
        new.commit()
    assert state(place) == {G1: ["one"], G1 + "/seen": ["three", "two"], G2: ["two"], G3: ["three"]}


# ---------------------------------------------------------------- queries
@pytest.fixture(scope="module", params=["embedded", "oxigraph", "virtuoso"])
def small(placing: Placing, request: pytest.FixtureRequest) -> Place:
    """A store of two graphs, one of which says something of the other."""
    place = placing(request.param)
    place.import_(
        quad(G1, ONE), quad(G1, Literal("uno", language="it")), quad(G1, TWO, of=B), quad(G1, B, prop=Q),
        quad(G2, THREE), quad(G2, ONE), quad(G2, Literal("first"), of=NamedNode(G1), prop=Q),
    )  # fmt: skip
    return place


def rows(graph: EventGraph, query: str, **bindings: Term) -> list[str]:
    return sorted(" ".join("-" if t is None else str(t) for t in row) for row in graph.select(query, bindings))


def test_queries_take_bindings(small: Place) -> None:
    with small.open() as graph:
        assert rows(graph, "SELECT ?o ?s { ?s ?p ?o }", o=TWO) == [f'"two" {B}']
        assert rows(graph, "SELECT ?s ?x { ?s ?p ?o BIND(STR(?s) AS ?x) }", s=B) == [f'{B} "{B.value}"']
        assert rows(graph, "SELECT ?o ?s { ?s ?p ?o FILTER(?s != <urn:x>) }", s=B) == [f'"two" {B}']
        assert rows(graph, "SELECT ?g ?o { GRAPH ?g { ?s ?p ?o } }", o=THREE) == [f'<{G2}> "three"']
        assert rows(graph, "SELECT ?g ?p ?o { GRAPH ?g { ?s ?p ?o } }", g=NamedNode(G1), p=Q) == [f"<{G1}> {Q} {B}"]
        assert graph.ask("ASK { ?s ?p ?o }", {"o": TWO})
        assert not graph.ask("ASK { ?s ?p ?o }", {"o": Literal("Two")})
        assert not graph.ask("ASK { ?s ?p ?o }", {"o": Literal("two", language="en")})
        assert graph.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", {"s": B}) == [Triple(B, P, TWO)]
        assert graph.construct(f"DESCRIBE {B}") == [Triple(B, P, TWO)]


def test_the_union_of_graphs_has_each_triple_of_each(small: Place) -> None:
    with small.open() as graph:
        assert rows(graph, f"SELECT ?g {{ GRAPH ?g {{ {A} {P} 'one' }} }}") == [f"<{G1}>", f"<{G2}>"]
        assert rows(graph, f"SELECT DISTINCT ?o {{ {A} {P} ?o }}") == ['"one"', '"three"', '"uno"@it']
        assert len(graph.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", most=3)) == 3


def test_graphs_are_named_and_spoken_of(small: Place) -> None:
    with small.open() as graph:
        assert rows(graph, f"SELECT ?o {{ GRAPH <{G2}> {{ {A} {P} ?o }} }}") == ['"one"', '"three"']
        assert rows(graph, f"SELECT ?o {{ GRAPH <{G3}> {{ ?s ?p ?o }} }}") == []
        assert rows(graph, f"SELECT DISTINCT ?g {{ GRAPH ?g {{ ?s {P} ?o }} ?g {Q} 'first' }}") == [f"<{G1}>"]
        assert rows(graph, f"SELECT ?o {{ ?g {Q} 'first' GRAPH ?g {{ {B} ?p ?o }} }}") == ['"two"']
        assert rows(graph, "SELECT DISTINCT ?g { GRAPH ?g { ?g ?p ?o } }") == []
        assert rows(graph, f"SELECT DISTINCT ?h {{ GRAPH ?g {{ {A} {Q} ?o }} GRAPH ?h {{ ?g {Q} ?x }} }}") == [
            f"<{G2}>"
        ]
        assert rows(graph, "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g") == [
            f'<{G1}> "4"^^<http://www.w3.org/2001/XMLSchema#integer>',
            f'<{G2}> "3"^^<http://www.w3.org/2001/XMLSchema#integer>',
        ]
        assert rows(graph, f"SELECT ?o {{ ?s {P} ?o FILTER EXISTS {{ GRAPH <{G2}> {{ ?s ?q ?o }} }} }}") in (
            ['"one"', '"one"', '"three"'], ['"one"', '"three"']
        )  # fmt: skip


@pytest.mark.parametrize(
    ("default", "named", "where", "expected"),
    [
        ([G1], [], f"{A} {P} ?o", ['"one"', '"uno"@it']),
        ([G1, G2], [], f"{A} {P} ?o FILTER(LANG(?o) = '')", ['"one"', '"three"']),
        ([], [G2], f"{A} {P} ?o", []),
        ([], [G2], f"GRAPH ?g {{ {A} {P} ?o }}", ['"one"', '"three"']),
        ([G1], [G2], f"{B} {P} ?x GRAPH ?g {{ {A} {P} ?o }}", ['"one"', '"three"']),
        ([G1], [], f"GRAPH ?g {{ {A} {P} ?o }}", []),
        ([G3], [G3], f"{{ ?s {P} ?o }} UNION {{ GRAPH ?g {{ ?s {P} ?o }} }}", []),
    ],
)
def test_a_query_is_about_a_dataset(
    small: Place, default: list[str], named: list[str], where: str, expected: list[str]
) -> None:
    with small.open() as graph:
        found = graph.answered(
            f"SELECT DISTINCT ?o {{ {where} }}",
            lambda solutions: sorted(str(row[0]) for row in solutions),  # type: ignore[union-attr, index]
            None,
            Dataset.of(default, named),
        )
        assert found == expected


def test_what_is_asked_of_single_graphs(small: Place) -> None:
    with small.open() as graph:
        assert graph.graphs() == [G1, G2]
        assert (graph.count(), graph.count(G1), graph.count(G2), graph.count(G3)) == (7, 4, 3, 0)
        assert sorted(graph.pairs(G1, P.value)) == [
            (str(A), '"one"'), (str(A), '"uno"@it'), (str(B), '"two"')
        ]  # fmt: skip
        assert list(graph.pairs(G1, X + "none")) == list(graph.pairs(G3, P.value)) == list(graph.described(G3)) == []
        assert graph.graphs_about(A) == {G1, G2}
        assert graph.graphs_about(B) == {G1}
        assert graph.graphs_about(P) == frozenset()
        described = {iri: said for iri, said in graph.described(G1)}
        assert [*described] == [iri for iri, _ in graph.described(G1)]  # each subject once
        assert {iri: [prop for prop, _ in said] for iri, said in described.items()} == {
            A.value: [P.value, P.value, Q.value], B.value: [P.value]
        }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "DROP ALL",
        "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "LOAD <http://127.0.0.1/>",
        "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
        "SELECT * FROM <http://127.0.0.1/> { ?s ?p ?o }",
        "SELECT * { ?s ?p ?o } ; DROP ALL",
        "SELECT * { ?s ?p 'a",
        "DELETE WHERE { ?s ?p ?o }",
    ],
)
def test_what_is_no_query_to_read_is_sent_nowhere(small: Place, text: str) -> None:
    with small.open() as graph:
        before = getattr(graph, "connection", None) and graph.connection.requests  # type: ignore[attr-defined]
        for asked in (graph.select, graph.construct, graph.ask):
            with pytest.raises(QueryError):
                asked(text)
        assert (getattr(graph, "connection", None) and graph.connection.requests) == before  # type: ignore[attr-defined]
        assert values(graph, f"GRAPH <{G1}> {{ {B} {P} ?o }}") == ["two"]


def test_other_stores_of_a_server_are_not_seen(placing: Placing, remote: Place) -> None:
    other = placing(remote.kind)
    remote.import_(quad(G1, ONE))
    other.import_(quad(G1, TWO), quad(G2, THREE))
    with other.open() as graph:
        (theirs,) = [name for name in graph.manifest.graphs.values() if name.startswith(G2)]  # type: ignore[attr-defined]
    with remote.open() as graph:
        assert graph.graphs() == [G1]
        assert values(graph) == ["one"]
        assert values(graph, "GRAPH ?g { ?s ?p ?o }") == ["one"]
        for iri in (G2, theirs):
            assert values(graph, f"GRAPH <{iri}> {{ ?s ?p ?o }}") == []
            assert not graph.ask(f"ASK {{ GRAPH <{iri}> {{ ?s ?p ?o }} }}")
            assert graph.count(iri) == 0
    remote.import_(drop=[G1], forget=True)
    assert state(other) == {G1: ["two"], G2: ["three"]}


# ---------------------------------------------------------------- index and statistics
EXTRA = [
    *(quad(G2, Literal(text), of=NamedNode(f"{X}e{i}"), prop=Q) for i, text in enumerate(("Äpfel", " pad ", "😀"))),
    quad(G2, NamedNode(X + "Kind"), of=NamedNode(X + "e0"), prop=NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")),
]  # fmt: skip


def facts(index: ValueIndex) -> list[object]:
    """All that an index says, but for numbers that it gives."""
    classes = [iri for iri, _ in index.classes()]
    said = sorted((value.prop, value.text, value.norm, value.classes) for value in index.of_classes(classes))
    events = sorted(
        (event.iri, sorted((prop, text) for _, prop, text in event.values)) for event in index.events_of(classes)
    )
    return [sorted(index.classes()), sorted(index.properties()), said, events, index.holders]


@pytest.mark.parametrize("copies", [1, 2], ids=["apart", "shared subjects"])
def test_index_and_statistics_are_those_of_an_embedded_store(remote: Place, tmp_path: Path, copies: int) -> None:
    given: list[Quad] = [*life(copies)._store, *EXTRA]
    embedded = Place("embedded", tmp_path / "embedded")
    found = []
    for place in (embedded, remote):
        place.import_(*given)
        with place.open() as graph:
            folder = graph.index_directory
            with open_index(folder, graph, packaged_vocabulary(), generation=graph.generation) as index:
                found.append((facts(index), index.statistics))
    assert found[1][0] == found[0][0]
    assert found[1][1] == found[0][1]
    with remote.open() as graph:  # and as queries count them
        if copies == 1:  # what is evaluated here has a triple once that stands in two graphs
            assert counted_statistics.gather(graph).classes == counted_statistics.gather(MemoryGraph(given)).classes
