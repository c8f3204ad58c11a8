"""The parser's proposals: a logical form becomes a tree whose open leaves, words that name events, rules read.

The parser (models/planning/parser.py) says what a question asks, in words that stand in the question; it never names a
value, a day or a person by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import pairwise, product
from typing import Final

from ...config import MODEL
from ...errors import NotUnderstood, TreeSyntaxError, TreeTypeError
from ...ontology.namespaces import XSD
from ...operators.expressions import Node
from ...operators.forms.decoding import BETWEEN
from ...operators.forms.grammar import Form, Words, format_form, keys_in, walk, words_in
from ...store.rdf import Literal, NamedNode
from ...store.words import fold, stem
from ...texts.tokens import pieces, split
from ..forms.chats import Chats
from ..forms.leaves import Leaves
from ..forms.lowering import Lowered, Lowering, conditions_of, text_of
from ..forms.of_events import LISTS_OF_EVENTS
from ..forms.records import Records, times_in
from ..forms.trees import LOWERINGS
from ..search.plan import AnswerForm, Planner
from .comparing import TimesBefore, as_compared, comparisons
from .linking import Linking, Marks
from .proposing import Proposal, Proposed, Refused, distinct

_SENTENCE: Final = re.compile(r"(?<=[.?!])\s+(?=\S)")
"""Where one sentence ends and the next begins."""
NUMBERS: Final = frozenset(XSD + name for name in ("decimal", "integer", "double", "float"))
_BORN_OWNER: Final = "SELECT ?born WHERE { ?me ev:ownerOf ?owned ; ev:birthDate ?born } LIMIT 1"
_BORN: Final = "SELECT ?who ?born WHERE { ?who ev:birthDate ?born } LIMIT 1"
MOST_EARLIER: Final = 2
"""Earlier questions that are read with one."""
LEFT_OUT: Final = 0.3
"""How much less a form of a later turn counts for each word that it leaves out."""
OTHERWISE: Final = 0.95
"""How much less the other ways to draw a form count."""


@dataclass(frozen=True)
class Parsed:
    """A logical form of a question and how likely it is, between 0 and 1."""

    form: Form
    score: float
    causal: float = 0.0
    """How likely a causal language model holds it."""

    @property
    def mass(self) -> float:
        """Both together."""
        return self.score + self.causal

    def joined(self, other: Parsed | None) -> Parsed:
        """The same form as read twice."""
        if other is None:
            return self
        return Parsed(self.form, self.score + other.score, self.causal + other.causal)

    def less(self, factor: float) -> Parsed:
        """The same, less likely."""
        return Parsed(self.form, self.score * factor, self.causal * factor)


Parse = Callable[[Sequence[str], Sequence[str], Marks], tuple[Parsed, ...]]
"""Forms of a question, the likeliest first: its words behind those of earlier questions, what stands behind each, and
what the data knows of each."""


@dataclass(frozen=True)
class Before:
    """What was asked before a question, the latest last, and the form of that one, complete by itself, where it is
    known."""

    questions: tuple[str, ...] = ()
    form: Form | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """All words that a question may lean on."""
        return (*self.questions, *(words_in(self.form) if self.form is not None else ()))


FIRST: Final = Before()
"""Before the first question there was none."""


@dataclass(frozen=True)
class Asked:
    """A question behind earlier ones, as the parser reads them: words, and what stands behind each."""

    words: tuple[str, ...]
    gaps: tuple[str, ...]
    begin: int
    """Where the question's own words begin."""


@dataclass(frozen=True)
class _Part:
    """A part of what the parser reads; not `said`: it names an operator or an attribute, or stands between two."""

    text: str
    said: bool = True


def asked_words(question: str, before: Before = FIRST) -> Asked:
    """The words of a question and those of the last ones before it, which the form of the one just before leads: its
    operators, attributes and words in their order."""
    words: list[str] = []
    gaps: list[str] = []
    begin = 0
    for part in _parts(question, before):
        begin = len(words)
        found = pieces(part.text)
        words += [piece.text for piece in found]
        gaps += [part.text[one.end : two.start] for one, two in pairwise(found)] + [""] * bool(found)
    return Asked(tuple(words), tuple(gaps), begin)


def _parts(question: str, before: Before) -> Iterator[_Part]:
    """What the parser reads, the question last."""
    if before.form is not None:
        yield from _parts_of(before.form)
        yield _Part(BETWEEN, said=False)
    for text in before.questions[-MOST_EARLIER:]:
        yield _Part(text)
        yield _Part(BETWEEN, said=False)
    yield _Part(question)


