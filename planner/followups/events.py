"""The events that an earlier question spoke of, as words that a new question can take up."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from ...errors import ReqapError
from ...operators.nodes import ArgMax, ArgMin, Avg, GroupBy, Max, Min, Node, Sum, walk
from ...store.words import fold
from ..annotation.annotations import Annotation
from ..annotation.reading import readings
from ..patterns.tokens import tokenise
from ..search.plan import Plan, Planner
from .text import NAMING, Part, Period, Read, Reader, group
from .words import day_in_words, of_unit

STATEMENT = re.compile(r"(?i)^(i|we)\b")
"""What begins a phrase that says what somebody did, rather than naming it."""
_CLAUSE = re.compile(r"(?i)\s(?:that |which )?(?:i|we)\s")
_OBJECT = re.compile(r"(?i)^(?:i|we)\s+(?:have |had |am |was )?(\S+)\s*(.*)$")
_LIGHT = frozenset({"to", "the", "a", "an", "my", "some", "myself", "ourselves"})
_PREPOSITIONS = frozenset({"on", "at", "in", "from", "with", "for", "by", "of", "about", "to"})
_NAMES = re.compile(r"(?:#|/)(?:filter|retrieve|reworded)\w*$")
"""Rules that read words which name events, rather than a question."""
_SIDES = re.compile(r"\(([^()]+)\)")
_LABELS = re.compile(r"(?:,|\bor) ([^(),]+?) \(([^()]+)\)")
_EXTREMES = (ArgMax, ArgMin, Max, Min)


@dataclass(frozen=True)
class Mention:
    """One event behind an answer."""

    label: str
    start: str | None = None
    kind: str = ""
    """Its class."""


@dataclass(frozen=True)
class Earlier:
    """An earlier question in self-contained words, and what was answered: values as text, best first, the events
    behind them (some of them where these are many), and what else was said with the answer, such as an offer."""

    question: str
    values: tuple[str, ...] = ()
    answer_type: str = ""
    events: tuple[Mention, ...] = ()
    said: str = ""
    unit: str = ""
    """Of the values, where these are amounts."""
    failed: bool = False
    """Whether it has no answer, for want of a plan, say: only a correction leans on it."""


@dataclass(frozen=True)
class Spoken:
    """What an earlier question spoke of.

    `core` names the events without `filters`; `nominal` says the same as a noun ("football" of "I played football");
    `measures` are the attributes that the question was about; `is_one` tells that its answer rests on one event.
    """

    turn: Earlier
    read: Read
    core: str
    nominal: str
    filters: tuple[Part, ...]
    measures: tuple[str, ...]
    is_one: bool
    head: str = ""
    tail: str = ""
    thing: str = ""
    """Of a question like "when was my longest run in 2024" what it asks of."""
    day: date | None = None
    """The day of the one event that the answer rests on."""

    @property
    def filter_words(self) -> str:
        """Its filters, one after the other."""
        return " ".join(part.words for part in self.filters)


class Events:
    """Finds what earlier questions spoke of."""

    def __init__(self, planner: Planner, reader: Reader, now: datetime) -> None:
        self._planner = planner
        self.vocabulary = planner.vocabulary
        self._reader = reader
        self._now = now

    def plan(self, question: str) -> Plan | None:
        """The plan of a question, where there is one."""
        try:
            return self._planner.plan(question, now=self._now)
        except ReqapError:
            return None

    def spoken(self, turn: Earlier) -> Spoken | None:
        """What a turn's question spoke of; None where it says nothing."""
        turn = _compared(turn)
        read = self._reader.read(turn.question)
        if read is None:
            return None
        plan = self.plan(turn.question)
        core, filters = self._phrase(turn.question, plan, read)
        head, tail, thing = (self._tail(turn.question, name) for name in ("head", "tail", "thing"))
        measures = tuple(_measures(plan.tree)) if plan is not None else ()
        is_one = _is_one(turn, plan)
        day = _day(turn) if is_one else None
        return Spoken(turn, read, core, self._nominal(core), filters, measures, is_one, head, tail, thing, day)

    def _phrase(self, question: str, plan: Plan | None, read: Read) -> tuple[str, tuple[Part, ...]]:
        """The words that name the events: those of the first open leaf, without filters."""
        mine = fold(question).rstrip("?. ")
        steps = plan.steps if plan is not None else ()
        named = next((at for at, step in enumerate(steps) if _NAMES.search(step.rule)), 0)
        for phrase in (step.question for step in steps[named:]):
            if fold(phrase).rstrip("?. ") == mine:
                continue
            found = readings(phrase, self._reader.annotator, whole=False)
            if found:
                return found[0].core.text, _filters(read)
        return read.reading.core.text, _filters(read)

    def _tail(self, question: str, name: str) -> str:
        found = (group(match, tokens, name) for match, tokens in self._reader.matches("Tail", question))
        return next((words.rstrip("?. ") for words in found if words), "")

    def _nominal(self, core: str) -> str:
        """A statement as a noun: its object, else the label of what its verb means."""
        if not STATEMENT.match(core):
            return core
        found = _OBJECT.match(core)
        rest = found[2] if found else ""
        words = rest.split()
        while words and words[0] in _LIGHT:
            words.pop(0)
        if words and words[0].lower() not in _PREPOSITIONS:
            return " ".join(words)
        noun = self._noun(core)
        return " ".join([_several(noun), *words]) if noun else core

    def _noun(self, core: str) -> str:
        """The label of the likeliest term that the words of a statement mean."""
        read = self._reader.read(core)
        for kind in ("Concept", "Class", "Verb"):
            for part in read.parts if read is not None else ():
                term = next((a for a in part.meanings if kind in a.kinds), None)
                if term is not None:
                    return self._reader.annotator.label_of(term)
        return ""

    def singular(self, phrase: str) -> str:
        """'run I did' of 'runs I did': the noun that the phrase names events by."""
        read = self._reader.read(phrase)
        nouns = [part for part in read.parts if part.family == "naming"] if read is not None else []
        noun = next((p for p in nouns if any({"Class", "Concept", "Target"} & set(a.kinds) for a in p.meanings)), None)
        if noun is not None:
            return phrase[: noun.begin] + self._reader.singular(noun.words) + phrase[noun.end :]
        clause = _CLAUSE.search(phrase)
        end = clause.start() if clause else len(phrase)
        return self._reader.singular(phrase[:end]) + phrase[end:]

    def bare(self, nominal: str) -> str:
        """'Run' of 'runs I did'."""
        return self.singular(_bare(nominal))

    def one(self, spoken: Spoken) -> Iterator[tuple[str, date | None]]:
        """Ways to name the one thing that a turn spoke of: the value that it answered, what the question calls it, the
        event with its day. With those that name an event its day, by which they can be checked."""
        turn = spoken.turn
        if _is_thing(turn) and not _is_noun(turn.values[0], spoken):
            yield turn.values[0], spoken.day
        if spoken.day is not None:
            if spoken.thing and self._reader.matches("Degree", spoken.thing):
                yield spoken.thing, spoken.day
            yield f"the {self.bare(spoken.nominal)} on {day_in_words(spoken.day)}", spoken.day
        yield f"the {self.singular(spoken.nominal)} {spoken.filter_words}".strip(), spoken.day

    def of_value(self, spoken: Spoken) -> str:
        """What was done with the one value that was answered: 'I listened to Gwenno' of "which artist did I listen to
        most"; empty where several or none were."""
        clause = _CLAUSE.search(spoken.core)
        turn = spoken.turn
        if spoken.is_one or clause is None or turn.answer_type != "text" or len(turn.values) != 1:
            return ""
        return f"{spoken.core[clause.start() :].strip()} {turn.values[0]}"

    def object_of(self, core: str) -> tuple[str, str]:
        """The verb of a statement and what follows it: ("played", "football") of "I played football"."""
        found = _OBJECT.match(core)
        return (found[1], found[2].strip()) if found else ("", "")

    def values(self, spoken: Spoken) -> Iterator[str]:
        """What a pointing word may stand for besides events: what was answered, then the values that the question
        named."""
        turn = spoken.turn
        if _is_thing(turn) and not (spoken.is_one and _is_noun(turn.values[0], spoken)):
            yield turn.values[0]
        for part in reversed(spoken.read.of("naming")):
            if any("Value" in a.kinds and a.confidence == 1.0 for a in part.meanings):
                yield part.words

    def persons(self, earlier: Sequence[Earlier]) -> Iterator[str]:
        """People who were spoken of, the latest first."""
        for turn in reversed(earlier):
            for text in (*turn.values[:1], turn.question):
                read = self._reader.read(text) if text else None
                for part in reversed(read.of("naming") if read is not None else ()):
                    if any("Person" in a.kinds for a in part.meanings):
                        yield part.words

    def shares_class(self, one: Read, other: Read) -> bool:
        """Whether two questions speak of the same kind of events, or one of a value that such events have."""
        mine = {a.matches for p in one.of("naming") for a in p.meanings if "Class" in a.kinds}
        theirs = {a.matches for p in other.of("naming") for a in p.meanings if "Class" in a.kinds or "Verb" in a.kinds}
        classes = {c for a in _meanings(other) for c in self._classes_of(a)}
        return bool(mine & (theirs | classes))

    def takes(self, read: Read, name: str) -> bool:
        """Whether a name is a value of such events as a question speaks of: one listens to an artist."""
        value = self._reader.read(name)
        mine = {a.matches for a in _meanings(read) if {"Class", "Verb"} & set(a.kinds)}
        theirs = {c for a in _meanings(value) for c in self._classes_of(a)} if value is not None else set[str]()
        return bool(mine & theirs)

    def _classes_of(self, value: Annotation) -> set[str]:
        """The classes of the events that have a value, by the domains of its properties."""
        found = (self.vocabulary.properties.get(name) for name in value.occurs_in)
        return {name for p in found if p is not None for name in p.domain}

    def names(self, read: Read) -> bool:
        """Whether words say by themselves which events are meant."""
        return bool(_terms(read))

    def shares(self, one: Read, other: Read) -> bool:
        """Whether two questions speak of the same kind of events."""
        return bool(_terms(one) & _terms(other))


