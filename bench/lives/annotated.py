"""Lives of `corpus/texts` in the layout of the development personas, so that the same benchmarks measure them.

    python -m reqap_kg.bench.lives.annotated SPLIT FOLDER

Writes a folder a life of the split (`validation`, `test`) with observables.jsonl, profile.json, retrieval.jsonl and
extraction.jsonl. A value is asked for where a text tells of one happening that was or is to be; for a value, its words
in the text are accepted, too. Chats and comments of records, which come by their own importers, are left out.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...errors import UsageError
from ...texts.document import TextKind
from ...training.texts import Annotated, Asked, Mention, Said, read_queries, read_texts
from .generate import write_rows

_SOURCES: Final = {
    TextKind.CALENDAR: "calendar",
    TextKind.MAIL: "mail",
    TextKind.POST: "social_media",
    TextKind.NOTE: "note",
}
_KEYS: Final[Mapping[str, str]] = {
    "participants": "list",
    "amount spent": "float",
    **dict.fromkeys(("place", "dish", "product", "shop", "doctor name", "reason", "movie title", "artist"), "str"),
    **dict.fromkeys(("accommodation", "cuisine", "patient", "trip destination", "doctor type"), "str"),
    **dict.fromkeys(("organisation", "book title", "honoree", "city"), "str"),
}
_REAL: Final = ("happened", "planned")
_AMOUNT: Final = re.compile(r"\d+(?:\.\d+)?")
"""Authors write sums as in "1299.50 ZAR"."""
_NOW: Final = "2026-01-01T12:00:00"


@dataclass(frozen=True)
class AnnotatedLife:
    """A life's texts, those that an import reads, by the number under which they are written."""

    name: str
    texts: Sequence[Annotated]

    def observables(self) -> Iterator[dict[str, Any]]:
        """A record for each text."""
        return (_record(number, text) for number, text in enumerate(self.texts, start=1))

    def profile(self) -> dict[str, Any]:
        """Owner and people."""
        known = self.texts[0].profile
        people = [{"name": p.name, "relation": p.relation} for p in known.people]
        calls = {p.name: list(p.nicknames) for p in known.people if p.nicknames}
        owner = known.owner.name if known.owner is not None else ""
        return {"id": self.name, "now": _NOW, "name": owner, "other_family": people, "nicknames": calls}

    def retrieval(self, queries: Sequence[Asked]) -> Iterator[dict[str, Any]]:
        """Each query with the texts of which a mention fits; near misses in the same text are nothing to find."""
        for place, asked in enumerate(queries, start=1):
            meant = [n for n, text in enumerate(self.texts, start=1) if asked.yes & {m.name for m in text.mentions}]
            if meant:
                yield {"id": f"{self.name}-r{place}", "query": asked.query, "relevant": meant}

    def extraction(self) -> Iterator[dict[str, Any]]:
        """Each value of texts that tell of one happening."""
        for number, text in enumerate(self.texts, start=1):
            if len(text.mentions) == 1 and text.mentions[0].standing in _REAL:
                rows = _values(text, text.mentions[0])
                yield from ({"id": f"{self.name}-x{number}", "event": number} | row for row in rows)


def lives(split: str) -> Iterator[AnnotatedLife]:
    """The lives of a split."""
    texts = [text for text in read_texts(split) if text.document.kind in _SOURCES]
    for name in dict.fromkeys(text.life for text in texts):
        yield AnnotatedLife(name, [text for text in texts if text.life == name])


def _record(number: int, text: Annotated) -> dict[str, Any]:
    document = text.document
    day, clock = document.written.date().isoformat(), document.written.time().isoformat(timespec="seconds")
    source = _SOURCES[document.kind]
    record: dict[str, Any] = {"id": number, "source": source, "start_date": day, "start_time": clock}
    if source == "calendar":
        until = document.end or document.written
        record |= {"end_date": until.date().isoformat(), "end_time": until.time().isoformat(timespec="seconds")}
        return record | {"summary": document.title, "location": document.location, "description": document.body}
    if source == "mail":
        owner = text.profile.owner.name if text.profile.owner is not None else ""
        record |= {"sender": document.sender or owner, "recipient": ", ".join(document.recipients) or owner}
        return record | {"subject": document.title, "text": document.body}
    return record | ({"title": document.title} if source == "note" else {}) | {"text": document.body}


def _values(text: Annotated, mention: Mention) -> Iterator[dict[str, Any]]:
    for key, kind in _KEYS.items():
        held = [said for said in mention.said if said.key == key]
        if not held or (kind != "list" and len(held) > 1):
            continue
        if kind == "list":
            names = [_name(text, said) for said in held]
            words = {_name(text, said): _words(text, said) for said in held if said.span}
            yield {"key": key, "type": kind, "value": names, "nicknames": words}
        elif kind == "float":
            amount = _AMOUNT.search(held[0].value)
            if amount is not None:
                yield {"key": key, "type": kind, "value": float(amount[0])}
        else:
            yield {"key": key, "type": kind, "value": _name(text, held[0]), "also_accept": [_words(text, held[0])]}


def _name(text: Annotated, said: Said) -> str:
    """The value; the owner, whom authors call `me`, by name."""
    owner = text.profile.owner
    return owner.name if said.value == "me" and owner is not None else said.value


def _words(text: Annotated, said: Said) -> str:
    return text.document.text[slice(*said.span)] if said.span else said.value


def write(split: str, folder: Path, queries: Mapping[str, Sequence[Asked]]) -> list[Path]:
    """A folder for each life; raises UsageError where one is there."""
    found: list[Path] = []
    for life in lives(split):
        own = folder / life.name
        if own.exists():
            raise UsageError(f"{own} is there; expected a new folder")
        own.mkdir(parents=True)
        write_rows(own / "observables.jsonl", life.observables())
        write_rows(own / "retrieval.jsonl", life.retrieval(queries.get(life.name, ())))
        write_rows(own / "extraction.jsonl", life.extraction())
        (own / "profile.json").write_text(json.dumps(life.profile(), ensure_ascii=False), encoding="utf-8")
        found.append(own)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("split", choices=("train", "validation", "test"))
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    for path in write(given.split, given.folder, read_queries()):
        print(path)
