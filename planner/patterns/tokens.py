"""A question as a row of tokens with their places in the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ...store.words import fold, stem
from .extraction import FIELD_END, TOKEN_END

_UNITS = "km|kms|mi|m|min|mins|h|hr|hrs|kg|kcal|cal|bpm|kmh|mph|eur|usd|gbp"
_TOKEN = re.compile(
    rf"""
    \d{{4}}-\d{{1,2}}(?:-\d{{1,2}})?(?![\d-])              # ISO dates and months
  | \d{{1,4}}[/.]\d{{1,2}}[/.]\d{{2,4}}(?!\d)              # dates with slashes or dots
  | \d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:\s?[ap]\.?m\b\.?)?    # 18:00, 6:30pm
  | \d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?                       # 1,250.50
  | \d+(?:\.\d+)?(?=(?:{_UNITS})\b)                        # the number of 10km
  | \d+(?:\.\d+)?%?(?:[^\W\d_]+)?                          # 12, 3.5, 5th, 8am, 2010s
  | [ap]\.m\b\.?                                           # p.m.
  | (?:[^\W\d_]\.){{2,}}                                    # D.C.
  | [^\W_]+(?:[’'](?=[^\W_])[^\W_]+)*                      # words; apostrophes inside stay
  | [€$£&+<>=%]
  | [,;:()\[\]–—-]                                         # what parts a sentence
  | ["“”„«»]
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BOUNDARIES = frozenset(",;:()[]")
_DASHES = frozenset("-–—")
_QUOTES = frozenset('"“”„«»')


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or sign: `lower` is folded (no case, no accents), `offset` counts characters of the question."""

    text: str
    lower: str
    stem: str
    offset: int

    @property
    def end(self) -> int:
        return self.offset + len(self.text)

    @property
    def is_word(self) -> bool:
        """Whether it says something, rather than parting or joining words."""
        return self.lower not in (",", "-", '"')


@dataclass(frozen=True)
class Respelt:
    """Words that are put in the place of a question's own; `how` as annotations say it ("spelling", "meaning")."""

    words: str
    sure: float
    how: str


@dataclass(frozen=True)
class Text:
    """A question (or an open sub-question) and its tokens. Signs that part a sentence all read as a comma.

    `origins` tell where each token stood, offset and end, in the question before words were put right or taken out (its
    own places where empty); `put` what was put for others, by the number of the token.
    """

    text: str
    tokens: tuple[Token, ...]
    origins: tuple[tuple[int, int], ...] = ()
    put: Mapping[int, Respelt] = field(default_factory=lambda: _NOTHING_PUT)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Offset and length of tokens `first` to `last` (exclusive)."""
        start = self.tokens[first].offset
        return start, self.tokens[last - 1].end - start

    def words(self, first: int, last: int) -> str:
        """The question's own words from token `first` to `last` (exclusive)."""
        offset, length = self.span(first, last)
        return self.text[offset : offset + length]

    def origin(self, first: int, last: int) -> tuple[int, int]:
        """Offset and length, in the question as it was asked, of tokens `first` to `last` (exclusive)."""
        if not self.origins:
            return self.span(first, last)
        start = min(begin for begin, _ in self.origins[first:last])
        return start, max(end for _, end in self.origins[first:last]) - start

    def put_in(self, first: int, last: int) -> Respelt | None:
        """The least sure of the words that were put in the place of others, if these are among them."""
        return min((by for at, by in self.put.items() if first <= at < last), key=lambda by: by.sure, default=None)


_NOTHING_PUT: Mapping[int, Respelt] = MappingProxyType({})


def tokenise(text: str) -> Text:
    """Tokens of a question. Hyphens inside words part them ('sea-swim' is two words), as they do in labels; digits are
    digits in whatever script or place they are written ("²⁰²⁴")."""
    text = text if text.isascii() else "".join(str(unicodedata.digit(sign, sign)) for sign in text)
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        lower = fold(match.group())
        if _hyphen_inside(text, match):
            continue
        if lower in _BOUNDARIES:
            lower = ","
        elif lower in _DASHES:
            lower = "-"
        elif lower in _QUOTES:
            lower = '"'
        found.append(Token(match.group(), lower, stem(lower), match.start()))
    return Text(text, tuple(found))


def respelt(text: Text, found: Mapping[tuple[int, int], Respelt]) -> Text:
    """The text with runs of tokens (first, end) replaced by other words."""
    parts: list[str] = []
    origins: list[tuple[int, int]] = []
    put: dict[int, Respelt] = {}
    at = 0
    for first, last in sorted(found):
        offset, length = text.span(first, last)
        for i in range(_count(text, at), first):
            _keep(text, i, origins, put)
        by, place = found[first, last], text.origin(first, last)
        for _ in tokenise(by.words).tokens:
            put[len(origins)] = by
            origins.append(place)
        parts += [text.text[at:offset], by.words]
        at = offset + length
    for i in range(_count(text, at), len(text.tokens)):
        _keep(text, i, origins, put)
    made = tokenise("".join(parts) + text.text[at:])
    if len(made.tokens) != len(origins):  # what was put in ran together with what stands beside it
        return made
    return replace(made, origins=tuple((start, start + length) for start, length in origins), put=put)


def _keep(text: Text, at: int, origins: list[tuple[int, int]], put: dict[int, Respelt]) -> None:
    if at in text.put:
        put[len(origins)] = text.put[at]
    origins.append(text.origin(at, at + 1))


def _count(text: Text, offset: int) -> int:
    """How many tokens begin before a place."""
    return sum(token.offset < offset for token in text.tokens)


def carried(core: str, text: Text, kept: Sequence[int]) -> Text:
    """The tokens of what is left of a text, with where they stood in it; `kept` are the numbers of those left."""
    made = tokenise(core)
    if len(made.tokens) != len(kept):
        return made
    places = [text.origin(i, i + 1) for i in kept]
    put = {new: text.put[old] for new, old in enumerate(kept) if old in text.put}
    return replace(made, origins=tuple((start, start + length) for start, length in places), put=put)


def _hyphen_inside(text: str, match: re.Match[str]) -> bool:
    if match.group() != "-":
        return False
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return before.isalpha() and after.isalpha()


@dataclass(frozen=True, slots=True)
class Row:
    """The tokens as one string for compiled patterns; `token_at` gives the token that starts (or would) at a place in
    it."""

    text: str
    token_at: Mapping[int, int]


def _by_length(tag: str) -> tuple[str, int]:
    """Tags in order: those of one kind by their length, so that the last is the longest."""
    kind = tag.rstrip("0123456789")
    return kind, int(tag[len(kind) :])


def encode(text: Text, tags: Sequence[Set[str]]) -> Row:
    """The row of tokens, each with its stem and its tags: the annotations that begin there, as kind and length
    ('Class1')."""
    parts: list[str] = []
    token_at: dict[int, int] = {}
    at = 0
    for index, (token, names) in enumerate(zip(text.tokens, tags, strict=True)):
        tag = f" {'  '.join(sorted(names, key=_by_length))} "
        part = f"{token.lower}{FIELD_END}{token.stem}{FIELD_END}{tag}{TOKEN_END}"
        parts.append(part)
        token_at[at] = index
        at += len(part)
    token_at[at] = len(text.tokens)
    return Row("".join(parts), token_at)
