"""What is asked of the events that were spoken of: "how far was that", "which ones", "when", "on average"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from ...store.rdf import NamedNode
from ...store.words import fold, stem
from ..annotation.annotations import Annotation
from .events import STATEMENT, Earlier, Events, Spoken, answered_month
from .slot_substitution import SlotSubstitution
from .text import Part, Read, Reader, group, value_of
from .words import Edit, appended, edited, in_words, of_unit

Asked = tuple[str, date | None]
"""A question, and the day of the event that it names, if it names one."""
_PLURAL = re.compile(r"(?i)\b(they|them|those|these|their|all of)\b")
_MOST_TURNS_BACK = 3
_KEEP_EDGE = ("Where", "With whom", "Who")
_MEASURES = ("distance", "duration", "price")


class Asks:
    """Makes whole questions of what is asked of earlier ones."""

    def __init__(self, reader: Reader, events: Events, substitution: SlotSubstitution) -> None:
        self._reader = reader
        self._events = events
        self._substitution = substitution
        self._of_values = OfValues(reader, events)

    def questions(self, read: Read, earlier: Sequence[Earlier], spoken: Spoken) -> Iterator[Asked]:
        """Questions that a follow-up may mean, the likeliest first: the surest pattern's before those of others."""
        if spoken.is_one and _PLURAL.search(read.text):
            spoken = self._several(earlier, spoken)
        spoken = self._with_measures(earlier, spoken)
        for found, tokens in self._reader.matches("Ask", read.reading.core.text):
            noun = self._reader.read(group(found, tokens, "noun") or "")
            if (noun is not None and self._is_other(noun, spoken)) or not self._may_have(found, spoken):
                continue  # "my last swim" after one of a ride
            if value_of(found, "again"):
                yield from self._again(found, read, earlier)
            yield from self._asked(found, read, spoken)

    def _again(self, found: Annotation, read: Read, earlier: Sequence[Earlier]) -> Iterator[Asked]:
        """'And in 2023, which song?' after "which song did I listen to most", also where that was some turns ago."""
        for turn in reversed(earlier[-_MOST_TURNS_BACK:]):
            most = self._reader.matches("Degree", turn.question)
            about = self._events.spoken(turn) if most else None
            if about is not None and value_of(found, "x") and value_of(found, "x") in fold(about.turn.question):
                filters = self._filters_with(read, about)
                yield from ((text, None) for text in self._of_values.of(value_of(found, "again"), about, filters))
                return

    def kept(self, rest: str, read: Read, spoken: Spoken) -> Iterator[str]:
        """A question about the same kind of events, of the value that the one before was about."""
        return self._of_values.kept(rest, read, spoken)

    def owns(self, spoken: Spoken) -> tuple[str, ...]:
        """'of The Good Place': the value that a question named; none where it named none."""
        return tuple(own for own in self._of_values.owns(spoken) if own)

    def _asked(self, found: Annotation, read: Read, spoken: Spoken) -> Iterator[Asked]:
        graft, one = value_of(found, "graft"), value_of(found, "one")
        filters = self._filters_with(read, spoken)
        for name in ("value", "most"):
            yield from ((text, None) for text in self._of_values.of(value_of(found, name), spoken, filters))
        grafted: list[Asked] = [(f"{text}?", None) for text in self._grafted(graft, read, spoken)]
        if spoken.is_one and graft.startswith(_KEEP_EDGE):  # "where did I last eat pizza"
            yield from grafted
        # "When did I last do yoga": without "last" it would be about all of them
        in_tail = spoken.is_one and bool(self._reader.matches("Degree", spoken.tail))
        in_head = self._names_in_head(spoken) or in_tail
        yield from () if in_head else grafted
        if spoken.is_one and one and "{event" not in one:
            for name, day in self._events.one(spoken):
                for form in one.split("||"):
                    yield f"{form.replace('{one}', name)} {_added(read)}".strip() + "?", day
        forms = value_of(found, "set").split("||")
        for form in forms[::-1] if STATEMENT.match(spoken.core) else forms:  # "the first time I saw it"
            yield from ((f"{text}?", None) for text in self._set(form, spoken, filters))
        yield from grafted if in_head else ()

    def _may_have(self, found: Annotation, spoken: Spoken) -> bool:
        """Whether the events can have the attribute that is asked for: songs have no heart rate."""
        term = found.variables.get("p_matches")
        prop = self._events.vocabulary.properties.get(term.value) if isinstance(term, NamedNode) else None
        named = [a for p in spoken.read.of("naming") for a in p.meanings]
        classes = {a.matches for a in named if "Class" in a.kinds and a.matches}
        if prop is None or not classes or any("Concept" in a.kinds for a in named):
            return True
        return any(self._events.vocabulary.may_have(name, prop) for name in classes)

    def _is_other(self, noun: Read, spoken: Spoken) -> bool:
        """Whether a noun names other things than those that were spoken of."""
        said = {stem(fold(word)) for word in f"{spoken.turn.question} {spoken.nominal}".split()}
        if any(stem(fold(word)) in said for word in noun.text.split()):
            return False
        if self._events.names(noun):
            return not self._events.shares(noun, spoken.read)
        return any("Target" in a.kinds for a in noun.reading.annotations)

    def _several(self, earlier: Sequence[Earlier], spoken: Spoken) -> Spoken:
        """What "they" are after a question about one event: those that an earlier question spoke of."""
        for turn in reversed(earlier[:-1]):
            before = self._events.spoken(turn)
            if before is not None and not before.is_one and self._events.shares(before.read, spoken.read):
                return before
        return spoken

    def _with_measures(self, earlier: Sequence[Earlier], spoken: Spoken) -> Spoken:
        """'So per match?' after "how many matches was that?": what was measured of the same events before."""
        for turn in reversed(earlier[:-1]) if not spoken.measures else ():
            before = self._events.spoken(turn)
            if before is not None and before.measures and self._events.shares(before.read, spoken.read):
                return replace(spoken, measures=before.measures)
        return spoken

    def _set(self, template: str, spoken: Spoken, filters: str) -> list[str]:
        """A template over several events, with each measure that it leaves open."""
        if not template:
            return []
        event = f"{self._events.singular(spoken.nominal)} {filters}".strip()
        statement = spoken.core if STATEMENT.match(spoken.core) else self._events.of_value(spoken)
        times = f"time {statement}" if statement else f"of the {spoken.nominal}"
        if self._events.singular(spoken.nominal) == spoken.nominal:
            template = template.replace(" were the {", " was the {").replace(" are the {", " is the {")
        template = template.replace("{question}", spoken.turn.question.rstrip("?. !"))
        text = template.replace("{times}", f"{times} {filters}".strip())
        text = text.replace("{events}", f"{spoken.nominal} {filters}".strip()).replace("{event}", event)
        if "{measure}" not in text:
            return [text]
        return [text.replace("{measure}", name) for name in dict.fromkeys((*spoken.measures, *_MEASURES))]

    def _grafted(self, graft: str, read: Read, spoken: Spoken) -> list[str]:
        """A question word before what was said of whom: 'When' and 'did I swim in 2024'."""
        if not graft or not spoken.tail:
            return []
        families = dict.fromkeys(p.family for p in read.parts if p.family not in ("naming", "unit"))
        mine = [self._substitution.said(read, read.of(name), spoken.read) for name in families]
        tail = spoken.tail[:1].lower() + spoken.tail[1:]
        for part in (p for p in spoken.filters if read.of(p.family)):
            tail = tail.replace(part.words, "")
        degrees = self._reader.matches("Degree", tail)
        keeps = spoken.is_one and graft.startswith(_KEEP_EDGE)
        for found, tokens in degrees[: 0 if keeps else 1]:
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
        month = answered_month(spoken.turn, spoken.read.period)
        if month is not None and not read.of("period"):
            kept = [*(p.words for p in spoken.filters if p.family != "period"), in_words(of_unit(month, "M"))]
        families = dict.fromkeys(p.family for p in mine)
        said = (self._substitution.said(read, [p for p in mine if p.family == name], spoken.read) for name in families)
        return " ".join([*kept, *said])