def _parts_of(form: Form) -> Iterator[_Part]:
    """A form without its signs: operators have as many arguments as they have."""
    inner, conditions = conditions_of(form)
    arguments, phrase = inner.arguments, ""
    if inner.operator == "events":
        phrase = _phrase(text_of(arguments[0]), [words for _, test, words in reversed(conditions) if test == "="])
        arguments = (Words(phrase),)
    yield _Part(inner.operator.replace("_", " "), said=False)
    for argument in arguments:
        if isinstance(argument, Form):
            yield from _parts_of(argument)
        else:
            yield _Part(argument.text) if isinstance(argument, Words) else _Part(argument.replace("_", " "), said=False)
    for key, test, words in conditions:
        if words != phrase:  # once is enough: "runs" whose activity is "runs"
            yield _Part(key.replace("_", " ") + (f" {test}" if test != "=" else ""), said=False)
            yield _Part(words)


def _phrase(phrase: str, values: Iterable[str]) -> str:
    """What events are called, without the values of their conditions: another stands for these in the next question,
    and would contradict the phrase."""
    for words in values:
        left = re.sub(rf"(?i)(?<!\w){re.escape(words)}(?!\w)", " ", phrase)
        phrase = " ".join(left.split()) or phrase
    return phrase


@dataclass(frozen=True)
class FormProposer:
    """Reads questions as logical forms and lowers them to trees. `planner` reads times and units, `linking` people."""

    planner: Planner
    linking: Linking
    parse: Parse
    is_aside: Callable[[str], bool] = lambda _: False
    """Whether a form may leave out a word, given case-folded."""
    causal: Parse | None = None
    """A causal language model that parses, too."""
    in_domain: bool = False
    """Whether the data is that of a user's domain, whose rows need no rules."""

    def forms(self, question: str, before: Before = FIRST) -> tuple[Parsed, ...]:
        """Forms of a question, the likeliest first; equal ones are one."""
        asked = asked_words(question, before)
        marks: list[frozenset[str]] = []
        for part in _parts(question, before):
            found = pieces(part.text)
            marks += self.linking.marks(part.text, found) if part.said else [frozenset()] * len(found)
        forms: dict[Form, Parsed] = {}
        said = comparisons(question, self.planner)
        read = list(self.parse(asked.words, asked.gaps, tuple(marks)))
        if self.causal is not None:
            told = self.causal(asked.words, asked.gaps, tuple(marks))
            read += [Parsed(one.form, 0.0, one.score) for one in told]
        for parsed in read:
            form = as_compared(self._without_owner(without_repetition(parsed.form)), said)
            forms[form] = replace(parsed, form=form).joined(forms.get(form))
        return tuple(sorted(forms.values(), key=lambda one: -one.mass))

    def known(self, before: Before) -> Before:
        """The same with the form of the last question, as it is likeliest read by itself where that is not known."""
        if before.form is not None or not before.questions:
            return before
        return replace(before, form=next((one.form for one in self.forms(before.questions[-1])), None))

    def later(self, question: str, before: Before, now: datetime) -> tuple[Parsed, ...]:
        """Forms of a question after others, with the days of times that lean on those of the form before ("the year
        after"). One that leaves out a word of the question, which asks the one before again, is less likely."""
        found: dict[Form, Parsed] = {}
        words = split(question)
        times = TimesBefore(before.form, self.planner, now) if before.form is not None else None
        for one in self.forms(question, before):
            form = times.said_in(one.form) if times is not None else one.form
            less = one.less(LEFT_OUT ** len(self.left_out(one.form, words)))
            found[form] = replace(less, form=form).joined(found.get(form))
        return tuple(sorted(found.values(), key=lambda one: -one.mass))

    def proposed(self, parsed: Parsed, *, now: datetime) -> Proposed:
        """Trees of a form; words that only name events are left open."""
        found: list[Proposal] = []
        refused: list[Refused] = []
        for made in self._proposals(parsed, now):
            if isinstance(made, Refused):
                refused.append(made)
            else:
                found.append(made)
        return Proposed(distinct(found), tuple(refused))

    def left_out(self, form: Form, words: Sequence[str]) -> tuple[str, ...]:
        """Which of some words no piece of a form rests on, though they may say something."""
        said = _stems(single_words(form))
        named = frozenset(word for key in keys_in(form) for word in key.split("_"))
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
        ways = (True,) if self.in_domain else (False, True)
        seen: set[Node] = set()
        for rank, (by_time, by_day, apart) in enumerate(product((True, False), (False, True), ways)):
            try:
                lowered = self._lowering(parsed.form, now, by_time=by_time, by_day=by_day, apart=apart).lowered(
                    parsed.form
                )
                if lowered.tree in seen:
                    continue
                seen.add(lowered.tree)
            except (NotUnderstood, TreeSyntaxError, TreeTypeError) as bad:
                yield Refused(MODEL, text, str(bad))
                return
            score = parsed.score * OTHERWISE**rank
            yield Proposal(lowered.tree, score, _answer_form(lowered), said=text)

    def _without_owner(self, form: Form) -> Form:
        """The form without conditions that say that whose life it is took part, as in "has Ann ever …" asked of Ann's:
        all events are hers."""
        if form.operator == "where" and form.arguments[1] in ("participant", "patient") and form.arguments[2] == "=":
            inner, words = form.arguments[0], form.arguments[3]
            assert isinstance(inner, Form)
            assert isinstance(words, Words)
            if self.linking.names_owner(words.text):
                return self._without_owner(inner)
        parts = (self._without_owner(one) if isinstance(one, Form) else one for one in form.arguments)
        return replace(form, arguments=tuple(parts))

    def _lowering(self, form: Form, now: datetime, *, by_time: bool, by_day: bool, apart: bool) -> Lowering:
        leaves = Leaves(self._is_measure, apart)
        chats = Chats(leaves, self.linking.speaker, counted=form.operator != "show") if self.linking.has_chats else None
        records = Records(self.planner, leaves, now, frozenset(keys_in(form))).lowered if self.in_domain else None
        return Lowering(
            LOWERINGS,
            LISTS_OF_EVENTS,
            leaves,
            lambda words: self._day(words, now),
            self._born,
            self._unit,
            by_day,
            by_time,
            records,
            chats,
        )

    def _day(self, words: str, now: datetime) -> date:
        """The first day of a time that words name. Raises NotUnderstood."""
        for said in times_in(words, self.planner, now):
            if "begin" in said:
                return date.fromisoformat(said["begin"].value[:10])
        raise NotUnderstood(f"“{words}” names no day", words=tuple(words.split()))

    def _is_measure(self, key: str) -> bool:
        """Whether the ontology knows an attribute of this name as a number."""
        named = self.planner.vocabulary.properties_named(key.replace("_", " "))
        return any(one.range in NUMBERS for one in named)

    def _born(self, words: str) -> date:
        """Somebody's day of birth: the owner's, or that of a person whom words name. Raises NotUnderstood."""
        graph = self.planner.graph
        if self.linking.names_owner(words):
            found = [graph.select(_BORN_OWNER)]
        else:
            found = [graph.select(_BORN, {"who": NamedNode(iri)}) for iri in self.linking.people(words)]
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


