"""World knowledge that texts presuppose: cues (a dish, a sport's word, a city) and the values they imply.

Lexicons are Turtle (`ev:Implication` with `ev:key`, `ev:value`, `ev:cue`, `ev:weakCue`, `ev:monthDay`).
All cues of a text are found in one pass over its tokens, longest first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

from ...config import own_bytes
from ...errors import LexiconError, UsageError
from ..tokens import tokens
from .lexicon_file import Entry, read_entries
from .lexicon_match import Index, build_index, matches
from .world import CITY, COUNTRY, KEYS, World, world


@dataclass(frozen=True, slots=True)
class Cue:
    """Characters [start, end) of a text that imply `value` for `key` (`weak`: hint at it); `text` is the cue."""

    start: int
    end: int
    key: str
    value: str
    weak: bool
    text: str


@dataclass(frozen=True)
class Lexicon:
    """Immutable. `problems` are the entries that were left out, with file and place."""

    entries: tuple[Entry, ...]
    problems: tuple[LexiconError, ...] = ()
    world: Callable[[], World] | None = None
    """Knows towns and countries; asked for when they are first looked for."""

    @cached_property
    def _index(self) -> Index:
        return build_index(self.entries)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys that some entry implies."""
        return frozenset(entry.key for entry in self.entries) | (KEYS if self.world else frozenset())

    @cached_property
    def _values(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, dict[str, None]] = {}
        for entry in self.entries:
            found.setdefault(entry.key, {})[entry.value] = None
        return {key: tuple(values) for key, values in found.items()}

    def values(self, key: str) -> tuple[str, ...]:
        """All values that entries of `key` imply; of towns, which are too many, only those that entries state."""
        named = self.world().countries if self.world and key == COUNTRY else ()
        return tuple(dict.fromkeys((*self._values.get(key, ()), *named)))

    def cues(self, text: str, keys: Iterable[str] | None = None) -> tuple[Cue, ...]:
        """All cues in `text` (of `keys`, where given), by place. Of overlapping cues of one key the longest stays."""
        wanted = None if keys is None else frozenset(keys)
        found = [
            Cue(start, end, use.entry.key, use.entry.value, use.weak, cue)
            for start, end, cue, use in matches(self._index, text)
            if wanted is None or use.entry.key in wanted
        ]
        if self.world is not None and (wanted is None or wanted & KEYS):
            found += (cue for cue in _places(text, self.world()) if wanted is None or cue.key in wanted)
        return _longest(found)

    def month_day(self, occasion: str) -> tuple[int, int] | None:
        """Month and day of an occasion that is on the same day every year ("Christmas Eve": 12, 24)."""
        return self._month_days.get(occasion)

    @cached_property
    def _month_days(self) -> Mapping[str, tuple[int, int]]:
        return {entry.value: entry.month_day for entry in self.entries if entry.month_day}


def _places(text: str, world: World) -> Iterator[Cue]:
    """Towns and countries that a text names; a town says its country, too."""
    found = tokens(text)
    for said in world.said(text, found):
        start, end, name = found[said.first].start, found[said.last - 1].end, said.name
        yield Cue(start, end, name.key, name.place, said.weak, said.form)
        if name.key == CITY and name.country:
            yield Cue(start, end, COUNTRY, name.country, said.weak, said.form)


def deciding(cues: Iterable[Cue]) -> tuple[Cue, ...]:
    """The cues without the weak ones of keys for which a strong cue is there."""
    kept = tuple(cues)
    strong = {cue.key for cue in kept if not cue.weak}
    return tuple(cue for cue in kept if not cue.weak or cue.key not in strong)


def load_lexicon(extra: Sequence[Path] = ()) -> Lexicon:
    """The shipped lexicons, and users' own files. Wrong entries are reported in `problems`; raises UsageError for a
    file that cannot be read."""
    return _load(tuple(extra), tuple(_stamp(path) for path in extra))


@lru_cache(maxsize=4)
def _load(extra: tuple[Path, ...], _stamps: tuple[int, ...]) -> Lexicon:
    shipped = files("reqap_kg.ontology").joinpath("lexicons")
    named = sorted((entry.name, entry.read_bytes()) for entry in shipped.iterdir() if entry.name.endswith(".ttl"))
    named += [(str(path), _own(path)) for path in extra]
    return Lexicon(*read_entries(named), world)


def _own(path: Path) -> bytes:
    try:
        return own_bytes(path)
    except OSError as bad:
        raise UsageError(f"cannot read the lexicon {path}: {bad.strerror}") from bad


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except ValueError as bad:
        raise UsageError(f"cannot read the lexicon {str(path)!r}: a name that no file has") from bad
    except OSError as bad:
        raise UsageError(f"cannot read the lexicon {path}: {bad.strerror}") from bad


def _longest(found: list[Cue]) -> tuple[Cue, ...]:
    """Without cues that overlap a longer one of the same key; of two as long, the strong one stays."""
    taken: dict[str, tuple[list[int], list[list[Cue]]]] = {}
    for cue in sorted(found, key=lambda cue: (cue.start - cue.end, cue.weak, cue.start)):
        starts, places = taken.setdefault(cue.key, ([], []))
        at = bisect_right(starts, cue.start)
        if at and places[at - 1][0].end > cue.start:
            if _is_ambiguous(cue, places[at - 1]):
                places[at - 1].append(cue)
        elif at == len(places) or cue.end <= places[at][0].start:
            starts.insert(at, cue.start)
            places.insert(at, [cue])
    kept = (cue for _, places in taken.values() for place in places for cue in place)
    return tuple(sorted(kept, key=lambda cue: (cue.start, cue.end)))


def _is_ambiguous(cue: Cue, others: list[Cue]) -> bool:
    """Whether a cue says something else at the very place of others, as strongly."""
    same = (cue.start, cue.end, cue.weak) == (others[0].start, others[0].end, others[0].weak)
    return same and all(cue.value != other.value for other in others)
