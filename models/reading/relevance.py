"""The bundled classifiers of RETRIEVE: small networks over what is known of a query and of a line that was read once.

A line is read by the reader (which happenings it tells of, whether they are real) and by the encoder; a query is
compared by its words, its names, the concepts that the lexicons find in both, its meaning, and the mentions that it may
mean. So a text costs two passes in all, not one for every query, and both are kept by content. Source: steps 3
and 4 of ReQAP section 3.2.1, whose cross-encoders read each pair; docs/decisions/014-texts-are-read-once.md says why.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from ...config import BUNDLED_READER
from ...errors import ConfigError
from ...store.words import fold, stem, words
from ...texts.hints import concepts
from ...texts.lexicon.lexicon import Lexicon, load_lexicon
from ...texts.tokens import atoms
from ..encoder import hash_file
from .reader import BUNDLED, MENTION, MOST, Remember, Scores, TrainedReader, sigmoid, softmax

_KINDS: Final = ("calendar entry", "my mail", "mail from", "my post", "my note", "my chat", "chat from")
WORD_FEATURES: Final = 10 + len(_KINDS)
_SMALL: Final = frozenset(
    words(
        "a an the this that these those my our your his her their its i me we us you he she they it and or of in "
        "on at to for from by with without as into about up out over off some any all one someone anyone somebody "
        "something anything go went going gone do did doing done have had having get got got take took made make "
        "made be am is are was were been there things thing which what when where who how times time myself"
    )
)
_HEAD: Final = re.compile(
    r"^(?P<head>[^(:]{1,80}?)(?: \((?P<hints>[^()]*(?:\([^()]*\)[^()]*)*)\))?: (?P<text>.*)$", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Query:
    """Stemmed words that say something, names among them, and concepts that the lexicons find."""

    words: frozenset[str]
    names: frozenset[str]
    concepts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Line:
    """A verbalised event taken apart again."""

    head: str
    text: str
    words: frozenset[str]
    hinted: frozenset[str]
    concepts: frozenset[str]
    keys: frozenset[str]
    length: int


def read_query(query: str, lexicon: Lexicon) -> Query:
    """A query's words."""
    said = atoms(query)
    kept = [word for word in said if fold(word) not in _SMALL]
    names = frozenset(stem(fold(word)) for word in kept if word[0].isupper() and word != said[0])
    return Query(frozenset(stem(fold(w)) for w in kept), names, frozenset(concepts(query, lexicon)))


def read_line(line: str) -> Line:
    """A line's parts: "mail from Ann (Ann is sister Ann Bell; cuisine Thai): Re: dinner | ..."."""
    found = _HEAD.match(line)
    head, hints, text = (found["head"], found["hints"] or "", found["text"]) if found else ("", "", line)
    told = frozenset(hint for hint in hints.split("; ") if hint)
    said = words(f"{head} {text}")
    return Line(
        head=head,
        text=text,
        words=frozenset(map(stem, said)),
        hinted=frozenset(map(stem, words(hints))),
        concepts=told,
        keys=frozenset(_key(hint) for hint in told),
        length=len(said),
    )


def _key(concept: str) -> str:
    """The key of a hint: "doctor type dentist" is one of "doctor"."""
    return concept.split(" ", 1)[0]


def word_features(query: Query, line: Line) -> list[float]:
    """The features, WORD_FEATURES of them."""
    size = max(1, len(query.words))
    direct, known = query.words & line.words, query.words & (line.words | line.hinted)
    same = query.concepts & line.concepts
    against = {c for c in query.concepts - line.concepts if _key(c) in line.keys}
    return [
        len(direct) / size,
        len(known) / size,
        float(not query.words - line.words - line.hinted),
        len(query.names & (line.words | line.hinted)) / max(1, len(query.names)),
        float(bool(query.names)),
        len(same) / max(1, len(query.concepts)),
        float(bool(query.concepts)),
        len(against) / max(1, len(query.concepts)),
        float(len(query.words)),
        min(line.length, 100) / 100.0,
        *(float(line.head.startswith(kind)) for kind in _KINDS),
    ]


