"""The corpus as training sees it: varied questions still say their forms, and marks fit the words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from reqap_kg.operators.forms.decoding import OWNER, PERSON, form_of
from reqap_kg.operators.forms.grammar import words_in
from reqap_kg.training.corpus import (
    Taught,
    Variations,
    copied,
    keys_of,
    known_words,
    read_corpus,
    slots,
    taught,
    with_known_keys,
)
from reqap_kg.training.marks import UNKNOWN, marks

CORPUS = Path(__file__).resolve().parents[2] / "corpus"


@pytest.fixture(scope="module")
def examples() -> list[Taught]:
    pairs = with_known_keys(read_corpus(CORPUS / "train.jsonl")[::8])
    return taught(pairs, frozenset(known_words(pairs)))


def test_whatever_is_varied_a_form_can_be_read_of_it(examples: list[Taught]) -> None:
    varying = Variations(examples, 3)
    for one in (varying.varied(one) for one in examples):
        form = form_of(one.steps, one.words)
        spans = [" ".join(one.words[first : last + 1]) for first, last in copied(one)]
        said = " ".join(words_in(form))
        assert all(span in said for span in spans)


def test_variations_bring_in_other_values(examples: list[Taught]) -> None:
    varying = Variations(examples, 3)
    changed = sum(varying.varied(one).words != one.words for one in examples)
    assert changed > len(examples) / 2


def test_marks_are_of_words_that_conditions_copy_and_seldom_of_others(examples: list[Taught]) -> None:
    rng = random.Random(1)
    inside = outside = right = 0
    for one in examples:
        found = marks(one, ["artist", "shop"], rng)
        assert len(found) == len(one.words)
        of_slot = {at: slot.key for slot in slots(one) for at in range(slot.first, slot.last + 1)}
        for at, told in enumerate(found):
            if at in of_slot and of_slot[at] not in UNKNOWN:
                inside += bool(told)
                right += of_slot[at] in told or PERSON in told
            elif told - {OWNER}:
                outside += 1
    assert right > 0.9 * inside
    assert outside < inside


def test_attributes_that_hardly_anybody_names_are_left_out() -> None:
    pairs = read_corpus(CORPUS / "train.jsonl")
    kept = with_known_keys(pairs)
    assert 0.9 * len(pairs) < len(kept) < len(pairs)
    assert "artist" in keys_of(kept)


def test_later_turns_know_the_form_of_the_question_before_them() -> None:
    pairs = [pair for pair in read_corpus(CORPUS / "train.jsonl") if pair.earlier]
    assert sum(pair.before is None for pair in pairs) < 10
    asked = {(pair.life, pair.question.casefold()): pair.form for pair in read_corpus(CORPUS / "train.jsonl")}
    alone = [pair for pair in pairs if len(pair.earlier) == 1 and pair.before is not None]
    same = sum(pair.before == asked.get((pair.life, pair.earlier[0].casefold())) for pair in alone)
    assert same > 0.95 * len(alone)  # the rest was asked twice in the same life, with different forms
