"""The words of a text that tell of an answer, and which of several texts stands for a happening."""

from __future__ import annotations

from pathlib import Path

import pytest
from derived_life import DINNERS, NOW, without_weights

from reqap_kg.engine.answers.telling import Sought, Telling, happenings, tellings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.extraction.page import Found
from reqap_kg.extraction.written import write_texts
from reqap_kg.operators.nodes import AttributeType, Extract, Retrieve
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import Literal, NamedNode, Quad
from reqap_kg.texts.phrase import Group

EV = "https://w3id.org/reqap-kg/event#"
MAIL = "urn:mail"


class _Written(MemoryGraph):
    """A graph in memory to which derivations are written."""

    def replace_graph(self, iri, triples) -> None:
        self.add(Quad(one.subject, one.predicate, one.object, NamedNode(iri)) for one in triples)

    def drop_graphs(self, iris) -> None:
        """Nothing is dropped here."""


def _graph(subject: str, text: str) -> _Written:
    mail = NamedNode(MAIL)
    kind = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    said = [(kind, NamedNode(EV + "Mail")), (NamedNode(EV + "subject"), Literal(subject))]
    said.append((NamedNode(EV + "text"), Literal(text)))
    return _Written([Quad(mail, prop, value, NamedNode("urn:source")) for prop, value in said])


def _marked(found: Telling) -> list[str]:
    return [text for text, marked in (*found.title, *found.passage) if marked]


FOOD = Group("food", frozenset({"food"}), frozenset({"dinner"}), frozenset({"pizza", "cacio e pepe"}), plain=False)


def test_words_that_were_looked_for_are_marked_in_any_form() -> None:
    graph = _graph("the dinners", "We had Pizzas, then cacio  e pepe, and talked.")
    found = tellings([MAIL], Sought(words=(FOOD,)), graph)[MAIL]
    assert _marked(found) == ["dinners", "Pizzas", "cacio e pepe"]
    assert "".join(text for text, _ in found.title) == "the dinners"
    assert "".join(text for text, _ in found.passage) == "We had Pizzas, then cacio e pepe, and talked."


def test_a_long_text_is_cut_between_words_around_what_tells() -> None:
    graph = _graph("Hello", f"{'before ' * 40}the pizza was good {'after ' * 40}")
    said = "".join(text for text, _ in tellings([MAIL], Sought(words=(FOOD,)), graph)[MAIL].passage)
    assert said.startswith("… before")
    assert said.endswith("after …")
    assert "the pizza was good" in said
    assert len(said) < 160


def test_a_text_in_which_nothing_tells_shows_its_beginning() -> None:
    found = tellings([MAIL], Sought(words=(FOOD,)), _graph("Hello", f"First words. {'more ' * 60}"))[MAIL]
    assert _marked(found) == []
    assert "".join(text for text, _ in found.passage).startswith("First words.")
    assert found.title == ()


def test_words_that_were_read_stand_where_they_were_read(monkeypatch: pytest.MonkeyPatch, small_life: Path) -> None:
    graph = _graph("Hello", "A trattoria, and another trattoria.")
    from reqap_kg.execution.derivations.derive import Step

    step = Step("EXTRACT", "cuisine as str in texts of urn:x", "rules", "1", "d")
    place = "Hello | A trattoria, and another ".__len__()
    read = {MAIL: (Found("Italian", place, place + 9, 0.9, "trattoria"),)}
    write_texts(graph, step, read, AttributeType.STR, unit=None, ended="2025-01-01T12:00:00")
    tree = Extract(Retrieve("food"), ("cuisine",), (AttributeType.STR,))
    sought = Sought.by(tree, graph, lambda query: ())
    found = tellings([MAIL], sought, graph)[MAIL]
    assert found.said == ("trattoria",)
    assert found.passage == (("A trattoria, and another ", False), ("trattoria", True), (".", False))
    other = Sought(keys=("participants",))
    assert _marked(tellings([MAIL], other, graph)[MAIL]) == []


def test_places_that_are_wrong_mark_nothing() -> None:
    graph = _graph("Hello", "Short.")
    from reqap_kg.execution.derivations.derive import Step

    step = Step("EXTRACT", "cuisine as str in texts of urn:x", "rules", "1", "d")
    read = {MAIL: (Found("Italian", 900, 909, 0.9, "trattoria"), Found("Thai", 0, 0, 0.9, ""))}
    write_texts(graph, step, read, AttributeType.STR, unit=None, ended="2025-01-01T12:00:00")
    assert _marked(tellings([MAIL], Sought(keys=("cuisine",)), graph)[MAIL]) == []


def test_a_search_says_how_sure_it_is_and_what_stands_for_what(
    monkeypatch: pytest.MonkeyPatch, small_life: Path, tmp_path: Path
) -> None:
    from shutil import copytree

    without_weights(monkeypatch)
    with KnowledgeGraph.open(Path(copytree(small_life, tmp_path / "store"))) as known:
        answer = known.run(f'RETRIEVE(query="{DINNERS}")', now=NOW)
        sought = Sought.by(Retrieve(DINNERS), known.graph, known.sought)
        events = [event.iri for event in answer.events]
        assert len(events) == 2
        assert len(sought.activities) == 1
        assert {group.words for group in sought.words} >= {"trattoria"}
        told = tellings(events, sought, known.graph)
        assert all(0 <= (one.sure or 0) <= 1 for one in told.values())
        assert all("trattoria" in [word.lower() for word in _marked(one)] for one in told.values())
        assert set(happenings(events, sought, known.graph).standing) <= set(events)