def without_repetition(form: Form) -> Form:
    """The form with each condition on the same events once."""
    parts = tuple(without_repetition(one) if isinstance(one, Form) else one for one in form.arguments)
    inner = parts[0] if form.operator == "where" else None
    while isinstance(inner, Form) and inner.operator == "where":
        if inner.arguments[1:] == parts[1:]:
            first = parts[0]
            assert isinstance(first, Form)
            return first
        inner = inner.arguments[0]
    return Form(form.operator, parts)


def compares_with_itself(form: Form) -> bool:
    """Whether an operator of the form is given the same twice, which nobody asks: one of the two was misread."""
    for one in walk(form):
        parts = [part for part in one.arguments if isinstance(part, Form)]
        if len(parts) != len(set(parts)):
            return True
    return False


def sentences_apart(question: str, form: Form) -> tuple[str, ...]:
    """The sentences of a question that no piece of a form rests on, as in "How often did I ski? It was a lot."."""
    said = _stems(single_words(form))
    sentences = _SENTENCE.split(question.strip())
    used = [not said.isdisjoint(_stems(split(one))) for one in sentences]
    return tuple(one for one, is_used in zip(sentences, used, strict=True) if not is_used) if any(used) else ()


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(fold(word)) for word in words)


def words_of_earlier(form: Form, question: str, earlier: Sequence[str]) -> tuple[str, ...]:
    """Words of a form that stand in earlier questions and not in this one, in their order."""
    own = {word.casefold() for word in split(question)}
    others = {word.casefold() for text in earlier for word in split(text)} - own
    return tuple(dict.fromkeys(word for word in single_words(form) if word.casefold() in others))


def single_words(form: Form) -> Iterator[str]:
    """The words of the question that a form rests on, one by one, from left to right."""
    return (word for text in words_in(form) for word in split(text))


def _answer_form(lowered: Lowered) -> AnswerForm:
    return AnswerForm(lowered.type, lowered.unit, lowered.column, lowered.distinct)
