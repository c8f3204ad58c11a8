"""Lives of the development personas' layout, and of the generator's, which is the same.

A folder of a life holds observables.jsonl and profile.json, or exports/, and questions.jsonl; what was named may also
hold such folders. Gold is in questions.jsonl (answer, answer_type, also_accept, complexity) and, where the events that
an answer rests on are told (`events`: ids of canonical events, or `evidence`: ids of observables), in links.csv.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from ...errors import UsageError
from .base import (
    MISSING,
    Gold,
    Judged,
    Life,
    Options,
    Question,
    folders_with,
    json_of,
    lines_of,
    moment,
    needs_gold,
    required,
)
from .comparing_personas import right

FORMS: Final = ("observables", "exports")


class Personas:
    """The suite `personas`."""

    name = "personas"
    measures = ("Hit@1", "relaxed Hit@1")
    field = "answer"

    def lives(self, directory: Path, options: Options) -> Iterator[Life]:
        """One life per folder; `read` chooses between observables and exports."""
        for folder in _folders(directory):
            paths = _paths(folder, options.read)
            profile = _profile(folder)
            told = moment(profile["now"]) if "now" in profile else None
            rows = list(_rows(folder, options))
            now = told or max((moment(row["now"]) for row in rows if "now" in row), default=None)
            if now is None:
                raise UsageError(f"{folder}: neither the profile nor a question has a 'now'")
            questions = tuple(_question(row, now, str(folder)) for row in rows)
            yield Life(folder.name, paths, now, questions, options.domain)

    def gold(self, directory: Path, options: Options) -> Iterator[Gold]:
        """What is right for the questions of all folders."""
        for folder in _folders(directory):
            links = _links(folder)
            for row in _rows(folder, options):
                needs_gold(row, ("answer",), str(folder))
                yield Gold(str(row["id"]), row["question"], row, _groups(row), _happenings(row, links))

    def judge(self, gold: Gold, answer: object) -> Judged:
        """By the rules of `comparing_personas`."""
        given = [] if answer is None or answer is MISSING else answer
        exact, near = right(gold.row, given), right(gold.row, given, relaxed=True)
        return Judged(float(exact), float(near), given not in ([], ""))


def _folders(directory: Path) -> list[Path]:
    return folders_with(directory, ("questions.jsonl",))


def _rows(folder: Path, options: Options) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("questions*.jsonl")):
        if options.only in path.name:
            yield from lines_of(path)


def _paths(folder: Path, form: str | None) -> tuple[Path, ...]:
    if form not in (None, *FORMS):
        raise UsageError(f"--read {form!r}: expected {' or '.join(FORMS)}")
    observables, exports, profile = (folder / name for name in ("observables.jsonl", "exports", "profile.json"))
    if form == "exports" or (form is None and not observables.is_file()):
        if not exports.is_dir():
            raise UsageError(f"{folder} has no exports" + (" and no observables.jsonl" if form is None else ""))
        inside = any(exports.glob("**/profile.json"))
        return (exports,) if inside or not profile.is_file() else (exports, profile)
    if not observables.is_file():
        raise UsageError(f"{folder} has no observables.jsonl")
    return (observables, profile) if profile.is_file() else (observables,)


def _profile(folder: Path) -> Mapping[str, Any]:
    for path in (folder / "profile.json", folder / "exports" / "profile.json"):
        if path.is_file():
            return json_of(path)
    return {}


def _question(row: Mapping[str, Any], now: datetime, where: str) -> Question:
    text = required(row, "question", where)
    return Question(str(required(row, "id", where)), text, moment(row["now"]) if "now" in row else now)


def _groups(row: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    kinds = [("complexity", kind) for kind in row.get("complexity") or ()]
    persona = str(row.get("persona") or str(row["id"]).split("-")[0])
    return (*kinds, ("type", row["answer_type"]), ("persona", persona))


def _links(folder: Path) -> Mapping[str, frozenset[str]]:
    """Observables by canonical event."""
    path = folder / "links.csv"
    if not path.is_file():
        return {}
    found = defaultdict[str, set[str]](set)
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            found[row["canonical_id"]].add(row["observable_id"])
    return {canonical: frozenset(observables) for canonical, observables in found.items()}


def _happenings(row: Mapping[str, Any], links: Mapping[str, frozenset[str]]) -> tuple[frozenset[str], ...] | None:
    """What the answer rests on; what no observable tells of is left out, since nobody could find it."""
    if row.get("events") and links:
        return tuple(links[str(event)] for event in row["events"] if str(event) in links)
    if row.get("evidence"):
        return tuple(frozenset((str(event),)) for event in row["evidence"])
    return None
