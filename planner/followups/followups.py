"""Follow-ups: a question that leans on earlier ones, put into self-contained words.

What it leans on is looked for on the readings (parse graphs) and trees of the turns before. An unambiguous question
stays as it is. Several readings are proposed, the likeliest first; whoever asks takes the first that has an answer.
Patterns of `mappings/planner/patterns/followups.ttl` know the words; no model is involved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from ...store.words import fold, stem
from ..proposers.comparing import comparisons
from ..search.plan import Planner
from ..search.score import coverage
from .asks import Asks
from .compare import Compare, is_sibling
from .dialogue_questions import AskedHere, asked_here
from .events import Earlier, Events, Mention, Spoken
from .older import Older, is_broken
from .pointing import Pointing
from .slot_substitution import SlotSubstitution
from .text import ASKS, Read, Reader, group, value_of
from .times import Times
from .words import Edit, appended, day_in_words, direct, edited

__all__ = ["Earlier", "FollowUps", "Mention", "Proposal"]
MOST_PROPOSED = 12
_YEAR = re.compile(r"^(?=(?:19|20)\d\d\b(?!\s*(?:km|m|steps|euros?)\b))")
_WHOSE_OBJECT = re.compile(r"(?i)(?:and |but |so )*(?:how|when|where|did|do|have|with whom|on which)\b")
_MEASURED = re.compile(
    r"(?i)^(?:and\s+)?how (?:long|far|much|fast) did (?:we|i)\b(?!.*\b(?:total|altogether|ever|average)\b)"
)
_EMPTY = frozenset({"one", "ones", "first", "last", "second", "time", "times", "thing", "things"})
_ELLIPTIC = re.compile(
    r"(?i)^(?:and |but |so )*(?:how many|which|which ones?)\s+"
    r"(?:by|of(?!\s+(?:all\s+)?(?:my|our)\b)|from|with|in|on|at|for|was|were|are|is|has|have|did|do|does)\b"
)
_SENTENCE = re.compile(
    r"(?i)^(?:and |but |so )*(?:how|what|which|when|where|who|did|have)\b"
    r"(?=.* (?:i|my|me|we|our|us)\b|.*\b(?:did|has|does) (?!it\b|that\b|this\b|they\b|he\b|she\b|those\b|one\b)\w)"
    r"(?:\s+\S+){5,}"
)
_DEFINITE = re.compile(r"(?i)^(?:and |but |so )*the (?:\w+ )+?(?:one|longest|shortest|\w+est)\b")
_WHICH_WAS = re.compile(r"(?i)^(?:and |but |so )*(?:what|which)(?:'s| was| is)\b")
_BARE_COUNT = re.compile(r"(?i)^how many \w+(?: \w+)?\??$")
_WHICH_THING = re.compile(r"(?i)^(?:which|what) (?:was|is|were|are) (?:the|my|our)\b")
_ANY_EVENTS = re.compile(r"(?i)^(?:how many|which|what) (?:kinds? of )?events\b")
_MY = re.compile(r"(?i)\b(my|our)\b")
_COUNTS = re.compile(r"(?i)^how many\b")
_WIDER = re.compile(
    r"(?i)^(?:(?:in|over|for|of|across) )?(?:all (?:the |those )?(?:years?|time|months?|days?)|overall|ever|in general"
    r"|the whole time|any time)(?: together| altogether)?[?. !]*$"
)


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
        self._planner = planner
        self._reader = Reader(planner.annotator(now), planner.book)
        self._events = Events(planner, self._reader, now)
        self._substitution = SlotSubstitution(self._reader)
        self._times = Times(self._reader, self._events)
        self._pointing = Pointing(self._reader, self._events)
        self._asks = Asks(self._reader, self._events, self._substitution)
        self._older = Older(self._reader, self._events, self._substitution)
        self._compare = Compare(self._reader, self._events, self._substitution)

    def proposals(self, question: str, earlier: Sequence[Earlier]) -> list[Proposal]:
        """Self-contained questions that it may mean, the likeliest first, at most MOST_PROPOSED; none where all that
        could be made of it are no questions."""
        found: dict[str, Proposal] = {}
        broken = False
        numbers = [said.number for said in comparisons(question, self._planner)]
        for one in self._proposed(question.strip(), earlier):
            if one.question != question.strip() and is_broken(one.question):
                broken = True
                continue
            if any(number not in fold(one.question) for number in numbers):
                continue
            found.setdefault(fold(one.question).rstrip("?. !"), one)
            if one.sure or len(found) >= MOST_PROPOSED:
                break
        return list(found.values()) or ([] if broken else [Proposal(question, "as it is", True)])

    def reads(self, question: str) -> bool:
        """Whether a rule reads a question."""
        return self._events.plan(question) is not None

    def accepts(self, question: str) -> bool:
        """Whether it takes up what was offered: "yes please"."""
        return any(value_of(found, "act") == "accept" for found, _ in self._reader.matches("Lead", question))

    def corrects(self, question: str) -> bool:
        """Whether it is said instead of the question before: "no, I meant 2023"."""
        return self._lead(question, Earlier(""))[0] == "correct"

    def stands_alone(self, question: str) -> bool:
        """Whether nothing in a sentence leans on others: no word that opens a follow-up or points back ("the first
        one"), and somebody who did something."""
        act, rest = self._lead(question, Earlier(""))
        read = self._reader.read(rest)
        points = read is None or self._pointing.pointers(rest, read) or self._reader.matches("Then", rest)
        shifts = any(self._reader.matches(name, rest) for name in ("Shift", "Ordinal")) or _ELLIPTIC.match(rest)
        return act in ("", "polite") and not points and not shifts and _SENTENCE.match(rest) is not None

    def asked_here(self, question: str) -> AskedHere | None:
        """What a question asks of earlier dialogues with reqap-kg; None where it does not ask of them."""
        return asked_here(question, self._reader)

    def speaks_of_same(self, question: str, turn: Earlier) -> bool:
        """Whether a question and an earlier one name the same kind of events."""
        read, before = self._reader.read(question), self._reader.read(turn.question)
        return read is not None and before is not None and self._events.shares(read, before)

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
        back = self._back(rest, earlier)
        if back is not None:
            yield from back
            return
        rest, dated = self._times.dated(_YEAR.sub("in ", rest), earlier, spoken)
        rest = self._times.completed(rest, spoken)
        read = self._reader.read(rest)
        if read is None or (not dated and self.stands_alone(question)):  # the latter also if no rule reads it
            yield Proposal(question, "as it is", True)
            return
        read = replace(read, exact=dated)
        pointers = self._pointing.pointers(rest, read)
        if act not in ("swap", "correct", "only") and not pointers and self._is_whole(rest, read):
            yield from self._whole(question, rest, act, read, spoken, dated=dated, earlier=earlier)
            return
        if act == "correct" and not pointers and self._is_whole(rest, read):
            yield Proposal(rest, "corrected")
        found = False
        for one in self._dependent(rest, read, earlier, spoken, pointers=pointers, act=act):
            found = True
            yield one
        if not found or not (pointers or ASKS.match(rest) is None):
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
                return act, direct(rest) if act == "polite" else rest
        return "", question

    def _back(self, rest: str, earlier: Sequence[Earlier]) -> Iterator[Proposal] | None:
        """'Back to the runs: how many in 2023?': what is asked of the last turn that spoke of these; None where the
        words are others, or nothing such was spoken of."""
        for found, tokens in self._reader.matches("Back", rest):
            topic, asks = self._reader.read(group(found, tokens, "t") or ""), group(found, tokens, "x") or ""
            for at in range(len(earlier) - 1, -1, -1):
                about = self._reader.read(earlier[at].question)
                if topic is None or about is None or not self._events.shares(topic, about):
                    continue
                if not asks.strip(" ?.!"):
                    return iter([Proposal(earlier[at].question, "gone back", True)])
                return self._proposed(f"and {asks}", earlier[: at + 1])
        return None

    def _offered(self, last: Earlier) -> str:
        """The question that an offer in the last answer holds; empty where there is none."""
        for sentence in reversed(re.split(r"(?<=[.?!])\s+", last.said)):
            for found, tokens in self._reader.matches("Offer", sentence):
                if offer := group(found, tokens, "x"):
                    return direct(offer)
        return ""

    def _accepted(self, earlier: Sequence[Earlier]) -> Iterator[Proposal]:
        for one in self._proposed(f"and {self._offered(earlier[-1])}", earlier):  # it goes on about the same
            yield Proposal(one.question, "offer accepted", one.sure)

    # ------------------------------------------------------------ questions that need nothing, or only a period
    def _is_whole(self, text: str, read: Read) -> bool:
        """Whether a question says by itself what it is about, and a rule reads it."""
        unknown = coverage(read.reading, self._reader.annotator).unknown
        core = read.reading.core
        units = {fold(core.words(a.first, a.last)) for a in read.reading.annotations if "Unit" in a.kinds}
        named = [p for p in read.of("naming") if fold(p.words) not in _EMPTY | units]
        leans = not unknown or bool(self._reader.matches("Ask", read.reading.core.text))
        leans = leans and not (_MY.search(text) and read.of("period") and not read.exact)
        is_elliptic = _ELLIPTIC.match(text) and not (_WHICH_THING.match(text) and named)
        if (not named and leans and not _ANY_EVENTS.match(text)) or is_elliptic:
            return False
        return ASKS.match(text) is not None and self._events.plan(text) is not None

    def _whole(
        self, question: str, rest: str, act: str, read: Read, spoken: Spoken, *, dated: bool, earlier: Sequence[Earlier]
    ) -> Iterator[Proposal]:
        """A whole question stays as it is, unless its own words go on about the same events ("and how many rides?",
        "the year before"): then it keeps what limits them."""
        if act != "on" and not dated and self._events.plan(question) is not None:
            yield Proposal(question, "as it is", True)
            return
        shares = self._events.shares(read, spoken.read)
        full = self._with_object(rest, read, spoken) or self._with_older_object(rest, read, earlier)
        if spoken.day is not None and shares and not read.of("period") and _MEASURED.match(rest):
            yield Proposal(appended(full or rest, f"on {day_in_words(spoken.day)}"), "of that day", day=spoken.day)
        if full:
            yield Proposal(full, "object added")
        limits = [p for p in spoken.filters if not read.of(p.family)]
        is_bare = act == "on" and _BARE_COUNT.match(rest) is not None
        own = [p for p in read.parts if "Value" in p.annotation.kinds or p.family == "period"]
        if not own and _COUNTS.match(rest):
            yield from (Proposal(text, "value kept") for text in self._asks.kept(rest, read, spoken))
        if limits and act == "on" and not read.of("period") and (shares or is_bare):
            yield Proposal(appended(rest, " ".join(p.words for p in limits)), "limits kept", is_bare)
        whole = self._events.plan(question) is not None
        yield Proposal(rest if dated or not whole else question, "dates" if dated else "as it is", True)

    def _with_older_object(self, rest: str, read: Read, earlier: Sequence[Earlier]) -> str:
        """The same, where a question before the last has the object; for one that says nothing but a time besides."""
        if any({"Value", "Person", "Concept"} & set(p.annotation.kinds) for p in read.of("naming")):
            return ""
        older = (found for turn in reversed(earlier[:-1]) if (found := self._events.spoken(turn)) is not None)
        return next((full for before in older if (full := self._with_object(rest, read, before))), "")

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
        self,
        rest: str,
        read: Read,
        earlier: Sequence[Earlier],
        spoken: Spoken,
        *,
        pointers: list[Edit],
        act: str,
    ) -> Iterator[Proposal]:
        if _WIDER.match(rest):
            gone = [Edit(p.begin, p.end, "") for p in spoken.filters if p.family in ("period", "weekdays")]
            yield Proposal(edited(spoken.turn.question, gone), "wider", True)
            return
        for text in self._older.questions(rest, read, earlier):
            yield Proposal(text, "asked again")
        sums = len(earlier) > 1 and is_sibling(earlier[-1], earlier[-2])
        for text in self._compare.questions(rest, earlier, spoken, sums=sums):
            yield Proposal(text, "compared")
        yield from (Proposal(text, "from the list") for text in self._pointing.from_list(rest, read, earlier, spoken))
        yield from self._degrees(read, earlier, spoken)
        substitution_first = act in ("swap", "correct") or self._substitution.names(read)
        if not substitution_first:
            yield from self._asked(read, earlier, spoken)
            yield from self._with_noun(rest, read, pointers, earlier, spoken)
            yield from self._pointed(rest, pointers, earlier, spoken)
        is_own = act in ("", "polite", "on") and _SENTENCE.match(rest) is not None  # a question that is not understood
        for text, sure in self._substitution.questions(read, spoken) if not is_own else ():
            yield Proposal(text, "swapped", sure and self.reads(text))
        yield from self._substituted_before(read, earlier, spoken)
        if substitution_first:
            yield from self._asked(read, earlier, spoken)
            yield from self._pointed(rest, pointers, earlier, spoken)

    def _substituted_before(self, read: Read, earlier: Sequence[Earlier], spoken: Spoken) -> Iterator[Proposal]:
        """'And when running?' after "which day was that?": what only said more of one event is not what is asked."""
        for turn in reversed(earlier[:-1]) if spoken.day is not None and self._substitution.names(read) else ():
            before = self._events.spoken(turn)
            found = self._substitution.questions(read, before) if before is not None else ()
            yield from (Proposal(text, "swapped") for text, sure in found if sure)

    def _pointed(
        self, rest: str, pointers: list[Edit], earlier: Sequence[Earlier], spoken: Spoken
    ) -> Iterator[Proposal]:
        for text, day in self._pointing.questions(rest, pointers, earlier, spoken):
            yield Proposal(text, "pointed to", day=day)

    def _degrees(self, read: Read, earlier: Sequence[Earlier], spoken: Spoken) -> Iterator[Proposal]:
        """'And the shortest?': in the question before, or, where that was about one thing, in one that led to it."""
        turns = (found for turn in reversed(earlier) if (found := self._events.spoken(turn)) is not None)
        yield from (Proposal(text, "the next") for text in self._substitution.next(read.text, turns))
        yield from self._beside(read, spoken)
        yield from self._noun_degree(read, earlier, spoken)
        degree = self._substitution.degree(read, spoken)
        for turn in reversed(earlier[:-1]):
            if degree is not None or not spoken.is_one:
                break
            before = self._events.spoken(turn)
            degree = self._substitution.degree(read, before) if before is not None else None
        if degree is not None:
            yield Proposal(degree, "degree")

    def _noun_degree(self, read: Read, earlier: Sequence[Earlier], spoken: Spoken) -> Iterator[Proposal]:
        """'The longest one in 2024?', 'the second longest?' after "which was my longest ride?" and "how long did it
        take?": which it was is asked, not what was asked of it last."""
        if not spoken.is_one or not _DEFINITE.match(read.text) or _WHICH_WAS.match(spoken.turn.question):
            return
        for turn in reversed(earlier[:-1]):
            before = self._events.spoken(turn) if _WHICH_WAS.match(turn.question) else None
            if before is None or before.day != spoken.day or not self._reader.matches("Degree", before.turn.question):
                continue
            degree = self._substitution.degree(read, before)
            if degree is not None:
                yield Proposal(degree, "degree")
                return

    def _beside(self, read: Read, spoken: Spoken) -> Iterator[Proposal]:
        """'What was the run before that one?' after a question about one run."""
        if spoken.day is None:
            return
        for found, tokens in self._reader.matches("Next", read.text):
            way, noun = value_of(found, "way"), group(found, tokens, "noun") or ""
            is_named = bool(noun) and noun.lower() not in ("one", "time", "item", "thing")
            thing = noun if is_named else self._events.bare(spoken.nominal)
            edge = "last" if way == "before" else "first"
            yield Proposal(f"When was the {edge} {thing} {way} {day_in_words(spoken.day)}?", "the next")

    def _asked(self, read: Read, earlier: Sequence[Earlier], spoken: Spoken) -> Iterator[Proposal]:
        yield from (Proposal(text, "asked", day=day) for text, day in self._asks.questions(read, earlier, spoken))

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
        unit = re.match(r"(?i)how many (\S+)$", spoken.head)  # "how many kilometers did I run"
        noun = unit[1] if unit and all(p.begin >= len(spoken.head) for p in naming) else noun
        persons = self._pointing.persons(earlier)
        edits = [Edit(p.begin, p.end, persons[0]) for p in pointers if p.words == "person" and persons]
        if len(edits) == len(pointers):
            limits = " ".join(p.words for p in spoken.filters if not read.of(p.family))
            for own in ("", *self._asks.owns(spoken)) if _says_what(read) else (*self._asks.owns(spoken), ""):
                text = edited(rest, [Edit(head.start(1), head.end(), f"{head[1]} {noun} {own} "), *edits])
                yield Proposal(appended(text, limits), "noun added")


def _says_what(read: Read) -> bool:
    """Whether a question names more than what was done."""
    return any({"Value", "Person", "Class", "Concept"} & set(p.annotation.kinds) for p in read.of("naming"))
