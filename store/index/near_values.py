"""Values of the data that a phrase nearly names: misspelt, or only some of their words (QUASL, section IV-A).

Found by index, never by going through the values: the distinct words of all values have an index of three-letter
pieces, what comes of it is compared by edit distance, and a value is looked up by the words put right.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from math import log
from typing import Final

from rapidfuzz.distance import OSA

from ..words import fold, normalise, stem, words

TABLES: Final = """
CREATE TABLE term (id INTEGER PRIMARY KEY, text TEXT UNIQUE, stem TEXT, times INTEGER);
CREATE VIRTUAL TABLE term_pieces USING fts5(text, content='', tokenize='trigram');
"""
_PIECES: Final = "INSERT INTO term_pieces (rowid, text) SELECT id, '<' || text || '>' FROM term"
_NO_PIECES: Final = (
    "INSERT INTO term_pieces (term_pieces, rowid, text) SELECT 'delete', id, '<' || text || '>' FROM term"
)
_HAS_PIECES: Final = " length(text) > 3 AND NOT text GLOB '*[0-9]*'"
_INDEXES: Final = f"CREATE INDEX term_stem ON term (stem); {_PIECES} WHERE {_HAS_PIECES};"
"""`<` and `>` mark where a word begins and ends."""
MAX_WORDS: Final = 6
_FETCHED: Final = 120
_SIMILAR: Final = 6
_COMBINED: Final = 64
_PARTIAL: Final = 40
_REMEMBERED: Final = 10_000
_SHORT, _LONG = 5, 9
"""Shorter words are never misspelt enough to tell; those this long may have two errors."""


@dataclass(frozen=True, slots=True)
class NearValue:
    """A value with its property (IRI), and how near the phrase is to it, between 0 and 1.

    `how` is "spelling" for a misspelt one, "part" where the phrase has only some of its words.
    """

    text: str
    prop: str
    similarity: float
    how: str


class NearValues:
    """Look-ups in the index of one generation (store.index.index), which is open as `connection`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._known: dict[str, bool] = {}
        self._similar: dict[tuple[str, bool], tuple[tuple[str, float], ...]] = {}
        self._parts: dict[str, tuple[NearValue, ...]] = {}
        self._weights: dict[str, float] = {}

    def knows(self, word: str) -> bool:
        """Whether the word, in any inflection, stands in a value."""
        if word not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            row = self._db.execute("SELECT 1 FROM term WHERE stem = ?", (stem(word),)).fetchone()
            self._known[word] = row is not None
        return self._known[word]

    def misspelt(self, phrase: str) -> tuple[NearValue, ...]:
        """Values that are `phrase` but for a misspelt word or a missing space, nearest first."""
        norms = dict.fromkeys(self._respelt(words(phrase)))
        rows = self._db.execute(
            "SELECT DISTINCT v.text, p.iri FROM json_each(?) n JOIN value v ON v.norm = n.value "
            "JOIN property p ON p.id = v.property",
            (json.dumps(list(norms)),),
        )
        said = fold(phrase)
        found = (NearValue(t, p, OSA.normalized_similarity(said, fold(t)), "spelling") for t, p in rows)
        return tuple(sorted(found, key=lambda v: (-v.similarity, v.text)))

    def in_part(self, phrase: str) -> tuple[NearValue, ...]:
        """Values that have all words of `phrase` and more, nearest first: the rarer its words and the less of the value
        is left over, the nearer."""
        stems = normalise(phrase).split()
        if not stems or len(stems) > MAX_WORDS:
            return ()
        said = " ".join(stems)
        if said not in self._parts:  # a question is read in many ways, each of which asks for the same words
            if len(self._parts) > _REMEMBERED // 10:
                self._parts.clear()
            self._parts[said] = self._having_all(stems)
        return self._parts[said]

    def _having_all(self, stems: Sequence[str]) -> tuple[NearValue, ...]:
        query = " AND ".join('"' + stem.replace('"', '""') + '"' for stem in stems)
        rows = self._db.execute(
            "SELECT v.text, v.norm, p.iri FROM value_words w JOIN value v ON v.id = w.rowid "
            "JOIN property p ON p.id = v.property WHERE value_words MATCH ? ORDER BY length(v.text) LIMIT ?",
            (query, _PARTIAL),
        )
        asked = set(stems)
        found = [NearValue(t, p, self._covered(asked, norm.split()), "part") for t, norm, p in rows]
        return tuple(sorted(found, key=lambda v: (-v.similarity, v.text)))

    def similar(self, word: str, *, beside: bool = False) -> tuple[tuple[str, float], ...]:
        """Words of the values that a folded word may be a misspelling of, nearest first, with how near they are.

        `beside` a word that values have, a shorter one counts too.
        """
        key = (word, beside and len(word) < _SHORT)
        if key not in self._similar:
            if len(self._similar) > _REMEMBERED:
                self._similar.clear()
            most = errors_allowed(word) or int(beside and len(word) == _SHORT - 1)
            self._similar[key] = self._look_up(word, most) if most else ()
        return self._similar[key]

    def _look_up(self, word: str, most: int) -> tuple[tuple[str, float], ...]:
        marked = f"<{word}>"
        pieces = " OR ".join(f'"{marked[i : i + 3].replace(chr(34), "")}"' for i in range(len(marked) - 2))
        rows = self._db.execute(
            "SELECT t.text FROM term_pieces g JOIN term t ON t.id = g.rowid WHERE term_pieces MATCH ? "
            "ORDER BY g.rank LIMIT ?",
            (pieces, _FETCHED),
        )
        near = [(text, OSA.normalized_similarity(word, text)) for (text,) in rows if is_misspelt(word, text, most)]
        return tuple(sorted(near, key=lambda entry: (-entry[1], entry[0]))[:_SIMILAR])

    def _respelt(self, said: Sequence[str]) -> Iterator[str]:
        """The phrase with every word that no value has put right, each way, in stems."""
        if not said or len(said) > MAX_WORDS:
            return
        if len(said) > 1:
            yield stem("".join(said))
        known = [self.knows(word) for word in said]
        options = [
            (stem(word),) if is_known else tuple(stem(text) for text, _ in self.similar(word, beside=any(known)))
            for word, is_known in zip(said, known, strict=True)
        ]
        if all(options) and not all(known):
            yield from (" ".join(chosen) for chosen in islice(product(*options), _COMBINED))

    def _covered(self, asked: set[str], stems: Sequence[str]) -> float:
        """Weight of the words that were asked among all of a value's, less for much text left over."""
        weights = {stem: self._weight(stem) for stem in dict.fromkeys(stems)}
        total = sum(weights.values()) or 1.0
        share = sum(weight for stem, weight in weights.items() if stem in asked) / total
        length = sum(len(stem) for stem in weights if stem in asked) / (sum(map(len, weights)) or 1)
        return share * (0.5 + 0.5 * length)

    def _weight(self, stem: str) -> float:
        if stem not in self._weights:
            if len(self._weights) > _REMEMBERED:
                self._weights.clear()
            row = self._db.execute("SELECT SUM(times) FROM term WHERE stem = ?", (stem,)).fetchone()
            self._weights[stem] = log(1.0 + self._count / (1 + int(row[0] or 0)))
        return self._weights[stem]

    @cached_property
    def _count(self) -> int:
        row = self._db.execute("SELECT COUNT(*) FROM value").fetchone()
        return int(row[0] or 1)


