"""The models that a search uses: the encoder, and the classifiers of patterns and of events."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from ..errors import ConfigError
from ..execution.context import RetrieveContext
from ..models.encoder import Encoder
from ..models.reading.reader import EventClassifier, PatternClassifier

LEXICAL: Final = "lexical"
"""What stands for the model where a search had none."""


@dataclass(frozen=True)
class SearchModels:
    """What a search can use, and warnings of what is missing. Without `events` the search's own scores decide; without
    `patterns` every candidate is classified by itself."""

    encoder: Encoder | None = None
    events: EventClassifier | None = None
    patterns: PatternClassifier | None = None
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Names of the models, for provenance."""
        names = dict.fromkeys(model.name for model in (self.encoder, self.events) if model is not None)
        return " + ".join(names) or LEXICAL

    @property
    def identity(self) -> str:
        """Hash of all their weights."""
        models = (self.encoder, self.events, self.patterns)
        parts = [model.identity for model in models if model is not None] or [LEXICAL]
        return parts[0] if len(parts) == 1 else f"sha256:{hashlib.sha256(' '.join(parts).encode()).hexdigest()}"


def find_models(context: RetrieveContext) -> SearchModels:
    """The models that are there, and warnings for those that are not: words alone still find much."""
    try:
        encoder = context.encoder_factory()
    except ConfigError as missing:
        return SearchModels(warnings=(f"searched by words only: {missing}",))
    if context.readers is None or not context.classify:
        return SearchModels(encoder)
    try:
        return SearchModels(encoder, context.readers.events, context.readers.patterns)
    except ConfigError as missing:
        return SearchModels(encoder, warnings=(f"searched without classifiers: {missing}",))
