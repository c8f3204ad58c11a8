"""Words that nobody knows: no reading rests on them, nothing is searched for them, none is offered."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.engine.asking.grounds import KnownWords
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import NotUnderstood
from reqap_kg.retrieval import retrieve
from reqap_kg.texts.lexicon.lexicon import load_lexicon

NOW = datetime(2025, 3, 1, 12)


@pytest.fixture(scope="module")
def known(demo_store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(demo_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def words(known: KnowledgeGraph) -> KnownWords:
    return KnownWords(known.index, known.vocabulary, known._people, load_lexicon)


def _invented(seed: int) -> str:
    """A word of letters that no language puts together so."""
    draw = random.Random(seed)
    return "".join(draw.choice("qxzjvwk") + draw.choice("aeiou") for _ in range(4))


@pytest.mark.parametrize("seed", range(5))
def test_what_nobody_knows_is_unknown(words: KnownWords, seed: int) -> None:
    assert words.unknown(["runs", _invented(seed), "2024"]) == (_invented(seed),)


@pytest.mark.parametrize("word", ["Gwenno", "Gweno", "running", "podcasts", "bacalhau", "the", "5k"])
def test_the_data_and_what_describes_it_know_a_word_or_what_is_misspelt(words: KnownWords, word: str) -> None:
    assert words.by_data(word)


@pytest.mark.parametrize("word", ["unicorn", "volcano"])
def test_english_knows_more_than_the_data(words: KnownWords, word: str) -> None:
    assert words.by_anybody(word)
    assert not words.by_data(word)


@pytest.mark.model
@pytest.mark.parametrize("question", ["What is the {0} of my {1}?", "{0} {1}", "How {0} was my {1} in 2024?"])
def test_nothing_is_searched_or_offered_for_such_words(
    known: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    def searched(*_: object) -> None:
        raise AssertionError("a search was made")

    monkeypatch.setattr(retrieve, "search_events", searched)
    strange = _invented(7), _invented(8)
    with pytest.raises(NotUnderstood) as caught:
        known.ask(question.format(*strange), now=NOW)
    missing = known.refused(question.format(*strange), caught.value, now=NOW).missing
    assert missing is not None
    assert all(word in missing.text for word in strange)
    assert missing.offered is not None
    assert not any(word in missing.offered for word in strange)
    assert "do you mean" not in missing.text
