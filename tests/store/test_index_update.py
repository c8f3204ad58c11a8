"""An index that is brought up to date holds what one holds that is built from nothing."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import counted_statistics
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.ontology.namespaces import EV, RDF_TYPE, RDFS, source_graph
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.index import index as index_module
from reqap_kg.store.index.index import open_index
from reqap_kg.store.ontology_graph import ontology_quads
from reqap_kg.store.rdf import Literal, NamedNode, Quad
from reqap_kg.store.vocabulary import packaged_vocabulary

VOCABULARY = packaged_vocabulary()
INTERNAL = [quad for quad in ontology_quads() if quad.predicate.value == EV + "internal"]
CLASSES = ("Workout", "Note", "ChatMessage", "Message")
Told = tuple[str, tuple[tuple[str, str], ...]]
"""A class, and properties with texts."""

texts = st.sampled_from(
    ["Trail Running", "running", "a book about tides", "café", "Ana", "3 books", "😀", "trails", "ran"]
)
told = st.tuples(
    st.sampled_from(CLASSES),
    st.lists(st.tuples(st.sampled_from(["title", "text", "sender", "sourceId"]), texts), max_size=3, unique=True),
).map(lambda pair: (pair[0], tuple(pair[1])))
contents = st.dictionaries(st.integers(1, 6), told, max_size=4)
states = st.lists(st.dictionaries(st.sampled_from("abcd"), contents, max_size=4), min_size=2, max_size=4)


def graph_of(state: Mapping[str, Mapping[int, Told]], *, apart: bool, digests: bool = True) -> MemoryGraph:
    """A store with a graph for each source; `apart`: no two sources have a subject in common."""
    quads = list(INTERNAL)
    for name, subjects in state.items():
        graph = NamedNode(source_graph(name))
        if digests:
            mark = Literal(repr(sorted(subjects.items())))
            quads.append(Quad(graph, NamedNode(EV + "contentDigest"), mark, NamedNode(f"urn:catalog:{name}")))
        for number, (klass, said) in subjects.items():
            event = NamedNode(f"urn:event:{name if apart else ''}{number}")
            quads.append(Quad(event, NamedNode(RDF_TYPE), NamedNode(EV + klass), graph))
            quads += [Quad(event, NamedNode(EV + prop), Literal(text), graph) for prop, text in said]
            if len(said) > 1:
                quads.append(Quad(event, NamedNode(RDFS + "label"), Literal(said[0][1]), graph))
    return MemoryGraph(quads)


def rows(path: Path) -> dict[str, Any]:
    """All that an index holds, without its numbers."""
    with sqlite3.connect(path) as db:
        for table in ("value_words", "term_pieces"):
            rank = "1" if table == "value_words" else "0"
            db.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', {rank})")
        queries = {
            "events": "SELECT e.iri, c.iri FROM event e JOIN class c ON c.id = e.class",
            "postings": "SELECT e.iri, p.iri, v.text, v.language FROM posting o JOIN event e ON e.id = o.event "
            "JOIN value v ON v.id = o.value JOIN property p ON p.id = v.property",
            "values": "SELECT p.iri, v.text, v.norm FROM value v JOIN property p ON p.id = v.property",
            "counts": "SELECT p.iri, v.text, c.iri, vc.events FROM value_class vc JOIN value v ON v.id = vc.value "
            "JOIN property p ON p.id = v.property JOIN class c ON c.id = vc.class",
            "uses": "SELECT p.iri, c.iri, u.events, u.texts FROM use u JOIN property p ON p.id = u.property "
            "JOIN class c ON c.id = u.class",
            "words": "SELECT text, stem, times FROM term",
            "pieces": "SELECT t.text FROM term_pieces g LEFT JOIN term t ON t.id = g.rowid",
            "classes": "SELECT iri, events FROM class WHERE events > 0",
            "statistics": "SELECT value FROM meta WHERE key = 'statistics'",
        }
        return {name: sorted(db.execute(query).fetchall(), key=repr) for name, query in queries.items()}


def opened(folder: Path, graph: MemoryGraph, generation: str) -> None:
    open_index(folder, graph, VOCABULARY, generation=generation).close()


@pytest.mark.parametrize("apart", [True, False], ids=["sources apart", "subjects in common"])
@given(states=states)
@settings(max_examples=25)
def test_any_series_of_imports_leaves_what_a_build_gives(apart: bool, states: list[dict[str, dict[int, Told]]]) -> None:
    with tempfile.TemporaryDirectory() as kept, tempfile.TemporaryDirectory() as fresh:
        for number, state in enumerate(states):
            opened(Path(kept), graph_of(state, apart=apart), str(number))
        last = graph_of(states[-1], apart=apart)
        opened(Path(fresh), last, "fresh")
        assert rows(Path(kept) / "values.sqlite") == rows(Path(fresh) / "values.sqlite")
        with open_index(Path(kept), last, VOCABULARY, generation=str(len(states) - 1)) as index:
            assert index.statistics == counted_statistics.gather(last)


FIRST = {"a": {1: ("Note", (("text", "a book about tides"),))}, "b": {1: ("Note", (("text", "Ana ran"),))}}
SECOND = {**FIRST, "b": {1: ("Note", (("text", "Ana ran"),)), 2: ("Workout", (("title", "Trail Running"),))}}


def test_a_source_that_is_as_it_was_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path, graph_of(FIRST, apart=True), "1")
    read: list[str] = []
    described = MemoryGraph.described
    monkeypatch.setattr(MemoryGraph, "described", lambda self, iri: (read.append(iri), described(self, iri))[1])
    opened(tmp_path, graph_of(SECOND, apart=True), "2")
    assert source_graph("b") in read
    assert source_graph("a") not in read


def test_what_nothing_tells_the_content_of_is_read_again(tmp_path: Path) -> None:
    opened(tmp_path, graph_of(FIRST, apart=True, digests=False), "1")
    opened(tmp_path, graph_of(SECOND, apart=True, digests=False), "2")
    with open_index(tmp_path, MemoryGraph(), VOCABULARY, generation="2") as index:
        assert [value.text for value in index.equal_to("trail runs")] == ["Trail Running"]


def test_another_vocabulary_has_the_index_built_anew(tmp_path: Path) -> None:
    opened(tmp_path, graph_of(FIRST, apart=True), "1")
    hidden = Quad(NamedNode(EV + "text"), NamedNode(EV + "internal"), Literal(True), NamedNode("urn:more"))
    graph = graph_of(FIRST, apart=True)
    graph.add([hidden])
    with open_index(tmp_path, graph, VOCABULARY, generation="2") as index:
        assert not index.containing("book")


def test_an_update_that_fails_leaves_the_index_of_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path, graph_of(FIRST, apart=True), "1")
    before = rows(tmp_path / "values.sqlite")

    def killed(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("reqap_kg.store.index.index_update.as_json", killed)
    with pytest.raises(KeyboardInterrupt):
        opened(tmp_path, graph_of(SECOND, apart=True), "2")
    monkeypatch.undo()
    assert rows(tmp_path / "values.sqlite") == before
    opened(tmp_path, graph_of(SECOND, apart=True), "2")
    assert rows(tmp_path / "values.sqlite") != before


def test_an_index_that_two_generations_have_is_copied_before_it_changes(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    opened(one, graph_of(FIRST, apart=True), "1")
    before = rows(one / "values.sqlite")
    (other / "values.sqlite").hardlink_to(one / "values.sqlite")
    opened(other, graph_of(SECOND, apart=True), "2")
    assert rows(one / "values.sqlite") == before
    assert rows(other / "values.sqlite") != before
    assert [path.name for path in other.iterdir()] == ["values.sqlite"]


def test_a_file_of_another_format_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "FORMAT", "0")
    opened(tmp_path, graph_of(FIRST, apart=True), "1")
    monkeypatch.undo()
    opened(tmp_path, graph_of(SECOND, apart=True), "2")
    with open_index(tmp_path, MemoryGraph(), VOCABULARY, generation="2") as index:
        assert index.equal_to("trail runs")
