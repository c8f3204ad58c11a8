"""Faults between a client and a server: nothing is lost, nothing is there twice, what went wrong is one sentence."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import httpx
import pyoxigraph as ox
import pytest
from remote.proxy import Fault, Proxy, proxied
from remote.servers import Server, missing, served

from reqap_kg.config.parts import Access
from reqap_kg.errors import NoStore, QueryTimeout, StoreError
from reqap_kg.store.generations import begin_import, open_graph
from reqap_kg.store.rdf import BlankNode, Literal, NamedNode, Quad, Triple, write_nquads
from reqap_kg.store.remote import client
from reqap_kg.store.remote.address import read_address
from reqap_kg.store.remote.client import Connection
from reqap_kg.store.remote.generations import keep_address

GRAPH, DERIVED = "https://x.example/g", "https://x.example/derived"
A, P = NamedNode("https://x.example/a"), NamedNode("https://x.example/p")
PASSING: tuple[Fault, ...] = ("before", "after", "amid", "lost", "garbage", 502, 503, 429)
"""After these a request is tried again."""
Place = tuple[Path, Path]
"""A folder of a store by way of the proxy, and one of the same store without it."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    why = missing("oxigraph")
    if why is not None:
        pytest.skip(why)
    with served("oxigraph") as found:
        yield found


@pytest.fixture(scope="module")
def only_proxy(server: Server) -> Iterator[Proxy]:
    with proxied(server.address) as found:
        yield found


