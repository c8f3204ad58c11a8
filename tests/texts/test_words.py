"""Forms of English words: those of a dictionary, and regular ones for what it does not know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.texts import words

VERBS = {
    "be": ("was", "been", "being"), "buy": ("bought", "bought", "buying"), "come": ("came", "come", "coming"),
    "cost": ("cost", "cost", "costing"), "cycle": ("cycled", "cycled", "cycling"),
    "drink": ("drank", "drunk", "drinking"), "eat": ("ate", "eaten", "eating"), "fly": ("flew", "flown", "flying"),
    "go": ("went", "gone", "going"), "hike": ("hiked", "hiked", "hiking"), "ring": ("rang", "rung", "ringing"),
    "listen": ("listened", "listened", "listening"), "meet": ("met", "met", "meeting"),
    "pay": ("paid", "paid", "paying"), "plan": ("planned", "planned", "planning"),
    "play": ("played", "played", "playing"), "read": ("read", "read", "reading"),
    "ride": ("rode", "ridden", "riding"), "run": ("ran", "run", "running"), "see": ("saw", "seen", "seeing"),
    "shop": ("shopped", "shopped", "shopping"), "sing": ("sang", "sung", "singing"),
    "spend": ("spent", "spent", "spending"), "swim": ("swam", "swum", "swimming"),
    "teach": ("taught", "taught", "teaching"), "try": ("tried", "tried", "trying"),
    "visit": ("visited", "visited", "visiting"), "wear": ("wore", "worn", "wearing"),
    "write": ("wrote", "written", "writing"), "google": ("googled", "googled", "googling"),
    "zumba": ("zumbaed", "zumbaed", "zumbaing"), "podcast": ("podcasted", "podcasted", "podcasting"),
}  # fmt: skip
NOUNS = {
    "mails": "mail", "logs": "log", "jogs": "jog", "vets": "vet",
    "songs": "song", "stories": "story", "lunches": "lunch", "boxes": "box", "bus": "bus", "buses": "bus",
    "class": "class", "movies": "movie", "series": "series", "children": "child", "women": "woman", "feet": "foot",
    "knives": "knife", "photos": "photo", "podcasts": "podcast", "parkruns": "parkrun", "news": "news",
    "data": "data", "media": "media", "always": "always", "yoga": "yoga", "emails": "email", "heroes": "hero",
    "cookies": "cookie", "dress": "dress",
}  # fmt: skip


@pytest.mark.parametrize("verb", VERBS)
def test_verbs(verb: str) -> None:
    past, participle, gerund = VERBS[verb]
    assert words.past(verb) == past
    assert words.past(past) == past
    assert words.past(gerund) == past
    assert words.is_past(past)
    assert words.is_past_participle(participle)
    assert words.is_gerund(gerund)
    assert words.infinitive_of_gerund(gerund) == verb
    assert words.is_own_past(verb) == (past == verb)


@pytest.mark.parametrize(("many", "one"), NOUNS.items())
def test_nouns(many: str, one: str) -> None:
    assert words.singular(many) == one
    assert words.singular(one) == one


@pytest.mark.parametrize("word", ["hundred", "kitchen", "naked", "morning", "need", "garden", "seed", "thing", "often"])
def test_what_only_looks_like_a_form_is_none(word: str) -> None:
    assert not words.is_past(word)
    assert not words.is_past_participle(word)
    assert not words.is_gerund(word)


@pytest.mark.parametrize(
    ("word", "plain"),
    [("dirtiest", "dirty"), ("whitest", "white"), ("bigger", "big"), ("best", "good"), ("fastest", "fast")],
)
def test_comparatives(word: str, plain: str) -> None:
    assert plain in words.positives(word)


@given(st.from_regex(r"[a-z]{3,10}[bdgkmnprt]", fullmatch=True))
def test_the_past_of_any_word_is_a_past(word: str) -> None:
    assert words.is_past(words.past(word))
    assert words.past(words.past(word)) == words.past(word)
