"""What reads texts for RETRIEVE and EXTRACT: the bundled reader, or the paper's models by name.

The bundled reader is MiniLM with trained layers and three heads (models/training/reader.py, card in models/trained/reader).
torch is imported when a model is really loaded. Source: ReQAP section 3.2 (cross-encoders, extraction model).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ..config import BUNDLED_READER, DEFAULT_ENCODER
from ..errors import ConfigError
from ..texts.document import Document, Span
from .encoder import INSTALL_HINT, hash_file, hash_weights, weights_folder
from .spans import spans_of
from .verbalise import verbalise

if TYPE_CHECKING:
    from tokenizers import Encoding

    from .light_network import LightNetwork

BUNDLED: Final = Path(__file__).parent / "trained" / "reader"
WEIGHTS: Final = "weights.safetensors"
LONGEST: Final = 224
"""Tokens of query and text together; what is longer is cut at the end of the text."""
_TOKENS: Final = 6000
"""Tokens of one batch, with its padding."""

Scores = NDArray[np.float32]
Task = Literal["relevance", "pattern", "tags"]


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

    def tag(self, requests: Sequence[tuple[str, Document]]) -> list[tuple[Span, ...]]:
        """Spans of `document.text` for each (key in words, document), best first; none where nothing says it."""
        ...


class Reader(EventClassifier, PatternClassifier, Extractor, Protocol):
    """All three in one."""


ReaderFactory = Callable[[], Reader]
"""Finds the reader when it is first needed; raises ConfigError where its weights are missing."""


class TrainedReader:
    """The bundled reader, on the processor, loaded when the first text is read; bfloat16 where the processor has it."""

    name: Final = BUNDLED_READER

    def __init__(self, folder: Path, encoder: Path) -> None:
        self._folder = folder
        self._encoder = encoder

    @cached_property
    def identity(self) -> str:
        """Hash of the encoder's weights and of what training changed."""
        both = hash_weights(self._encoder) + hash_file(self._folder / WEIGHTS)
        return f"sha256:{hashlib.sha256(both.encode()).hexdigest()}"

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Probability for each (query, verbalised event)."""
        found = np.zeros(len(pairs), dtype=np.float32)
        for chunk, logits, _ in self._run(pairs, "relevance"):
            found[chunk] = 1.0 / (1.0 + np.exp(-logits))
        return found

    def patterns(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Probabilities of none, some, all for each (query, pattern)."""
        found = np.zeros((len(pairs), 3), dtype=np.float32)
        for chunk, logits, _ in self._run(pairs, "pattern"):
            found[chunk] = _softmax(logits)
        return found

    def tag(self, requests: Sequence[tuple[str, Document]]) -> list[tuple[Span, ...]]:
        """Spans for each (key in words, document)."""
        lines = [verbalise(document) for _, document in requests]
        found: list[tuple[Span, ...]] = [()] * len(requests)
        pairs = [(key, line.line) for (key, _), line in zip(requests, lines, strict=True)]
        for chunk, logits, tokens in self._run(pairs, "tags"):
            tags = _softmax(logits)
            for row, place in enumerate(chunk):
                own = tokens[row]
                inside = [segment == 1 for segment in own.sequence_ids]
                text, shift = requests[place][1].text, lines[place].shift
                found[place] = spans_of(tags[row, : len(own.ids)], own.offsets, inside, shift, text)
        return found

    def _run(
        self, pairs: Sequence[tuple[str, str]], task: Task
    ) -> Iterator[tuple[list[int], Scores, Sequence[Encoding]]]:
        """Logits by batches of about the same length: (places in `pairs`, logits, tokens)."""
        lengths = [len(first) + len(second) for first, second in pairs]
        order = sorted(range(len(pairs)), key=lengths.__getitem__)
        while order:
            size = max(1, min(len(order), _TOKENS // max(16, min(LONGEST, lengths[order[-1]] // 3))))
            chunk, order = order[-size:], order[:-size]
            tokens, logits = self._network.logits([pairs[place] for place in chunk], task)
            yield chunk, logits, tokens

    @cached_property
    def _network(self) -> LightNetwork:
        from .light_network import LightNetwork

        return LightNetwork.of_files(self._encoder, self._folder / WEIGHTS, LONGEST)


def load_reader(folder: Path = BUNDLED) -> TrainedReader:
    """The bundled reader. Raises ConfigError where its weights or those of the encoder under it are missing."""
    encoder = weights_folder(DEFAULT_ENCODER)
    if encoder is None:
        raise ConfigError(f"the weights of the encoder {DEFAULT_ENCODER} are not there; {INSTALL_HINT}")
    if not (folder / WEIGHTS).is_file():
        raise ConfigError(f"the reader's weights {folder / WEIGHTS} are not there")
    return TrainedReader(folder, encoder)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)
