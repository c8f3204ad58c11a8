"""The hand-written texts of `corpus/texts`, as documents with the event mentions that they tell of.

The form of the files is described in their card (`corpus/texts/README.md`); they are in a checkout, not in what is
installed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ..models.reading.verbalise import Verbalised, verbalise
from ..texts.document import Document, TextKind
from ..texts.hints import hints
from ..texts.lexicon.lexicon import Lexicon
from ..texts.people.mentions import Person, Profile, mentions

TEXTS: Final = Path(__file__).parents[1] / "corpus" / "texts"
_KINDS: Final = {
    "calendar": TextKind.CALENDAR,
    "mail": TextKind.MAIL,
    "note": TextKind.NOTE,
    "post": TextKind.POST,
    "chat": TextKind.CHAT,
    "workout": TextKind.RECORD,
    "purchase": TextKind.RECORD,
}
HAPPENED: Final = "happened"


@dataclass(frozen=True, slots=True)
class Said:
    """A key's value: characters of the text that say it (None where it stands in the sender or the time, or is
    implied), the value, and whether it is implied."""

    key: str
    span: tuple[int, int] | None
    value: str
    implied: bool


@dataclass(frozen=True, slots=True)
class Mention:
    """A happening that a text tells of: its standing to the owner, its kind in plain words, the characters that tell
    of it, and what is said of it."""

    name: str
    standing: str
    kind: str
    trigger: tuple[int, int] | None
    said: tuple[Said, ...]

    @property
    def real(self) -> bool:
        """Whether it happened to the owner."""
        return self.standing == HAPPENED


@dataclass(frozen=True)
class Annotated:
    """A text of a life with what it tells."""

    life: str
    document: Document
    profile: Profile
    mentions: tuple[Mention, ...]

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Full names of the profile's people."""
        return tuple(person.name for person in self.profile.people)

    def line(self, lexicon: Lexicon) -> Verbalised:
        """The line that the reader reads, with its hints."""
        return verbalise(replace(self.document, hints=self.hints(lexicon)))

    def hints(self, lexicon: Lexicon) -> tuple[str, ...]:
        """What lexicon and profile know about the text."""
        return hints(self.document, lexicon, self.profile, mentions(self.document, self.profile))


@dataclass(frozen=True)
class Asked:
    """A phrase that RETRIEVE may be asked for over a life, all mentions that fit, and near misses, by name."""

    life: str
    query: str
    yes: frozenset[str]
    no: frozenset[str]


def read_texts(split: str, folder: Path = TEXTS) -> list[Annotated]:
    """The texts of a split (`train`, `validation`, `test`)."""
    lives = {row["life"]: _profile(row) for row in lines(folder / "lives.jsonl")}
    return [_annotated(row, lives[row["life"]]) for row in lines(folder / f"{split}.jsonl")]


def read_queries(folder: Path = TEXTS) -> Mapping[str, Sequence[Asked]]:
    """The RETRIEVE queries of each life."""
    found: dict[str, list[Asked]] = defaultdict(list)
    for row in lines(folder / "queries.jsonl"):
        one = Asked(row["life"], row["query"], frozenset(row["yes"]), frozenset(row["no"]))
        found[one.life].append(one)
    return found


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as stream:
        yield from (json.loads(line) for line in stream if line.strip())


def _profile(row: Mapping[str, Any]) -> Profile:
    people = (Person(p["name"], tuple(p["calls"]), p["relation"]) for p in row["people"])
    return Profile(Person(row["owner"]), tuple(people))


def _annotated(row: Mapping[str, Any], profile: Profile) -> Annotated:
    told = (_mention(f"{row['id']}.{n}", found) for n, found in enumerate(row["mentions"], start=1))
    return Annotated(row["life"], _document(row, profile), profile, tuple(told))


def _document(row: Mapping[str, Any], profile: Profile) -> Document:
    owner = profile.owner.name if profile.owner is not None else ""
    by_owner = row["sender"] in ("", "me", owner)
    entry = row["source"] == "calendar"
    return Document(
        event=row["id"],
        kind=_KINDS[row["source"]],
        title=row["title"],
        body=row["text"],
        written=datetime.fromisoformat(row["at"]),
        location=row["location"],
        sender="" if by_owner else row["sender"],
        recipients=tuple(name.strip() for name in row["to"].split(",") if name.strip() not in ("", "me")),
        by_owner=by_owner,
        start=datetime.fromisoformat(row["at"]) if entry else None,
        end=datetime.fromisoformat(row["until"]) if entry and row["until"] else None,
    )


def _mention(name: str, row: Mapping[str, Any]) -> Mention:
    said = tuple(
        Said(one["key"], tuple(one["span"]) if one["span"] else None, str(one["value"]), one["implied"])
        for one in row["keys"]
    )
    return Mention(name, row["standing"], row["kind"], tuple(row["trigger"]) if row["trigger"] else None, said)
