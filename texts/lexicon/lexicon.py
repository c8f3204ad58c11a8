"""World knowledge that texts presuppose: cues (a dish, a sport's word, a city) and the values they imply.

Lexicons are Turtle (`ev:Implication` with `ev:key`, `ev:value`, `ev:cue`, `ev:weakCue`, `ev:monthDay`).
All cues of a text are found in one pass over its tokens, longest first.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from ...config import own_bytes
from ...errors import LexiconError, UsageError
from ..tokens import Token, tokens, without_accents
from .lexicon_file import Entry, read_entries
from .world import CITY, COUNTRY, KEYS, World, world

_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
_KATAKANA: Final = re.compile("[\u30a1-\u30fa\u30fc-\u30ff]+")
_HANGUL: Final = re.compile("[\uac00-\ud7af]")
_SIMPLE: Final = re.compile(r"[^\W_]+(?:[ -][^\W_]+)*")
_CAMEL: Final = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|\d+|\w+")
_LONG: Final = 6
"""Letters from which on a cue with accents is also found where they are left out ("creme brulee")."""


class Use(NamedTuple):
    """An entry, and whether the cues that are meant are its weak ones."""

    entry: Entry
    weak: bool


Uses = tuple[Use, ...]
Match = tuple[int, int, str, Use]


@dataclass(frozen=True)
class Index:
    """Cues by their form (tokens joined by a space), the most tokens of any that starts with a token, and cues of
    scripts without spaces by their first character."""

    by_form: dict[str, Uses] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)
    by_sign: dict[str, list[tuple[str, Use]]] = field(default_factory=dict)

    @cached_property
    def squeezed(self) -> dict[str, tuple[str, Uses]]:
        """Cues of several words as hashtags write them."""
        return {form.replace(" ", ""): (form, uses) for form, uses in self.by_form.items() if " " in form}


def form_of(cue: str) -> str:
    """The form in which a cue is looked up; empty where nothing of it counts."""
    if _SIMPLE.fullmatch(cue) and (cue.isascii() or unicodedata.is_normalized("NFC", cue)):  # most cues, at less cost
        return cue.casefold().replace("-", " ")
    return " ".join(token.exact for token in tokens(cue))


def build_index(entries: Iterable[Entry]) -> Index:
    """The look-up tables of all cues."""
    index = Index()
    accented: list[tuple[str, Uses]] = []
    for entry in entries:
        for weak, cues in ((False, entry.cues), (True, entry.weak)):
            uses = (Use(entry, weak),)
            for cue in cues:
                if cue.isascii():
                    _add(index, form_of(cue), uses)
                elif _UNSPACED.search(cue):
                    index.by_sign.setdefault(cue[0], []).append((cue, uses[0]))
                else:
                    form = form_of(cue)
                    _add(index, form, uses)
                    accented.append((form, uses))
    for form, uses in accented:
        plain = without_accents(form)
        if plain != form and len(plain.replace(" ", "")) >= _LONG and not _has(index, plain, uses[0].entry):
            _add(index, plain, uses)
    return index


def _add(index: Index, form: str, uses: Uses) -> None:
    known = index.by_form.setdefault(form, uses)
    if known is not uses and uses[0] not in known:
        index.by_form[form] = known + uses
    if " " in form:
        first, count = form[: form.index(" ")], form.count(" ") + 1
        if count > index.longest.get(first, 1):
            index.longest[first] = count


def _has(index: Index, form: str, entry: Entry) -> bool:
    """Whether the plain form is already a cue of the key: then it says what it says by itself."""
    return any(use.entry.key == entry.key for use in index.by_form.get(form, ()))


def matches(index: Index, text: str) -> Iterator[Match]:
    """(start, end, cue, use) of every cue in the text; the same one may be found twice at one place."""
    found = tokens(text)
    yield from _runs(index, found)
    if "#" in text:
        yield from _hashtags(index, text, found)
    if index.by_sign and not text.isascii():
        yield from _unspaced(index, text)


def _runs(index: Index, found: list[Token]) -> Iterator[Match]:
    """Runs of tokens that are cues; the last word may be a plural."""
    longest = index.longest
    for first, token in enumerate(found):
        exact, plain, start, _ = token
        most = longest.get(exact, 1)
        if exact is not plain:
            most = max(most, longest.get(plain, 1))
        for count in range(1, min(most, len(found) - first) + 1):
            run = found[first : first + count]
            form = " ".join([token.exact for token in run])
            uses = _looked_up(index, form)
            if not uses and not form.isascii():
                uses = _looked_up(index, " ".join([token.plain for token in run]))
            for cue, use in uses:
                yield start, run[-1].end, cue, use


def _looked_up(index: Index, form: str) -> list[tuple[str, Use]]:
    return [(cue, use) for cue in (form, *singulars(form)) for use in index.by_form.get(cue, ())]


def singulars(word: str) -> tuple[str, ...]:
    """What a word may be the plural (or, apostrophes being gone, the possessive) of."""
    if len(word) < 4 or word[-1] != "s" or word[-2] == "s":
        return ()
    if word.endswith("ies") and len(word) > 4:
        return word[:-1], word[:-3] + "y"
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")) and len(word) > 4:
        return word[:-1], word[:-2]
    return (word[:-1],)


def _hashtags(index: Index, text: str, found: list[Token]) -> Iterator[Match]:
    """Hashtags of several words written as one: #ThaiFood, #mothersday2023."""
    for sign, token in pairwise(found):
        if sign.exact != "#" or sign.end != token.start:
            continue
        for word in {token.exact, token.exact.rstrip("0123456789")}:
            for tag in (word, *singulars(word)):
                form, uses = index.squeezed.get(tag) or (tag, index.by_form.get(tag, ()))
                yield from ((token.start, token.end, form, use) for use in uses)
        written = text[token.start : token.end]
        parts = [part.span() for part in _CAMEL.finditer(written)]
        if len(parts) > 1:
            shifted = [(token.start + start, token.start + end) for start, end in parts]
            inner = [Token(text[a:b].casefold(), without_accents(text[a:b].casefold()), a, b) for a, b in shifted]
            yield from _runs(index, inner)


def _unspaced(index: Index, text: str) -> Iterator[Match]:
    for place in _UNSPACED.finditer(text):
        start = place.start()
        for cue, use in index.by_sign.get(place[0], ()):
            if text.startswith(cue, start) and _whole(text, start, start + len(cue)):
                yield start, start + len(cue), cue, use


def _whole(text: str, start: int, end: int) -> bool:
    """Loanwords in katakana are whole runs of it; a Korean word takes endings, but begins where it begins."""
    if _KATAKANA.fullmatch(text, start, end):
        return not ((start and _KATAKANA.fullmatch(text, start - 1, start)) or _KATAKANA.fullmatch(text, end, end + 1))
    return not (_HANGUL.match(text, start) and start and _HANGUL.match(text, start - 1))


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
