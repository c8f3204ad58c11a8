"""What a lexicon lacks: the value nearest by meaning to words that say one.

Words are those that the reader marked and, for activities, what a title says beside people; a value is taken only if it
is near enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ...models.encoder import Vectors
from ...texts.document import TextKind
from ..context import Texts
from ..keys import TextKey
from ..page import Found, Page
from .concepts import shaped

NEAR: Final = 0.62
"""Least cosine of words to a value that is taken to be it."""
_BY_TITLE: Final = frozenset({"activity", "hobby"})
_LONGEST: Final = 6
"""Words of the longest phrase that is compared."""


def nearest(pages: Iterable[Page], key: TextKey, texts: Texts) -> dict[str, tuple[Found, ...]]:
    """Values by event, of pages of which nothing else is known."""
    said = {page.document.event: _phrases(page, key) for page in pages}
    asked = list(dict.fromkeys(one.evidence for phrases in said.values() for one in phrases))
    values = _values(key, texts)
    if not asked or not values or texts.encode is None:
        return {}
    vectors = texts.encode([*asked, *values])
    if vectors is None:
        return {}
    near = _nearest(vectors[: len(asked)], vectors[len(asked) :])
    best = {words: (values[place], score) for words, (place, score) in zip(asked, near, strict=True) if score >= NEAR}
    return {event: found for event, phrases in said.items() if (found := _best(phrases, best, key))}


def _values(key: TextKey, texts: Texts) -> list[str]:
    return list(dict.fromkeys(value for name in key.lexicon_keys for value in texts.lexicon.values(name)))


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
