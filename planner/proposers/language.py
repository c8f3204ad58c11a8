"""Proposals of a language model: prompt, worked decompositions, earlier steps of the same question; its answers read as
trees.

Nothing of the data goes into a prompt: it is made of the package's own texts, labels of the ontology, the question, and
what the model itself answered before. What it answers is text to be read, and refused where it is no tree.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from ...config import LANGUAGE_MODEL
from ...errors import ConfigError, ModelUnreachable, ReqapError
from ...operators.nodes import Node, open_questions
from ...operators.syntax.printing import format_tree
from ...operators.syntax.signatures import SIGNATURES
from ...operators.syntax.text import parse_tree, read_tree
from ...store.words import stems
from ..rules.fragments import with_leaves
from .proposing import Open, Proposal, Proposed, Refused, distinct

if TYPE_CHECKING:
    from jinja2 import Environment

Message = dict[str, str]
Complete = Callable[[Sequence[Message]], list[str]]
"""Gives answers to a conversation. Raises ModelUnreachable."""
SURE = 0.95
"""Score of a step on which all answers agree."""
LONGEST_QUESTION = 2_000
"""Characters; what is longer is no question that is sent."""
_LONGEST_SHOWN = 200
_FENCE = re.compile(r"```[a-z]*\n?|```")
_TREE = re.compile(r"\b(?:" + "|".join((*SIGNATURES, "SELECT", "QU")) + r")\s*\(")


@dataclass(frozen=True)
class LanguageProposer:
    """Asks a model for one operator at a time, or, in one shot, for a whole tree."""

    complete: Complete
    attributes: tuple[str, ...] = ()
    """Labels of the ontology's attributes, shown in the prompt."""
    examples: int = 8
    one_shot: bool = False
    name: str = LANGUAGE_MODEL
    known: Nearest | None = None
    """The worked decompositions; the shipped ones if none are given."""

    def propose(self, asked: Open, *, now: datetime) -> Proposed:  # noqa: ARG002 - as proposers are asked
        """What the model answers that is a tree; equal answers are one, which counts for more."""
        if len(asked.question) > LONGEST_QUESTION:
            return Proposed(refused=(Refused(self.name, asked.question[:_LONGEST_SHOWN], "the question is too long"),))
        try:
            answers = self.complete(self.messages(asked))
        except ModelUnreachable as bad:
            return Proposed(refused=(Refused(self.name, asked.question, str(bad)),), unreachable=True)
        read = [self._read(answer, asked) for answer in answers]
        votes = Counter(found for found in read if not isinstance(found, Refused))
        proposals = (
            Proposal(tree, SURE * count / len(answers), whole=True, said=format_tree(tree))
            for tree, count in votes.items()
        )
        return Proposed(distinct(tuple(proposals)), tuple(found for found in read if isinstance(found, Refused)))

    def messages(self, asked: Open) -> list[Message]:
        """The conversation: the prompt, the nearest worked decompositions, earlier steps, the question."""
        kind = "one_shot" if self.one_shot else "recursive"
        turns: list[Message] = [{"role": "system", "content": prompt(kind, attributes=self.attributes)}]
        first = asked.earlier[0].question if asked.earlier else asked.question
        for worked in (self.known or shipped_decompositions()).to(asked.question, self.examples):
            turns += self._shown(worked)
        turns += _turns([(step.question, step.tree) for step in asked.earlier], first)
        return [*turns, _asked(asked.question, is_new=not asked.earlier)]

    def _shown(self, worked: FewShotExample) -> list[Message]:
        steps = ((worked.question, format_tree(worked.whole)),) if self.one_shot else worked.steps
        return _turns(steps, worked.question)

    def _read(self, answer: str, asked: Open) -> Node | Refused:
        """The tree of an answer, whatever stands around it."""
        plain = _FENCE.sub("", answer)
        begin = _TREE.search(plain)
        shown = plain.strip()[:_LONGEST_SHOWN]
        if begin is None:
            return Refused(self.name, shown, "it names no operator")
        try:
            tree = read_tree(_closed(plain[begin.start() :])).node
        except ReqapError as bad:
            return Refused(self.name, shown, str(bad))
        if asked.question in open_questions(tree):
            return Refused(self.name, shown, "it asks the same question again")
        return tree


