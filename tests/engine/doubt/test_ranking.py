"""One probability for every answer, and what is said where it is in doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reqap_kg.engine.asking.grounds import SURE as RANKING_SURE
from reqap_kg.engine.asking.grounds import Evidence, Grounds, Weights, chance, in_doubt

SURE = Evidence(mass=0.9, share=1.0, top=1.0, rules=0.9, against=0.0, later=0.0)
CAUSAL = {"causal", "causal_share", "causal_top"}


@pytest.mark.parametrize(
    "grounds",
    [
        Grounds(recorded=0.0, told=1.0, clear=0.1),
        Grounds(recorded=0.0, nothing=1.0, joined=1.0),
        Grounds(recorded=0.0, several=1.0),
        Grounds(recorded=0.0, unmet=1.0),
    ],
)
def test_weaker_grounds_make_less_likely(grounds: Grounds) -> None:
    weights = Weights()
    assert weights.probability(replace(SURE, grounds=grounds)) < weights.probability(SURE)


def test_every_weight_has_its_evidence() -> None:
    assert set(SURE.values()) == set(vars(Weights())) - {"bias"} - CAUSAL
    asked = replace(SURE, causal=0.5, causal_share=1.0, causal_top=1.0)
    assert set(asked.values()) == set(vars(Weights())) - {"bias"}


def test_what_rules_read_in_records_needs_no_other() -> None:
    weights, alone = Weights(), replace(SURE, mass=0.0, share=0.0, top=0.0)
    assert weights.probability(alone) >= RANKING_SURE
    assert weights.probability(replace(alone, grounds=Grounds(recorded=0.0, told=1.0, clear=0.5))) < RANKING_SURE


def test_chances_grow_with_scores() -> None:
    found = [chance(score / 100) for score in range(0, 101, 5)]
    assert found == sorted(found)
    assert all(0 <= one <= 1 for one in found)


@pytest.mark.parametrize(
    ("grounds", "left_out", "told"),
    [
        (Grounds(words=("Khruangbin",)), (), "nothing that I found tells of “Khruangbin”"),
        (Grounds(empty=("the trip",)), (), "I found nothing for “the trip”"),
        (Grounds(several=1.0), (), "more than one fits"),
        (Grounds(told=1.0, clear=0.2), (), "this rests on texts"),
        (Grounds(), ("blue",), "I did not use “blue”"),
        (Grounds(), (), "the number of “runs”"),
    ],
)
def test_the_sentence_says_what_is_not_sure(grounds: Grounds, left_out: tuple[str, ...], told: str) -> None:
    said = in_doubt("the number of “runs”", left_out, replace(SURE, grounds=grounds))
    assert told in said
    assert said.startswith("I am not sure")
    assert said.endswith(".")
