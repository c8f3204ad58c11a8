"""Forms as tokens of a causal language model: what is said is read back, and nothing else may be said."""

from __future__ import annotations

import random

import pytest

from reqap_kg.models.planning.base_model import base_model
from reqap_kg.models.planning.form_tokens import Asked, Cursor, FormTokens
from reqap_kg.operators.forms.decoding import PERSON, form_of
from reqap_kg.operators.forms.grammar import format_form
from reqap_kg.planner.forms.lowering import CALENDAR_KEYS
from reqap_kg.training.corpus import CORPUS, Taught, keys_of, known_words, read_corpus, taught
from reqap_kg.training.forms import parse_form

from .tiny_llama import tiny_llama

KEYS = ("artist", "date", "distance", "participant", "song", "time")


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> FormTokens:
    held = base_model(tiny_llama(tmp_path_factory.mktemp("tiny")))
    pairs = read_corpus(CORPUS / "validation.jsonl")
    return FormTokens(held.tokenizer, held.shape.vocabulary, held.begin, KEYS, known_words(pairs))


@pytest.fixture(scope="module")
def examples(tokens: FormTokens) -> list[Taught]:
    pairs = read_corpus(CORPUS / "validation.jsonl") + read_corpus(CORPUS / "test.jsonl")
    return taught(pairs, frozenset(tokens.known.texts.values()))


def asked(tokens: FormTokens, one: Taught, keys: tuple[str, ...]) -> Asked:
    return Asked(tokens, one.words, one.begin, frozenset((*keys, *CALENDAR_KEYS)))


def test_what_is_said_is_read_back(tokens: FormTokens, examples: list[Taught]) -> None:
    keys = keys_of(read_corpus(CORPUS / "validation.jsonl") + read_corpus(CORPUS / "test.jsonl"))
    assert len(examples) > 900
    for one in examples:
        cursor = Cursor(asked(tokens, one, keys))
        for token in tokens.say(one.steps, one.words):
            assert token in cursor.allowed(), one.words
            cursor = cursor.after(token)
        assert cursor.done
        assert form_of(cursor.steps, one.words) == form_of(one.steps, one.words)


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_allowed_is_a_form(tokens: FormTokens, examples: list[Taught], seed: int) -> None:
    rng = random.Random(seed)
    one = rng.choice(examples)
    cursor = Cursor(asked(tokens, one, ("distance", "waiting_time", "ward", "artist")))
    closing = [tokens.number(name) for name in ("events", "count", "<stop>", "<end>", "<sep>", "=", "@artist")]
    for _ in range(9_000):
        allowed = sorted(cursor.allowed())
        assert allowed
        ends = [token for token in allowed if token in closing] if rng.random() < 0.8 else []
        cursor = cursor.after(rng.choice(ends or allowed))
        if cursor.done:
            break
    form = form_of(cursor.steps, one.words)
    assert parse_form(format_form(form)) == form


def test_marks_stand_behind_their_words(tokens: FormTokens) -> None:
    words = ("songs", "by", "Nick", "Cave", "with", "Ines")
    none = frozenset[str]()
    marks = (none, none, frozenset({"artist"}), frozenset({"artist"}), none, frozenset({PERSON}))
    assert own_names(tokens, tokens.prompt(words, marks)) == ["@artist", PERSON, "<ask>"]
    spelled = tokens.prompt(("Ward",), (frozenset({"waiting_time"}),))
    assert own_names(tokens, spelled) == ["<key>", "<ask>"]
    assert spelled[-1 - len(tokens.text("waiting time")) : -1] == list(tokens.text("waiting time"))


def own_names(tokens: FormTokens, ids: list[int]) -> list[str]:
    """The tokens of our own among others."""
    return [tokens.own[token - tokens.base] for token in ids if token >= tokens.base]


def test_each_of_our_own_tokens_means_something(tokens: FormTokens) -> None:
    assert all(tokens.meanings)
    assert len(tokens.meanings) == len(set(tokens.own))


def test_only_words_of_the_question_and_known_ones_may_be_said(tokens: FormTokens) -> None:
    one = asked(tokens, Taught(("how", "often", "did", "I", "swim"), 0, ()), ("time",))
    cursor = Cursor(one).after(tokens.number("count")).after(tokens.number("events"))
    for token in tokens.text("zebra"):
        if token not in cursor.allowed():
            return
        cursor = cursor.after(token)
    pytest.fail("a word that stands nowhere was allowed")