def prompt(name: str, **told: object) -> str:
    """A prompt of the package (templates/prompts)."""
    return _environment().get_template(f"prompts/{name}.j2").render(**told)


def _turns(steps: Sequence[tuple[str, str]], first: str) -> list[Message]:
    turns: list[Message] = []
    for question, tree in steps:
        turns.append(_asked(question, is_new=question == first))
        turns.append({"role": "assistant", "content": tree})
    return turns


def _asked(question: str, *, is_new: bool) -> Message:
    begin = "Starting with a new question. " if is_new else ""
    plain = question.replace('"', "'")
    return {"role": "user", "content": f'{begin}Input: QUD("{plain}")'}


def _closed(text: str) -> str:
    """The text up to the bracket that closes its first one; all of it where none does."""
    depth, quote = 0, ""
    for place, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote and text[place - 1] != "\\" else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth == 0:
                return text[: place + 1]
    return text.strip()


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import DictLoader, Environment, StrictUndefined

    folder = files("reqap_kg.templates") / "prompts"
    texts = {f"prompts/{file.name}": file.read_text(encoding="utf-8") for file in folder.iterdir()}
    return Environment(loader=DictLoader(texts), undefined=StrictUndefined, autoescape=False, trim_blocks=True)  # noqa: S701 - prompts are no pages


_SATURATION, _LENGTH = 1.2, 0.75
"""k1 and b of BM25."""


@dataclass(frozen=True)
class FewShotExample:
    """A question decomposed by hand: (question, tree) for each step, the question itself first."""

    steps: tuple[tuple[str, str], ...]

    @property
    def question(self) -> str:
        """What was asked."""
        return self.steps[0][0]

    @cached_property
    def whole(self) -> Node:
        """The tree with all its leaves filled, as it is given in one shot."""
        known = dict(self.steps)

        def filled(question: str) -> Node:
            tree = parse_tree(known[question])
            return with_leaves(tree, {leaf: filled(leaf) for leaf in open_questions(tree)})

        return filled(self.question)


class Nearest:
    """The worked decompositions by how near their questions come to another: BM25 over stems."""

    def __init__(self, worked: Sequence[FewShotExample]) -> None:
        self._worked = tuple(worked)
        self._counts = [Counter(stem for question, _ in one.steps for stem in stems(question)) for one in worked]
        lengths = [sum(counts.values()) for counts in self._counts]
        mean = sum(lengths) / max(1, len(lengths))
        self._norms = [_SATURATION * (1 - _LENGTH + _LENGTH * length / mean) for length in lengths]
        self._having = Counter(stem for counts in self._counts for stem in counts)

    @property
    def all(self) -> tuple[FewShotExample, ...]:
        """All of them, in the order of the file."""
        return self._worked

    def to(self, question: str, most: int) -> tuple[FewShotExample, ...]:
        """Up to `most`, the nearest first; ties stay in the order of the file."""
        asked = stems(question)
        scores = [self._score(asked, place) for place in range(len(self._worked))]
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        return tuple(self._worked[place] for place in order[:most])

    def _score(self, asked: Sequence[str], place: int) -> float:
        counts, norm = self._counts[place], self._norms[place]
        return sum(
            self._rarity(stem) * counts[stem] * (_SATURATION + 1) / (counts[stem] + norm)
            for stem in set(asked)
            if counts[stem]
        )

    def _rarity(self, stem: str) -> float:
        having = self._having[stem]
        return math.log(1 + (len(self._worked) - having + 0.5) / (having + 0.5))


@lru_cache(maxsize=1)
def shipped_decompositions() -> Nearest:
    """Those of templates/decompositions.toml. Raises ConfigError where that file is damaged."""
    text = (files("reqap_kg.templates") / "decompositions.toml").read_text(encoding="utf-8")
    try:
        rows = tomllib.loads(text)["worked"]
        return Nearest([FewShotExample(tuple((question, tree) for question, tree in row["steps"])) for row in rows])
    except (tomllib.TOMLDecodeError, KeyError, ValueError, TypeError) as bad:
        raise ConfigError(f"templates/decompositions.toml: {bad}") from bad
