"""The dialog about an answer that is too large: what is asked, what each choice leads to, and what comes first where
nobody wants to be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from ....config import AnswerDialog
from ....ontology.namespaces import KEY
from ....operators.conditions import operands
from ....operators.expressions import Attribute as Read
from ....operators.expressions import Comparison, Expression, Literal
from ....operators.nodes import Extract, Filter, Node, Unnest, walk
from ....operators.syntax.text import format_tree
from ....planner.annotation.parse_graph import attribute_key
from ....planner.search.plan import AnswerForm
from ....store.index.columns import Columns, Kind
from ....store.index.kept_columns import Ranked
from ....store.vocabulary import Vocabulary
from ..sentence import listed
from .enriching import START, Attribute, attributes_of
from .grouping import Above, splits_of
from .splits import Group, Split, any_of, narrowed
from .wording import wording_of

MORE_WAYS: Final = 3
"""Other attributes that one may ask by, besides the best."""
REASON: Final = "what most is told of comes first (InfoRank, among its own kind)"
KeyOf = Callable[[str], str | None]
"""The name in trees of a property, its label's, where EXTRACT reads it by that of the answer's events, and nothing
else; None where it does not."""


@dataclass(frozen=True)
class Choice:
    """One reply: what it is called, how many events it leaves, and the tree that it leads to."""

    label: str
    count: int
    tree: str
    condition: Expression = field(repr=False)

    def as_json(self) -> dict[str, Any]:
        """Its object in `ask --json`."""
        return {"label": self.label, "count": self.count, "tree": self.tree}


@dataclass(frozen=True)
class Question:
    """One way to ask which of the events are meant. `name` says it in a word or two, `text` in a sentence."""

    name: str
    text: str
    choices: tuple[Choice, ...]
    others: Choice | None
    split: Split = field(repr=False, compare=False)

    @property
    def all(self) -> tuple[Choice, ...]:
        """The choices, the others last."""
        return self.choices if self.others is None else (*self.choices, self.others)

    def as_json(self) -> dict[str, Any]:
        """Its object in `ask --json`."""
        attribute = self.split.attribute
        return {
            "name": self.name,
            "text": self.text,
            "property": attribute.iri,
            "grain": self.split.grain,
            "choices": [choice.as_json() for choice in self.choices],
            "others": self.others.as_json() if self.others is not None else None,
            "frequency": {"local": round(attribute.local, 4), "triples": attribute.overall},
        }


@dataclass(frozen=True)
class Large:
    """A large answer: its events, the tree that gave them, the form of its values, and what its events are called."""

    events: tuple[str, ...]
    tree: Node
    form: AnswerForm
    subject: str
    values: int = 0
    labels: tuple[str, ...] = ()
    """Of each event, where the events are the answer: those of the same label are ranked as one."""


@dataclass(frozen=True)
class Known:
    """What a dialog is made with: columns and ranks of the store, columns of what is derived, the vocabulary, and what
    stands above a text (the country of a town)."""

    ranked: Ranked
    derived: Columns
    vocabulary: Vocabulary
    above: Above
    settings: AnswerDialog


@dataclass(frozen=True)
class Asking:
    """A large answer with what its dialog is made with; `key_of` names properties of its events in trees."""

    large: Large
    known: Known
    key_of: KeyOf


@dataclass(frozen=True)
class Dialog:
    """What is said of an answer that is too large: the best question first, then other ways to ask;
    none where nothing splits it. `ranked` are the IRIs of the most important events, for the `reason`."""

    questions: tuple[Question, ...]
    ranked: tuple[str, ...]
    asking: Asking = field(repr=False)
    reason: str = REASON

    @property
    def size(self) -> int:
        """How many events there are."""
        return len(self.asking.large.events)

    @property
    def text(self) -> str:
        """One line: "8,169 songs. By artist, month or device?" """
        names = [question.name for question in self.questions]
        large = self.asking.large
        told = f"{large.values:,} answers from " if large.values else ""
        ways = f" By {listed(names, 'or')}?" if names else ""
        return f"{told}{self.size:,} {large.subject}.{ways}"

    def asked_by(self, question: Question) -> Dialog:
        """The same dialog with one of its questions first."""
        return replace(self, questions=(question, *(one for one in self.questions if one is not question)))

    @property
    def without_questions(self) -> Dialog:
        """The events as they are ranked, for those who want all of them."""
        return replace(self, questions=())

    def tree_of(self, question: Question, choices: Sequence[Choice]) -> Node:
        """The tree of several choices at once: events of any of them."""
        condition = any_of(tuple(choice.condition for choice in choices))
        large = self.asking.large
        return narrowed(large.tree, question.split, condition, lists=large.form.type == "events")

    def as_json(self) -> dict[str, Any]:
        """Its object in `ask --json`."""
        first = self.questions[0].as_json() if self.questions else {"property": None, "choices": []}
        return {
            "size": self.size,
            "text": self.text,
            **first,
            "question": self.questions[0].text if self.questions else None,
            "more": [question.as_json() for question in self.questions[1:]],
            "ranked": list(self.ranked),
            "reason": self.reason,
        }


def dialog_of(asking: Asking) -> Dialog:
    """The dialog about a large answer."""
    large, known = asking.large, asking.known
    attributes = attributes_of(large.events, (known.ranked.columns, known.derived), known.vocabulary)
    questions = tuple(_questions(asking, attributes))
    return Dialog(questions, ranking(large, known.ranked)[: known.settings.answer_rows], asking)


def _questions(asking: Asking, attributes: Sequence[Attribute]) -> Iterator[Question]:
    """The best question, then the other ways to ask: their keys are looked up only for the best."""
    large, known = asking.large, asking.known
    fixed, events = fixed_by(large.tree), len(large.events)
    names = {one.iri: attribute_key(one.label) for one in attributes}
    seen = set[frozenset[bytes]]()
    for split in best_first(candidates(attributes, names, events, known.settings, known.above)):
        attribute = split.attribute
        key = "" if attribute.iri == START else asking.key_of(attribute.iri)
        parts = frozenset(group.members.tobytes() for group in split.all)
        if key is None or key in fixed or parts in seen:  # a country and its nationality part events alike
            continue
        seen.add(parts)
        yield _question(split, large)
        if len(seen) > MORE_WAYS:
            return


def _question(split: Split, large: Large) -> Question:
    wording = wording_of(split, large.subject)
    lists = large.form.type == "events"

    def choice(group: Group) -> Choice:
        tree = narrowed(large.tree, split, group.condition, lists=lists)
        return Choice(group.label, group.count, format_tree(tree), group.condition)

    rest = choice(split.rest) if split.rest is not None else None
    return Question(wording.name, wording.question, tuple(map(choice, split.groups)), rest, split)


def ranking(large: Large, ranked: Ranked) -> tuple[str, ...]:
    """The events by InfoRank, the most important first. Those of one label count together, so that what happened often
    comes before what happened once; one of each label goes before all others."""
    ranks = ranked.of(large.events)
    if len(large.labels) != len(large.events):
        return tuple(large.events[at] for at in np.argsort(-ranks, kind="stable").tolist())
    numbers: dict[str, int] = {}
    codes = np.fromiter(
        (numbers.setdefault(label or iri, len(numbers)) for label, iri in zip(large.labels, large.events, strict=True)),
        dtype=np.int64,
        count=len(large.events),
    )
    totals = np.bincount(codes, weights=ranks)
    order = np.lexsort((np.arange(len(codes)), -ranks, codes, -totals[codes]))
    is_first = np.append(True, np.diff(codes[order]) != 0)
    rest = order[~is_first]
    found = np.concatenate((order[is_first], rest[np.argsort(-ranks[rest], kind="stable")]))
    return tuple(large.events[at] for at in found.tolist())


_WORD: Final = 0.02
"""Bits that a word of a question must bring."""
_EASE: Final = {Kind.NUMBER: 0.8, Kind.TRUTH: 0.9}
"""How readily people know such a thing of what they look for, names and times 1."""
_OWN_KEY: Final = 0.8
"""How readily people know what only a source has a name for."""
_LEAST_BITS: Final = 0.15
"""A question that tells less than this does not split: nine of ten events are in one group."""


def candidates(
    attributes: Iterable[Attribute], keys: dict[str, str], events: int, limits: AnswerDialog, above: Above
) -> Iterator[Split]:
    """The splits by attributes that enough of the events have; `keys` are their names in trees, by IRI."""
    for attribute in attributes:
        if attribute.local >= limits.frequency and (attribute.iri in keys or attribute.iri == START):
            for split in splits_of(attribute, keys.get(attribute.iri, ""), events, limits.choices, above):
                if len(split.all) > 1 and split.bits >= _LEAST_BITS:
                    yield split


def best_first(splits: Iterable[Split]) -> list[Split]:
    """Splits by how much a reply tells, less the words that it takes to ask; of each attribute the best only."""
    ordered = sorted(splits, key=lambda split: (-worth(split), split.attribute.label, split.grain))
    found: dict[tuple[str, bool], Split] = {}
    for split in ordered:
        found.setdefault((split.attribute.iri, split.grain in ("part of day", "weekend")), split)
    return list(found.values())


def worth(split: Split) -> float:
    """How good a question a split makes, in bits."""
    words = sum(len(group.label.split()) for group in split.all)
    ease = _EASE.get(split.attribute.kind, 1.0) * (_OWN_KEY if split.attribute.iri.startswith(KEY) else 1.0)
    return split.bits * ease - _WORD * words


def fixed_by(tree: Node) -> frozenset[str]:
    """Names of attributes that a question, or an earlier reply, fixed to one value, and of those that it asks for."""
    found = set[str]()
    for node in walk(tree):
        if isinstance(node, Filter):
            found |= set(_fixed(node.condition.body))
    top = tree
    while isinstance(top, Extract | Unnest):
        found |= set(top.names if isinstance(top, Extract) else (top.name,)) - {"start_date", "start_datetime"}
        top = top.input
    return frozenset(found)


def _fixed(condition: Expression) -> Iterator[str]:
    for part in operands(condition):
        if isinstance(part, Comparison) and part.operators in (("==",), ("in",)):
            sides = (part.left, part.rights[0])
            if any(isinstance(side, Literal) for side in sides):
                yield from (side.name for side in sides if isinstance(side, Read))
