"""A lexicon file in Turtle as entries, and what is wrong in it with its place."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from ..errors import LexiconError, Place
from ..ontology.namespaces import EV
from ..store.rdf import parse_turtle

_KEY, _VALUE, _CUE, _WEAK, _DAY = (EV + name for name in ("key", "value", "cue", "weakCue", "monthDay"))
_MONTH_DAY: Final = re.compile(r"--(\d\d)-(\d\d)")
_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Entry:
    """One `ev:Implication`: every cue implies `value` for `key`; weak cues only hint."""

    key: str
    value: str
    cues: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """What one file gives."""

    entries: tuple[Entry, ...]
    month_days: dict[str, tuple[int, int]] = field(default_factory=dict)
    problems: tuple[LexiconError, ...] = ()


def read_entries(content: bytes, name: str) -> Read:
    """Entries of one file; a wrong one is left out and told in `problems`."""
    told: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    problems: list[LexiconError] = []
    try:
        for quad in parse_turtle(content, path=name, error=LexiconError):
            told[quad.subject.value][quad.predicate.value].append(quad.object.value)  # type: ignore[union-attr]
    except LexiconError as bad:
        problems.append(bad)
    entries: list[Entry] = []
    days: dict[str, tuple[int, int]] = {}
    for subject, said in told.items():
        if len(said[_KEY]) != 1 or len(said[_VALUE]) != 1:
            problems.append(LexiconError(f"{subject} needs one ev:key and one ev:value", place=Place(1, 1, name)))
            continue
        entries.append(Entry(said[_KEY][0], said[_VALUE][0], tuple(said[_CUE]), tuple(said[_WEAK])))
        for day in said[_DAY]:
            found = _MONTH_DAY.fullmatch(day)
            if found and 1 <= int(found[1]) <= 12 and 1 <= int(found[2]) <= _DAYS[int(found[1]) - 1]:
                days[said[_VALUE][0]] = (int(found[1]), int(found[2]))
    return Read(tuple(entries), days, tuple(problems))
