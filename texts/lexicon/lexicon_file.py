"""Lexicon files in Turtle as entries, and what is wrong in them, with file and place.

A resource may be told in several files: what one says adds to what another said. Only a user's file takes away, by
`ev:notCue`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rapidfuzz import process

from ...errors import LexiconError, Place
from ...ontology.namespaces import EV, RDF_TYPE
from ...store.rdf import Literal, parse_turtle

_IMPLICATION: Final = EV + "Implication"
_KEY: Final = EV + "key"
_VALUE: Final = EV + "value"
_CUE: Final = EV + "cue"
_WEAK: Final = EV + "weakCue"
_NOT: Final = EV + "notCue"
_DAY: Final = EV + "monthDay"
_PROPERTIES: Final = (_KEY, _VALUE, _CUE, _WEAK, _NOT, _DAY)
_MONTH_DAY: Final = re.compile(r"--(\d\d)-(\d\d)")
_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Entry:
    """One `ev:Implication`: every cue implies `value` for `key`; weak cues only hint."""

    key: str
    value: str
    cues: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    month_day: tuple[int, int] | None = None


@dataclass(slots=True)
class _Told:
    """What was said of one resource, and in which file first."""

    file: str
    said: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def read_entries(files: Sequence[tuple[str, bytes]]) -> tuple[tuple[Entry, ...], tuple[LexiconError, ...]]:
    """Entries of (name, content) files, in order, and what was left out of them and why."""
    told: dict[str, _Told] = {}
    problems: list[LexiconError] = []
    for name, content in files:
        problems += _gather(name, content, told)
    contents = dict(files)
    entries: list[Entry] = []
    for subject, resource in told.items():
        wrong = _wrong(resource.said)
        if wrong is None:
            entries.append(_entry(resource.said))
        elif resource.said:
            problems.append(_at(wrong, subject, resource.file, contents[resource.file]))
    return tuple(entries), tuple(problems)


def _gather(name: str, content: bytes, told: dict[str, _Told]) -> Iterable[LexiconError]:
    """Adds what a file says to `told`. What stands before a syntax error counts."""
    problems: list[LexiconError] = []
    last: object = None
    resource = _Told(name)
    try:
        for quad in parse_turtle(content, path=name, error=LexiconError):
            subject, predicate, value = quad.subject, quad.predicate.value, quad.object
            if subject != last:
                last, resource = subject, told.setdefault(str(subject), _Told(name))
            if predicate in _PROPERTIES and isinstance(value, Literal):
                resource.said[predicate].append(value.value.strip())
            elif predicate.startswith(EV):
                problems.append(_unknown(predicate, str(subject), name, content))
            elif predicate == RDF_TYPE and str(value) == f"<{_IMPLICATION}>":
                resource.said[RDF_TYPE].append(_IMPLICATION)
    except LexiconError as bad:
        problems.append(bad)
    return problems


def _entry(said: dict[str, list[str]]) -> Entry:
    dropped = set(said.get(_NOT, ()))
    cues, weak = (tuple(dict.fromkeys(cue for cue in said.get(of, []) if cue not in dropped)) for of in (_CUE, _WEAK))
    day = next((_MONTH_DAY.fullmatch(told) for told in said.get(_DAY, [])), None)
    return Entry(said[_KEY][0], said[_VALUE][0], cues, weak, (int(day[1]), int(day[2])) if day else None)


def _wrong(said: dict[str, list[str]]) -> str | None:
    """Why a resource is no entry; None where it is one."""
    if not said:
        return "says nothing"
    for name in (_KEY, _VALUE):
        found = set(said.get(name, ()))
        if len(found) != 1 or "" in found:
            return f"needs one ev:{name.removeprefix(EV)}, has {len(found)}"
    if "" in said.get(_CUE, ()) or "" in said.get(_WEAK, ()):
        return "has an empty cue"
    if not any(said.get(name) for name in (_CUE, _WEAK, _DAY)):
        return "has no cue"
    days = set(said.get(_DAY, ()))
    if len(days) > 1 or not all(map(_is_month_day, days)):
        return "needs an ev:monthDay such as --12-25"
    return None


def _is_month_day(text: str) -> bool:
    found = _MONTH_DAY.fullmatch(text)
    return found is not None and 1 <= int(found[1]) <= 12 and 1 <= int(found[2]) <= _DAYS[int(found[1]) - 1]


def _unknown(predicate: str, subject: str, name: str, content: bytes) -> LexiconError:
    short = predicate.removeprefix(EV)
    known = [known.removeprefix(EV) for known in _PROPERTIES]
    nearest = process.extractOne(short, known, score_cutoff=60)
    bad = _at(f"has no readable ev:{short}", subject, name, content)
    return LexiconError(bad.message, place=bad.place, nearest=f"ev:{nearest[0]}" if nearest else None)


def _at(reason: str, subject: str, name: str, content: bytes) -> LexiconError:
    """The parser tells no places of triples: the first line that names the resource is the place."""
    short = re.split(r"[/#]", subject.strip("<>"))[-1]
    found = re.search(rf"(?<![\w-]){re.escape(short)}(?![\w-])", text := content.decode(errors="replace"))
    start = found.start() if found else 0
    line = text.count("\n", 0, start) + 1
    place = Place(line, start - (text.rfind("\n", 0, start) + 1) + 1, name)
    return LexiconError(f"{short} {reason}", place=place)
