"""The small model's proposals for questions about what was said: which conditions they have, and which of their words
are conditions (Alonso et al. 2024: metadata, content, or both).

A model says what kind of question it is and what each word stands for (models/planning/chat_router.py). Periods,
sessions and people are those that patterns and values of the data found; the model decides which of them are
conditions and which belong to what is looked for ("what did Tom say about last week"). Words of a leaf come from the
question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final

from ...config import MODEL
from ...errors import TreeSyntaxError, TreeTypeError
from ...ontology.namespaces import EV
from ...operators.message_queries import MESSAGES, Content, MessageQuery
from ...operators.reading.names import whole_months
from ...operators.syntax.text import parse_tree
from ...store.words import fold
from ...texts.tokens import pieces, words
from ..annotation.reading import Reading
from ..search.plan import AnswerForm, Planner
from .proposing import Open, Proposal, Proposed, Refused, distinct

_BEFORE_YEAR: Final = (
    *(
        "in",
        "of",
        "since",
        "before",
        "after",
        "until",
        "till",
        "from",
        "to",
        "by",
        "and",
        "or",
        "during",
        "than",
        "for",
    ),
    *("early", "mid", "late", "summer", "spring", "autumn", "fall", "winter", "between", "year", "through", "end"),
)
_POSSESSIVE: Final = re.compile(
    r"\b((?:this|last) (?:year|month|week|weekend|summer|winter|spring|autumn|fall)|yesterday|today)['’]s\b"
    r"(.{0,300}?)(?=[?.!]{0,20}$)",
    re.IGNORECASE,
)
EVENTS: Final = AnswerForm("events")
MEANT: Final = 0.5
"""Probability from which on a word is taken for what the model says."""
_SENDER: Final = EV + "sender"
_TOLD: Final = {"metadata": "by time, session and speaker", "content": "by content", "both": "by content and time"}


@dataclass(frozen=True)
class ChatSketch:
    """How likely each kind of question is ("none": not about what was said; "metadata", "content", "both"; "measure": a
    count, a time or an order of messages), and for each word how likely it says when, and who spoke."""

    kinds: Mapping[str, float]
    times: tuple[float, ...]
    speakers: tuple[float, ...]

    @property
    def talk(self) -> float:
        """How likely it is that messages are wanted."""
        return sum(self.kinds.get(kind, 0.0) for kind in _TOLD)


@dataclass(frozen=True)
class Condition:
    """Words that may say when or in which session, where they stand (offset and length), and how likely they do."""

    words: str
    place: tuple[int, int]
    sure: float


TalkReader = Callable[[Sequence[str]], ChatSketch]
"""What a model says of a question, given as its words."""


@dataclass(frozen=True)
class ChatProposer:
    """Makes trees over chat messages. `planner` gives the readings of a question; `alone`: the data holds nothing but
    chats, so that a question is about these."""

    planner: Planner
    reader: TalkReader
    alone: bool = False
    name: str = MODEL

    def sketch(self, question: str) -> ChatSketch:
        """What the model makes of a question, knowing what the data holds."""
        found = self.reader([piece.text for piece in pieces(question)])
        rest = 1.0 - found.kinds.get("none", 0.0)
        if not self.alone or rest <= 0.0:
            return found
        kinds = {kind: sure / rest for kind, sure in found.kinds.items() if kind != "none"}
        return ChatSketch(kinds, found.times, found.speakers)

    def propose(self, asked: Open, *, now: datetime) -> Proposed:
        """Trees for a whole question; words that only name events are left to others."""
        question = with_prepositions(asked.question)
        readings = self.planner.readings(question, now=now) if asked.whole else ()
        if not readings or not question.strip():
            return Proposed()
        sketch = self.sketch(question)
        told = (*_found(question, readings[0], sketch), *self._others(question, readings[0], sketch, now))
        found = [self._proposal(question, readings[0], sketch, kept, sure) for kept, sure in _chosen(told)]
        proposals = [one for one in found if isinstance(one, Proposal)]
        return Proposed(distinct(proposals), tuple(one for one in found if isinstance(one, Refused)))

    def _proposal(
        self, question: str, reading: Reading, sketch: ChatSketch, kept: Sequence[Condition], sure: float
    ) -> Proposal | Refused:
        by_content = sketch.kinds.get("content", 0.0) + sketch.kinds.get("both", 0.0)
        kind = "metadata" if sketch.kinds.get("metadata", 0.0) > by_content else "both" if kept else "content"
        speaker = _speaker(reading, question, sketch) if kind == "metadata" else ""
        if kind == "metadata" and not kept and not speaker:
            return Refused(self.name, question, "it says neither when nor who")
        if kind != "metadata" and not self._tells(_without(question, kept)):
            return Refused(self.name, question, "it says nothing to look for")
        tree = _tree(kind, question, kept, speaker)
        score = min(1.0, sketch.talk) * sure
        try:
            node = parse_tree(tree)
        except (TreeSyntaxError, TreeTypeError) as bad:
            return Refused(self.name, tree, str(bad))
        places = {one.place for one in kept}
        left = [f.words for f in reading.filters if f.place not in places]
        notes = [f"taken for a question about what was said, {_TOLD[kind]} ({score:.2f})"]
        notes += [f"“{words}” is taken for what is looked for, not for when it was said" for words in left]
        return Proposal(node, score, EVENTS, notes=(*reading.notes, *notes))

    def _tells(self, text: str) -> bool:
        """Whether a text has a word to look for."""
        empty = self.planner.book.stop_words | frozenset(self.planner.vocabulary.function_words)
        return any(fold(word) not in empty for word in words(text))

    def _others(self, question: str, reading: Reading, sketch: ChatSketch, now: datetime) -> Iterator[Condition]:
        """Words that say when, as the model says, and that patterns find only behind a preposition ("May recap")."""
        taken = [f.place for f in reading.filters]
        for begin, end, sure in _runs(question, sketch.times):
            if any(begin < at + length and at < end for at, length in taken):
                continue
            for preposition in ("", "in ", "on "):
                words = f"{preposition}{question[begin:end]}"
                read = self.planner.readings(f"{MESSAGES}, {words}", now=now)
                if read and read[0].filters and read[0].core.text.strip(" ,") == MESSAGES:
                    yield Condition(words, (begin, end - begin), sure)
                    break


def _tree(kind: str, question: str, kept: Sequence[Condition], speaker: str) -> str:
    """The tree as text; its leaf is words that only name messages."""
    conditions = "".join(f", {one.words}" for one in kept)
    messages = f'QUD("{MESSAGES}{_plain(conditions)}")'
    if kind != "metadata":
        return f'RETRIEVE(query="{MessageQuery(Content.ABOUT, _plain(_without(question, kept)))}", l={messages})'
    if not speaker:
        return messages
    condition = f'lambda attr: attr["sender"] == "{_plain(speaker)}"'
    return f'FILTER(l=EXTRACT(l={messages}, attr_names=["sender"], attr_types=[str]), filter={condition})'


def _found(question: str, reading: Reading, sketch: ChatSketch) -> Iterator[Condition]:
    """The filters that patterns found, with what the model says of their words."""
    said_pieces = pieces(question)
    for part in reading.filters:
        begin, length = part.place
        said = [p for word, p in zip(said_pieces, sketch.times, strict=False) if begin <= word.start < begin + length]
        yield Condition(part.words, part.place, sum(said) / len(said) if said else 1.0)


def _runs(question: str, times: Sequence[float]) -> Iterator[tuple[int, int, float]]:
    """Runs of words that say when: begin and end in the question, and the least sure of them."""
    run: list[tuple[int, int, float]] = []
    for word, p in (*zip(pieces(question), times, strict=False), (None, 0.0)):
        if word is not None and p >= MEANT:
            run.append((word.start, word.end, p))
        elif run:
            yield run[0][0], run[-1][1], min(sure for _, _, sure in run)
            run = []


def _chosen(told: Sequence[Condition]) -> Iterator[tuple[tuple[Condition, ...], float]]:
    """Those that the model takes for conditions; then with the least sure one otherwise."""
    yield tuple(one for one in told if one.sure >= MEANT), 1.0
    if told:
        unsure = min(told, key=lambda one: abs(one.sure - MEANT))
        chosen = tuple(one for one in told if (one.sure >= MEANT) != (one is unsure))
        yield chosen, min(unsure.sure, 1.0 - unsure.sure) / max(unsure.sure, 1.0 - unsure.sure)


def _speaker(reading: Reading, question: str, sketch: ChatSketch) -> str:
    """Who is said to have spoken, as the data writes the name; empty where nobody is."""
    asked = [piece.text.casefold() for piece in pieces(question)]
    speaking = {word for word, p in zip(asked, sketch.speakers, strict=False) if p >= MEANT}
    for annotation in reading.annotations:
        said = reading.core.words(annotation.first, annotation.last).casefold().split()
        if annotation.value and _SENDER in annotation.occurs_in and speaking.issuperset(said):
            return annotation.value
    return ""


def _without(question: str, kept: Sequence[Condition]) -> str:
    """The question without the words of its conditions, and without the sign at its end."""
    text = question
    for part in sorted(kept, key=lambda one: -one.place[0]):
        begin, length = part.place
        text = f"{text[:begin].rstrip(' ,')} {text[begin + length :].lstrip(' ,')}"
    return " ".join(text.split()).rstrip(" ?.!,")


def _plain(text: str) -> str:
    return text.replace("\\", " ").replace('"', "'")


def with_prepositions(question: str) -> str:
    """The question with "in" before years, and months with a year, that stand bare ("runs 2023 count"), and with what
    is this year's, or last month's, as that of this year."""
    question = _POSSESSIVE.sub(lambda match: f"{match[2]}, {match[1]}", question)
    return _bare_year().sub(lambda match: f"in {match[0]}", question)


@lru_cache(maxsize=1)
def _bare_year() -> re.Pattern[str]:
    """A year, or a month of a year, that no preposition leads."""
    months = whole_months()
    return re.compile(
        "".join(rf"(?<!\b{word} )" for word in (*_BEFORE_YEAR, *months))
        + rf"(?<!\d, )(?<!\d )(?<![\w/.,-])(?:(?:{'|'.join(months)}) )?(?:19|20)\d\d\b(?![\w/-])",
        re.IGNORECASE,
    )
