"""Finding cues in a text: in one pass over its tokens, each run of them looked up at once.

Scripts without spaces between words are searched by characters instead.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from ..tokens import Token, tokens, without_accents
from .lexicon_file import Entry

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