def _compared(turn: Earlier) -> Earlier:
    """Of a comparison of questions the one that was asked last."""
    sides = _SIDES.findall(turn.question)
    if len(sides) < 2 and not (sides and turn.question.startswith("Is (")):
        return turn
    labels = _LABELS.findall(turn.question)
    won = [side for name, side in labels if turn.values[:1] == (name,)]
    if won:  # "that year" is the one that was answered
        return Earlier(f"{won[0]}?")
    return Earlier(f"{sides[0] if turn.question.startswith(('Is (', 'How much')) else sides[-1]}?")


def _is_thing(turn: Earlier) -> bool:
    """Whether what was answered is one thing that "it" may be: neither a place nor who was there."""
    is_aside = re.match(r"(?i)(?:and |but |so )*(?:where|with whom|who)\b", turn.question) is not None
    return turn.answer_type in ("text", "events") and len(turn.values) == 1 and not is_aside


def _several(noun: str) -> str:
    """'purchases'; a gerund stays as it is."""
    return noun if noun.endswith(("s", "ing")) else f"{noun}s"


def days_of(spoken: Spoken) -> Iterator[Period]:
    """The days that a turn is about: a day that it answered, those of its question, that of its event."""
    day = _answered_day(spoken.turn)
    if day is not None:
        yield Period(day, day)
    month = answered_month(spoken.turn, spoken.read.period)
    if month is not None:
        yield of_unit(month, "M")
    if spoken.read.period is not None:
        yield spoken.read.period
    if spoken.day is not None:
        yield Period(spoken.day, spoken.day)