@pytest.fixture
def proxy(only_proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    monkeypatch.setattr(client, "_PAUSE", 0.01)
    only_proxy.fault = lambda _number, _what: None
    only_proxy.seen.clear()
    yield only_proxy
    only_proxy.fault = lambda _number, _what: None


@pytest.fixture
def place(server: Server, proxy: Proxy, tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    return places(server, proxy, tmp_path, f"t{abs(hash(request.node.nodeid)) % 10**9}")


def places(server: Server, proxy: Proxy, folder: Path, name: str) -> Place:
    keep_address(folder / "through", f"{proxy.through(server.address)}name={name}")
    keep_address(folder / "straight", f"{server.address}name={name}")
    return folder / "through", folder / "straight"


def import_(place: Path, *values: str, access: Access | None = None) -> None:
    """Replaces the graph by one of so many values, each said of a node without a name."""
    with begin_import(place, access=access or Access(seconds=5)) as new:
        write_nquads(new.work / "given.nq", (quad for value in values for quad in quads(value)))
        new.build(frozenset({GRAPH}), [new.work / "given.nq"])
        new.commit()


def quads(value: str) -> list[Quad]:
    node = BlankNode()
    return [Quad(node, P, Literal(value), NamedNode(GRAPH)), Quad(A, P, Literal(value), NamedNode(GRAPH))]


def values(place: Path) -> list[str]:
    """What a store holds, each as often as it is there: twice, as a named node and one without a name have it."""
    with open_graph(place, access=Access(seconds=5)) as graph:
        return sorted(o.value for (o,) in graph.select("SELECT ?o { ?s <https://x.example/p> ?o }") if o is not None)


def twice(*said: str) -> list[str]:
    return sorted([*said, *said])


def server_graphs(server: Server, name: str) -> int:
    """Named graphs on the server whose triples are those of the tests, or of a store's manifests."""
    url = server.address.removeprefix("sparql+").partition("?")[0]
    query = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }"
    found = httpx.get(url, params={"query": query}, headers={"Accept": "text/csv"}).text.splitlines()[1:]
    return sum(name in graph for graph in found)


def alternating(fault: Fault) -> Proxy | object:
    return lambda number, _what: fault if number % 2 == 0 else None


# ---------------------------------------------------------------- faults that pass
@pytest.mark.parametrize("fault", PASSING, ids=str)
def test_what_is_tried_again_is_there_once(proxy: Proxy, place: Place, fault: Fault) -> None:
    proxy.fault = alternating(fault)  # type: ignore[assignment]
    import_(place[0], "one", "two")
    with open_graph(place[0], write=True, access=Access(seconds=5)) as graph:
        graph.replace_graph(DERIVED, [Triple(BlankNode(), P, Literal("derived"))])
        graph.replace_graph(DERIVED, [Triple(BlankNode(), P, Literal("anew"))])
    assert values(place[0]) == values(place[1]) == sorted([*twice("one", "two"), "anew"])
    assert len(proxy.seen) >= 10


@pytest.mark.parametrize("fault", ["half", "nonsense"])
def test_half_an_answer_is_none(proxy: Proxy, place: Place, fault: Fault) -> None:
    import_(place[0], *map(str, range(40)))
    proxy.fault = lambda number, what: fault if number % 2 == 0 and what.endswith("/query") else None
    assert values(place[0]) == twice(*map(str, range(40)))
    with open_graph(place[0], access=Access(seconds=5)) as graph:
        assert graph.ask("ASK { ?s ?p '7' }")
        assert len(graph.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")) == 80


def test_a_graph_that_does_not_come_whole_is_fetched_again(proxy: Proxy, place: Place) -> None:
    import_(place[0], *map(str, range(40)))
    for fault in ("half", "amid", "after"):
        proxy.fault = lambda number, what, fault=fault: fault if number % 2 == 0 and "GET" in what else None
        with open_graph(place[0], access=Access(seconds=5)) as graph:
            assert sum(len(held) for _, held in graph.described(GRAPH)) == 80, fault


def test_a_graph_in_pieces_has_its_nodes_without_names_once(proxy: Proxy, place: Place) -> None:
    said = [f"a text of some length, number {number}" for number in range(200)]
    proxy.fault = alternating("after")  # type: ignore[assignment]
    with begin_import(place[0], access=Access(seconds=5)) as new:
        new._register.dialect = replace(new._register.dialect, piece=2_000)  # type: ignore[union-attr]
        write_nquads(new.work / "given.nq", (quad for value in said for quad in quads(value)))
        new.build(frozenset({GRAPH}), [new.work / "given.nq"])
        new.commit()
    assert values(place[1]) == twice(*said)
    assert sum(what == "POST /store" for what in proxy.seen) > 10


def test_whatever_is_answered_is_no_crash(proxy: Proxy, place: Place) -> None:
    import_(place[0], *map(str, range(4)))
    chance = random.Random(7)
    with open_graph(place[0], access=Access(seconds=5)) as graph:
        dialect, rows = graph._dialect, graph.select("SELECT ?o { ?s ?p ?o } ORDER BY ?o")  # type: ignore[attr-defined]
        body = graph.connection.query(  # type: ignore[attr-defined]
            f"SELECT ?o {{ GRAPH ?g {{ {A} ?p ?o }} }}", "application/sparql-results+json", bytes
        )
    assert len(rows) == 8
    for at in range(0, len(body), 5):
        changed = bytearray(body[:at] if at % 2 else body)
        if not at % 2:
            changed[at] = chance.randrange(256)
        with suppress(SyntaxError):
            list(dialect.parsed(bytes(changed)))
        with suppress(SyntaxError):
            list(ox.parse(bytes(changed), format=ox.RdfFormat.N_TRIPLES))


# ---------------------------------------------------------------- faults that stay
@pytest.mark.parametrize(("fault", "told"), [
    ("before", "the connection was cut"), ("amid", "the connection was cut"), ("half", "cut off"),
    ("nonsense", "cut off"), ("garbage", "the connection was cut"), (503, "it answered 503"), (500, "not today"),
    (400, "not today"), (404, "404"), (401, "REQAP_KG_SPARQL_USER"), (403, "REQAP_KG_SPARQL_TOKEN"),
    ("redirect", "http://127.0.0.1:9/elsewhere"),
])  # fmt: skip
def test_what_stays_wrong_is_one_sentence(proxy: Proxy, place: Place, fault: Fault, told: str) -> None:
    import_(place[0], "one")
    with open_graph(place[0], access=Access(seconds=5)) as graph:
        proxy.fault = lambda _number, _what: fault
        with pytest.raises(StoreError, match=told) as raised:
            graph.select("SELECT ?o { ?s ?p ?o }")
        assert f"sparql+http://127.0.0.1:{proxy.port}/query" in str(raised.value)
        assert "\n" not in str(raised.value)
        with pytest.raises(StoreError):
            import_(place[0], "two")
        proxy.fault = lambda _number, _what: None
        assert len(graph.select("SELECT ?o { ?s ?p ?o }")) == 2
    assert values(place[1]) == twice("one")


@pytest.mark.parametrize("fault", [pytest.param("before", marks=pytest.mark.long), "after", 500])
def test_an_import_that_fails_at_any_request_leaves_one_state_or_the_other(
    server: Server, proxy: Proxy, tmp_path: Path, fault: Fault
) -> None:
    through, straight = places(server, proxy, tmp_path, f"any-{fault}")
    import_(through, "old")
    state = "old"
    for failing in range(20):
        proxy.seen.clear()
        proxy.fault = lambda number, _what, failing=failing: fault if number >= failing else None
        new = f"new {failing}"
        try:
            import_(through, new)
        except StoreError:
            found = values(straight)
            assert found in (twice(state), twice(new)), failing
            state = found[0]
        else:
            assert values(straight) == twice(new)
            break
    else:
        pytest.fail("it never went well")
    proxy.fault = lambda _number, _what: None
    import_(through, "last")
    import_(through, "last but not least")
    # the control graph, the manifests of two generations, a graph of each
    assert server_graphs(server, f"any-{fault}") <= 3
    assert values(straight) == twice("last but not least")


def test_who_waits_too_long_is_told_in_time_and_the_next_is_answered(proxy: Proxy, place: Place) -> None:
    import_(place[0], "one")
    with open_graph(place[0], access=Access(seconds=0.4)) as graph:
        proxy.fault = lambda _number, _what: 1.5
        begin = time.monotonic()
        with pytest.raises(QueryTimeout, match=r"did not answer within 0\.4 s"):
            graph.select("SELECT ?o { ?s ?p ?o }")
        assert time.monotonic() - begin < 1.2
        proxy.fault = lambda _number, _what: None
        assert len(graph.select("SELECT ?o { ?s ?p ?o }")) == 2


# ---------------------------------------------------------------- the server dies
def test_a_server_that_is_killed_in_an_import_has_the_old_state(tmp_path: Path) -> None:
    with served("oxigraph") as server:
        place = tmp_path / "place"
        keep_address(place, server.address)
        import_(place, "old")
        with begin_import(place, access=Access(seconds=5)) as new:
            write_nquads(new.work / "given.nq", quads("new"))
            new.build(frozenset({GRAPH}), [new.work / "given.nq"])
            server.kill()
            with pytest.raises(StoreError, match="nobody answers"):
                new.commit()
        server.start()
        assert values(place) == twice("old")
        import_(place, "new")
        assert values(place) == twice("new")
        assert server_graphs(server, "x.example/g") == 2  # that of the generation before is still read


def test_a_server_that_comes_back_is_asked_again(tmp_path: Path) -> None:
    with served("oxigraph") as server:
        place = tmp_path / "place"
        keep_address(place, server.address)
        import_(place, "old")
        with open_graph(place, access=Access(seconds=20)) as graph:
            server.kill()
            again = threading.Timer(0.3, server.start)
            again.start()
            assert len(graph.select("SELECT ?o { ?s ?p ?o }")) == 2
            again.join()


# ---------------------------------------------------------------- two at once
def _at_once(server: Server, folder: Path, *who: str) -> dict[str, str]:
    """How each of several imports of one store ends that are put in force at the same time."""
    for which in who:
        keep_address(folder / which, f"{server.address}name={folder.name}")
    import_(folder / who[0], "before")
    built, outcome = threading.Barrier(len(who)), dict[str, str]()

    def work(which: str) -> None:
        with begin_import(folder / which, access=Access(seconds=20)) as new:
            write_nquads(new.work / "given.nq", quads(f"{folder.name} {which}"))
            new.build(frozenset({GRAPH}), [new.work / "given.nq"])
            built.wait(20)
            try:
                new.commit()
                outcome[which] = "won"
            except StoreError as lost:
                outcome[which] = str(lost)

    threads = [threading.Thread(target=work, args=(which,)) for which in who]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return outcome


@pytest.mark.parametrize("number", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 15))])
def test_of_imports_at_once_one_wins_and_leaves_nothing_of_the_others(
    server: Server, tmp_path: Path, number: int
) -> None:
    folder = tmp_path / f"at-once-{number}"
    outcome = _at_once(server, folder, "one", "two", "three")
    (winner,) = (which for which, said in outcome.items() if said == "won")
    assert sum("another import came first" in said for said in outcome.values()) == 2
    for which in outcome:
        assert values(folder / which) == twice(f"{folder.name} {winner}")
        query = f"SELECT (COUNT(*) AS ?n) {{ GRAPH ?g {{ ?s ?p '{folder.name} {which}' }} }}"
        with closing(Connection(read_address(server.address), Access(seconds=5))) as straight:
            found = straight.query(query, "text/csv", bytes).split()[-1]
        assert found == (b"2" if which == winner else b"0")


