"""Finding cues in a text: in one pass over its tokens, each run of them looked up at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from .lexicon_file import Entry

_TOKEN: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s-]")


@dataclass(frozen=True, slots=True)
class Index:
    """Cues by their normal form, and the most tokens of any that starts with a token."""

    by_form: dict[str, list[tuple[Entry, bool, str]]]
    longest: dict[str, int]


def build_index(entries: Iterable[Entry]) -> Index:
    """The look-up tables of all cues."""
    by_form: dict[str, list[tuple[Entry, bool, str]]] = {}
    longest: dict[str, int] = {}
    for entry in entries:
        for weak, cues in ((False, entry.cues), (True, entry.weak)):
            for cue in cues:
                tokens = _TOKEN.findall(cue.casefold())
                if tokens:
                    by_form.setdefault(" ".join(tokens), []).append((entry, weak, cue))
                    longest[tokens[0]] = max(longest.get(tokens[0], 0), len(tokens))
    return Index(by_form, longest)


def matches(index: Index, text: str) -> Iterator[tuple[int, int, Entry, bool, str]]:
    """(start, end, entry, weak, cue) of every cue in the text."""
    tokens = [(found[0].casefold(), *found.span()) for found in _TOKEN.finditer(text)]
    for first, (token, start, _) in enumerate(tokens):
        for last in range(first, min(first + index.longest.get(token, 0), len(tokens))):
            form = " ".join(part for part, _, _ in tokens[first : last + 1])
            for entry, weak, cue in index.by_form.get(form, ()):
                yield start, tokens[last][2], entry, weak, cue
