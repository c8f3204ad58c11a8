"""What reads texts for RETRIEVE and EXTRACT: the bundled reader, or the paper's models by name
(models/reading/readers.py).

The bundled reader is MiniLM, fine-tuned to read a text once for everything (training/reader.py, its card is in
models/trained/reader). torch is imported when a model is really loaded. Source: ReQAP section 3.2.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ...config import BUNDLED_READER, DEFAULT_ENCODER
from ...errors import ConfigError
from ...store.words import normalise
from ...texts.document import Document, Span
from ..encoder import LightEncoder, hash_file, hash_weights, installed_weights
from .reader_terms import BUNDLED, reader_keys, reader_kinds
from .spans import spans_of
from .verbalise import verbalise

if TYPE_CHECKING:
    from .light_network import LightNetwork

WEIGHTS: Final = "weights.safetensors"
LONGEST: Final = 224
"""Tokens of a line; what is longer is cut at its end."""
SAME_KEY: Final = 0.7
"""Cosine from which on a key in words means one that the reader knows."""
_TOKENS: Final = 6000
"""Tokens of one batch, with its padding."""

Scores = NDArray[np.float32]
Remember = Callable[..., Scores]
"""Gives vectors of texts that were seen before, and makes the others (store.index.vectors.VectorCache.vectors)."""


class EventClassifier(Protocol):
    """RETRIEVE's step 4: is this event what the query says?"""

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> str: ...

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Probability for each (query, verbalised event), shape (pairs,)."""
        ...


class PatternClassifier(Protocol):
    """RETRIEVE's step 3: are none, some or all events with this key-value pair what the query says?"""

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> str: ...

    def patterns(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Probabilities of none, some, all for each (query, pattern), shape (pairs, 3)."""
        ...


class Extractor(Protocol):
    """EXTRACT's model: which words of a text say the value of a key?"""

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> str: ...

    @property
    def reads_once(self) -> bool:
        """Whether a text is read once for all keys that are asked for together."""
        ...

    def tag(self, requests: Sequence[tuple[str, Document]]) -> list[tuple[Span, ...]]:
        """Spans of `document.text` for each (key in words, document), best first; none where nothing says it."""
        ...


class TrainedReader:
    """The network that reads a line once: where values stand, what sort of happening is told, whether it is real."""

    def __init__(self, folder: Path, encoder: Path) -> None:
        self._folder = folder
        self._weights = encoder
        self.encoder = LightEncoder(DEFAULT_ENCODER, encoder)

    @property
    def name(self) -> str:
        return BUNDLED_READER

    @property
    def identity(self) -> str:
        """Hash of the encoder's weights and of what training changed."""
        return self._hash

    @cached_property
    def _hash(self) -> str:
        both = hash_weights(self._weights) + hash_file(self._folder / WEIGHTS)
        return f"sha256:{hashlib.sha256(both.encode()).hexdigest()}"

    @property
    def reads_once(self) -> bool:
        return True

    def kinds(self, lines: Sequence[str]) -> Scores:
        """Probabilities of the kinds of happening, and last that it is real, shape (lines, kinds + 1)."""
        found = np.zeros((len(lines), len(reader_kinds()) + 1), dtype=np.float32)
        for chunk in _chunks(lines):
            _, _, kinds = self._network.read([lines[place] for place in chunk])
            found[chunk] = sigmoid(kinds)
        return found

    def tag(self, requests: Sequence[tuple[str, Document]]) -> list[tuple[Span, ...]]:
        """Spans for each (key in words, document); each document is read once for all its keys."""
        lines = {document.event: verbalise(document) for _, document in requests}
        events = list(lines)
        asked: dict[str, list[int]] = {event: [] for event in events}
        for place, (_, document) in enumerate(requests):
            asked[document.event].append(place)
        columns = self._columns([key for key, _ in requests])
        found: list[tuple[Span, ...]] = [()] * len(requests)
        texts = [lines[event].line for event in events]
        for chunk in _chunks(texts):
            tokens, tags, _ = self._network.read([texts[place] for place in chunk])
            for row, number in enumerate(chunk):
                own = tokens[row]
                for place in asked[events[number]]:
                    column = columns[requests[place][0]]
                    if column is not None:
                        held = sigmoid(tags[row, : len(own.ids), column])
                        found[place] = spans_of(held, own.offsets, lines[events[number]].shift, requests[place][1].text)
        return found

    def _columns(self, keys: Sequence[str]) -> dict[str, int | None]:
        """The output that marks each key: one that is called so, else the nearest in meaning."""
        named = {normalise(label): n for n, labels in enumerate(reader_keys().values()) for label in labels}
        named |= {normalise(key.replace("_", " ")): n for n, key in enumerate(reader_keys())}
        found: dict[str, int | None] = {key: named.get(normalise(key.replace("_", " "))) for key in dict.fromkeys(keys)}
        unknown = [key for key, column in found.items() if column is None]
        if unknown:
            labels = [(n, label) for n, own in enumerate(reader_keys().values()) for label in own]
            cosines = self.encoder.encode(unknown) @ self.encoder.encode([label for _, label in labels]).T
            for key, row in zip(unknown, cosines, strict=True):
                best = int(row.argmax())
                found[key] = labels[best][0] if row[best] >= SAME_KEY else None
        return found

    @cached_property
    def _network(self) -> LightNetwork:
        from .light_network import LightNetwork

        return LightNetwork.of_files(self._weights, self._folder / WEIGHTS, LONGEST)


def load_reader(folder: Path = BUNDLED) -> TrainedReader:
    """The bundled reader. Raises ConfigError where its weights or those of the encoder under it are missing."""
    encoder = installed_weights()
    if not (folder / WEIGHTS).is_file():
        raise ConfigError(f"the reader's weights {folder / WEIGHTS} are not there")
    return TrainedReader(folder, encoder)


def sigmoid(logits: Scores) -> Scores:
    """Probabilities of logits."""
    return (1.0 / (1.0 + np.exp(-logits))).astype(np.float32)


def softmax(logits: Scores) -> Scores:
    """Probabilities of the classes, row by row, of logits of shape (rows, classes)."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def _chunks(lines: Sequence[str]) -> list[list[int]]:
    """Places of lines in batches of about the same length, longest first."""
    order = sorted(range(len(lines)), key=lambda place: len(lines[place]))
    found: list[list[int]] = []
    while order:
        longest = max(16, min(LONGEST, len(lines[order[-1]]) // 3))
        size = max(1, min(len(order), _TOKENS // longest))
        order, chunk = order[:-size], order[-size:]
        found.append(chunk)
    return found
