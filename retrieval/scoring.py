"""How near an event comes to a query, by its words and by its meaning.

An event's score joins how much of the query its words tell (directly, by a narrower word, or by a hint of the lexicon)
with the cosine of its nearest value. 0.5 is the calibrated threshold (docs/decisions/004-retrieve.md).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from ..operators.resolution import Constraint
from ..store.index.index import EventText, ValueIndex
from ..texts.phrase import Group
from .scope import Scope

TAKEN: Final = 0.5
"""Score from which on an event is taken where no classifier decides."""
_KINDS: Final = 0.85
"""What a mention by a narrower word counts. These numbers were calibrated on one development persona by a grid; each is
a plateau's middle, not its peak."""
_HINTS: Final = 0.75
_LONG: Final = 0.8
"""Factor of a mention in a text of more than `_LONG_WORDS` words: it tells less of the event than a title does."""
_LONG_WORDS: Final = 25
_COSINE: Final = 0.6
_ACCEPT: Final = 0.8
"""Sum of coverage and weighted cosine from which on an event is taken."""
_NEAR: Final = 0.5
"""Cosine from which on an event is taken whatever its words are."""
_ALONE: Final = 0.4
"""The same where no word of the query stands anywhere, so that the cosine is all there is."""
_LEXICAL: Final = 0.55
"""Coverage from which on an event is taken where there is no model."""


def lexical_scores(scope: Scope, events: Sequence[EventText], index: ValueIndex) -> list[float]:
    """How much of the query each event's words tell, from 0 to 1; -1 for events that cannot be meant.

    What the class and its constraints say is a condition; it adds to the score only where the query says nothing else.
    """
    places = _places(events)
    long = _long_values(events)
    lone = all(need.given for need in scope.needs)
    total = 0.0
    scores = [0.0] * len(events)
    barred = [_is_barred(event, scope) for event in events]
    for need in scope.needs:
        cover = _cover(need.group, places, long, len(events), index)
        if need.given:
            cover = [1.0 if event.type in scope.named else c for event, c in zip(events, cover, strict=True)]
        if not need.given or lone:
            weight = math.log(1 + len(events) / (1 + sum(c > 0 for c in cover)))
            total += weight
            scores = [score + weight * c for score, c in zip(scores, cover, strict=True)]
        if need.required:
            barred = [out or c == 0 for out, c in zip(barred, cover, strict=True)]
    return [-1.0 if out else (score / total if total else 0.0) for score, out in zip(scores, barred, strict=True)]


def fused(
    events: Sequence[EventText], lexical: Sequence[float], cosines: Mapping[int, float] | None
) -> dict[str, float]:
    """A score for each event that can be meant; `cosines` by value id, None where there is no model."""
    lone = not any(score > 0 for score in lexical)
    scores: dict[str, float] = {}
    for event, told in zip(events, lexical, strict=True):
        if told < 0:
            continue
        if cosines is None:
            score = 0.5 * told / _LEXICAL
        else:
            nearest = max((0.0, *(cosines.get(value, 0.0) for _, value, _ in event.values)))
            near = _ALONE if lone else _NEAR
            joined = 0.5 * (told + _COSINE * nearest) / _ACCEPT
            score = max(joined, 0.5 + nearest - near if nearest >= near else 0.0)
        scores[event.iri] = min(1.0, score)
    return scores


def _places(events: Sequence[EventText]) -> dict[int, list[int]]:
    """Which events have a value, by value id."""
    found: dict[int, list[int]] = defaultdict(list)
    for position, event in enumerate(events):
        for _, value, _ in event.values:
            found[value].append(position)
    return found


def _long_values(events: Sequence[EventText]) -> frozenset[int]:
    return frozenset(i for e in events for _, i, text in e.values if text.count(" ") >= _LONG_WORDS)


def _is_barred(event: EventText, scope: Scope) -> bool:
    """An event of the named class that lacks what the query says of it."""
    if event.type not in scope.named:
        return False
    return not all(_satisfies(event, constraint) for constraint in scope.constraints)


def _satisfies(event: EventText, constraint: Constraint) -> bool:
    accepted = {value.casefold() for value in constraint.values}
    return any(prop == constraint.property and text.casefold() in accepted for prop, _, text in event.values)


def _cover(
    group: Group,
    places: Mapping[int, Sequence[int]],
    long: frozenset[int],
    size: int,
    index: ValueIndex,
) -> list[float]:
    """How well each event's best value tells the group."""
    cover = [0.0] * size
    for said, weight in ((group.hints, _HINTS), (group.kinds, _KINDS), (group.same, 1.0)):
        for value, _ in index.with_any(sorted(said)):
            told = weight * (_LONG if value in long else 1.0)
            for position in places.get(value, ()):
                cover[position] = max(cover[position], told)
    return cover
