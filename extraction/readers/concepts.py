"""Values that a lexicon knows: which of the concepts that a text's cues imply is meant, and how it is called.

What a lexicon lacks is the value nearest by meaning to words that say one, if it is near enough: words that the reader
marked and, for activities, what a title says beside people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ...models.encoder import Vectors
from ...store.words import fold, normalise, words
from ...texts.document import TextKind
from ...texts.lexicon.lexicon import Cue
from ...texts.time.feasts import falls_on
from ..context import Texts
from ..keys import TextKey
from ..page import Found, Page

_PART: Final = {"title": 0.3, "location": 0.12, "body": 0.0}
_WEAK: Final = 0.38
_MEASURED: Final = 0.25
_TAGGED: Final = 0.2
_LONG: Final = 0.01
_DOCTOR: Final = 0.32
_BY_DATE: Final = 0.7
_BY_PROFILE: Final = 0.9
_AGE: Final = re.compile(r"\b(?:turns|turned|turning|['’]s)\s+\d{1,3}(?:st|nd|rd|th)?\b(?!\s*(?:km|min|am|pm|h\b|:))")
_DOCTORS: Final = re.compile(
    r"(?:ists?|ians?|doctors?|doc|gps?|vets?|veterinary|physio|nurse|surgeons?|midwife|surgery|derm|paeds?|peds|psych|"
    r"ortho|dental|gynae?|hygienist|therapist|practor|path|ärztin|arzt|medic|dr|eye clinic|skin clinic|pet hospital|"
    r"animal hospital)$"
)


def concepts(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """Values of `key` that the text implies, the likeliest first: what a title says goes before its body, a strong cue
    before a weak one, what the reader marked before what it did not."""
    best: dict[str, Found] = {}
    for cue in page.cues_of(*key.lexicon_keys):
        if cue.key == "milestone_type" and _describes(cue, page):
            continue
        value = called(cue, page, key)
        found = page.found(value, cue.start, cue.end, _score(cue, page, question))
        if value not in best or best[value].confidence < found.confidence:
            best[value] = found
    for found in _told(page, key, question):
        best.setdefault(str(found.value), found)
    return tuple(sorted(best.values(), key=lambda found: (-found.confidence, found.start)))


def _told(page: Page, key: TextKey, question: str) -> Iterable[Found]:
    """Values that a model says in its own words, or marks by the lexicon's name."""
    named = {fold(value): value for lexicon_key in key.lexicon_keys for value in page.lexicon.values(lexicon_key)}
    for span in page.tags.get(question, ()):
        said = named.get(fold(span.value or page.text[span.start : span.end]))
        if said is not None:
            value = shaped(key.named.get(said, said), key)
            yield page.found(value, span.start, span.end, 0.35 + 0.45 * span.score)


def _describes(cue: Cue, page: Page) -> bool:
    """Whether a participle says what somebody is, and not what happened: "a retired couple"."""
    return cue.text.endswith("ed") and bool(_ARTICLE.search(page.text, max(0, cue.start - 24), cue.start))


_ARTICLE: Final = re.compile(
    r"\b(?:an?|the|some|two|several|of|his|her|their|newly|recently|happily|other|these|those|many)\s+(?:[a-z]+ly\s+)?$",
    re.IGNORECASE,
)


def names_doctor(cue: Cue) -> bool:
    """Whether a cue of a kind of doctor names the doctor, and is no complaint or treatment."""
    return cue.key == "doctor_type" and bool(_DOCTORS.search(cue.text.casefold()))


def by_date(page: Page, key: TextKey) -> tuple[Found, ...]:
    """The occasion that the day tells: a birthday of the profile's people, Christmas, the eve of a new year."""
    aged = _AGE.search(page.text) if "birthday" in page.lexicon.values("occasion") else None
    if aged:
        return (page.found(shaped("birthday", key), *aged.span(), _BY_DATE),)
    said: list[str] = []
    own = page.life.occasion(page.day)
    if own is not None:
        said.append(own)
    said += [v for v in key.by_date if falls_on(v, page.day)]
    return tuple(page.found(shaped(key.named.get(v, v), key), 0, 0, _BY_DATE - 0.05 * n) for n, v in enumerate(said))


def by_profile(page: Page, key: TextKey) -> tuple[Found, ...]:
    """The milestone that the profile dates on the day."""
    value = page.life.milestone(page.day)
    return (page.found(shaped(key.named.get(value, value), key), 0, 0, _BY_PROFILE),) if value else ()


