"""Follow-ups: a question that leans on earlier ones, put into self-contained words.

What it leans on is looked for on the readings (parse graphs) and trees of the turns before. An unambiguous question
stays as it is. Several readings are proposed, the likeliest first; whoever asks takes the first that has an answer.
Patterns of `mappings/planner/patterns/followups.ttl` know the words; no model is involved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from ..store.words import fold, stem
from .followup_events import STATEMENT as _STATEMENT
from .followup_events import Earlier, Events, Mention, Spoken
from .followup_swaps import Swaps
from .followup_text import ASKS, Read, Reader, group, value_of
from .followup_times import Times
from .followup_words import Edit, appended, day_in_words, edited
from .plan import Planner
from .score import coverage

__all__ = ["Earlier", "FollowUps", "Mention", "Proposal"]
MOST_PROPOSED = 12
_YEAR = re.compile(r"^(?=(?:19|20)\d\d\b(?!\s*(?:km|m|steps|euros?)\b))")
_WHOSE_OBJECT = re.compile(r"(?i)(?:and |but |so )*(?:how|when|where|did|do|have|with whom|on which)\b")
_MEASURED = re.compile(
    r"(?i)^(?:and\s+)?how (?:long|far|much|fast) did (?:we|i)\b(?!.*\b(?:total|altogether|ever|average)\b)"
)
_BEINGS = frozenset({"was", "were", "is", "are", "been", "be"})
_EMPTY = frozenset({"one", "ones", "first", "last", "second", "time", "times", "thing", "things"})
_ELLIPTIC = re.compile(
    r"(?i)^(?:and |but |so )*(?:how many|which|which ones?)\s+"
    r"(?:by|of|from|with|in|on|at|for|was|were|are|is|has|have|did|do|does)\b"
)
_MEASURES = ("distance", "duration", "price")
_YOU = (
    ("you are", "I am"),
    ("you were", "I was"),
    ("you've", "I've"),
    ("yourself", "myself"),
    ("your", "my"),
    ("you", "I"),
)
_INDIRECT = re.compile(r"(?i)^(how (?:many|much)\b.*?|how \w+|when|where|which\b.*?|what\b.*?|who) (i|we) (.+)$")


@dataclass(frozen=True)
class Proposal:
    """One self-contained question that a follow-up may mean. `how` says what was done: "as it is" for one that needs
    nothing; `sure` that no other is looked for, whatever the answer."""

    question: str
    how: str
    sure: bool = False
    day: date | None = None
    """Where it names one event, the day of it: an answer that rests on others is to another question."""


class FollowUps:
    """Resolves follow-ups with a planner's words and rules, at one time of asking."""

    def __init__(self, planner: Planner, now: datetime) -> None:
        self._reader = Reader(planner.annotator(now), planner.book)
        self._events = Events(planner, self._reader, now)
        self._swaps = Swaps(self._reader)
        self._times = Times(self._reader, self._events)

    def proposals(self, question: str, earlier: Sequence[Earlier]) -> list[Proposal]:
        """Self-contained questions that it may mean, the likeliest first; at least one, at most MOST_PROPOSED."""
        found: dict[str, Proposal] = {}
        for one in self._proposed(question.strip(), earlier):
            found.setdefault(fold(one.question).rstrip("?. !"), one)
            if one.sure or len(found) >= MOST_PROPOSED:
                break
        return list(found.values()) or [Proposal(question, "as it is", True)]

    def reads(self, question: str) -> bool:
        """Whether a rule reads a question."""
        return self._events.plan(question) is not None

    def _proposed(self, question: str, earlier: Sequence[Earlier]) -> Iterator[Proposal]:
        if earlier and earlier[-1].failed and self._lead(question, earlier[-1])[0] != "correct":
            earlier = [turn for turn in earlier if not turn.failed]
        spoken = self._events.spoken(earlier[-1]) if earlier else None
        if spoken is None:
            yield from self._alone(question)
            return
        act, rest = self._lead(question, earlier[-1])
        if act == "accept":
            yield from self._accepted(earlier)
            return
        rest, dated = self._times.dated(_YEAR.sub("in ", rest), earlier, spoken)
        rest = self._times.completed(rest, spoken)
        read = self._reader.read(rest)
        if read is None:
            yield Proposal(question, "as it is", True)
            return
        pointers = self._pointers(rest, read)
        if act not in ("swap", "correct", "only") and not pointers and self._is_whole(rest, read):
            yield from self._whole(question, rest, act, read, spoken, dated=dated)
            return
        if act == "correct" and not pointers and self._is_whole(rest, read):
            yield Proposal(rest, "corrected")
        yield from self._dependent(rest, read, earlier, spoken, pointers=pointers, act=act)
        yield Proposal(rest if dated else question, "as it is")

    def _alone(self, question: str) -> Iterator[Proposal]:
        """A question that leans on nothing, without what opens it if it is not understood otherwise."""
        act, rest = self._lead(question, Earlier(""))
        yield Proposal(question, "as it is", not act or self._events.plan(question) is not None)
        yield Proposal(rest, "without its opening")

    # ------------------------------------------------------------ what opens it
    def _lead(self, question: str, last: Earlier) -> tuple[str, str]:
        """What a question opens with, and the rest of it."""
        found = [(value_of(a, "act"), group(a, t, "x") or "") for a, t in self._reader.matches("Lead", question)]
        acts = {act for act, _ in found}
        if "accept" in acts and self._offered(last):
            return "accept", question
        for act in ("correct", "polite", "swap", "only", "on"):
            rests = [rest for name, rest in found if name == act and rest]
            if rests:
                rest = min(rests, key=len)
                if act == "swap" and ASKS.match(rest) and fold(question).rstrip("?. ").endswith(" then"):
                    continue  # "how far did I run then" speaks of a time
                return act, _direct(rest) if act == "polite" else rest
        return "", question

    def _offered(self, last: Earlier) -> str:
        """The question that an offer in the last answer holds; empty where there is none."""
        for sentence in reversed(re.split(r"(?<=[.?!])\s+", last.said)):
            for found, tokens in self._reader.matches("Offer", sentence):
                if offer := group(found, tokens, "x"):
                    return _direct(offer)
        return ""

    def _accepted(self, earlier: Sequence[Earlier]) -> Iterator[Proposal]:
        for one in self._proposed(f"and {self._offered(earlier[-1])}", earlier):  # it goes on about the same
            yield Proposal(one.question, "offer accepted", one.sure)

    # ------------------------------------------------------------ questions that need nothing, or only a period
    def _is_whole(self, text: str, read: Read) -> bool:
        """Whether a question says by itself what it is about, and a rule reads it."""
        unknown = coverage(read.reading, self._reader.annotator).unknown
        named = [p for p in read.of("naming") if fold(p.words) not in _EMPTY]
        leans = not unknown or bool(self._reader.matches("Ask", read.reading.core.text))
        if (not named and leans) or _ELLIPTIC.match(text):
            return False
        return ASKS.match(text) is not None and self._events.plan(text) is not None

    def _whole(
        self, question: str, rest: str, act: str, read: Read, spoken: Spoken, *, dated: bool
    ) -> Iterator[Proposal]:
        """A whole question; one that goes on about the same events, or about "the longest" of them, keeps what limits
        them."""
        shares = self._events.shares(read, spoken.read)
        full = self._with_object(rest, read, spoken)
        if spoken.day is not None and shares and not read.of("period") and _MEASURED.match(rest):
            yield Proposal(appended(full or rest, f"on {day_in_words(spoken.day)}"), "of that day", day=spoken.day)
        if full:
            yield Proposal(full, "object added")
        limits = [p for p in spoken.filters if not read.of(p.family)]
        goes_on = act == "on" or _is_definite(rest)
        if limits and goes_on and not read.of("period") and shares:
            yield Proposal(appended(rest, " ".join(p.words for p in limits)), "limits kept")
        whole = self._events.plan(question) is not None
        yield Proposal(rest if dated or not whole else question, "dates" if dated else "as it is", True)

    def _with_object(self, rest: str, read: Read, spoken: Spoken) -> str:
        """'How often did I play' after 'when did I play football': with the object that the verb leaves out; empty
        where it leaves out none."""
        own = self._events.spoken(Earlier(rest)) if _WHOSE_OBJECT.match(rest) else None
        verb, rest_of = self._events.object_of(own.core) if own is not None else ("", "")
        theirs, thing = self._events.object_of(spoken.core)
        if not verb or rest_of or not thing or stem(verb) != stem(theirs):
            return ""
        for token in reversed(read.reading.core.tokens):
            at = rest.rfind(token.text)
            if at >= 0 and self._reader.book.forms.past(token.lower) == fold(verb):
                return edited(rest, [Edit(at, at + len(token.text), f"{token.text} {thing}")])
        return ""

    # ------------------------------------------------------------ questions that lean on the one before
    def _dependent(
        self, rest: str, read: Read, earlier: Sequence[Earlier], spoken: Spoken, *, pointers: list[Edit], act: str
    ) -> Iterator[Proposal]:
        yield from self._from_list(rest, read, earlier, spoken)
        yield from self._degrees(read, earlier, spoken)
        swaps_first = act in ("swap", "correct") or self._swaps.names(read)
        if not swaps_first:
            yield from self._asked(read, spoken)
            yield from self._with_noun(rest, read, pointers, earlier, spoken)
            yield from self._pointing(rest, pointers, earlier, spoken)
        for text in self._swaps.questions(read, spoken):
            yield Proposal(text, "swapped")
        if swaps_first:
            yield from self._asked(read, spoken)
            yield from self._pointing(rest, pointers, earlier, spoken)

    def _degrees(self, read: Read, earlier: Sequence[Earlier], spoken: Spoken) -> Iterator[Proposal]:
        """'And the shortest?': in the question before, or, where that was about one thing, in one that led to it."""
        turns = (found for turn in reversed(earlier) if (found := self._events.spoken(turn)) is not None)
        yield from (Proposal(text, "the next") for text in self._swaps.next(read.text, turns))
        degree = self._swaps.degree(read, spoken)
        for turn in reversed(earlier[:-1]):
            if degree is not None or not spoken.is_one:
                break
            before = self._events.spoken(turn)
            degree = self._swaps.degree(read, before) if before is not None else None
        if degree is not None:
            yield Proposal(degree, "degree")

    def _asked(self, read: Read, spoken: Spoken) -> Iterator[Proposal]:
        """What is asked of the events spoken of: 'how far was that', 'which ones', 'when'."""
        for found, tokens in self._reader.matches("Ask", read.reading.core.text):
            del tokens
            graft, several, one = (value_of(found, name) for name in ("graft", "set", "one"))
            filters = self._filters_with(read, spoken)
            several = self._set(several, spoken, filters)
            grafted = [Proposal(f"{text}?", "asked") for text in self._grafted(graft, read, spoken)]
            # "When did I last do yoga": without "last" it would be about all of them
            in_head = self._names_in_head(spoken) or (
                spoken.is_one and bool(self._reader.matches("Degree", spoken.tail))
            )
            yield from () if in_head else grafted
            if spoken.is_one and "{event" not in one:
                for name, day in self._events.one(spoken):
                    for form in one.split("||") if one else ():
                        text = form.replace("{one}", name)
                        yield Proposal(f"{text} {self._added(read)}".strip() + "?", "asked", day=day)
            yield from (Proposal(f"{text}?", "asked") for text in several)
            yield from grafted if in_head else ()

    @staticmethod
    def _added(read: Read) -> str:
        """The filters and the unit of a follow-up."""
        return " ".join(p.words for p in read.parts if p.family != "naming")

    def _with_noun(
        self, rest: str, read: Read, pointers: list[Edit], earlier: Sequence[Earlier], spoken: Spoken
    ) -> Iterator[Proposal]:
        """'How many has she sent me' with the noun that it leaves out."""
        found = _ELLIPTIC.match(rest)
        naming = [p for p in spoken.read.of("naming") if any({"Class", "Concept"} & set(a.kinds) for a in p.meanings)]
        head = re.match(r"(?i)(?:and |but |so )*(how many|which)(?: ones?)?\s+", rest)
        if not found or not naming or head is None:
            return
        named = re.match(r"(?i)(?:which|what)\s+(\S.*)", spoken.head)
        noun = next((p for p in naming if any("Class" in a.kinds for a in p.meanings)), naming[0]).words
        noun = named[1] if named and head[1].lower() == "which" else noun
        persons = list(dict.fromkeys(self._events.persons(earlier)))
        edits = [Edit(p.begin, p.end, persons[0]) for p in pointers if p.words == "person" and persons]
        if len(edits) == len(pointers):
            text = edited(rest, [Edit(head.start(1), head.end(), f"{head[1]} {noun} "), *edits])
            limits = " ".join(p.words for p in spoken.filters if not read.of(p.family))
            yield Proposal(appended(text, limits), "noun added")

    def _set(self, template: str, spoken: Spoken, filters: str) -> list[str]:
        """A template over several events, with each measure that it leaves open."""
        if not template:
            return []
        event = f"{self._events.singular(spoken.nominal)} {filters}".strip()
        statement = spoken.core if _STATEMENT.match(spoken.core) else self._events.of_value(spoken)
        times = f"time {statement}" if statement else f"of the {spoken.nominal}"
        if self._events.singular(spoken.nominal) == spoken.nominal:
            template = template.replace(" were the {", " was the {").replace(" are the {", " is the {")
        text = template.replace("{times}", f"{times} {filters}".strip())
        text = text.replace("{events}", f"{spoken.nominal} {filters}".strip()).replace("{event}", event)
        if "{measure}" not in text:
            return [text]
        return [text.replace("{measure}", name) for name in dict.fromkeys((*spoken.measures, *_MEASURES))]

    def _grafted(self, graft: str, read: Read, spoken: Spoken) -> list[str]:
        """A question word before what was said of whom: 'When' and 'did I swim in 2024'."""
        if not graft or not spoken.tail:
            return []
        mine = [p.words for p in read.parts if p.family not in ("naming", "unit")]
        tail = spoken.tail[:1].lower() + spoken.tail[1:]
        for part in (p for p in spoken.filters if read.of(p.family)):
            tail = tail.replace(part.words, "")
        degrees = self._reader.matches("Degree", tail)
        for found, tokens in degrees[:1]:
            begin, length = tokens.span(found.first, found.last)
            tail = edited(tail, [Edit(begin, begin + length, "")])
        return [" ".join([graft.replace("{tail}", tail), *mine])]

    def _names_in_head(self, spoken: Spoken) -> bool:
        """Whether the events are named before 'did I': 'how many films did I watch'."""
        return bool(spoken.head) and any(p.begin < len(spoken.head) for p in spoken.read.of("naming"))

    def _filters_with(self, read: Read, spoken: Spoken) -> str:
        """The filters of the question before, with those of the follow-up in the place of their like."""
        mine = [p for p in read.parts if p.family not in ("naming",)]
        kept = [p.words for p in spoken.filters if not read.of(p.family)]
        return " ".join([*kept, *(p.words for p in mine)])

    # ------------------------------------------------------------ words that point to a thing
    def _pointers(self, text: str, read: Read) -> list[Edit]:
        """The words that point back, each with what it points to ("one", "several", "person")."""
        found: list[Edit] = []
        for match, tokens in self._reader.matches("Pointer", text):
            begin, length = tokens.span(match.first, match.last)
            named = [p for p in read.parts if p.family != "naming"]
            times = [t.span(m.first, m.last)[0] for m, t in self._reader.matches("Then", text)]
            covered = any(p.begin <= begin < p.end for p in named) or any(e.begin <= begin < e.end for e in found)
            covered = covered or any(
                at <= begin < at + 10 for at in times if self._is_time(text[begin : begin + length])
            )
            before = tokens.tokens[match.first - 1].lower if match.first else ""
            after = tokens.tokens[match.last].lower if match.last < len(tokens.tokens) else ""
            if tokens.tokens[match.first].lower == "there" and before in _BEINGS:
                continue
            is_link = tokens.tokens[match.first].lower in ("that", "this") and (after in ("i", "we") or before == "so")
            if not covered and not is_link:
                found.append(Edit(begin, begin + length, value_of(match, "to")))
        return sorted(found, key=lambda e: e.begin)

    def _is_time(self, words: str) -> bool:
        """'That month': points to a time, not to a thing."""
        return re.search(r"(?i)\b(days?|weeks?|months?|years?|quarters?|time|period)$", words) is not None

    def _pointing(
        self, rest: str, pointers: list[Edit], earlier: Sequence[Earlier], spoken: Spoken
    ) -> Iterator[Proposal]:
        """The question with what its pointing words mean in their places."""
        if not pointers:
            return
        persons = list(dict.fromkeys(self._events.persons(earlier)))
        things: list[tuple[str, date | None]] = [(value, None) for value in self._events.values(spoken)]
        if spoken.is_one:
            things += self._events.one(spoken)
        else:
            things.append((f"the {spoken.nominal} {spoken.filter_words}".strip(), None))
        people: list[tuple[str, date | None]] = [(name, None) for name in persons]
        options = {"person": people or things, "one": things, "several": things}
        for rank in range(max(len(options[p.words]) for p in pointers)):
            edits: list[Edit] = []
            day: date | None = None
            for p in pointers:
                name, day = options[p.words][min(rank, len(options[p.words]) - 1)]
                edits.append(Edit(p.begin, p.end, _in_case(rest[p.begin : p.end], name)))
            yield Proposal(edited(rest, edits), "pointed to", day=day)

    def _from_list(self, rest: str, read: Read, earlier: Sequence[Earlier], spoken: Spoken) -> Iterator[Proposal]:
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
                    yield Proposal(edited(spoken.turn.question, [Edit(part.begin, part.end, value)]), "from the list")
                continue
            text = edited(rest, [Edit(begin, begin + length, value)])
            if period and not read.of("period"):
                yield Proposal(appended(text, " ".join(period)), "from the list")
            yield Proposal(text, "from the list")


def _in_case(pointer: str, name: str) -> str:
    """The name in the form that the pointing word has: 'theirs' is of them, 'his' somebody's."""
    if fold(pointer) == "there":
        return f"at {name}"
    return f"{name}'s" if fold(pointer.split()[0]) in ("their", "his", "its") and not name.startswith("the ") else name


def _direct(offer: str) -> str:
    """What is offered, as the one to whom it was offered asks it: 'how far you ran' → 'how far did I run'."""
    text = offer
    for theirs, mine in _YOU:
        text = re.sub(rf"(?i)\b{theirs}\b", mine, text)
    found = _INDIRECT.match(text)
    return f"{found[1]} did {found[2]} {found[3]}" if found else text


def _is_definite(text: str) -> bool:
    """'The longest ride': one of those that were spoken of."""
    return re.search(r"(?i)\bthe\s+(\w+est|most \w+|least \w+|first|last|best|average|total)\b", text) is not None
