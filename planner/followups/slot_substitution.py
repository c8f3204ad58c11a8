"""Putting the words of a follow-up in the place of those of the question before: its period, kind, person, value,
degree or unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...store.words import fold
from ..annotation.annotate import Annotation
from ..patterns.tokens import tokenise
from .events import Spoken
from .text import Part, Period, Read, Reader, period_of, value_of
from .words import Edit, appended, day_in_words, edited, in_words, lowered, of_unit, shifted

_SUBJECT = re.compile(r"(?i)\b(i|we)\s+$")
_CLAUSE = re.compile(r"(?i)\s(?:that |which )?(?:i|we)\s")
_GO = re.compile(r"(?i)\b(go|going|went)\s+$")
_PLAY = re.compile(r"(?i)\b(play|playing|do|doing)\s+$")
_PREPOSITION = re.compile(r"(?i)^(while|during|when|by|of|from|with|in|on|at|for|to|about)\s+(the\s+|my\s+)?(?=\S)")
_LEADING = re.compile(r"(?i)^(how\s+(many|much|often|far|long)|and|only|just|the|a|an|my|for|when|which|of)\s+(?=\S)")
_MOST_UNKNOWN = 4
_MOST_NOUNS = 2
_SURELY_ALIKE = 3.5
"""Likeness from which on words are surely meant for others: a person for a person, a value for one of its property."""
_ASKING = re.compile(
    r"(?i)\b(times?|ones?|first|second|third|last|next|average|total|who|what|which|when|where|how|was|were|is|are|did|do|does|it|that|there|they|them|i|we|both|itself|same)\b"
)
_CLAUSAL = re.compile(r"(?i)\b(who|what|which|when|where|how|was|were|is|are|did|do|does|have|has|had|i|we)\b")
"""What a clause has, which stands in no noun's place."""
_QUESTION_WORD = re.compile(r"(?i)\b(who|what|which|when|where|how)\b")
_BARE_ORDINAL = re.compile(r"(?i)^(?:the\s+)?(second|third|fourth|fifth|sixth|\d+(?:st|nd|rd|th))(?: one| time)?$")
_ANY_ORDINAL = re.compile(r"(?i)^(?:the\s+)?(second|third|fourth|fifth|sixth|\d+(?:st|nd|rd|th))\b")


