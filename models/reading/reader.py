"""What reads texts for RETRIEVE and EXTRACT: the bundled reader, or the paper's models by name
(models/reading/readers.py).

The bundled reader is MiniLM, fine-tuned to read a text once for everything (training/reader.py, its card is in
models/trained/reader). torch is imported when a model is really loaded. Source: ReQAP section 3.2.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...config import BUNDLED_READER, DEFAULT_ENCODER
from ...errors import ConfigError
from ...texts.document import SEPARATOR, Document, Span
from ..encoder import LightEncoder, hash_file, hash_weights, installed_weights
from .verbalise import verbalise

if TYPE_CHECKING:
    from .light_network import LightNetwork

BUNDLED: Final = Path(__file__).parents[1] / "trained" / "reader"
WEIGHTS: Final = "weights.safetensors"
LONGEST: Final = 224
"""Tokens of a line; what is longer is cut at its end."""
SPACE: Final = 96
"""Size of the vectors of mentions and of phrases."""
MENTION: Final = SPACE + 3
MOST: Final = 4
"""Mentions of a line that are kept."""
_TOKENS: Final = 3_000
"""Tokens of one batch, with its padding."""
LEAST: Final = 0.3
"""Probability of being part of a value from which on a token is."""
_BEGINS: Final = 0.5
"""Probability from which on a token begins another value."""
_EDGES: Final = ' \t\n.,;:!?()[]{}<>|"“”–—-&+/@'

Scores = NDArray[np.float32]
Remember = Callable[..., Scores]
"""Gives vectors of texts that were seen before, and makes the others (store.index.vectors.VectorCache.vectors)."""


class ReadingModel(Protocol):
    """A model by its name and by the hash of its weights."""

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> str: ...


class EventClassifier(ReadingModel, Protocol):
    """RETRIEVE's step 4: is this event what the query says?"""

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Probability for each (query, verbalised event), shape (pairs,)."""
        ...


@runtime_checkable
class ReadsAhead(Protocol):
    """A classifier that reads each line once, whatever is asked of it."""

    def read_ahead(self, lines: Sequence[str], progress: Callable[[str, int, int], None] | None = None) -> None:
        """Reads lines that will be classified."""
        ...


class PatternClassifier(ReadingModel, Protocol):
    """RETRIEVE's step 3: are none, some or all events with this key-value pair what the query says?"""

    def patterns(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Probabilities of none, some, all for each (query, pattern), shape (pairs, 3)."""
        ...


class Extractor(ReadingModel, Protocol):
    """EXTRACT's model: which words of a text say the value of a key?"""

    @property
    def reads_once(self) -> bool:
        """Whether a text is read once for all keys that are asked for together."""
        ...

    def tag(self, requests: Sequence[tuple[str, Document]]) -> list[tuple[Span, ...]]:
        """Spans of `document.text` for each (key in words, document), best first; none where nothing says it."""
        ...


class TrainedReader:
    """The network that reads a line once: where values stand, what happenings the text tells of, whether each is
    real."""

    def __init__(self, folder: Path, encoder: Path) -> None:
        self._folder = folder
        self._weights = encoder
        self.encoder = LightEncoder(DEFAULT_ENCODER, encoder)

    def __reduce__(self) -> tuple[Any, ...]:
        return _held, (self._folder, self._weights)

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

    def mentions(self, lines: Sequence[str]) -> Scores:
        """The event mentions of lines, shape (lines, MOST * MENTION), the likeliest first: of each a unit vector, the
        probabilities that it happened and that it is planned, and that there is a mention at all; zeros where a line
        has fewer."""
        found = np.zeros((len(lines), MOST, MENTION), dtype=np.float32)
        for chunk in _chunks(lines):
            read = self._network.read([lines[place] for place in chunk])
            triggers = sigmoid(read.triggers())
            spots = [
                (row, *spot)
                for row, own in enumerate(read.tokens)
                for spot in trigger_spots(triggers[row, : len(own.ids)], own.offsets, MOST)
            ]
            if not spots:
                continue
            weights = np.zeros((len(spots), triggers.shape[1]), dtype=np.float32)
            for number, (_, begin, end, _) in enumerate(spots):
                weights[number, begin:end] = 1.0 / (end - begin)
            mentions = read.mentions([row for row, *_ in spots], weights)
            vectors, chances = read.places(mentions), softmax(read.standing(mentions))
            filled = dict.fromkeys(range(len(chunk)), 0)
            for number, (row, _, _, sure) in enumerate(spots):
                held = found[chunk[row], filled[row]]
                held[:-3], held[-3:] = vectors[number], (*chances[number, :2], sure)
                filled[row] += 1
        return found.reshape(len(lines), -1)

    def phrases(self, vectors: Scores) -> Scores:
        """Of the encoder's vectors of phrases such as "I had a meal", unit vectors (phrases, SPACE), which lie near
        those of the mentions that they mean."""
        return self._network.phrases(vectors)

    @property
    def near(self) -> tuple[float, float]:
        """Scale and bias of the logit that a phrase means a mention, by the product of their vectors."""
        return self._network.near

    def tag(self, requests: Sequence[tuple[str, Document]]) -> list[tuple[Span, ...]]:
        """Spans for each (key in words, document); each document is read once for all its keys."""
        lines = {document.event: verbalise(document) for _, document in requests}
        events = list(lines)
        asked: dict[str, list[int]] = {event: [] for event in events}
        for place, (_, document) in enumerate(requests):
            asked[document.event].append(place)
        keys = {key: column for column, key in enumerate(dict.fromkeys(key for key, _ in requests))}
        vectors = self.encoder.encode([key.replace("_", " ") for key in keys])
        found: list[tuple[Span, ...]] = [()] * len(requests)
        texts = [lines[event].line for event in events]
        for chunk in _chunks(texts):
            read = self._network.read([texts[place] for place in chunk])
            tags = read.tags(vectors)
            for row, number in enumerate(chunk):
                own = read.tokens[row]
                for place in asked[events[number]]:
                    held = sigmoid(tags[row, : len(own.ids), keys[requests[place][0]]])
                    found[place] = spans_of(held, own.offsets, lines[events[number]].shift, requests[place][1].text)
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


@lru_cache(maxsize=1)
def _held(folder: Path, encoder: Path) -> TrainedReader:
    """The reader that a worker was sent: the first time it is sent, its network is loaded."""
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


def spans_of(tags: NDArray[np.float32], offsets: Sequence[Sequence[int]], shift: int, text: str) -> tuple[Span, ...]:
    """Spans of `text`, best first. `tags`: probabilities (tokens, 2) that a token is part of a value and that it begins
    one; `offsets` of each token in the line in which the text begins at `shift`."""
    runs: list[list[tuple[int, int, float]]] = []
    open_run = False
    for (held, begins), (start, end) in zip(tags.tolist(), offsets, strict=True):
        if end <= shift or end <= start or held < LEAST:
            open_run = False
            continue
        token = (max(0, start - shift), min(len(text), end - shift), held)
        if open_run and (begins < _BEGINS or _glued(text, token[0])):
            runs[-1].append(token)
        else:
            runs.append([token])
        open_run = True
    found = [span for run in runs for span in _trimmed(run, text)]
    return tuple(sorted(found, key=lambda span: (-span.score, span.start)))


def trigger_spots(
    tags: NDArray[np.float32], offsets: Sequence[Sequence[int]], most: int
) -> list[tuple[int, int, float]]:
    """(first token, token after the last, probability) of what a line tells of, the likeliest first. `tags`:
    probabilities (tokens, 2) that a token is part of a trigger and that it begins one."""
    runs: list[list[int]] = []
    for place, ((held, begins), (start, end)) in enumerate(zip(tags.tolist(), offsets, strict=True)):
        if end <= start or held < LEAST:
            continue
        if runs and runs[-1][-1] == place - 1 and begins < _BEGINS:
            runs[-1].append(place)
        else:
            runs.append([place])
    spots = [(run[0], run[-1] + 1, float(tags[run, 0].max())) for run in runs]
    return sorted(spots, key=lambda spot: (-spot[2], spot[0]))[:most]


def _glued(text: str, at: int) -> bool:
    """Whether a place is within a word."""
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def _trimmed(run: Sequence[tuple[int, int, float]], text: str) -> list[Span]:
    """A run of tokens as a span of whole words without signs at its edges; it never goes over a part's end."""
    start, end = run[0][0], run[-1][1]
    score = sum(held for *_, held in run) / len(run)
    while _glued(text, start):
        start -= 1
    while _glued(text, end):
        end += 1
    found: list[Span] = []
    for piece in text[start:end].split(SEPARATOR):
        left = len(piece) - len(piece.lstrip(_EDGES))
        kept = piece.strip(_EDGES)
        if kept:
            found.append(Span(start + left, start + left + len(kept), score))
        start += len(piece) + len(SEPARATOR)
    return found