CLASSIFIERS: Final = "classifiers.safetensors"
_AHEAD: Final = 8192
"""Lines that are read ahead at once: what is read of each takes three kilobytes."""
PATTERN_WORDS: Final = 8
"""The word features that a pattern has too."""
_SHARED, _EACH = 20.0, 10.0
"""Scales that bring the products and the entries of unit vectors near one."""
FEATURES: Final = WORD_FEATURES + 7

Vector = NDArray[np.float32]


@dataclass(frozen=True)
class Layers:
    """A network of one hidden layer over standardised features."""

    mean: Vector
    scale: Vector
    hidden: Vector
    hidden_bias: Vector
    out: Vector
    out_bias: Vector

    def logits(self, features: Vector) -> Vector:
        """Shape (rows, outputs)."""
        inside = np.maximum(((features - self.mean) / self.scale) @ self.hidden + self.hidden_bias, 0.0)
        return (inside @ self.out + self.out_bias).astype(np.float32)

    @classmethod
    def of_stored(cls, name: str, stored: Mapping[str, Vector]) -> Layers:
        """From what training wrote: its arrays are called name.mean and so on."""
        return cls(**{field.name: stored[f"{name}.{field.name}"].astype(np.float32) for field in fields(cls)})


class BundledClassifiers:
    """Event and pattern classifier over the bundled reader. `remember` keeps what was read, by content."""

    def __init__(self, reader: TrainedReader, lexicon: Lexicon, remember: Remember, folder: Path = BUNDLED) -> None:
        self._reader = reader
        self._lexicon = lexicon
        self._remember = remember
        self._folder = folder
        self._lines: dict[str, Line] = {}
        self._queries: dict[str, Query] = {}

    @property
    def name(self) -> str:
        return BUNDLED_READER

    @property
    def identity(self) -> str:
        """Hash of the reader and of the classifiers over it."""
        return self._hash

    @cached_property
    def _hash(self) -> str:
        both = f"{self._reader.identity} {hash_file(self._folder / CLASSIFIERS)}"
        return f"sha256:{hashlib.sha256(both.encode()).hexdigest()}"

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Probability for each (query, verbalised event)."""
        if not pairs:
            return np.zeros(0, dtype=np.float32)
        return sigmoid(self._layers["events"].logits(self.features(pairs)))[:, 0]

    def read_ahead(self, lines: Sequence[str], progress: Callable[[str, int, int], None] | None = None) -> None:
        """Reads lines that will be classified, if what is read is kept: many at once, which workers may share."""
        if self._remember is forgetful:
            return
        for start in range(0, len(lines), _AHEAD):
            some, encoder = lines[start : start + _AHEAD], self._reader.encoder
            told = f"{self._reader.identity} mentions"
            self._remember(some, identity=told, encode=self._reader.mentions, progress=progress)
            texts = [read_line(line).text for line in some]
            self._remember(texts, identity=encoder.identity, encode=encoder.encode, progress=progress)

    def patterns(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Probabilities of none, some, all for each (query, pattern)."""
        if not pairs:
            return np.zeros((0, 3), dtype=np.float32)
        return softmax(self._layers["patterns"].logits(self.pattern_features(pairs)))

    def features(self, pairs: Sequence[tuple[str, str]]) -> Vector:
        """What the event network sees, shape (pairs, FEATURES)."""
        queries, lines = list(dict.fromkeys(q for q, _ in pairs)), list(dict.fromkeys(line for _, line in pairs))
        read, held = self._known(lines), [self._query(query) for query in queries]
        vectors = self._vectors(queries)
        asked = self._reader.phrases(vectors)
        at, of = {q: n for n, q in enumerate(queries)}, {line: n for n, line in enumerate(lines)}
        rows, columns = [at[q] for q, _ in pairs], [of[line] for _, line in pairs]
        words = np.array(
            [word_features(held[r], read.lines[c]) for r, c in zip(rows, columns, strict=True)],
            dtype=np.float32,
        )
        meaning = (vectors[rows] * read.vectors[columns]).sum(axis=1, keepdims=True)
        told = mention_features(asked[rows], read.mentions[columns], self._reader.near)
        return np.concatenate([words, meaning, told], axis=1).astype(np.float32)

    def pattern_features(self, pairs: Sequence[tuple[str, str]]) -> Vector:
        """What the pattern network sees: both meanings, what they share, and the words; a pattern is no text to
        read."""
        queries, lines = list(dict.fromkeys(q for q, _ in pairs)), list(dict.fromkeys(line for _, line in pairs))
        asked, vectors = dict(zip(queries, self._vectors(queries), strict=True)), self._vectors(lines)
        read = dict(zip(lines, zip(map(read_line, lines), vectors, strict=True), strict=True))
        rows = [
            np.concatenate(
                [
                    asked[query] * read[line][1] * _SHARED,
                    asked[query] * _EACH,
                    read[line][1] * _EACH,
                    np.array(word_features(self._query(query), read[line][0])[:PATTERN_WORDS], dtype=np.float32),
                    np.array([asked[query] @ read[line][1] * 5.0, float(line.startswith("source"))], dtype=np.float32),
                ]
            )
            for query, line in pairs
        ]
        return np.stack(rows).astype(np.float32)

    def _query(self, query: str) -> Query:
        if query not in self._queries:
            self._queries[query] = read_query(query, self._lexicon)
        return self._queries[query]

    def _known(self, lines: Sequence[str]) -> _Read:
        for line in lines:
            if line not in self._lines:
                self._lines[line] = read_line(line)
        read = [self._lines[line] for line in lines]
        told = self._remember(lines, identity=f"{self._reader.identity} mentions", encode=self._reader.mentions)
        return _Read(read, self._vectors([line.text for line in read]), told.reshape(len(lines), MOST, MENTION))

    def _vectors(self, texts: Sequence[str]) -> Vector:
        encoder = self._reader.encoder
        return self._remember(texts, identity=encoder.identity, encode=encoder.encode)

    @cached_property
    def _layers(self) -> dict[str, Layers]:
        stored = load_file(self._folder / CLASSIFIERS)
        return {name: Layers.of_stored(name, stored) for name in ("events", "patterns")}


