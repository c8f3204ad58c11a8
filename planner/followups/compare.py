"""What is set against what was answered: "how much more was that?", "is that more than last year?", "altogether?".

Both sides are questions, which rules of `mappings/planner/rules/answers.ttl` read in brackets: "How much more is (how
far did I run in 2024) than (how far did I run in 2023)?". Nothing is computed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...operators.nodes import Apply, ArgMax, ArgMin, Avg, Max, Min, Node, Sum
from ...store.words import fold
from .events import Earlier, Events, Spoken
from .slot_substitution import SlotSubstitution
from .text import ASKS, Reader, group, value_of

MOST_ADDED = 5
"""Answers that are added up at most."""
_SCALARS = (Apply, ArgMax, ArgMin, Avg, Max, Min, Sum)
_COMPARED = frozenset({"number", "duration"})
_DATED = frozenset({"date", "datetime", "time"})
_NUMBER = re.compile(r"^\d[\d.,]*(?=\s*[^\W\d]*\??$)")
_LAST = re.compile(
    r"(?i)^(that|it|this|before|last time|the (other|one before|previous|first|last|earlier) ?(one|time)?)\??$"
)
_TOTALS = (
    (re.compile(r"(?i)^how long (?:was|were|is|did) (.+?)(?: take| last)?$"), "duration"),
    (re.compile(r"(?i)^how far (?:was|were|is) (.+)$"), "distance"),
    (re.compile(r"(?i)^how much (?:did|was|were) (.+?)(?: cost)?$"), "price"),
    (re.compile(r"(?i)^what (?:was|is) the (\w+(?: rate)?) of (.+)$"), ""),
)


class Compare:
    """Sets new questions against those that were answered."""

    def __init__(self, reader: Reader, events: Events, substitution: SlotSubstitution) -> None:
        self._reader = reader
        self._events = events
        self._substitution = substitution

    def questions(self, rest: str, earlier: Sequence[Earlier], spoken: Spoken, *, sums: bool) -> Iterator[str]:
        """Self-contained questions that a comparison with what was answered may mean, the likeliest first; none where
        the words are none. With `sums` the last answers may be added up."""
        for found, tokens in self._reader.matches("Compare", rest):
            op, way = value_of(found, "op"), value_of(found, "way")
            if op == "sum":
                if sums and _fits(value_of(found, "measure"), earlier[-1].unit):
                    yield from self._sum(earlier, value_of(found, "two") == "true")
                continue
            last = earlier[-1]
            than = (group(found, tokens, "x") or "").strip(" ?.!")
            op = "apart" if op == "difference" and not than else op  # "how much more": no number below zero is meant
            kinds = _DATED if last.answer_type in _DATED else _COMPARED
            if len(last.values) != 1 or last.answer_type not in kinds:
                last = next((t for t in reversed(earlier) if len(t.values) == 1 and t.answer_type in _COMPARED), last)
            for other in self._others(than, last, earlier, spoken):
                yield from self._compared(op, _turned(way, last), last, other)

    def _compared(self, op: str, way: str, last: Earlier, other: str) -> Iterator[str]:
        mine, theirs = self._side(last.question), other if _NUMBER.match(other) else self._side(other)
        if not mine or not theirs or fold(mine) == fold(theirs):
            return
        if op == "truth":
            bracketed = theirs if _NUMBER.match(theirs) else f"({theirs})"
            yield f"Is ({mine}) {way} than {bracketed}?"
        elif op == "which":
            ours, others = _difference(mine, theirs)
            if ours and others:
                yield f"Which is {way}, {others} ({theirs}) or {ours} ({mine})?"
        elif _NUMBER.match(theirs):
            return
        elif op == "ratio":
            yield f"How many times ({theirs}) is ({mine})?"
        elif op == "share":
            yield f"What percentage of ({theirs}) is ({mine})?"
        elif op == "apart":
            yield f"What is the difference between ({theirs}) and ({mine})?"
        else:
            yield f"How much {way} is ({mine}) than ({theirs})?"

    def _others(self, than: str, last: Earlier, earlier: Sequence[Earlier], spoken: Spoken) -> Iterator[str]:
        """The other side: a number, the question before with other words in it, or the last that was answered alike."""
        number = _NUMBER.match(than)
        if number:
            yield number[0].replace(",", "")
        elif than and not _LAST.match(than):
            yield from self._substituted(than, last, spoken)
        else:
            before = [t for t in earlier if t is not last and _alike(t, last) and t.question != last.question]
            yield from (turn.question for turn in reversed(before[-1:]))

    def _substituted(self, than: str, last: Earlier, spoken: Spoken) -> Iterator[str]:
        about = spoken if spoken.turn is last else self._events.spoken(last)
        read = self._reader.read(re.sub(r"(?i)^(i|we) (did |was |had )?", "", than))
        if read is None or about is None:
            return
        if ASKS.match(than):
            yield than
        for text, _ in self._substitution.questions(read, about):
            if fold(text) != fold(last.question) and self._events.plan(text) is not None:
                yield text
                return

    def _sum(self, earlier: Sequence[Earlier], two: bool) -> Iterator[str]:
        """The last answers of one kind added up: two of them, or all that were asked one after the other."""
        run: list[Earlier] = []
        for turn in reversed(earlier):
            if run and not _alike(turn, run[-1]):
                break
            if len(turn.values) != 1 or turn.answer_type not in _COMPARED:
                break
            if all(turn.question != other.question for other in run):
                run.append(turn)
        run = run[: 2 if two else MOST_ADDED]
        sides = [self._side(turn.question) for turn in reversed(run)]
        if len(sides) > 1 and all(sides):
            yield "What is " + " plus ".join(f"({side})" for side in sides) + "?"

    def _side(self, question: str) -> str:
        """A question whose answer is one number, in brackets; empty where it is of another kind."""
        bare = question.strip().rstrip("?. !")
        if "(" in bare:
            return ""
        plan = self._events.plan(f"{bare}?")
        if plan is None:
            return ""
        if _is_scalar(plan.tree):
            return bare
        for pattern, measure in _TOTALS:
            found = pattern.match(bare)
            if found:
                name, thing = (measure, found[1]) if measure else (found[1], found[2])
                text = f"What was the total {name} of {thing}"
                total = self._events.plan(f"{text}?")
                return text if total is not None and _is_scalar(total.tree) else ""
        return ""


def is_sibling(one: Earlier, other: Earlier) -> bool:
    """Whether two turns were answered by numbers that can be set against each other."""
    return _alike(one, other) and _difference(one.question, other.question) != ("", "")


def _fits(measure: str, unit: str) -> bool:
    """Whether "how far" can ask of an answer in a unit."""
    km, hours = {"km", "m", "mi"}, {"s", "min", "h", ""}
    units = {"far": km, "long": hours, "many": {"", "km", "kcal", "h", "min"}, "often": {""}}
    return unit in units.get(measure, {unit})


def _is_scalar(tree: Node) -> bool:
    return isinstance(tree, _SCALARS)


def _alike(one: Earlier, other: Earlier) -> bool:
    """Whether two answers are of one kind: dates with dates, kilometres with kilometres."""
    if len(one.values) != 1 or len(other.values) != 1 or one.unit != other.unit:
        return False
    return one.answer_type == other.answer_type and one.answer_type in _COMPARED | _DATED


def _turned(way: str, last: Earlier) -> str:
    """'Faster' is less of a duration and more of a speed."""
    if way in ("faster", "slower"):
        is_speed = "/" in last.unit
        is_time = last.answer_type == "duration" or (last.unit in ("s", "min", "h") and not is_speed)
        return "less" if (way == "faster") == is_time else "more"
    return way


def _difference(one: str, other: str) -> tuple[str, str]:
    """The words by which two questions differ: ("2024", "2023")."""
    mine, theirs = one.rstrip("?. ").split(), other.rstrip("?. ").split()
    begin = 0
    while begin < min(len(mine), len(theirs)) and fold(mine[begin]) == fold(theirs[begin]):
        begin += 1
    end = 0
    while end < min(len(mine), len(theirs)) - begin and fold(mine[-1 - end]) == fold(theirs[-1 - end]):
        end += 1
    return " ".join(mine[begin : len(mine) - end]), " ".join(theirs[begin : len(theirs) - end])
