"""What is asked again of an older question ("and Klaus, how often?", "how many in the whole of 2024?"), and which
proposals are no questions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .events import Earlier, Events
from .slot_substitution import SlotSubstitution
from .text import Read, Reader

_HEADS = (
    r"how (?:often|many times)(?: was (?:that|it))?",
    r"how (?:many|much|far|long)(?: was (?:that|it)| is (?:that|it)| were there)?",
)
_ONE_HEAD = "|".join(_HEADS)
_FILLER = re.compile(r"(?i)\b(?:altogether|all together|together|in total|in all)\b(?: then)?\s*,?\s*")
_ASKED_FIRST = re.compile(rf"(?i)^(?:and |but |so ){{0,4}}(?P<head>{_ONE_HEAD})\b\s*(?P<rest>\S.*)$")
_ASKED_LAST = re.compile(
    rf"(?i)^(?:and |but |so ){{0,4}}(?P<rest>\S(?:[^,]*[^,\s])?)\s*,\s*"
    rf"(?P<head>{_ONE_HEAD}|how many \w+)(?P<more>\s+\S.*)?$"
)
_NUMBER = re.compile(
    r"(?i)\b(?:over|under|above|below|(?:more|less|longer|shorter) than|at least)\s+\d+(?:\.\d+)?(?=$| in\b| on\b)"
)
_OPENING = re.compile(r"(?i)^[^,]*,\s*(?=how\b)")
_UNIT = re.compile(r"\d\s*([^\W\d]+)$")
_NAMED = (
    ("how much", re.compile(r"(?i)^(?:total )?(?:price|cost) of\b")),
    ("how many", re.compile(r"(?i)^number of\b")),
    ("how far", re.compile(r"(?i)^(?:total )?distance of\b")),
    ("how long", re.compile(r"(?i)^(?:total )?duration of\b")),
)
"""What follow-ups are read as, by how they ask."""
_POINTS = re.compile(r"(?i)\b(that|this|those|these|it|them|one|ones)\b")
_TIMES = re.compile(r"(?i)^how (?:often|many times)\b")
_WH = r"(?:how|what|when|where|who|whom|which)"
_BROKEN = re.compile(
    rf"(?i)\b(?:the|my|our|a|an|was|were|is|are|did|do|i|of)\s+{_WH}\b(?!\s+to\b)"  # "did I what", "the when did on"
    rf"|\b(?:i|we)\s+(?:was|were)\s+in\s+that\b|\bthe\s+(?:right\s+)?(?:before|after|myself)\b"
    rf"|^(?:how many|number of|which)\s+(?:n|i|we|and|{_WH})\b"
    r"|\bof (?:was|were|is|are|did)\b|\b(?:did|do) (?:i|we) far\b"
)
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|\([^()]*\)")


class Older:
    """Puts what a follow-up says into older questions than the last."""

    def __init__(self, reader: Reader, events: Events, substitution: SlotSubstitution) -> None:
        self._reader = reader
        self._events = events
        self._substitution = substitution

    def questions(self, text: str, read: Read, earlier: Sequence[Earlier]) -> Iterator[str]:
        """The latest question that asks alike ("how many …"), with what else the follow-up says in it; for a bare
        period after a question of what was answered the question that it was the answer to."""
        yield from self._alike(text.strip().rstrip("?. !"), earlier)
        yield from self._answered(read, earlier)

    def _alike(self, text: str, earlier: Sequence[Earlier]) -> Iterator[str]:
        bare = _FILLER.sub("", text)
        found = _ASKED_LAST.match(bare) or _ASKED_FIRST.match(bare)
        if found is None:
            return
        rest = f"{found['rest']}{found.groupdict().get('more') or ''}"
        fragment = self._reader.read(rest)
        is_last = "more" in found.groupdict()
        if fragment is None or _POINTS.search(rest) or not (is_last or self._only_limits(fragment)):
            return
        for turn in reversed(earlier):
            before = self._events.spoken(turn) if _asks_alike(found["head"], turn.question) else None
            if before is None:
                continue
            amount = next((_UNIT.search(p.words) for p in before.read.of("amount")), None)
            with_unit = _NUMBER.sub(rf"\g<0> {amount[1]}", rest) if amount else rest
            for question, _ in self._substitution.questions(self._reader.read(with_unit) or fragment, before):
                if question != turn.question and self._events.plan(question) is not None:
                    yield question
                    return

    def _only_limits(self, fragment: Read) -> bool:
        """Whether words are nothing but filters, one of them a period."""
        core = _NUMBER.sub("", fragment.reading.core.text.lower()).strip(" ,.?!")
        return bool(fragment.of("period")) and core in ("", "in", "the", "and", "over", "for")

    def _answered(self, read: Read, earlier: Sequence[Earlier]) -> Iterator[str]:
        if not read.of("period") or not self._only_limits(read) or len(earlier) < 2:
            return
        last = self._reader.read(earlier[-1].question)
        for turn in reversed(earlier[:-1]):
            before = self._events.spoken(turn)
            is_named = turn.answer_type == "text" and len(turn.values) == 1 and turn.values[0] in earlier[-1].question
            if last is None or last.of("period") or before is None or not before.read.of("period") or not is_named:
                continue
            yield from (text for text, sure in self._substitution.questions(read, before) if sure)
            return


def is_broken(question: str) -> bool:
    """Whether words were put where they make no sentence: a question word after an article or a subject, say."""
    return _BROKEN.search(_QUOTED.sub("", question)) is not None


def without_repeats(question: str, name: str) -> str:
    """'Brooklyn Nine-Nine, brooklyn nine-nine' is said once."""
    return re.sub(rf"(?i)({re.escape(name)})\s*,\s*{re.escape(name)}\b", r"\1", question)


def _asks_alike(head: str, question: str) -> bool:
    question = _OPENING.sub("", question)
    mine = head.lower().split()
    if _TIMES.match(head):
        return _TIMES.match(question) is not None
    if any(" ".join(mine[:2]) == name and form.match(question) for name, form in _NAMED):
        return True
    words = question.lower().split()
    known = mine[:3] if len(mine) == 3 and mine[2] not in ("was", "is", "were") else mine[:2]
    return words[: len(known)] == known and _TIMES.match(question) is None
