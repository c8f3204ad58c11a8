"""Words of a text that are to be seen: parts of it, each marked or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ....store.words import WORD, fold, stem

Part = tuple[str, bool]
"""Some of a text, and whether it is marked."""
_AROUND: Final = 80
"""Characters before and behind what was found."""
_LONGEST: Final = 220


def with_words(text: str, words: Iterable[str]) -> tuple[Part, ...]:
    """A text with all places of some words marked, as they are written there."""
    spans: list[tuple[int, int]] = []
    for word in dict.fromkeys(words):
        at = text.find(word) if word else -1
        while at >= 0:
            spans.append((at, at + len(word)))
            at = text.find(word, at + len(word))
    return _parts(text, spans)


def with_stems(text: str, stems: frozenset[str]) -> tuple[Part, ...]:
    """A text in one line with the words marked whose stems were looked for, and of a long one what stands around the
    first of them."""
    line = " ".join(text.split())
    spans = [found.span() for found in WORD.finditer(line) if stem(fold(found[0])) in stems]
    if len(line) <= _LONGEST:
        return _parts(line, spans)
    first = spans[0][0] if spans else 0
    begin, end = _cut(line, first)
    kept = [(a - begin, b - begin) for a, b in spans if begin <= a and b <= end]
    parts = _parts(line[begin:end], kept)
    return (*([("… ", False)] if begin else []), *parts, *([(" …", False)] if end < len(line) else []))


def _cut(line: str, first: int) -> tuple[int, int]:
    """Where an excerpt begins and ends: between words."""
    begin = max(0, first - _AROUND)
    begin = line.find(" ", begin) + 1 if begin > 0 and line.find(" ", begin) < first else begin
    end = min(len(line), begin + _LONGEST)
    return begin, end if end == len(line) or line.rfind(" ", begin, end) <= first else line.rfind(" ", begin, end)


def _parts(text: str, spans: Sequence[tuple[int, int]]) -> tuple[Part, ...]:
    found: list[Part] = []
    place = 0
    for begin, end in _apart(spans):
        found += [(text[place:begin], False), (text[begin:end], True)]
        place = end
    return tuple(part for part in (*found, (text[place:], False)) if part[0])


def _apart(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that meet as one."""
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined


def stems_of(words: str) -> frozenset[str]:
    """The stems that are looked for."""
    return frozenset(stem(fold(found[0])) for found in WORD.finditer(words))
