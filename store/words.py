"""Words of questions, labels and keys in one comparable form: no case, no accents, stemmed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from urllib.parse import unquote

import snowballstemmer

_STEMMER = snowballstemmer.stemmer("english")
WORD = re.compile(r"[^\W_]+(?:[’'](?=[^\W_])[^\W_]+)*")
"""A word as it is written: letters and digits, apostrophes inside."""
_BARE = re.compile(r"\.[A-Za-z]{2,4}$|[-–'’&/_]|^\W*\d{0,4}|\W*\d{0,4}\W*$")
"""What a word may have around and within it: signs, a short number, the ending of a file's name."""
_MANY = 3
_NEAR = 60
"""Below this similarity (0 to 100) a name is no help."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def fold(text: str) -> str:
    """`text` without case, accents and typographic quotes; what is compared when spelling must match."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.replace("’", "'").replace("ʼ", "'"))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


def words(text: str) -> tuple[str, ...]:
    """Words of `text` in order, folded; apostrophes inside a word stay ("schitt's"), other signs part words."""
    return tuple(WORD.findall(fold(text)))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """English (Porter2) stem of a folded word, its possessive dropped: runs, running → run; schitt's → schitt."""
    base = word.removesuffix("'s").removesuffix("'")
    return _STEMMER.stemWord(base)


def stems(text: str) -> tuple[str, ...]:
    """Stemmed words of `text` in order."""
    return tuple(stem(w) for w in words(text))


def normalise(text: str) -> str:
    """The form in which labels are looked up: stemmed words joined by one space."""
    return " ".join(stems(text))


def tells_words(text: str) -> bool:
    """Whether a value is of words of a language, with which a meaning can come near, for half of its signs at least or
    three of them: times, numbers, addresses of mails, sites and messages, and codes are not."""
    tokens = text.split()
    found = list(islice((token for token in tokens if _BARE.sub("", token).isalpha()), _MANY))
    return len(found) == _MANY or (bool(found) and sum(map(len, found)) * 2 >= sum(map(len, tokens)))


def key_words(key: str) -> str:
    """A source's key as words: 'songArtist', 'song_artist', 'song.artist' and 'song%20artist' → 'song artist'."""
    spaced = _CAMEL.sub(" ", unquote(key))
    return " ".join(re.sub(r"[\W_]+", " ", spaced).split()).casefold()


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, as it is written or else in lower case; None where none is near."""
    from rapidfuzz import fuzz, process  # only needed when something is wrong

    names = list(known)
    found = process.extractOne(name, names, scorer=fuzz.ratio, score_cutoff=_NEAR) or process.extractOne(
        name, names, scorer=fuzz.ratio, processor=str.lower, score_cutoff=_NEAR
    )
    return found[0] if found else None