def called(cue: Cue, page: Page, key: TextKey) -> str:
    """The name of what a cue implies: as the person's own records call it, else as the key or the lexicon does."""
    own = _own_name(cue, page, key)
    return own if own is not None and own != cue.value else shaped(key.named.get(cue.value, cue.value), key)


def shaped(value: str, key: TextKey) -> str:
    """A value as an identifier where the key's values are such: "New Year's Eve" is new_years_eve."""
    return "_".join(words(value.replace("'", "").replace("’", ""))) if key.identifiers else value


def _own_name(cue: Cue, page: Page, key: TextKey) -> str | None:
    """How the person's own records call what a cue implies: the one name, else that with the most of its words."""
    known = page.own.get(key.name)
    if known is None:
        return None
    meant, said = set(normalise(cue.value).split()), set(normalise(cue.text).split())
    names = [name for name, value in known if value == cue.value]
    if not names:
        kinds = [name for name, _ in known if meant <= set(normalise(name).split())]
        return kinds[0] if len(kinds) == 1 else None
    best = max(names, key=lambda name: len(said & set(normalise(name).split())))
    overlap = said & set(normalise(best).split())
    return best if overlap or len(names) == 1 else None


def _score(cue: Cue, page: Page, question: str) -> float:
    part = next((name for name in _PART if _inside(cue, page.part(name))), "body")
    score = 0.55 + _PART[part] - (_WEAK if cue.weak else 0.0) + _LONG * min(len(cue.text), 12)
    if any(_overlaps(cue, span.start, span.end) for span in page.tags.get(question, ())):
        score += _TAGGED
    if cue.weak and cue.key == "workout_type" and page.is_measured:
        score += _MEASURED
    if names_doctor(cue):
        score += _DOCTOR
    return max(0.05, min(score, 0.99))


def _inside(cue: Cue, place: tuple[int, int]) -> bool:
    return place[0] <= cue.start and cue.end <= place[1]


def _overlaps(cue: Cue, start: int, end: int) -> bool:
    return cue.start < end and start < cue.end


NEAR: Final = 0.62
"""Least cosine of words to a value that is taken to be it."""
_BY_TITLE: Final = frozenset({"activity", "hobby"})
_LONGEST: Final = 6
"""Words of the longest phrase that is compared."""


def nearest(pages: Iterable[Page], key: TextKey, texts: Texts) -> dict[str, tuple[Found, ...]]:
    """Values by event, of pages of which nothing else is known."""
    said = {page.document.event: _phrases(page, key) for page in pages}
    asked = list(dict.fromkeys(one.evidence for phrases in said.values() for one in phrases))
    values = list(dict.fromkeys(value for name in key.lexicon_keys for value in texts.lexicon.values(name)))
    if not asked or not values or texts.encode is None:
        return {}
    vectors = texts.encode([*asked, *values])
    if vectors is None:
        return {}
    near = _nearest(vectors[: len(asked)], vectors[len(asked) :])
    best = {words: (values[place], score) for words, (place, score) in zip(asked, near, strict=True) if score >= NEAR}
    return {event: found for event, phrases in said.items() if (found := _best(phrases, best, key))}


def _phrases(page: Page, key: TextKey) -> list[Found]:
    marked = page.tags.get(key.question, ())
    found = [page.found("", span.start, span.end, span.score) for span in marked]
    if key.name in _BY_TITLE and page.document.kind is TextKind.CALENDAR:
        found += [page.found("", piece.start, piece.end, 0.8) for piece in page.pieces if not piece.before]
    return [one for one in found if 0 < len(one.evidence.split()) <= _LONGEST]


def _nearest(words: Vectors, values: Vectors) -> list[tuple[int, float]]:
    cosines = words @ values.T
    return [(int(row.argmax()), float(row.max())) for row in cosines]


def _best(phrases: Sequence[Found], near: Mapping[str, tuple[str, float]], key: TextKey) -> tuple[Found, ...]:
    scored = [(near[one.evidence][1], one) for one in phrases if one.evidence in near]
    if not scored:
        return ()
    score, one = max(scored, key=lambda entry: entry[0])
    value = near[one.evidence][0]
    named = shaped(key.named.get(value, value), key)
    return (Found(named, one.start, one.end, min(score, 0.9) * one.confidence, one.evidence),)
