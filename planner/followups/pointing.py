"""Words that point back to a thing or a person: "it", "them", "she", "their songs", "the second one"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from ...store.words import fold
from .events import Earlier, Events, Spoken
from .older import without_repeats
from .text import Read, Reader, value_of
from .words import Edit, appended, edited

_BEINGS = frozenset({"was", "were", "is", "are", "been", "be"})
_OWN = re.compile(r"(?i)^(?:(their|his|her|its)\s+(?P<noun>\S+)|(?P<of>\S+) (?:of|by) (theirs|them|his|him|hers|her))$")
_TIME = re.compile(
    r"(?i)\b(days?|weeks?|months?|years?|quarters?|time|period|evenings?|mornings?|afternoons?|nights?)$"
)
_WHEN_DID = re.compile(
    r"(?i)^(?:and |but |so )*(?:when|on (?:which|what) (?:day|date)) did (?:i|we)\b"
    r"(?!.*\b(?:first|last|also|before|again)\b)"
)
_MOST_TURNS_BACK = 5
Option = tuple[str, date | None]
"""What a pointing word may stand for, and the day of the event that this is."""


class Pointing:
    """Finds words that point back, and puts what they mean in their place."""

    def __init__(self, reader: Reader, events: Events) -> None:
        self._reader = reader
        self._events = events

    def pointers(self, text: str, read: Read) -> list[Edit]:
        """The words that point back, each with what it points to ("one", "several", "person", "owner")."""
        found: list[Edit] = []
        times = [t.span(m.first, m.last)[0] for m, t in self._reader.matches("Then", text)]
        for match, tokens in self._reader.matches("Pointer", text):
            begin, length = tokens.span(match.first, match.last)
            named = [p for p in read.parts if p.family != "naming"]
            asides = [f.place for f in read.reading.asides]
            covered = any(at <= begin < at + long for at, long in asides) or any(
                p.begin <= begin < p.end for p in named
            )
            covered = covered or any(e.begin <= begin < e.end for e in found)
            covered = covered or any(
                at <= begin < at + 10 for at in times if _TIME.search(text[begin : begin + length])
            )
            before = tokens.tokens[match.first - 1].lower if match.first else ""
            after = tokens.tokens[match.last].lower if match.last < len(tokens.tokens) else ""
            word = tokens.tokens[match.first].lower
            if word == "there" and before in _BEINGS:
                continue
            if word == "it" and before in _BEINGS and after in ("since", "true", "that"):
                continue
            is_link = word in ("that", "this") and (after in ("i", "we") or before == "so")
            if not covered and not is_link:
                found.append(Edit(begin, begin + length, value_of(match, "to")))
        return sorted(found, key=lambda e: e.begin)

    def questions(
        self, rest: str, pointers: Sequence[Edit], earlier: Sequence[Earlier], spoken: Spoken
    ) -> Iterator[tuple[str, date | None]]:
        """The question with what its pointing words mean in their places, the likeliest first; with those that name one
        event its day."""
        if not pointers:
            return
        options = {kind: self._options(kind, earlier, spoken, rest) for kind in {p.words for p in pointers}}
        for rank in range(max(len(options[p.words]) for p in pointers)):
            chosen = [options[p.words][min(rank, len(options[p.words]) - 1)] for p in pointers if options[p.words]]
            if len(chosen) < len(pointers):
                return
            places = zip(pointers, chosen, strict=True)
            edits = [Edit(p.begin, p.end, _in_case(rest[p.begin : p.end], name)) for p, (name, _) in places]
            yield edited(rest, edits), next((day for _, day in chosen if day is not None), None)

    def persons(self, earlier: Sequence[Earlier]) -> list[str]:
        """People who were spoken of, the latest first."""
        return list(dict.fromkeys(self._events.persons(earlier)))

    def _options(self, kind: str, earlier: Sequence[Earlier], spoken: Spoken, rest: str) -> list[Option]:
        people: list[Option] = [(name, None) for name in self.persons(earlier)]
        values: list[Option] = [(value, None) for value in self._events.values(spoken)]
        if kind == "person":
            others, read = self._older(earlier, values), self._reader.read(rest)
            fitting = [o for o in others if read is not None and self._events.takes(read, o[0])]
            return [*fitting, *people] or others
        if kind == "owner":
            return self._older(earlier, values) or people
        if spoken.is_one:
            thing = self._events.object_of(spoken.core)[1]
            ones: list[Option] = list(self._events.one(spoken))
            is_answer = spoken.turn.values[:1] == tuple(name for name, _ in values[:1])
            if spoken.day is not None and is_answer and _WHEN_DID.match(rest):
                values = []  # on that day, not whenever it was
            return [*values, *ones, *([(thing, None)] if thing else [])]
        return [*values, (f"the {spoken.nominal} {spoken.filter_words}".strip(), None)]

    def _older(self, earlier: Sequence[Earlier], values: list[Option]) -> list[Option]:
        """Values that were spoken of lately, also some turns ago."""
        found = list(values)
        for turn in list(reversed(earlier[:-1]))[:_MOST_TURNS_BACK]:
            before = self._events.spoken(turn)
            found += [(value, None) for value in self._events.values(before)] if before is not None else []
        return list(dict.fromkeys(found))

    def from_list(self, rest: str, read: Read, earlier: Sequence[Earlier], spoken: Spoken) -> Iterator[str]:
        """'The second one' of values that were answered, also some turns ago."""
        listing = next(
            (t for t in reversed(earlier) if len(t.values) > 1 and t.answer_type in ("text", "events")), None
        )
        if listing is None:
            return
        for match, tokens in self._reader.matches("Ordinal", rest):
            nth = int(float(value_of(match, "nth")))
            place = nth - 1 if nth > 0 else nth
            if not -len(listing.values) <= place < len(listing.values):
                continue
            begin, length = tokens.span(match.first, match.last)
            value = listing.values[place]
            source = self._reader.read(listing.question)
            period = [p.words for p in source.of("period")] if source is not None else []
            if length >= len(rest.rstrip("?. !")) - 4:
                old = [p for p in spoken.read.of("naming") if p.words in listing.values]
                for part in old:
                    yield edited(spoken.turn.question, [Edit(part.begin, part.end, value)])
                continue
            text = without_repeats(edited(rest, [Edit(begin, begin + length, value)]), value)
            if period and not read.of("period"):
                yield appended(text, " ".join(period))
            yield text


def _in_case(pointer: str, name: str) -> str:
    """The name in the form that the pointing word has: 'their songs' are songs by them, 'his' somebody's."""
    if fold(pointer) == "there":
        return f"at {name}"
    own = _OWN.match(pointer)
    if own:
        return f"{own['noun'] or own['of']} by {name}"
    return f"{name}'s" if fold(pointer.split()[0]) in ("their", "his", "its") and not name.startswith("the ") else name