# ---------------------------------------------------------------- whatever happens
def _whatever(server: Server, proxy: Proxy, folder: Path, seed: int, imports: int) -> int:
    """Imports with faults at random; how many said that they went well."""
    chance = random.Random(seed)
    through, straight = places(server, proxy, folder, f"whatever-{seed}")
    faults: list[Fault] = [*PASSING, "half", "nonsense", 500, "redirect", 401, 0.05]
    state, went = list[str](), 0
    for number in range(imports):
        rate = chance.choice((0.05, 0.2, 0.6))

        def fault(_number: int, what: str, rate: float = rate) -> Fault:
            chosen = chance.choice(faults) if chance.random() < rate else None
            return None if chosen == "nonsense" and not what.endswith("/query") else chosen

        proxy.fault = fault
        new = twice(*(f"{number}/{n}" for n in range(chance.randint(1, 4))))
        try:
            import_(through, *sorted(set(new)))
            done = True
        except StoreError:
            done = False
        proxy.fault = lambda _n, _w: None
        try:
            found = values(straight)
        except NoStore:
            found = []
        assert found == new or (not done and found == state), (seed, number)
        state, went = found, went + done
    return went


def test_whatever_happens_the_store_is_in_one_of_its_states(server: Server, proxy: Proxy, tmp_path: Path) -> None:
    assert 0 < _whatever(server, proxy, tmp_path, 43, 20) < 20


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_whatever_happens_for_long(server: Server, proxy: Proxy, tmp_path: Path, seed: int) -> None:
    _whatever(server, proxy, tmp_path, seed, 60)