class SlotSubstitution:
    """Makes questions of fragments and the question before."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def questions(self, fragment: Read, spoken: Spoken) -> Iterator[tuple[str, bool]]:
        """The question before with what the fragment says in the place of what it said, the likeliest way first; and
        whether it is sure that this is meant, whatever the answer."""
        edits, added = self._moved(fragment, spoken.read)
        core = _trimmed(fragment.reading.core.text, spoken.turn.question)
        whole = fragment.reading.core.text.strip(" ,.?!")
        core = whole if any(fold(p.words) == fold(whole) for p in fragment.of("naming")) else core  # a title's "The"
        if not core:
            if edits or added:
                yield appended(edited(spoken.turn.question, edits), added), True
            return
        for more, sure in self._core(core, fragment, spoken):
            yield appended(edited(spoken.turn.question, [*edits, *more]), added), sure

    def names(self, fragment: Read) -> bool:
        """Whether a fragment is nothing but a word that names events: 'episodes', 'and yoga'."""
        core = fold(_PREPOSITION.sub("", fragment.reading.core.text.strip(" ,.?!")))
        kinds = {"Class", "Concept", "Value", "Person"}
        return any(
            fold(p.words) == core and any(kinds & set(a.kinds) for a in p.meanings) for p in fragment.of("naming")
        )

    def degree(self, fragment: Read, spoken: Spoken) -> str | None:
        """The question before with another degree: 'and the shortest?'."""
        found = self._degree(fragment.reading.core.text, spoken.turn.question)
        if found is None:
            return None
        edits, added = self._moved(fragment, spoken.read)
        return appended(edited(spoken.turn.question, [*edits, *found]), added)

    def next(self, fragment: str, turns: Iterable[Spoken]) -> Iterator[str]:
        """'And the one before that?' after "my last run": "my last run before 25 February 2025", of the latest question
        that asks for a first or last one."""
        ways = {value_of(found, "way") for found, _ in self._reader.matches("Next", fragment)}
        for spoken in turns if ways else ():
            edges = {value_of(found, "value") for found, _ in self._reader.matches("Degree", spoken.turn.question)}
            if spoken.day is not None and ((min(ways) == "before" and "last" in edges) or edges & {"first"}):
                gone = [Edit(p.begin, p.end, "") for p in spoken.filters if p.family == "period"]
                yield appended(edited(spoken.turn.question, gone), f"{min(ways)} {day_in_words(spoken.day)}")
                return

    def _moved(self, fragment: Read, last: Read) -> tuple[list[Edit], str]:
        """Edits that put the fragment's filters and unit in the place of those of the same family, and the words of
        those for which there is no place."""
        edits: list[Edit] = []
        added: list[str] = []
        for family in dict.fromkeys(p.family for p in fragment.parts if p.family != "naming"):
            new = [p for p in fragment.parts if p.family == family]
            old = last.of(family)
            words = self.said(fragment, new, last)
            unit = _unit_asked(last) if family == "unit" and not old else None
            if unit is not None:
                edits.append(Edit(*unit, re.sub(r"(?i)^in\s+", "", words)))
                continue
            if not old:
                added.append(words)
                continue
            edits.append(Edit(old[0].begin, old[0].end, words))
            edits += [Edit(part.begin, part.end, "") for part in old[1:]]
        return edits, " ".join(added)

    def said(self, fragment: Read, new: Sequence[Part], last: Read) -> str:
        """The words of new filters of one family; of several periods the days that they leave."""
        if len(new) == 1:
            return lowered(new[0].words) if fragment.exact else self._filter_words(new[0], last)
        days = fragment.period if new[0].family == "period" else None
        return in_words(days) if days is not None else " ".join(part.words for part in new)

    def _filter_words(self, part: Part, last: Read) -> str:
        """The words of a filter. A month or day without a year is of the year before; a year alone is put into a
        period that is part of one: the same months of that year."""
        mine, theirs = period_of(part.annotation), last.period
        is_open = "OpenYear" in part.annotation.kinds and not re.search(r"\d{4}", part.words)
        if is_open and mine is None and theirs is not None and theirs.begin.year == theirs.end.year:
            return f"{lowered(part.words)} {theirs.begin.year}"
        if part.family != "period" or mine is None or theirs is None:
            return lowered(part.words)
        one_year = theirs.begin.year == theirs.end.year
        if is_open and one_year:
            by = theirs.begin.year - mine.begin.year
            return in_words(shifted(mine, by, "Y"))
        whole = mine == of_unit(mine.begin, "Y")
        feast = _feast_of(mine, last) if whole else None
        if feast is not None:
            return feast
        says_year = re.fullmatch(r"(?i)(in|for|during|of)?\s*+(the year)?\s*+\d{4}", part.words.strip())
        if whole and says_year and one_year and theirs != of_unit(theirs.begin, "Y") and theirs.begin != theirs.end:
            return in_words(shifted(theirs, mine.begin.year - theirs.begin.year, "Y"))
        has_preposition = re.match(
            r"(?i)(in|on|at|during|for|from|between|since|until|before|after|by|over)\b", part.words
        )
        return lowered(part.words) if has_preposition or mine not in _units(mine) else in_words(mine)

    def _core(self, core: str, fragment: Read, spoken: Spoken) -> Iterator[tuple[list[Edit], bool]]:
        degree = self._degree(core, spoken.turn.question)
        if degree is not None:
            yield degree, True
        new = [p for p in fragment.of("naming") if fold(p.words) in fold(core)]
        bare = _PREPOSITION.sub("", core)
        if len(new) > 1 and not any(fold(p.words) == fold(bare) for p in new):
            yield from ((edits, False) for edits in self._several(new, spoken.read))
        main = next((p for p in new if fold(p.words) == fold(bare)), new[-1] if len(new) == 1 else None)
        if main is None:
            if not _ASKING.search(bare) and len(bare.split()) <= _MOST_UNKNOWN:
                yield from ((edits, False) for edits in self._objects(bare, spoken))
                yield from ((edits, False) for edits in self._unknown(bare, spoken.read))
            return
        if _says_more(core, main, spoken.turn.question):
            return
        for old in _matching(main, spoken.read.of("naming")):
            whole = _compound(old, spoken)
            if whole is not None:
                yield [self._replaced(whole, main, core, spoken.turn.question)], False
            yield [self._replaced(old, main, core, spoken.turn.question)], _likeness(main, old) >= _SURELY_ALIKE
        if bare != core:
            yield self._inserted(core, spoken.read), False

    def _several(self, new: Sequence[Part], last: Read) -> Iterator[list[Edit]]:
        """Each naming word of the fragment for its like."""
        edits: list[Edit] = []
        free = list(last.of("naming"))
        for part in new:
            old = next(iter(_matching(part, free)), None)
            if old is None:
                return
            free.remove(old)
            edits.append(Edit(old.begin, old.end, part.words))
        yield edits

    def _replaced(self, old: Part, new: Part, core: str, question: str) -> Edit:
        """The new words in the form that their place asks for: 'did I cycle', 'did I do yoga'."""
        before = question[: old.begin]
        has_more = len(core) > len(new.words) and not _PREPOSITION.match(core) and not _CLAUSAL.search(core)
        words = core if has_more else new.words
        gone = _GO.search(before)
        if gone and not words.lower().endswith("ing"):
            return Edit(gone.start(), old.end, f"do {words}")
        light = _PLAY.search(before)
        if light and words.lower().endswith("ing"):
            return Edit(light.start(), old.end, words if light[1].lower().endswith("ing") else f"go {words}")
        if _SUBJECT.search(before):
            base = self._reader.base(words)
            is_verb = base != words or any("Verb" in a.kinds for a in new.meanings)
            return Edit(old.begin, old.end, base if is_verb else f"do {words}")
        return Edit(old.begin, old.end, words)

    def _inserted(self, core: str, last: Read) -> list[Edit]:
        """'songs' → 'songs by Gwenno': behind the noun that names the events."""
        nouns = [p for p in last.of("naming") if any({"Class", "Concept"} & set(a.kinds) for a in p.meanings)]
        end = nouns[0].end if nouns else len(last.text.rstrip("?. "))
        return [Edit(end, end, f" {core}")]

    def _objects(self, words: str, spoken: Spoken) -> Iterator[list[Edit]]:
        """Words for what the frame of the question before is about: 'the crutches' of "how much did the crutches cost".
        A day that only said which event was meant goes with it."""
        core = spoken.read.reading.core
        frames = [a for a in spoken.read.reading.annotations if "Frame" in a.kinds]
        for frame in sorted(frames, key=lambda a: -a.confidence):
            for held in (g for g in frame.groups if g.name == "x" and g.last <= len(core.tokens)):
                begin, length = core.origin(held.first, held.last)
                clause = _CLAUSE.search(spoken.read.text[begin : begin + length])
                length = clause.start() if clause and clause.start() else length
                day = Period(spoken.day, spoken.day) if spoken.day is not None else None
                gone = [p for p in spoken.filters if day is not None and period_of(p.annotation) == day]
                yield [Edit(begin, begin + length, words), *(Edit(p.begin, p.end, "") for p in gone)]
                return

    def _unknown(self, words: str, last: Read) -> Iterator[list[Edit]]:
        """Words that nothing knows, for a person or value, else for the last word that named events."""
        named = last.of("naming")
        known = [p for p in named if any({"Person", "Value"} & set(a.kinds) for a in p.meanings)]
        for old in (*reversed(known), *reversed([p for p in named if p not in known])):
            yield [Edit(old.begin, old.end, words)]

    def _degree(self, core: str, question: str) -> list[Edit] | None:
        """'the shortest' for 'longest', 'the last' for 'first', 'second' before 'most'."""
        found = self._whole_degree(core)
        if found is None:
            return self._nth(core, question)
        family = value_of(found, "family")
        for old, tokens in sorted(self._reader.matches("Degree", question), key=lambda m: m[0].first):
            theirs = value_of(old, "family")
            if theirs == family or {theirs, family} == {"best", "fold"}:
                begin, length = tokens.span(old.first, old.last)
                ordinal = _ANY_ORDINAL.match(core)
                words = value_of(found, "value")
                return [Edit(begin, begin + length, f"{ordinal[1]} {words}" if ordinal else words)]
        return None

    def _nth(self, core: str, question: str) -> list[Edit] | None:
        """'And the third?' after 'second most', or after 'my first'."""
        ordinal = _BARE_ORDINAL.match(core)
        if ordinal is None:
            return None
        for old, tokens in sorted(self._reader.matches("Degree", question), key=lambda m: -m[0].length):
            begin, length = tokens.span(old.first, old.last)
            family, value = value_of(old, "family"), value_of(old, "value")
            words = ordinal[1] if family == "edge" else f"{ordinal[1]} {value}"
            return [Edit(begin, begin + length, words)] if family != "fold" else None
        return None

    def _whole_degree(self, core: str) -> Annotation | None:
        """The degree that a fragment is, with articles and 'one', 'time' around it."""
        bare = re.sub(r"(?i)\b(the|my|one|ones|time|was|is|which|what|when|and|of all|of them)\b", " ", core).split()
        for found, tokens in self._reader.matches("Degree", core):
            if [t.text.lower() for t in tokenise(" ".join(bare)).tokens] == [
                t.lower for t in tokens.tokens[found.first : found.last]
            ]:
                return found
        return None


def _says_more(core: str, main: Part, question: str) -> bool:
    """Whether words ask something of their own around what they name: 'who sent the last one'."""
    rest = fold(_PREPOSITION.sub("", core)).replace(fold(main.words), " ", 1).strip()
    same = rest in ("which", "what") and fold(question).startswith(("which ", "what "))  # "which series?"
    if same or not _CLAUSAL.search(rest):
        return False
    if _PREPOSITION.match(core):
        return "," in core and _QUESTION_WORD.search(rest) is not None
    return _QUESTION_WORD.search(rest) is not None or any(not _CLAUSAL.fullmatch(word) for word in rest.split())


def _feast_of(year: Period, last: Read) -> str | None:
    """'Christmas in 2023' with another year in its place; None where the question before names no such day."""
    old = last.of("period")
    if len(old) != 1:
        return None
    numbers = re.findall(r"\d+", old[0].words)
    is_named = len(numbers) == 1 and len(numbers[0]) == 4 and last.period is not None
    if not is_named or last.period is None or last.period in _units(last.period)[1:]:
        return None
    return re.sub(r"\d{4}", str(year.begin.year), old[0].words)


def _units(days: Period) -> tuple[Period, ...]:
    return tuple(of_unit(days.begin, unit) for unit in ("D", "M", "Y"))


def _trimmed(core: str, question: str) -> str:
    """What is left of a fragment when the words are gone with which the question before begins, too."""
    core = core.strip(" ,.?!")
    while found := _LEADING.match(core):
        head = found[1].lower()
        if head in ("when", "which") and not fold(question).startswith(head):
            break
        core = core[found.end() :]
    core = re.sub(r"(?i)^(those|the ones?|them|these)\s+", "", core)
    done = {
        "anything",
        "any",
        "something",
        "was there anything",
        "were there any",
        "was there any",
        "there",
        "any of those",
        "any of them",
        "only",
        "just",
        "and",
        "of",
        "the",
        "for",
        "those",
        "them",
        "ones",
        "how many",
        "how much",
        "that",
        "alone",
    }
    return "" if core.lower() in done else core


def _unit_asked(read: Read) -> tuple[int, int] | None:
    """Where a question names the unit of its answer: 'hours' of 'how many hours'."""
    core = read.reading.core
    for a in read.reading.annotations:
        if "Unit" in a.kinds and a.first and core.tokens[a.first - 1].lower in ("many", "of", "total"):
            begin, length = core.origin(a.first, a.last)
            return begin, begin + length
    return None


def _compound(part: Part, spoken: Spoken) -> Part | None:
    """The part with the nouns that stand behind it before "did I": 'football matches'; None where there are none."""
    end = len(spoken.head)
    rest = spoken.read.text[part.end : end].split()
    if (
        not 0 < len(rest) <= _MOST_NOUNS
        or not all(word.isalpha() for word in rest)
        or _PREPOSITION.match(rest[0] + " x")
    ):
        return None
    return replace(part, end=end, words=spoken.read.text[part.begin : end])


def _matching(new: Part, old: Sequence[Part]) -> list[Part]:
    """The parts that new words may stand for, the likest first; of equals one that is no
    verb alone, then the last."""
    scored = [(_likeness(new, part), not _is_verb(part), place, part) for place, part in enumerate(old)]
    return [part for score, *_, part in sorted(scored, key=lambda s: (-s[0], -s[1], -s[2])) if score > 0]


def _is_verb(part: Part) -> bool:
    return all("Verb" in a.kinds or "Concept" not in a.kinds for a in part.meanings)


def _likeness(new: Part, old: Part) -> float:
    return max((_like(a, b) for a in new.meanings for b in old.meanings), default=0.0)


_KINDS_ALIKE = {
    ("Person", "Person"): 4.0, ("Concept", "Concept"): 3.0, ("Class", "Class"): 3.0, ("Verb", "Verb"): 2.5,
    ("Class", "Concept"): 2.0, ("Concept", "Verb"): 2.0, ("Class", "Verb"): 1.5, ("Value", "Value"): 1.0,
    ("Person", "Value"): 0.8, ("Concept", "Value"): 0.4, ("Class", "Value"): 0.1, ("Concept", "Person"): 0.3,
}  # fmt: skip


def _like(new: Annotation, old: Annotation) -> float:
    if new.occurs_in and set(new.occurs_in) & set(old.occurs_in):
        return 3.5 * min(new.confidence, old.confidence)
    pairs = ((a, b) for a in new.kinds for b in old.kinds)
    return max((_KINDS_ALIKE.get((min(a, b), max(a, b)), 0.0) for a, b in pairs), default=0.0)
