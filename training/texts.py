"""The hand-written texts that the reader is trained on, as documents with what they tell (training/data).

A line of the files: id, kind, written, from, subject, text, location, profile, and `tells`, each a happening with
`mine` (the person took part), `happened`, and `values` by key: {value, span, implied}; `yes` and `no` are queries
that the text is and is not relevant for. `judged` lines say by number which of the general queries it is relevant
for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ..texts.document import Document, TextKind
from ..texts.hints import hints
from ..texts.lexicon.lexicon import Lexicon
from ..texts.people.mentions import Person, Profile, mentions

DATA: Final = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Told:
    """A happening that a text tells of; `real`: the person took part, and it happened or is planned."""

    real: bool
    values: Mapping[str, tuple[tuple[str, ...], str]]
    """By key: the values (several of a list) and the literal words that say them."""


@dataclass(frozen=True)
class Annotated:
    """A text with what it tells. `general` are the numbers of the general queries it is relevant for, `doubtful` those
    of which nobody can say; both None where it was not judged."""

    document: Document
    profile: Profile
    tells: tuple[Told, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    general: frozenset[str] | None = None
    doubtful: frozenset[str] = frozenset()

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Full names of the profile's people."""
        return tuple(person.name for person in self.profile.people)

    def hints(self, lexicon: Lexicon) -> tuple[str, ...]:
        """What lexicon and profile know about the text."""
        return hints(self.document, lexicon, self.profile, mentions(self.document, self.profile))


def read_texts(names: Sequence[str], folder: Path = DATA) -> list[Annotated]:
    """The texts of the files `texts_<name>.jsonl`, with the judgements of `judged_<name>.jsonl` where there are any."""
    return [text for name in names for text in _file(name, folder)]


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as stream:
        yield from (json.loads(line) for line in stream if line.strip())


def _file(name: str, folder: Path) -> Iterator[Annotated]:
    path = folder / f"judged_{name}.jsonl"
    judged = {row["id"]: row for row in lines(path)} if path.is_file() else {}
    for row in lines(folder / f"texts_{name}.jsonl"):
        yield _annotated(row, judged.get(row["id"]))


def _annotated(row: Mapping[str, Any], judged: Mapping[str, Any] | None) -> Annotated:
    return Annotated(
        document=_document(row),
        profile=_profile(row["profile"]),
        tells=tuple(_told(told) for told in row["tells"]),
        yes=tuple(row["yes"]),
        no=tuple(row["no"]),
        general=frozenset(judged["yes"]) if judged else None,
        doubtful=frozenset(judged.get("doubtful", ())) if judged else frozenset(),
    )


def _document(row: Mapping[str, Any]) -> Document:
    kind = TextKind(row["kind"])
    start, end = (datetime.fromisoformat(row[name]) if row.get(name) else None for name in ("start", "end"))
    return Document(
        event=row["id"],
        kind=kind,
        title=row.get("subject") or "",
        body=row["text"],
        written=datetime.fromisoformat(row["written"]),
        location=row.get("location") or "",
        sender="" if row["from"] == "me" else row["from"],
        by_owner=row["from"] == "me",
        start=start,
        end=end,
    )


def _profile(found: Mapping[str, Any]) -> Profile:
    """In the files a person stands under a relation, a nickname, or both."""
    calls: dict[str, list[str]] = {}
    for call, name in found.get("people", {}).items():
        calls.setdefault(name, []).append(call)
    people = (Person(name, tuple(c for c in own if c[:1].isupper()), _relation(own)) for name, own in calls.items())
    return Profile(Person(found["me"]), tuple(people))


def _relation(calls: Sequence[str]) -> str | None:
    return next((call for call in calls if call[:1].islower()), None)


def _told(found: Mapping[str, Any]) -> Told:
    values = {}
    for key, held in found["values"].items():
        value = held["value"]
        values[key] = (tuple(map(str, value)) if isinstance(value, list) else (str(value),), held["span"])
    return Told(found["mine"] and found["happened"], values)
