"""The small model's proposals: which operator a question asks for, of which attributes, and which words name events.

A model sketches (models/planning/decomposer.py); here its sketch becomes a piece of tree whose open leaf, the words
that name the events with the filters that rules found, is read by rules. So the model never invents words: a leaf's
come from the question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Final

from ...config import MODEL
from ...errors import TreeSyntaxError, TreeTypeError
from ...operators.reading.names import whole_months
from ...operators.syntax.text import parse_tree
from ...texts.tokens import pieces
from ..annotation.annotations import Annotation
from ..annotation.reading import Reading
from ..patterns.functions import statement
from ..search.plan import AnswerForm, Planner
from .proposing import Open, Proposal, Proposed, Refused, distinct
from .sketch_trees import Part, made

"""What counts as a word of a question: what the model says of each stands in this order."""
LATER: Final = 0.9
"""How much less a less likely reading counts."""
NOUNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("artist", "song", "album"), "songs"),
    **dict.fromkeys(("product", "shop", "category", "price", "quantity"), "purchases"),
    **dict.fromkeys(("workout_type", "distance", "energy", "average_heart_rate", "average_speed"), "workouts"),
    **dict.fromkeys(("city", "country", "days"), "trips"),
    **dict.fromkeys(("sender", "subject"), "emails"),
    "movie_title": "movies",
    "series": "episodes",
    "doctor": "doctor appointments",
}
"""What has an attribute, for questions that name no events beside it."""
_NUMBER_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
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
_NAMES: Final = frozenset({"Value", "Person", "Concept"})
SURE_NAME: Final = 0.9
"""Confidence from which on a value is named by its words."""
_POSSESSIVE: Final = re.compile(
    r"\b((?:this|last) (?:year|month|week|weekend|summer|winter|spring|autumn|fall)|yesterday|today)['’]s\b"
    r"(.{0,300}?)(?=[?.!]{0,20}$)",
    re.IGNORECASE,
)
_AUXILIARY: Final = re.compile(r"(?:did|do)$", re.IGNORECASE)
_SUBJECT: Final = re.compile(r"(?:i|we)$", re.IGNORECASE)
_CONNECTIVE: Final = re.compile(
    r"(?:while|when|whenever|during|after|before|since|on|in|at|with|out|without|until)\b", re.IGNORECASE
)


@lru_cache(maxsize=1)
def _bare_year() -> re.Pattern[str]:
    """A year, or a month of a year, that no preposition leads."""
    months = whole_months()
    return re.compile(
        "".join(rf"(?<!\b{word} )" for word in (*_BEFORE_YEAR, *months))
        + rf"(?<!\d, )(?<!\d )(?<![\w/.,-])(?:(?:{'|'.join(months)}) )?(?:19|20)\d\d\b(?![\w/-])",
        re.IGNORECASE,
    )


@dataclass(frozen=True)
class Sketch:
    """What a model makes of a question: the operator, the attribute that answers, the one that is measured (either may
    be empty), for each word whether it names the events, and how sure it is, between 0 and 1."""

    operator: str
    key: str
    measure: str
    kept: tuple[bool, ...]
    score: float


Sketcher = Callable[[Sequence[str]], tuple[Sketch, ...]]
"""Sketches of a question, given as its words, the likeliest first."""


@dataclass(frozen=True)
class _Run:
    """Words that follow each other and were kept, and, if they do, the auxiliary and subject before them."""

    words: str
    subject: str = ""
    auxiliary: str = ""


@dataclass(frozen=True)
class SketchProposer:
    """Makes pieces of tree of sketches. `planner` gives the readings of a question: its core and its filters."""

    planner: Planner
    sketcher: Sketcher
    name: str = MODEL

    def propose(self, asked: Open, *, now: datetime) -> Proposed:
        """Pieces for a whole question; words that only name events are left to others."""
        if not asked.whole:
            return Proposed()
        found: list[Proposal] = []
        refused: list[Refused] = []
        for rank, reading in enumerate(self.planner.readings(with_prepositions(asked.question), now=now)):
            words = [piece.text for piece in pieces(reading.core.text)]
            for sketch in self.sketcher(words) if words else ():
                made = self._proposal(replace(sketch, kept=whole_names(sketch.kept, reading)), words, reading, rank)
                (refused if isinstance(made, Refused) else found).append(made)  # type: ignore[arg-type]
        return Proposed(distinct(found), tuple(refused))

    def _proposal(self, sketch: Sketch, words: Sequence[str], reading: Reading, rank: int) -> Proposal | Refused:
        leaf = self._leaf(sketch, reading.core.text, reading)
        text = f"{sketch.operator}({', '.join(filter(None, (leaf, sketch.key, sketch.measure)))})"
        quoted = f'QUD("{leaf.replace(chr(34), chr(39))}")'
        drawn = made(sketch.operator, Part(quoted, sketch.key, sketch.measure, number_in(words))) if leaf else None
        if drawn is None:
            return Refused(
                self.name, text, "it names no events" if not leaf else "it lacks an attribute, or is no operator"
            )
        try:
            tree = parse_tree(drawn.tree)
        except (TreeSyntaxError, TreeTypeError) as bad:
            return Refused(self.name, text, str(bad))
        notes = (*reading.notes, f"read as: {said(sketch, leaf)}")
        unit = self._unit(sketch, reading)
        form = AnswerForm(drawn.type, unit, drawn.column, drawn.distinct)
        return Proposal(tree, sketch.score * LATER**rank, form, notes=notes)

    def _leaf(self, sketch: Sketch, text: str, reading: Reading) -> str:
        """The words that name the events, with the filters: runs of words that were kept, a question's clause as a
        statement, and what stood before the question behind the rest."""
        runs = list(_runs(text, sketch.kept))
        if len(runs) > 1 and _CONNECTIVE.match(runs[0].words):
            runs = [*runs[1:], runs[0]]
        said = " ".join(self._stated(run) for run in runs)
        noun = self._noun(sketch, said)
        return f"{noun} {said}".strip() + reading.filter_words if noun or said else ""

    def _stated(self, run: _Run) -> str:
        """ "did I [listen to]" as "I listened to"; other words as they stand."""
        if run.subject and _AUXILIARY.match(run.auxiliary):
            return statement(self.planner.book.forms, run.auxiliary, run.subject, run.words)
        return f"{run.subject} {run.words}".strip()

    def _noun(self, sketch: Sketch, said: str) -> str:
        """What has the attribute that is asked for, where the words that were kept name no events, or only what else
        happened ("while running")."""
        noun = NOUNS.get(sketch.key) or NOUNS.get(sketch.measure) or ""
        return "" if self._names_events(said) and not _CONNECTIVE.match(said) else noun

    def _names_events(self, said: str) -> bool:
        """Whether a noun of the words is a class of the ontology ("songs", "runs")."""
        vocabulary = self.planner.vocabulary
        words = said.split()
        phrases = (" ".join(words[at : at + size]) for size in (1, 2, 3) for at in range(len(words)))
        return any(
            vocabulary.classes_named(phrase)
            or vocabulary.concepts_named(phrase)
            or vocabulary.classes_with_verb(phrase)
            for phrase in phrases
        )

    def _unit(self, sketch: Sketch, reading: Reading) -> str | None:
        """The symbol of the unit that the question names for its measure: "total hours", "…, in hours"."""
        if not sketch.measure:
            return None
        for aside in reading.asides:
            symbol = aside.annotation.variables.get("symbol")
            if "UnitRequest" in aside.annotation.kinds and symbol is not None:
                return str(symbol.value)
        for annotation in reading.annotations:
            unit = self.planner.vocabulary.units.get(annotation.matches or "")
            if "Unit" in annotation.kinds and unit is not None:
                return unit.symbol
        return None


def whole_names(kept: Sequence[bool], reading: Reading) -> tuple[bool, ...]:
    """What is kept, with all words of people and of values of the data, and with the rest of what is kept in part."""
    places = [(piece.start, piece.end) for piece in pieces(reading.core.text)]
    found = list(kept)
    for annotation in reading.annotations:
        if annotation.pattern is not None or not _NAMES.intersection(annotation.kinds):
            continue
        begin, end = reading.core.tokens[annotation.first].offset, reading.core.tokens[annotation.last - 1].end
        inside = [place for place, (first, last) in enumerate(places) if first >= begin and last <= end]
        is_name = "Concept" not in annotation.kinds and annotation.confidence >= SURE_NAME
        if (is_name and not _is_plain(annotation, reading)) or any(found[place] for place in inside):
            for place in inside:
                found[place] = True
    return tuple(found)


def _is_plain(annotation: Annotation, reading: Reading) -> bool:
    """Whether a value's words say something else, too: a noun of the ontology, a unit."""
    return any(
        other.first <= annotation.first and other.last >= annotation.last and not _NAMES.intersection(other.kinds)
        for other in reading.annotations
        if other.pattern is None
    )