def _added(read: Read) -> str:
    """The filters and the unit of a follow-up."""
    return " ".join(p.words for p in read.parts if p.family != "naming")


_BEFORE = re.compile(r"(?i)\b(by|of|from)\s+$")
_DOING = re.compile(r"(?i)^(?:did|do|have|had) (?:i|we) (?:ever )?\S+(?: (?:to|for|at|on)\b)?")


class OfValues:
    """Puts what was answered or named by a value into new questions."""

    def __init__(self, reader: Reader, events: Events) -> None:
        self._reader = reader
        self._events = events

    def of(self, template: str, spoken: Spoken, filters: str) -> Iterator[str]:
        """A template with verb, value and noun of what was spoken of; none where one of them is not there."""
        if not template:
            return
        verb = self._verb(spoken)
        if "{verb}" in template and not verb:
            return
        value = next(self._events.values(spoken), "")
        noun = self._noun(spoken)
        if ("{value}" in template and not value) or ("{noun}" in template and not noun):
            return
        has_own = "{own}" in template and re.search(r"(?i)\b(by|of) ", template.split("{own}")[0]) is not None
        for own in self.owns(spoken) if "{own}" in template and not has_own else ("",):
            text = template.replace("{own}", own).replace("{verb}", verb).replace("{value}", value)
            yield re.sub(r"\s+", " ", text.replace("{noun}", noun).replace("{filters}", filters)).strip() + "?"

    def kept(self, rest: str, read: Read, spoken: Spoken) -> Iterator[str]:
        """'How many episodes did I watch?' after one about those of a series: of this one."""
        if not self._events.shares_class(read, spoken.read):
            return
        nouns = [p for p in read.of("naming") if any("Class" in a.kinds for a in p.meanings)]
        filters = " ".join(p.words for p in spoken.filters)
        for own in self.owns(spoken):
            if nouns and own and self._reader.read(own) is not None:
                text = edited(rest, [Edit(nouns[0].end, nouns[0].end, f" {own}")])
                yield appended(text, filters)

    def _verb(self, spoken: Spoken) -> str:
        """'did I listen to' of "which artist did I listen to most in 2024"."""
        found = _DOING.match(spoken.tail)
        return found[0] if found else ""

    def _noun(self, spoken: Spoken) -> str:
        naming = [p for p in spoken.read.of("naming") if any("Class" in a.kinds for a in p.meanings)]
        return self._reader.singular(naming[0].words) if naming else ""

    def owns(self, spoken: Spoken) -> Iterator[str]:
        """'by Radiohead': the values that the question before named, with what stands before them; else nothing."""
        named = [p for p in spoken.read.of("naming") if _is_value(p)]
        for part in named[-1:]:
            before = _BEFORE.search(spoken.read.text[: part.begin])
            for word in dict.fromkeys((before[1] if before else "by", "by", "of")):
                yield f"{word} {part.words}"
        if not named:
            yield ""


def _is_value(part: Part) -> bool:
    """Whether words are a value of the data, rather than a kind of events that is also one."""
    kinds = {kind for a in part.meanings for kind in a.kinds}
    return "Value" in kinds and not kinds & {"Class", "Concept", "Verb", "Person"}
