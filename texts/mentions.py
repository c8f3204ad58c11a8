"""The people whom a text names: by full name, first name, nickname or relation, as sender or recipient, or unknown.

Source: DESIGN section 3 (EXTRACT reads with the person's profile as context).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from .document import Document


class How(StrEnum):
    """How a person is in a text."""

    SAID = "said"
    SENDER = "sender"
    RECIPIENT = "recipient"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the profile. `relation` is what the person is to the owner: mother, friend, mother-in-law."""

    name: str
    nicknames: tuple[str, ...] = ()
    relation: str | None = None


@dataclass(frozen=True)
class Profile:
    """The person whose life it is, and the people around."""

    owner: Person | None = None
    people: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """People named at [start, end) of the document's text (both 0 for sender and recipients, who stand outside it).

    `names` are full names of the profile: one; several for a group ("Mum and Dad" is two mentions, "the in-laws" one of
    two people); or, where `ambiguous`, the candidates of whom one is meant. Of somebody unknown, the name as written.
    """

    start: int
    end: int
    names: tuple[str, ...]
    how: How = How.SAID
    ambiguous: bool = False
    score: float = 1.0


def mentions(document: Document, profile: Profile) -> tuple[Mention, ...]:
    """Mentions in `document.text`, by place, then sender and recipients. The owner is left out."""
    found: list[Mention] = []
    for person in profile.people:
        for call in {person.name, person.name.split()[0], *person.nicknames}:
            for match in re.finditer(rf"\b{re.escape(call)}\b", document.text):
                found.append(Mention(*match.span(), (person.name,)))
    return tuple(sorted(found, key=lambda mention: mention.start))
