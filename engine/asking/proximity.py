"""Where planning looks up words that nothing names: the values of a store, and the encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...errors import ConfigError
from ...models.encoder import EncoderFactory
from ...planner.annotation.matching import Near, Vectors
from ...store.index.index import Progress, ValueIndex
from ...store.index.vectors import VectorCache


def proximity(
    index: ValueIndex, encoder: EncoderFactory, cache: Callable[[], VectorCache], progress: Progress | None = None
) -> Near:
    """Near values of an index, and vectors by the encoder, each computed once; the model is loaded when a word needs
    it, and words go unread where it is not there."""

    def encode(texts: Sequence[str]) -> Vectors | None:
        try:
            found = encoder()
        except ConfigError:
            return None
        return cache().vectors(texts, identity=found.identity, encode=found.encode, progress=progress)

    return Near(index.near, encode, index.properties_with, index.statistics.properties.__contains__)