@dataclass(frozen=True)
class _Read:
    lines: list[Line]
    vectors: Vector
    mentions: Vector


def mention_features(asked: Vector, mentions: Vector, near: tuple[float, float]) -> Vector:
    """What the mentions of a text say of a query, shape (pairs, 6): how surely one is meant that happened, is planned,
    is told at all; whether the likeliest happened; whether any did; and how many there are.

    `asked` (pairs, SPACE); `mentions` (pairs, MOST, MENTION); `near`: scale and bias of their products.
    """
    scale, added = near
    happened, planned, sure = mentions[..., -3], mentions[..., -2], mentions[..., -1]
    meant = sigmoid(scale * np.einsum("ps,pms->pm", asked, mentions[..., :-3]) + added) * sure
    best = np.take_along_axis(happened, meant.argmax(axis=1)[:, None], axis=1)[:, 0]
    counted = (sure > 0).sum(axis=1) / MOST
    return np.stack(
        [
            (meant * happened).max(axis=1),
            (meant * planned).max(axis=1),
            meant.max(axis=1),
            best,
            (happened * sure).max(axis=1),
            counted,
        ],
        axis=1,
    ).astype(np.float32)


def forgetful(texts: Sequence[str], *, identity: str, encode: Remember) -> Vector:
    """A memory that keeps nothing: for training."""
    del identity
    return encode(list(texts))


def bundled_classifiers(
    reader: TrainedReader, remember: Remember = forgetful, lexicon: Lexicon | None = None
) -> BundledClassifiers:
    """The classifiers over a reader. Raises ConfigError where they were not trained."""
    if not (BUNDLED / CLASSIFIERS).is_file():
        raise ConfigError(f"the classifiers {BUNDLED / CLASSIFIERS} are not there")
    return BundledClassifiers(reader, lexicon or load_lexicon(), remember)
