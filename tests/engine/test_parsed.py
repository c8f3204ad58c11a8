"""Asking with the parser: two things in one question, and a reading in doubt that is offered and taken up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.config import MODEL, Settings
from reqap_kg.engine import knowledge
from reqap_kg.engine.conversation.conversation import asked
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import ConfigError, NotUnderstood
from reqap_kg.planner.proposers.linking import Linking, Marks
from reqap_kg.planner.proposers.parsing import FIRST, FormProposer, Parse, Parsed
from reqap_kg.planner.search.plan import Planner
from reqap_kg.training.forms import parse_form

NOW = datetime(2025, 1, 1, 12)
ODD = "wherefore my scribblings, pray"
"""A question that no rule reads."""
BOTH = 'both(count(events("notes I wrote")), get(date, last(events("notes I wrote"))))'


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    for number, day in enumerate(("2024-05-01", "2024-06-02")):
        (folder / f"n{number}.md").write_text(f"---\ndate: {day}\ntitle: Tap\n---\n# Tap\n\nLeaks.\n", encoding="utf-8")
    ingest(sorted(folder.glob("*.md")), folder / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), NOW))
    return folder / "store"


def parses(
    monkeypatch: pytest.MonkeyPatch, form: str, score: float, causal: Sequence[tuple[str, float]] | None = None
) -> None:
    """Lets the parser read every question so, and a causal language model where that is given."""

    def parsing(read: Sequence[tuple[str, float]]) -> Parse:
        def parse(words: Sequence[str], gaps: Sequence[str], marks: Marks) -> tuple[Parsed, ...]:
            assert len(words) == len(gaps) == len(marks)
            return tuple(Parsed(parse_form(text), sure) for text, sure in read)

        return parse

    def proposer(_: Settings, planner: Planner) -> FormProposer:
        also = None if causal is None else parsing(causal)
        return FormProposer(planner, Linking(planner, ()), parsing([(form, score)]), lambda _: True, also)

    monkeypatch.setattr(knowledge, "form_proposer", proposer)


def test_two_things_in_one_question_are_both_answered(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parses(monkeypatch, BOTH, 0.9)
    with KnowledgeGraph.open(store) as known:
        found = known.ask(ODD, now=NOW)
        planned = known.plan(ODD, now=NOW)
    assert found.planner == MODEL
    assert [part.values for part in found.each] == [(2,), ("2024-06-02",)]
    latest = "Sunday, 2 June 2024, the latest of the notes, by Markdown."
    assert found.text == f"2 notes, by Markdown. {latest}"
    also = found.as_json()["also"]
    assert (also["answer"], also["answer_type"]) == (["2024-06-02"], "date")
    assert len({part.sparql for part in found.each}) == 2
    assert "; and " in planned.in_words
    assert planned.as_json()["also"]["plan"] == planned.each[1].tree


def test_the_forms_of_a_causal_model_join_the_list(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count, show = 'count(events("notes I wrote"))', 'show(events("notes I wrote"))'
    parses(monkeypatch, count, 0.5, [(count, 0.3), (show, 0.6)])
    with KnowledgeGraph.open(store) as known:
        found = {one.form: evidence for one, evidence in known.proposals.weighed(ODD, FIRST, now=NOW)}
    both, alone = found[parse_form(count)], found[parse_form(show)]
    assert (both.mass, both.causal) == (0.5, 0.3)
    assert (alone.mass, alone.causal, alone.causal_share) == (0.0, 0.6, pytest.approx(2 / 3))
    assert both.share == both.top == 1.0


def test_without_a_causal_model_nothing_is_said_of_it(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parses(monkeypatch, 'count(events("notes I wrote"))', 0.9)
    with KnowledgeGraph.open(store) as known:
        ((_, evidence),) = known.proposals.weighed(ODD, FIRST, now=NOW)
    assert evidence.causal is None
    assert "causal" not in evidence.values()


def test_a_causal_model_whose_weights_are_not_there_is_told(store: Path, tmp_path: Path) -> None:
    settings = Settings(causal_model=str(tmp_path))
    with KnowledgeGraph.open(store, settings) as known, pytest.raises(ConfigError, match="no adapter"):
        known.ask(ODD, now=NOW)


def test_two_things_of_which_one_is_not_there_are_not_half_answered(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parses(monkeypatch, 'both(count(events("notes I wrote")), count(events("zeppelins I flew")))', 0.9)
    with KnowledgeGraph.open(store) as known, pytest.raises(NotUnderstood) as bad:
        known.ask(ODD, now=NOW)
    assert any("zeppelins" in detail for detail in bad.value.details)


def test_a_reading_in_doubt_is_offered_and_may_be_taken_up(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parses(monkeypatch, 'count(events("notes I wrote"))', 0.0)
    monkeypatch.setattr("reqap_kg.engine.asking.proposals.LIKELY", 0.95)
    with KnowledgeGraph.open(store) as known:
        doubtful = asked(known, ODD, (), now=NOW)
        assert isinstance(doubtful.failure, NotUnderstood)
        said = known.refused(ODD, doubtful.failure, now=NOW).text
        assert said.endswith(f"do you mean: {doubtful.failure.reading}?")
        taken = asked(known, "yes please", (doubtful,), now=NOW)
        assert taken.answer is not None
        assert taken.answer.values == (2,)
        assert taken.resolved == ODD
        other = asked(known, "How many notes did I write in May 2024?", (doubtful,), now=NOW)
        assert other.answer is not None
        assert other.answer.values == (1,)
