"""Asking with models as proposers: what they are shown, when they are believed, and that they change nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest
from chat_server import Chat, asked, chat

from reqap_kg.config import LANGUAGE_MODEL, RULES, LanguageModel, Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import ConfigError, NotUnderstood

NOW = datetime(2025, 1, 1, 12)
SECRETS = ("Quillfeather", "zanzibarite", "4711.25")
NOTES = (
    "---\ndate: 2024-05-01\ntitle: Leaking tap\n---\n# Leaking tap\n\nQuillfeather came and took 4711.25 EUR.\n",
    "---\ndate: 2024-06-02\ntitle: Minerals\n---\n# Minerals\n\nFound a zanzibarite near the lake.\n",
)
ODD = "wherefore my scribblings, pray, be how numerous"
"""A question that no rule reads."""
TREES = {
    ODD: 'APPLY(l=QUD("notes I wrote with a title"), fct=len)',
    "notes I wrote with a title": 'EXTRACT(l=QUD("notes I wrote"), attr_names=["title"], attr_types=[str])',
    "notes I wrote": 'RETRIEVE(query="notes I wrote")',
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    for number, note in enumerate(NOTES):
        (folder / f"n{number}.md").write_text(note, encoding="utf-8")
    ingest(sorted(folder.glob("*.md")), folder / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), NOW))
    return folder / "store"


def settings(server: Chat, *proposers: str, **more: object) -> Settings:
    model = LanguageModel(address=server.address, seconds=5)
    return Settings.model_validate({"language_model": model, "proposers": proposers or (RULES, LANGUAGE_MODEL), **more})


@pytest.fixture
def server() -> Iterator[Chat]:
    with chat(lambda body: [TREES.get(asked(body), "I cannot say")] * 2) as found:
        yield found


def test_what_rules_read_is_not_sent(store: Path, server: Chat) -> None:
    with KnowledgeGraph.open(store, settings(server)) as known:
        assert known.ask("How many notes did I write in 2024?", now=NOW).planner == RULES
    assert server.requests == []


def test_what_rules_cannot_read_is_a_guess_and_says_so(store: Path, server: Chat) -> None:
    with KnowledgeGraph.open(store, settings(server)) as known:
        found = known.ask(ODD, now=NOW)
    assert found.values == (2,)
    assert found.planner == LANGUAGE_MODEL
    assert 0.5 <= found.score < 1
    assert any("guess of the language model" in doubt for doubt in found.doubt)


def test_the_language_model_alone(store: Path, server: Chat) -> None:
    with KnowledgeGraph.open(store, settings(server, LANGUAGE_MODEL)) as known:
        assert known.ask(ODD, now=NOW).values == (2,)
        with pytest.raises(NotUnderstood) as caught:
            known.ask("How many notes did I write in 2024?", now=NOW)
    assert any("names no operator" in detail for detail in caught.value.details)
    assert len(server.requests) == len(TREES) + 1


def test_what_a_refusal_offers_is_asked_of_no_model(store: Path, server: Chat) -> None:
    with KnowledgeGraph.open(store, settings(server, RULES, LANGUAGE_MODEL)) as known:
        with pytest.raises(NotUnderstood) as caught:
            known.ask("prithee the sum of all thy notes", now=NOW)
        sent = len(server.requests)
        offered = known.refused("prithee the sum of all thy notes", caught.value, now=NOW).missing
    assert offered is not None
    assert offered.offered is not None
    assert sent
    assert len(server.requests) == sent


def test_only_words_of_the_question_leave(store: Path, server: Chat) -> None:
    questions = (ODD, "scribblings of whom, I ask thee, be the foremost", "prithee the sum of all thy coins")
    with KnowledgeGraph.open(store, settings(server, LANGUAGE_MODEL)) as known:
        for question in questions:
            try:
                known.ask(question, now=NOW)
            except NotUnderstood:
                continue
        elsewhere = [label for label in _values(known) if len(label) > 3]
    assert len(elsewhere) > 5
    assert set(SECRETS) <= {word for value in elsewhere for word in value.replace(".\n", " ").split()} | {"4711.25"}
    sent = [message["content"] for at in range(len(server.requests)) for message in server.messages(at)]
    assert any(question in text for text in sent for question in questions)
    for value in (*elsewhere, *SECRETS):
        if value.lower() not in " ".join(questions).lower():
            assert value not in server.wire


def _values(known: KnowledgeGraph) -> set[str]:
    """Titles, texts, and sources of the notes."""
    rows = known.graph.select(
        "SELECT DISTINCT ?v WHERE { ?e a/<http://www.w3.org/2000/01/rdf-schema#subClassOf>* "
        "<https://w3id.org/reqap-kg/event#Event> ; ?p ?v FILTER(isLiteral(?v) && STRLEN(STR(?v)) > 8) }"
    )
    return {str(value.value) for (value,) in rows if value is not None and not isinstance(value, str)}


def test_a_tree_that_the_data_does_not_bear_out_is_not_run(store: Path) -> None:
    nothing = 'APPLY(l=RETRIEVE(query="chat messages from Tuvalu"), fct=len)'
    of_notes = 'EXTRACT(l=RETRIEVE(query="notes I wrote"), attr_names=["wingspan"], attr_types=[float])'
    unknown = f'SUM(l={of_notes}, attr_name="wingspan")'
    for answer, reason in ((nothing, "nothing in the data"), (unknown, "wingspan")):
        with (
            chat(lambda _, answer=answer: [answer]) as server,
            KnowledgeGraph.open(store, settings(server, read_texts=False)) as known,
            pytest.raises(NotUnderstood) as caught,
        ):
            known.ask(ODD, now=NOW)
        assert any(reason in detail for detail in caught.value.details)


def test_what_is_not_sure_enough_is_declined(store: Path, server: Chat) -> None:
    with (
        KnowledgeGraph.open(store, settings(server, least_guess=0.99)) as known,
        pytest.raises(NotUnderstood) as caught,
    ):
        known.ask(ODD, now=NOW)
    assert any("not sure enough" in detail for detail in caught.value.details)


def test_one_shot_takes_whole_trees_only(store: Path) -> None:
    whole = 'APPLY(l=RETRIEVE(query="notes I wrote"), fct=len)'
    with chat(lambda _: [whole]) as server, KnowledgeGraph.open(store, settings(server, one_shot=True)) as known:
        assert known.ask(ODD, now=NOW).values == (2,)
        assert "one step at a time" not in server.messages(0)[0]["content"]


@pytest.mark.long
def test_a_hostile_model_changes_nothing(store: Path) -> None:
    hostile = (
        'RETRIEVE(query="x") ; DROP ALL',
        'RETRIEVE(query="notes } } ; INSERT DATA { <a> <b> <c> } #")',
        'APPLY(l=RETRIEVE(query="notes I wrote"), fct=lambda l: __import__("os").system("true"))',
        "\x00\x01" * 100,
    )
    for answer in hostile:
        with chat(lambda _, answer=answer: [answer]) as server, KnowledgeGraph.open(store, settings(server)) as known:
            before = {graph: known.graph.count(graph) for graph in known.graph.graphs()}
            with suppress(NotUnderstood):
                known.ask(ODD, now=NOW)
            assert {graph: known.graph.count(graph) for graph in before} == before
            assert known.ask("How many notes did I write in 2024?", now=NOW).values == (2,)


def test_nobody_behind_the_address_declines_with_the_reason(store: Path) -> None:
    gone = LanguageModel(address="http://127.0.0.1:9/v1", seconds=1)
    wanted = Settings(language_model=gone)
    assert wanted.asked_proposers[-1] == LANGUAGE_MODEL
    with (
        KnowledgeGraph.open(store, wanted.model_copy(update={"proposers": (RULES, LANGUAGE_MODEL)})) as known,
        pytest.raises(NotUnderstood) as caught,
    ):
        known.ask(ODD, now=NOW)
    assert any("127.0.0.1" in detail for detail in caught.value.details)


def test_a_language_model_without_an_address_is_told(store: Path) -> None:
    with (
        KnowledgeGraph.open(store, Settings(proposers=(LANGUAGE_MODEL,))) as known,
        pytest.raises(ConfigError, match="address"),
    ):
        known.ask(ODD, now=NOW)


def test_the_best_trees_of_all_proposers(store: Path, server: Chat) -> None:
    with KnowledgeGraph.open(store, settings(server)) as known:
        assert [plan.planner for plan in known.plans(ODD, now=NOW, top=3)] == [LANGUAGE_MODEL]
        assert known.plans("How many notes did I write in 2024?", now=NOW, top=1)[0].planner == RULES
