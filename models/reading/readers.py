"""Which models read: the bundled reader for all three tasks, or the paper's models by name or folder (config.py)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ...config import BUNDLED_READER, NO_CLASSIFIER
from ...texts.lexicon.lexicon import Lexicon, load_lexicon
from .reader import EventClassifier, Extractor, PatternClassifier, Remember, TrainedReader, load_reader
from .relevance import BundledClassifiers, bundled_classifiers, forgetful


@dataclass(frozen=True)
class Readers:
    """The models of RETRIEVE's steps 3 and 4 and of EXTRACT; each is found when it is first asked for.

    Each property raises ConfigError where the weights are missing.
    """

    events_name: str = BUNDLED_READER
    patterns_name: str = BUNDLED_READER
    extractor_name: str = BUNDLED_READER
    remember: Remember = forgetful
    """Keeps what was read of texts, by content."""
    lexicon_factory: Callable[[], Lexicon] = load_lexicon

    @cached_property
    def events(self) -> EventClassifier:
        """The event classifier."""
        if self.events_name == BUNDLED_READER:
            return self._classifiers
        from .adapters import CrossEncoderClassifier

        return CrossEncoderClassifier(self.events_name)

    @cached_property
    def patterns(self) -> PatternClassifier | None:
        """The pattern classifier; None where every event is to be classified by itself."""
        if self.patterns_name == NO_CLASSIFIER:
            return None
        if self.patterns_name == BUNDLED_READER:
            return self._classifiers
        from .adapters import CrossEncoderClassifier

        return CrossEncoderClassifier(self.patterns_name)

    @cached_property
    def extractor(self) -> Extractor:
        """The model of EXTRACT."""
        if self.extractor_name == BUNDLED_READER:
            return self._bundled
        from .adapters import SequenceExtractor

        return SequenceExtractor(self.extractor_name)

    @cached_property
    def _classifiers(self) -> BundledClassifiers:
        return bundled_classifiers(self._bundled, self.remember, self.lexicon_factory())

    @cached_property
    def _bundled(self) -> TrainedReader:
        return load_reader()
