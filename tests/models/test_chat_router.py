"""The router of talk: what trains it, how it trains, and what the shipped weights make of questions kept aside."""

from __future__ import annotations

from pathlib import Path

import pytest

from reqap_kg.errors import ConfigError
from reqap_kg.models.planning.chat_router import FOLDER, KINDS, PARTS, WEIGHTS, ChatRouter
from reqap_kg.texts.tokens import pieces
from reqap_kg.training.chat import examples, measured, trained
from reqap_kg.training.chat_questions import DATA, questions, read, written
from reqap_kg.training.word_networks import Plan

ASIDE = Path(__file__).parent / "chat_questions.txt"


def test_marks_are_read() -> None:
    found = read("B What did <Tom> say about {his job} [last week]?")
    assert found.kind == "both"
    assert found.words == ("What", "did", "Tom", "say", "about", "his", "job", "last", "week", "?")
    assert found.parts == (*("other",) * 2, "speaker", *("other",) * 2, "topic", "topic", "time", "time", "other")


@pytest.mark.parametrize("line", ["X What?", "M What [did?", "M What] did?", "M <a {b> c}", "What"])
def test_wrong_marks_are_told(line: str) -> None:
    with pytest.raises(ConfigError):
        read(line)


def test_there_is_enough_to_learn_from_and_nothing_of_it_is_kept_aside() -> None:
    lines = written()
    assert len(lines) >= 600
    assert {read(line).kind for line in lines} == set(KINDS)
    assert not {read(line).words for line in lines} & {read(line).words for line in written(ASIDE)}


@pytest.mark.long
def test_variants_are_the_same_for_the_same_seed() -> None:
    made = list(questions(900, seed=3))
    assert list(questions(900, seed=3)) == made
    assert list(questions(900, seed=4)) != made
    assert all(len(one.words) == len(one.parts) and set(one.parts) <= set(PARTS) for one in made)
    assert all(tuple([piece.text for piece in pieces(" ".join(one.words))]) == one.words for one in made[:300])


@pytest.mark.model
def test_it_learns(tmp_path: Path) -> None:
    few = tmp_path / "few.txt"
    few.write_text("\n".join(written(DATA)[::40]), encoding="utf-8")
    asked = [read(line) for line in written(few)]
    network = trained(asked * 2, Plan(epochs=14, batch=8))
    assert measured(network, examples(asked))["kinds"] > 0.9


def test_the_shipped_weights_are_small() -> None:
    assert (FOLDER / WEIGHTS).stat().st_size < 300_000


@pytest.mark.model
def test_what_was_kept_aside_is_read() -> None:
    router = ChatRouter()
    right = talk = 0
    lines = written(ASIDE)[::3]
    for line in lines:
        asked = read(line)
        kinds = router.read(asked.words).kinds
        kind = KINDS[kinds.index(max(kinds))]
        right += kind == asked.kind
        talk += (kind == KINDS[0]) == (asked.kind == KINDS[0])
    assert right >= 0.85 * len(lines)
    assert talk >= 0.9 * len(lines)


@pytest.mark.model
def test_a_time_may_be_what_is_spoken_of() -> None:
    router = ChatRouter()

    def is_time(question: str, word: str) -> bool:
        words = [piece.text for piece in pieces(question)]
        return router.read(words).parts[words.index(word)][PARTS.index("time")] >= 0.5

    assert is_time("What did Kwame talk about last month?", "month")
    assert not is_time("What did Kwame say about last month?", "month")


@pytest.mark.model
def test_words_beyond_the_longest_question_stand_for_nothing() -> None:
    found = ChatRouter().read(["word"] * 400)
    assert len(found.parts) == 400
    assert found.parts[-1] == (1.0, 0.0, 0.0, 0.0)
