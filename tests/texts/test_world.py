"""Towns and countries by name: what is known by its bare name, what needs its context, and what is never a place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.texts.lexicon.lexicon import Cue, load_lexicon
from reqap_kg.texts.lexicon.world import CITY, COUNTRY, world
from reqap_kg.texts.tokens import tokens
from reqap_kg.texts.words import is_word

LEXICON = load_lexicon()
WORDS = ["Nice", "Reading", "Mobile", "Bath", "Split", "Cork", "Most", "Hull", "Orange"]


def places(text: str, key: str = CITY) -> list[Cue]:
    return [cue for cue in LEXICON.cues(text, keys=[key])]


def strong(text: str, key: str = CITY) -> set[str]:
    return {cue.value for cue in places(text, key) if not cue.weak}


@pytest.mark.parametrize("town", WORDS)
def test_a_name_that_is_a_word_needs_its_context(town: str) -> None:
    for beside in (f"{town} evening with Ann", f"we had a {town.lower()} time", f"{town}: see below", f"{town}."):
        assert not places(beside), beside
    for there in (f"a week in {town}", f"the train to {town}", f"Flight from {town} delayed"):
        assert town in strong(there), there


@pytest.mark.parametrize(
    ("text", "town", "country"),
    [
        ("Lisbon was lovely", "Lisbon", "Portugal"),
        ("Lisbon's trams", "Lisbon", "Portugal"),
        ("off to lisbon tomorrow", "Lisbon", "Portugal"),
        ("#lisbon", "Lisbon", "Portugal"),
        ("three days in Köln", "Köln", "Germany"),
        ("three days in Cologne", "Köln", "Germany"),
        ("flights to New York", "New York City", "United States"),
        ("Saint-Malo, France", "Saint-Malo", "France"),
        ("a hotel in Malaga", "Málaga", "Spain"),
        ("Duluth, MN", "Duluth", "United States"),
        ("São Paulo at night", "São Paulo", "Brazil"),
    ],
)
def test_towns_say_their_country(text: str, town: str, country: str) -> None:
    assert strong(text) == {town}
    assert strong(text, COUNTRY) >= {country}


@pytest.mark.parametrize(
    "name", ["Phoenix Park", "Kyoto Lane", "Chester Beatty", "Oxford Street", "Vienna Philharmonic"]
)
def test_a_longer_name_is_no_town(name: str) -> None:
    assert not places(f"a walk in {name} with Ann")
    assert not places(f"a walk in {name} with Ann", COUNTRY)


def test_a_day_after_a_town_is_no_part_of_its_name() -> None:
    assert strong("Flying to Vienna Saturday") == {"Vienna"}


def test_a_town_that_several_countries_have_says_none() -> None:
    assert strong("a weekend in Cambridge") == {"Cambridge"}
    assert not strong("a weekend in Cambridge", COUNTRY)


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("back from Wales", "United Kingdom"),
        ("the UK again", "United Kingdom"),
        ("visa for the USA", "United States"),
        ("Turkey in May", "Turkey"),
        ("a tour of South Korea", "South Korea"),
        ("portugal next year", "Portugal"),
    ],
)
def test_countries(text: str, country: str) -> None:
    assert strong(text, COUNTRY) == {country}


@pytest.mark.parametrize("text", ["roast turkey", "the good china", "Of course", "Man of the match", "Italian food"])
def test_no_country_nor_town(text: str) -> None:
    assert not strong(text) | strong(text, COUNTRY)


def test_a_state_that_is_called_like_a_country_is_in_doubt() -> None:
    assert not strong("Georgia called", COUNTRY)
    assert strong("a week in Georgia", COUNTRY) == {"Georgia"}


@given(st.text(max_size=60))
def test_any_text_is_read_and_places_lie_in_it(text: str) -> None:
    found = tokens(text)
    ends = [0]
    for said in world().said(text, found):
        assert ends[-1] <= said.first < said.last <= len(found)
        ends.append(said.last)


LARGE = sorted({name.place for name in world().names.values() if name.key == CITY and name.small and not name.weak})


@given(st.sampled_from(LARGE))
def test_every_large_town_is_found_where_one_goes(town: str) -> None:
    """Small letters do not hide one, but where the name is a word."""
    assert strong(f"we flew to {town} on Friday") or strong(f"we flew to {town} on Friday", COUNTRY)
    if not is_word(town.casefold()):
        assert places(f"we flew to {town.casefold()} on Friday") or places(f"to {town.casefold()}", COUNTRY)
