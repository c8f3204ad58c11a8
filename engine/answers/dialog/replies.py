"""What somebody replies to a dialog: numbers or names of choices, several at once, another way to ask, all, others.

Only a reply as a whole is one: what has words besides is a question, and left to whoever answers questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz import fuzz

from ....operators.nodes import Node
from ....store.index.columns import Kind
from ....store.words import fold
from ....texts.tokens import words
from .dialog import Choice, Dialog, Question
from .grouping import group_named

_ALL: Final = frozenset(
    {"all", "all of them", "show all", "show me all", "show all of them", "everything", "list them"}
)
_REST: Final = frozenset({"other", "others", "the others", "none of these", "none of them", "none", "something else"})
_SMALL: Final = frozenset(
    {"in", "on", "at", "the", "only", "just", "from", "those", "please", "number", "with", "ones"}
)
"""Words around a reply that say nothing."""
_SPELLING: Final = 85.0
"""Least ratio (rapidfuzz) of a reply to the name that it misspells."""
_LONG: Final = 5
"""Letters of the shortest word that may be misspelt."""
_AND: Final = frozenset({"and", "or"})
_BY: Final = "by"


@dataclass(frozen=True)
class Narrowed:
    """A reply that chooses: the tree of what it leaves, what was asked, and the choices in words."""

    tree: Node
    property: str
    chosen: str
    count: int


@dataclass(frozen=True)
class Other:
    """A reply that wants to be asked by something else: the dialog that does."""

    dialog: Dialog


@dataclass(frozen=True)
class Everything:
    """A reply that wants no more questions: the events as they are ranked."""


Reply = Narrowed | Other | Everything


def read_reply(text: str, dialog: Dialog) -> Reply | None:
    """What a text replies to a dialog; None where it is no reply to it."""
    said = _said(text)
    if said in _ALL:
        return Everything()
    if not said or not dialog.questions:
        return None
    if said.startswith(f"{_BY} "):
        named = [one for one in dialog.questions if _said(one.name) == said.removeprefix(f"{_BY} ")]
        return Other(dialog.asked_by(named[0])) if named else None
    if _bare(said) in _REST and dialog.questions[0].others is None:
        return Other(dialog)  # there are none: it is asked again
    for question in dialog.questions[:1] if _bare(said) in _REST else dialog.questions:
        chosen = _chosen(text, question, numbers=question is dialog.questions[0])
        if chosen:
            label = " or ".join(choice.label for choice in chosen)
            tree = dialog.tree_of(question, chosen)
            return Narrowed(tree, question.split.attribute.iri, label, sum(choice.count for choice in chosen))
    return None


def _chosen(text: str, question: Question, *, numbers: bool) -> tuple[Choice, ...]:
    """The choices that a reply names; none where it says anything else."""
    whole = _choice(_said(text), question, numbers=numbers)
    if whole is not None:
        return (whole,)
    found = [_choice(part, question, numbers=numbers) for part in _parts(text)]
    named = tuple(dict.fromkeys(choice for choice in found if choice is not None))
    return named if found and None not in found else ()


def _parts(text: str) -> list[str]:
    """What stands between commas, "and" and "or"."""
    parts: list[list[str]] = [[]]
    for piece in text.split(","):
        for word in words(piece):
            if fold(word) in _AND:
                parts.append([])
            else:
                parts[-1].append(word)
        parts.append([])
    return [_said(" ".join(part)) for part in parts if part]


def _choice(said: str, question: Question, *, numbers: bool) -> Choice | None:
    """The choice of a number, of the same name, the only one that has all the words, a value among the others, or the
    only one that is nearly called so."""
    said = _bare(said)
    if said in _REST:
        return question.others
    if numbers and said.isdecimal() and len(said) < 3 and 1 <= int(said) <= len(question.all):
        return question.all[int(said) - 1]
    names = [_bare(_said(choice.label)) for choice in question.choices]
    if said in names:
        return question.choices[names.index(said)]
    having = [at for at, name in enumerate(names) if said and set(said.split()) <= set(name.split())]
    if len(having) == 1 and question.split.attribute.kind is Kind.TEXT:  # a year is no span of years
        return question.choices[having[0]]
    return _unnamed(said, question) or _misspelt(said, names, question)


def _unnamed(said: str, question: Question) -> Choice | None:
    """The choice of a value that is among the others."""
    split = question.split
    if split.attribute.kind is not Kind.TEXT or split.grain != "frequent":
        return None
    text = next((one for one in split.attribute.texts if _bare(_said(one)) == said), None)
    if text is None:
        return None
    group = group_named(split, text)
    return Choice(group.label, group.count, "", group.condition)


def _misspelt(said: str, names: Sequence[str], question: Question) -> Choice | None:
    """The only choice that a long word nearly names."""
    near = [at for at, name in enumerate(names) if fuzz.ratio(said, name) >= _SPELLING]
    return question.choices[near[0]] if len(said) >= _LONG and len(near) == 1 else None


def _bare(said: str) -> str:
    return " ".join(word for word in said.split() if word not in _SMALL) or said


def _said(text: str) -> str:
    return " ".join(fold(word) for word in words(text))


def numbered(choices: Sequence[Choice]) -> str:
    """The choices with their numbers and counts, as a chat shows them."""
    return "  ".join(f"{at} {choice.label} ({choice.count:,})" for at, choice in enumerate(choices, start=1))
