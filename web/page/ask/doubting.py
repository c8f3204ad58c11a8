"""What is not sure of an answer, and what of it can be decided with one click: the happening that is told least
clearly counts, or it does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from ....engine.answers.answer import Answer
from ....engine.answers.without import without
from ....engine.doubt.sentences import MAY_TELL_OF_ELSE, without_reason
from ....engine.knowledge import KnowledgeGraph
from ....errors import ReqapError
from ....operators.nodes import Apply
from ....operators.syntax.printing import format_tree
from .asked import Asked
from .kept import Kept
from .rows import Row, digest

_SAID: Final = "I am not sure: "
_READ: Final = "I am not sure that this is what you meant: "
_MOST_EVENTS: Final = 1_000
_MOST_TRIED: Final = 3


@dataclass(frozen=True)
class Doubt:
    """What is not sure, in a word and a sentence; `title` and `words` are of the happening that can be decided, by the
    addresses `yes` and `no`."""

    short: str
    sentence: str
    title: str = ""
    words: str = ""
    yes: str = ""
    no: str = ""


def doubt_of(kept: Kept, asked: Asked, rows: Sequence[Row], known: KnowledgeGraph) -> Doubt | None:
    """What is not sure of an answer; None where it is sure."""
    answer = kept.answer
    unsure = [row for row in rows if row.unsure]
    if not answer.doubt and not unsure:
        return None
    if unsure:
        tried = (_decided(kept, asked, row, known) for row in unsure[:_MOST_TRIED])
        decided = next((one for one in tried if one is not None), None)
        if decided is not None:
            number = len(unsure)
            return replace(decided, short="Not sure of one." if number == 1 else f"Not sure of {number}.")
    left = _undecided(answer.doubt[0], decided=bool(asked.sure) and not unsure) if answer.doubt else ""
    return _in_words(left) if left else None


def _undecided(sentence: str, *, decided: bool) -> str:
    """What of a doubt is left where somebody decided of every happening that it was about; "" for nothing."""
    if not decided or sentence.startswith(_READ):
        return "" if decided else sentence
    return without_reason(sentence, MAY_TELL_OF_ELSE)


def _in_words(sentence: str) -> Doubt:
    if sentence.startswith(_READ):
        return Doubt("Is this what you meant?", "How it was read stands below.")
    told = sentence.removeprefix(_SAID)
    return Doubt("Not sure." if told != sentence else "", _capital(told))


def _decided(kept: Kept, asked: Asked, row: Row, known: KnowledgeGraph) -> Doubt | None:
    """The question whether a happening counts; None where the tree cannot tell it from others."""
    words = row.said[0] if row.said else ""
    tree = _tree_without(kept, row, lambda text: known.run(text, now=kept.at, most_events=_MOST_EVENTS))
    if tree is None:
        return None
    yes = asked.with_sure(digest(row.iri)).plain.address()
    no = asked.plain.with_tree(tree).address()
    return Doubt("", "", row.label, words, yes, no)


def _tree_without(kept: Kept, row: Row, run: Callable[[str], Answer]) -> str | None:
    """The tree without a happening, if all that it leaves out is that one."""
    if kept.tree is None or not row.day or len(kept.sought.queries) != 1:
        return None
    if kept.answer.more_events or kept.answer.also is not None or not isinstance(kept.tree, Apply):
        return None
    text = format_tree(without(kept.tree, kept.sought.queries[0], datetime.fromisoformat(row.day)))
    try:
        left = run(text)
    except ReqapError:  # its time cannot be compared
        return None
    gone = {event.iri for event in kept.answer.events} - {event.iri for event in left.events}
    own = next((one for one in kept.happenings if one.event.iri == row.iri), None)
    is_own = own is not None and gone == {own.event.iri, *(other.iri for other in own.others)}
    return text if is_own else None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
