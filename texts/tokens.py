"""A text as tokens in the form in which cues are compared, each with its place.

Words are case-folded, without apostrophes (but in contractions: "we'd" is no "wed"), and once more without accents;
hyphens inside words part tokens as spaces do; "&" is "and"; every other sign, each emoji among them, is a token by
itself. Joiners, variation selectors and skin tones of emoji say nothing here.

`words`, `atoms`, `letters` and `pieces` are plainer views of a text: its words as they are written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

import regex

from ..store.words import WORD

BREAK: Final = "\n"
"""The token that an empty line is: no cue goes over it."""

_PLAIN: Final = re.compile(
    r"[a-zA-Z0-9]+(?:'[a-zA-Z0-9]+)*|\n[^\S\n]*\n\s*|(?!(?<=[a-zA-Z0-9])-(?=[a-zA-Z0-9]))[^\w\s\x00-\x1f\x7f]"
)
_ANY: Final = regex.compile(
    r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*|\n[^\S\n]*\n\s*|"
    r"(?!(?<=[\p{L}\p{N}\p{M}])[-‐‑](?=[\p{L}\p{N}]))"
    r"[^\s\p{L}\p{N}\p{M}\p{C}_\U0001F3FB-\U0001F3FF]"
)
_CONTRACTION: Final = re.compile(r"(?:n't|'(?:ll|d|re|ve|m))$")
_ELIDED: Final = frozenset({"l", "d", "qu", "un", "all", "dell", "nell", "sull", "dall"})
_LETTERS: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})


class Token(NamedTuple):
    """Characters [start, end) of a text; `exact` is the word with its accents, `plain` without."""

    exact: str
    plain: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """The tokens of `text`, in order."""
    return list(_tokens(text))


_JOINED: Final = re.compile(rf"{WORD.pattern}|[^\s\w]|_")
_APOSTROPHE: Final = re.compile("[’']")
_DIGITS: Final = re.compile(r"\d+")
_JOINERS: Final = frozenset("&.+-")


def words(text: str) -> list[str]:
    """The words of a text as written; apostrophes inside stay."""
    return WORD.findall(text)


def atoms(text: str) -> list[str]:
    """Words as `words` has them, parted at apostrophes: don't is don and t."""
    return [part for word in WORD.findall(text) for part in _APOSTROPHE.split(word)]


def letters(text: str) -> list[str]:
    """Runs of letters: a digit parts them, too."""
    return [part for atom in atoms(text) for part in _DIGITS.split(atom) if part]


class Piece(NamedTuple):
    """Characters [start, end) of a text, as written."""

    text: str
    start: int
    end: int


def pieces(text: str) -> list[Piece]:
    """Words and single signs, as models take them: R&B, x-ray and A+ are one, each other sign stands alone."""
    found: list[Piece] = []
    parts = [part.span() for part in _JOINED.finditer(text) if part[0] != "_"]
    at = 0
    while at < len(parts):
        start, end = parts[at]
        at += 1
        if text[start].isalnum():
            while at + 1 < len(parts) and _joins(text, end, parts[at], parts[at + 1]):
                end = parts[at + 1][1]
                at += 2
            if at < len(parts) and parts[at][0] == end and text[end] == "+":
                end, at = end + 1, at + 1
        found.append(Piece(text[start:end], start, end))
    return found


def split(text: str) -> list[str]:
    """The pieces of a text as words."""
    return [piece.text for piece in pieces(text)]


def _joins(text: str, end: int, sign: tuple[int, int], behind: tuple[int, int]) -> bool:
    """Whether a sign that begins at `end` joins what stands before it with the word right behind."""
    return sign[0] == end and text[end] in _JOINERS and behind[0] == end + 1 and text[end + 1].isalnum()


def without_accents(word: str) -> str:
    """A case-folded word without accents, strokes and ligatures."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFKD", word.translate(_LETTERS))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _tokens(text: str) -> Iterator[Token]:
    found = _PLAIN.finditer(text) if text.isascii() else _ANY.finditer(text)
    for match in found:
        word, (start, end) = match[0], match.span()
        if not word.isascii():
            word = unicodedata.normalize("NFC", word).replace("’", "'").replace("ʼ", "'")
        word = word.casefold()
        if "'" in word and len(word) > 1:
            prefix, _, rest = word.partition("'")
            if prefix in _ELIDED and len(rest) > 2:
                at = start + len(prefix)
                yield Token(prefix, prefix, start, at)
                word, start = rest, at + 1
            if not _CONTRACTION.search(word):
                word = word.replace("'", "")
        elif not word[0].isalnum():
            word = BREAK if word[0] == "\n" else "and" if word == "&" else word
        yield Token(word, without_accents(word), start, end)
