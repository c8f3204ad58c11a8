"""Questions about what was asked and answered here: "What did I ask you?", "When did we talk about my runs?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...ontology.namespaces import DIALOGUE_SOURCE
from ..annotation.annotations import Annotation
from ..patterns.tokens import Text
from .text import Reader, value_of
from .words import Edit, edited

__all__ = ["AskedHere", "asked_here"]

_IN_PLACE: Final = {"says": DIALOGUE_SOURCE, "questions": "messages", "asks": "send", "what": "What", "thing": "thing"}
"""What dialogues call the things that a question calls otherwise."""
_YOU: Final = "you"


@dataclass(frozen=True)
class AskedHere:
    """A question about dialogues, in the words that they are kept under. `addressed` where it speaks to reqap-kg, as
    "what did you say" does: "what did we discuss" may be meant of talks with other people, too."""

    question: str
    addressed: bool


def asked_here(question: str, reader: Reader) -> AskedHere | None:
    """What a question asks of dialogues; None where it does not ask of them."""
    ways = reader.matches("Dialogue", question)
    if not ways:
        return None
    most = max(ways, key=lambda way: len(_places(*way)))
    edits = [Edit(begin, begin + length, _IN_PLACE[name]) for name, begin, length in _places(*most)]
    return AskedHere(edited(question, edits), any(value_of(found, "who") == _YOU for found, _ in ways))


def _places(found: Annotation, tokens: Text) -> list[tuple[str, int, int]]:
    """The words that dialogues call otherwise: in which way, where they begin, how long they are."""
    return [(g.name, *tokens.span(g.first, g.last)) for g in found.groups if g.name in _IN_PLACE]
