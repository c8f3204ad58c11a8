"""Rules become sentences, and only such as have values for all that they name."""

from __future__ import annotations

import random

import pytest

from reqap_kg.bench.lives.catalogue import stock
from reqap_kg.bench.lives.grammar import Grammar, slots

GRAMMAR = Grammar({"meal": ["<had> {dish}[ with {who}]", "<had> nothing"], "had": ["(I|we) had", "there was"]})


def said(rule: str, values: dict[str, str | None]) -> set[str]:
    """All that a rule says in many tries."""
    found = (GRAMMAR.expand(random.Random(seed), rule, values) for seed in range(200))
    return {sentence[0] for sentence in found if sentence}


def test_a_rule_says_all_of_its_alternatives() -> None:
    assert said("meal", {"dish": "soup", "who": "Ann"}) == {
        f"{had} {rest}" for had in ("I had", "we had", "there was") for rest in ("soup", "soup with Ann", "nothing")
    }


def test_forms_without_values_are_left_out_and_optional_parts_too() -> None:
    assert said("meal", {"dish": None, "who": "Ann"}) == {"I had nothing", "we had nothing", "there was nothing"}
    assert not any("Ann" in text or "{" in text for text in said("meal", {"dish": "soup", "who": None}))
    assert GRAMMAR.say(random.Random(1), "{dish} again", {"dish": None}) is None


def test_the_slots_that_were_said_are_told() -> None:
    for seed in range(50):
        found = GRAMMAR.expand(random.Random(seed), "meal", {"dish": "soup", "who": "Ann"})
        assert found is not None
        assert found[1] == {slot for slot, word in (("dish", "soup"), ("who", "Ann")) if word in found[0]}


def test_brackets_that_shall_stand_are_written_otherwise() -> None:
    assert GRAMMAR.say(random.Random(1), "call ⟨video⟩  , then tea .", {}) == ("call (video), then tea.", frozenset())


@pytest.mark.parametrize("form", ["(a|b", "[a", "a)"])
def test_brackets_must_match(form: str) -> None:
    with pytest.raises(ValueError, match="bracket"):
        GRAMMAR.say(random.Random(1), form, {})


def test_all_shipped_forms_can_be_read_and_all_rules_exist() -> None:
    rules = stock("texts")
    grammar = Grammar(rules)
    for name, forms in rules.items():
        values: dict[str, str | None] = dict.fromkeys(
            (slot for row in rules.values() for f in row for slot in slots(f)), "x"
        )
        for form in forms:
            assert grammar.say(random.Random(1), form, values) is not None, name
