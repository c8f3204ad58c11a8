"""The parser's proposals: a logical form becomes a tree whose open leaves, words that name events, rules read.

The parser (models/planning/parser.py) says what a question asks, in words that stand in the question; it never names a
value, a day or a person by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise, product
from typing import Final

from ...config import MODEL
from ...errors import NotUnderstood, TreeSyntaxError, TreeTypeError
from ...ontology.namespaces import XSD
from ...operators.forms.decoding import BETWEEN
from ...operators.forms.grammar import Form, Words, format_form, walk, words_in
from ...operators.syntax.text import parse_tree
from ...store.rdf import Literal, NamedNode
from ...store.words import fold, stem
from ...texts.tokens import pieces, split
from ..forms.leaves import Leaves
from ..forms.maker import Drawn, TreeMaker
from ..forms.of_events import LISTS_OF_EVENTS
from ..forms.trees import DRAWN
from ..search.plan import AnswerForm, Planner
from .proposing import Open, Proposal, Proposed, Refused, distinct

NUMBERS: Final = frozenset(XSD + name for name in ("decimal", "integer", "double", "float"))
_SUBJECTS: Final = frozenset({"i", "me", "we", "us", "she", "he", "they", "myself", "herself", "himself"})
"""Pronouns that say who asks, or whose life it is."""
_OWNER: Final = "SELECT DISTINCT ?me WHERE { ?me ev:ownerOf ?owned }"
_BORN_OWNER: Final = "SELECT ?born WHERE { ?me ev:ownerOf ?owned ; ev:birthDate ?born } LIMIT 1"
_BORN: Final = "SELECT ?who ?born WHERE { ?who ev:birthDate ?born } LIMIT 1"
MOST_EARLIER: Final = 2
MOST_WORDS: Final = 60
"""Words of a question that are read; what is longer is cut."""
OTHERWISE: Final = 0.95
"""How much less the other ways to draw a form count."""


@dataclass(frozen=True)
class Parsed:
    """A logical form of a question and how likely it is, between 0 and 1."""

    form: Form
    score: float


Parse = Callable[[str, Sequence[str]], tuple[Parsed, ...]]
"""Forms of a question, the likeliest first; the questions before it, the latest last, are its context."""


def parts_of(question: str, earlier: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words of a question behind those of earlier ones, as the parser reads them, and what stands behind each."""
    words: list[str] = []
    gaps: list[str] = []
    for text in (*earlier[-MOST_EARLIER:], question):
        found = pieces(text)[:MOST_WORDS]
        words += [piece.text for piece in found]
        gaps += [text[one.end : two.start] for one, two in pairwise(found)] + [""]
        if text is not question:
            words.append(BETWEEN)
            gaps.append("")
    return words, gaps