def _answered_day(turn: Earlier) -> date | None:
    if turn.answer_type not in ("date", "datetime") or len(turn.values) != 1:
        return None
    try:
        return date.fromisoformat(turn.values[0][:10])
    except ValueError:
        return None


def answered_month(turn: Earlier, period: Period | None) -> date | None:
    """The first day of a month that was answered: "2024-03", or "March" of the year that the question says."""
    if turn.answer_type != "month" or len(turn.values) != 1:
        return None
    if re.fullmatch(r"\d{4}-\d\d", turn.values[0]):
        return date.fromisoformat(f"{turn.values[0]}-01")
    names = [name.lower() for name in calendar.month_name]
    said = turn.values[0].lower()
    has_year = period is not None and period.begin.year == period.end.year
    return date(period.begin.year, names.index(said), 1) if period and has_year and said in names[1:] else None


def _day(turn: Earlier) -> date | None:
    """The day of the one event behind an answer."""
    day = _answered_day(turn)
    starts = [event.start[:10] for event in turn.events if event.start]
    return day if day is not None else date.fromisoformat(min(starts)) if starts else None


def _is_one(turn: Earlier, plan: Plan | None) -> bool:
    """Whether the answer rests on one event: it may be told by several sources."""
    if plan is not None and isinstance(plan.tree, _EXTREMES) and len(turn.values) == 1:
        return not any(isinstance(node, GroupBy) for node in walk(plan.tree))
    return len({event.start and event.start[:10] for event in turn.events}) == 1


def _filters(read: Read) -> tuple[Part, ...]:
    return tuple(part for part in read.parts if part.family not in ("naming", "unit"))


def _measures(tree: Node) -> Iterator[str]:
    """Attributes that a tree folds or seeks the extreme of."""
    if isinstance(tree, Sum | Avg | Max | Min):
        yield tree.name
    elif isinstance(tree, ArgMax | ArgMin):
        yield tree.arg_name


def _is_noun(value: str, spoken: Spoken) -> bool:
    """Whether an answer only repeats the kind of event ("running")."""
    words = {token.stem for token in tokenise(spoken.core).tokens}
    said = [token.stem for token in tokenise(value).tokens]
    return all(stem in words for stem in said) or (value == value.lower() and len(said) == 1)


def _bare(nominal: str) -> str:
    """The noun without what "I" did with it: 'run' of 'run I did'."""
    clause = _CLAUSE.search(nominal)
    return nominal[: clause.start()] if clause and clause.start() else nominal


def _meanings(read: Read) -> Iterator[Annotation]:
    return (a for part in read.of("naming") for a in part.meanings)


def _terms(read: Read) -> set[str]:
    found: set[str] = set()
    for part in read.of("naming"):
        for a in part.meanings:
            if set(NAMING[1:]) & set(a.kinds) and a.matches:
                found.add(a.matches)
    return found