def index_words(connection: sqlite3.Connection, counted: Mapping[str, int]) -> None:
    """Fills TABLES with the words of all values, by the number of values that have them."""
    connection.executemany(
        "INSERT INTO term (text, stem, times) VALUES (?, ?, ?)", ((w, stem(w), n) for w, n in counted.items())
    )
    connection.executescript(_INDEXES)


def change_words(connection: sqlite3.Connection, more: Mapping[str, int]) -> None:
    """Adds to the numbers of values that have words; a word that none has any more goes."""
    for word, number in more.items():
        row = connection.execute("SELECT id, times FROM term WHERE text = ?", (word,)).fetchone()
        times = number + (int(row[1]) if row is not None else 0)
        if row is None:
            made = connection.execute(
                "INSERT INTO term (text, stem, times) VALUES (?, ?, ?)", (word, stem(word), times)
            )
            connection.execute(_PIECES + " WHERE id = ? AND" + _HAS_PIECES, (made.lastrowid,))
        elif times > 0:
            connection.execute("UPDATE term SET times = ? WHERE id = ?", (times, row[0]))
        else:
            connection.execute(_NO_PIECES + " WHERE id = ? AND" + _HAS_PIECES, (row[0],))
            connection.execute("DELETE FROM term WHERE id = ?", (row[0],))


def errors_allowed(word: str) -> int:
    """How many letters may be wrong: none in a short word, which is soon another one."""
    return 0 if len(word) < _SHORT else 1 if len(word) < _LONG else 2


def is_misspelt(word: str, known: str, most: int) -> bool:
    """Whether a word may be a misspelling of a known one, with at most so many errors: people seldom get the first
    letter wrong, but for its place."""
    begins_alike = word[:1] == known[:1] or sorted(word[:2]) == sorted(known[:2])
    return begins_alike and OSA.distance(word, known, score_cutoff=most) <= most