@dataclass(frozen=True)
class ParserProposer:
    """Makes trees of logical forms. `planner` reads times, units and people; `earlier` are the questions before this
    one."""

    planner: Planner
    parse: Parse
    is_aside: Callable[[str], bool] = lambda _: False
    """Whether a form may leave out a word, given case-folded."""
    earlier: tuple[str, ...] = ()
    name: str = MODEL

    def propose(self, asked: Open, *, now: datetime) -> Proposed:
        """Trees of a whole question; words that only name events are left to others."""
        if not asked.whole:
            return Proposed()
        found: list[Proposal] = []
        refused: list[Refused] = []
        for parsed in self.parse(asked.question, self.earlier):
            for made in self._proposals(parsed, now):
                (refused if isinstance(made, Refused) else found).append(made)  # type: ignore[arg-type]
        return Proposed(distinct(found), tuple(refused))

    def left_out(self, form: Form, words: Sequence[str]) -> tuple[str, ...]:
        """Which of some words no piece of a form rests on, though they may say something."""
        said = {stem(fold(word)) for text in words_in(form) for word in split(text)}
        named = _named(form)
        return tuple(
            word
            for word in words
            if any(sign.isalnum() for sign in word)
            and not self.is_aside(word.casefold())
            and stem(fold(word)) not in said
            and word.casefold() not in named
        )

    def _proposals(self, parsed: Parsed, now: datetime) -> Iterator[Proposal | Refused]:
        """The trees of a form: "before the wedding" as a time or of events, events during others by the clock or by the
        day, named things in the words of a leaf or apart."""
        text = format_form(parsed.form)
        form = self._without_owner(parsed.form, now)
        seen: set[str] = set()
        for rank, (by_time, by_day, apart) in enumerate(product((True, False), (False, True), (False, True))):
            try:
                drawn = self._maker(now, by_time=by_time, by_day=by_day, apart=apart).drawn(form)
                if drawn.tree in seen:
                    continue
                seen.add(drawn.tree)
                tree = parse_tree(drawn.tree)
            except (NotUnderstood, TreeSyntaxError, TreeTypeError) as bad:
                yield Refused(self.name, text, str(bad))
                return
            score = parsed.score * OTHERWISE**rank
            yield Proposal(tree, score, _answer_form(drawn), said=text, notes=(f"read as: {text}",))

    def _without_owner(self, form: Form, now: datetime) -> Form:
        """The form without conditions that say that whose life it is took part, as in "has Ann ever …" asked of Ann's:
        all events are hers."""
        if form.operator == "where" and form.arguments[1] in ("participant", "patient") and form.arguments[2] == "=":
            inner, words = form.arguments[0], form.arguments[3]
            assert isinstance(inner, Form)
            assert isinstance(words, Words)
            if self._is_owner(words.text, now):
                return self._without_owner(inner, now)
        parts = (self._without_owner(one, now) if isinstance(one, Form) else one for one in form.arguments)
        return Form(form.operator, tuple(parts))

    def _is_owner(self, words: str, now: datetime) -> bool:
        if words.casefold() in _SUBJECTS:
            return True
        owners = {str(owner) for (owner,) in self.planner.graph.select(_OWNER)}
        said = (a for reading in self.planner.readings(words, now=now) for a in reading.annotations)
        return any("Person" in a.kinds and f"<{a.matches}>" in owners for a in said)

    def _maker(self, now: datetime, *, by_time: bool, by_day: bool, apart: bool) -> TreeMaker:
        leaves = Leaves(self._is_measure, apart)
        return TreeMaker(
            DRAWN,
            LISTS_OF_EVENTS,
            leaves,
            lambda words: self._day(words, now),
            lambda words: self._born(words, now),
            self._unit,
            by_day,
            by_time,
        )

    def _day(self, words: str, now: datetime) -> date:
        """The first day of a time that words name. Raises NotUnderstood."""
        for said in (words, f"on {words}", f"in {words}", f"since {words}"):
            for reading in self.planner.readings(said, now=now):
                for found in reading.filters:
                    begin = found.annotation.variables.get("begin")
                    if begin is not None and not reading.core.tokens:
                        return date.fromisoformat(str(begin.value)[:10])
        raise NotUnderstood(f"“{words}” names no day", words=tuple(words.split()))

    def _is_measure(self, key: str) -> bool:
        """Whether the ontology knows an attribute of this name as a number."""
        named = self.planner.vocabulary.properties_named(key.replace("_", " "))
        return any(one.range in NUMBERS for one in named)

    def _born(self, words: str, now: datetime) -> date:
        """Somebody's day of birth: the owner's, or that of a person whom words name. Raises NotUnderstood."""
        found = (self.planner.graph.select(_BORN_OWNER),)
        if not self._is_owner(words, now):
            people = [
                annotation.matches
                for reading in self.planner.readings(words, now=now)
                for annotation in reading.annotations
                if "Person" in annotation.kinds and annotation.matches
            ]
            found = tuple(self.planner.graph.select(_BORN, {"who": NamedNode(iri)}) for iri in people)
        for rows in found:
            for row in rows:
                if isinstance(row[-1], Literal):
                    return date.fromisoformat(row[-1].value[:10])
        raise NotUnderstood(f"no day of birth of “{words}”", words=tuple(words.split()))

    def _unit(self, words: str) -> str | None:
        """The symbol of a unit by its name; None where the words name none."""
        for phrase in (words, words.removesuffix("s")):
            found = self.planner.vocabulary.unit_named(phrase)
            if found is not None:
                return found.symbol
        return None


def _named(form: Form) -> frozenset[str]:
    """The words of the attributes that a form names."""
    keys = (part for one in walk(form) for part in one.arguments if isinstance(part, str))
    return frozenset(word for key in keys for word in key.split("_"))


def _answer_form(drawn: Drawn) -> AnswerForm:
    return AnswerForm(drawn.type, drawn.unit, drawn.column, drawn.distinct)
