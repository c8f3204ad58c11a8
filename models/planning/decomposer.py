"""The bundled decomposer: sketches operator, attributes and event words of a question (its card is in
models/trained/decomposer).

The encoder (MiniLM) reads the question as it is; a small network over its layers is all that was trained. torch is
imported when a question is really sketched.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...config import BUNDLED_DECOMPOSER, DEFAULT_ENCODER
from ...errors import ConfigError
from ..encoder import INSTALL_HINT, weights_folder

if TYPE_CHECKING:
    from torch import Tensor

    from .sketch_network import Names, SketchNetwork
    from .sketch_vectors import WordReader

FOLDER: Final = Path(__file__).parents[1] / "trained" / "decomposer"
WEIGHTS: Final = "weights.safetensors"
NAMES: Final = "names.json"
LONGEST: Final = 96
"""Pieces of words of a question; what is longer is cut at its end."""
NOTHING: Final = ""
_MOST: Final = 3
_LEAST: Final = 0.05


@dataclass(frozen=True)
class Guess:
    """One sketch: operator, attributes (empty where there are none), for each word whether it names the events, and the
    probability."""

    operator: str
    key: str
    measure: str
    kept: tuple[bool, ...]
    score: float


class Decomposer:
    """Sketches questions. Raises ConfigError where the encoder's weights are not installed."""

    name = BUNDLED_DECOMPOSER

    def __init__(self, encoder: Path | None = None, folder: Path = FOLDER) -> None:
        found = encoder or weights_folder(DEFAULT_ENCODER)
        if found is None:
            raise ConfigError(f"the decomposer needs the weights of {DEFAULT_ENCODER}; {INSTALL_HINT}")
        self._encoder = found
        self._folder = folder

    def sketch(self, words: Sequence[str]) -> tuple[Guess, ...]:
        """Sketches of a question, given as its words, the likeliest first."""
        import torch

        from .sketch_network import batched

        with torch.inference_mode():
            logits = self._network(*batched([self.vectors(words)]))
        operators, keys, measures = (
            torch.softmax(part[0], dim=-1) for part in (logits.operators, logits.keys, logits.measures)
        )
        kept = (logits.kept[0] > 0).tolist()
        kept += [False] * (len(words) - len(kept))
        found = (
            Guess(operator, key, measure, tuple(kept), sure)
            for operator, key, measure, sure in self._joint(operators, keys, measures)
        )
        return tuple(sorted(found, key=lambda guess: -guess.score)[:_MOST])

    def _joint(self, *parts: Tensor) -> Iterator[tuple[str, str, str, float]]:
        """Combinations of the likeliest operators, keys and measures, with how likely they are together."""
        names = self._names
        listed = (names.operators, names.keys, names.measures)
        likely = (
            [(held[place], float(part[place])) for place in part.argsort(descending=True)[:2].tolist()]
            for part, held in zip(parts, listed, strict=True)
        )
        for (operator, p), (key, q), (measure, r) in product(*likely):
            if p * q * r >= _LEAST:
                yield operator, key, measure, p * q * r

    def vectors(self, words: Sequence[str]) -> Tensor:
        """What the encoder says of each word: the layers that are looked at, at its first piece."""
        return self._reader.vectors([words])[0]

    @cached_property
    def _reader(self) -> WordReader:
        from .sketch_vectors import shared_reader

        return shared_reader(self._encoder, LONGEST)

    @cached_property
    def _names(self) -> Names:
        from .sketch_network import Names

        held = json.loads((self._folder / NAMES).read_text(encoding="utf-8"))
        return Names(tuple(held["operators"]), tuple(held["keys"]), tuple(held["measures"]))

    @cached_property
    def _network(self) -> SketchNetwork:
        from ..weights import load_trained
        from .sketch_network import loaded

        return loaded(self._names, load_trained(self._folder / WEIGHTS))