def with_prepositions(question: str) -> str:
    """The question with "in" before years, and months with a year, that stand bare ("runs 2023 count"), and with what
    is this year's, or last month's, as that of this year."""
    question = _POSSESSIVE.sub(lambda match: f"{match[2]}, {match[1]}", question)
    return _bare_year().sub(lambda match: f"in {match[0]}", question)


def _runs(text: str, kept: Sequence[bool]) -> Iterator[_Run]:
    """The runs of words that were kept, as the question writes them."""
    found = pieces(text)
    place = 0
    while place < len(found):
        end = place
        while end < len(found) and kept[end]:
            end += 1
        if end > place:
            before = [piece.text for piece in found[max(0, place - 2) : place]]
            subject = before[-1] if before and _SUBJECT.match(before[-1]) else ""
            auxiliary = before[-2] if subject and len(before) > 1 else ""
            yield _Run(text[found[place].start : found[end - 1].end], subject, auxiliary)
        place = max(end, place + 1)


def number_in(words: Sequence[str]) -> int | None:
    """The first number from 2 to 50 that stands in a question by itself."""
    for word in words:
        lower = word.lower()
        number = int(lower) if lower.isdecimal() and len(lower) < 4 else None
        number = _NUMBER_WORDS.index(lower) if lower in _NUMBER_WORDS else number
        if number is not None and 2 <= number <= 50:
            return number
    return None


def said(sketch: Sketch, leaf: str) -> str:
    """The sketch in words, for who asked."""
    of = " of " if sketch.key or sketch.measure else ": "
    names = " by ".join(name.replace("_", " ") for name in (sketch.key, sketch.measure) if name)
    return f"{sketch.operator.replace('_', ' ')} {names}{of}“{leaf}”".replace("  ", " ")
