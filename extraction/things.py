"""Of what a sum of money in a text is: the thing that was asked about, or another one that the text tells of, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..operators.resolution import DerivedMatch
from ..store.graph import Graph
from ..store.rdf import NamedNode
from ..store.vocabulary import Vocabulary
from ..store.words import normalise
from ..texts.lexicon.lexicon import Lexicon
from ..texts.phrase import groups, read_phrase
from ..texts.quantities.money import Money, Role, money, total_paid
from .page import Found, Page

_SPENDING: Final = frozenset(
    map(normalise, ("spend", "spent", "pay", "paid", "cost", "price", "buy", "bought", "purchase", "order"))
)
_ANYTHING: Final = frozenset(map(normalise, ("thing", "stuff", "something", "anything", "money", "total", "all")))
_HAPPENINGS: Final = ("activity", "meal", "occasion", "doctor_type", "workout_type", "milestone_type")
"""Keys of the lexicon whose values are what one does: what it cost is told with it, in whatever words."""
_SAID: Final = frozenset({Role.TOTAL, Role.PAID})
_STATEMENTS: Final = re.compile(r"(?<=[.!?…])\s+|\n+|\s[|;]\s")
_CLAUSES: Final = re.compile(r"[,;:]\s|\s(?:and|but|then)\s")


@dataclass(frozen=True)
class Thing:
    """What money was spent on, as a query says it: of each of its words, those that tell of it, folded and stemmed.
    `names` are such words of those written in upper case; `happens`: it is something that one does."""

    words: tuple[frozenset[str], ...]
    names: tuple[frozenset[str], ...] = ()
    happens: bool = False

    def is_told(self, text: str) -> bool:
        """Whether a text tells all of it."""
        return all(_tells(text, same) for same in self.words)

    def is_hinted(self, text: str) -> bool:
        """Whether a text tells some of it."""
        return any(_tells(text, same) for same in self.words)

    def is_named(self, text: str) -> bool:
        """Whether a text tells the names in it, if there are any."""
        return bool(self.names) and all(_tells(text, same) for same in self.names)


def _tells(text: str, same: frozenset[str]) -> bool:
    said = f" {normalise(text)} "
    return any(f" {word} " in said for word in same)


def thing_of(match: DerivedMatch, graph: Graph, vocabulary: Vocabulary, lexicon: Lexicon) -> Thing | None:
    """What a search asks about, without the words that only say that money was spent; None where that is nothing."""
    rows = graph.select(f"SELECT ?q {{ {NamedNode(match.activity)} ev:query ?q }}")
    query = next((query.value for (query,) in rows if query is not None), "")
    phrase = read_phrase(query, vocabulary)
    said = groups(phrase, range(len(phrase.tokens)), vocabulary)
    asked = [one for one in said if normalise(one.words) not in _SPENDING | _ANYTHING]
    if not asked:
        return None
    words = [frozenset((*one.same, *one.kinds, *one.hints)) for one in asked]
    names = tuple(same for same, one in zip(words, asked, strict=True) if one.capital)
    happens = any(not cue.weak for one in asked for cue in lexicon.cues(one.words, _HAPPENINGS))
    return Thing(tuple(words), names, happens)


def of_the_thing(
    found: Mapping[str, Sequence[Found]], pages: Mapping[str, Page], thing: Thing
) -> dict[str, tuple[Found, ...]]:
    """The sums, by event, that are of the thing: one told beside it, else the whole sum of a text that is about it."""
    sums = {event: _of_the_thing(one, pages[event], thing) for event, held in found.items() for one in held[:1]}
    return {event: (one,) for event, one in sums.items() if one is not None}


def _of_the_thing(found: Found, page: Page, thing: Thing) -> Found | None:
    beside = next(_beside(page.text, thing), None)
    if beside is not None:
        return page.found(beside.value, beside.start, beside.end, beside.score)
    return found if _is_about(page, thing) else None


def _beside(text: str, thing: Thing) -> Iterator[Money]:
    """The sums of sentences or lines that tell the thing; where one has several, that of the clause which tells it."""
    sums = [one for one in money(text) if one.role is not Role.OTHER]
    for start, end in _parts(_STATEMENTS, text, 0, len(text)):
        own = [one for one in sums if start <= one.start < end]
        if not own or not thing.is_told(text[start:end]):
            continue
        if len(own) == 1:
            yield own[0]
        for begin, stop in _parts(_CLAUSES, text, start, end):
            inside = [one for one in own if begin <= one.start < stop]
            if len(own) > 1 and len(inside) == 1 and thing.is_told(text[begin:stop]):
                yield inside[0]
        yield from (one for one in own if one.role is Role.TOTAL)


def _parts(breaks: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for found in breaks.finditer(text, start, end):
        yield at, found.start()
        at = found.end()
    yield at, end


def _is_about(page: Page, thing: Thing) -> bool:
    """Whether the whole sum of a text is of the thing: its title tells it; a firm writes of this one order or visit; or
    it says what was paid, and tells nothing else of the thing from which the sum would be told apart."""
    if thing.is_told(page.document.title):
        return True
    whole = total_paid(page.text)
    if whole is None or whole.role not in _SAID:
        return False
    if not thing.is_hinted(page.text) or thing.is_named(page.text):
        return True
    return thing.happens or (bool(page.company) and thing.is_told(page.text))
