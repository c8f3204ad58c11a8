"""The paper's own kinds of models in place of the bundled reader: cross-encoders, sequence-to-sequence models.

Named by hub name or folder in the configuration. Source: ReQAP Appendix C (ms-marco cross-encoders; BART, T5).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from rapidfuzz import fuzz

from ...errors import ConfigError
from ...texts.document import Document, Span
from ..encoder import fastest_precision, hash_parameters, hash_weights
from ..folders import loading, model_folder, running
from .reader import Scores, sigmoid, softmax
from .verbalise import verbalise

_BATCH: Final = 32
_LONGEST_VALUE: Final = 32
"""Tokens of a generated value."""
_SAME: Final = 90.0
"""Least partial ratio at which a generated value is taken to stand in the text."""
_DROP, _WHOLE = 0.02, 0.98
"""Of a model with one score: below and above which a pattern is wholly irrelevant or relevant."""


class CrossEncoderClassifier:
    """A cross-encoder with one score as event classifier; with three classes (none, some, all) as pattern
    classifier."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def identity(self) -> str:
        """Hash of the weights."""
        return self._hash

    @cached_property
    def _hash(self) -> str:
        return _identity(self.name, self._model.model)

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Probability for each (query, event). Raises ConfigError for a model with several classes."""
        logits = self._logits(pairs)
        if logits.ndim != 1:
            raise ConfigError(f"{self.name} has {logits.shape[1]} classes; an event classifier has one score")
        return sigmoid(logits)

    def patterns(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        """Probabilities of none, some, all for each (query, pattern). A model with one score decides only where it is
        nearly certain. Raises ConfigError for another number of classes than one or three."""
        logits = self._logits(pairs)
        if logits.ndim == 1:
            told = sigmoid(logits)
            none, whole = (told <= _DROP).astype(np.float32), (told >= _WHOLE).astype(np.float32)
            return np.stack([none, 1.0 - none - whole, whole], axis=1)
        if logits.shape[1] != 3:
            raise ConfigError(f"{self.name} has {logits.shape[1]} classes; a pattern classifier has three")
        return softmax(logits)

    def _logits(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        import torch

        if not pairs:
            return np.zeros(0, dtype=np.float32)
        model = self._model
        with fastest_precision(), running(self.name):
            found = model.predict(
                list(pairs), batch_size=_BATCH, show_progress_bar=False, activation_fn=torch.nn.Identity()
            )
        return np.asarray(found, dtype=np.float32)

    @cached_property
    def _model(self) -> Any:
        folder = str(model_folder(self.name))
        from sentence_transformers import CrossEncoder

        with loading(self.name):
            held = {"use_safetensors": True}
            return CrossEncoder(folder, device="cpu", local_files_only=True, trust_remote_code=False, model_kwargs=held)


class SequenceExtractor:
    """A sequence-to-sequence model that is given a key and a text and writes the value."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def identity(self) -> str:
        """Hash of the weights."""
        return self._hash

    @cached_property
    def _hash(self) -> str:
        return _identity(self.name, self._model[1])

    @property
    def reads_once(self) -> bool:
        """A key is part of what the model reads."""
        return False

    def tag(self, requests: Sequence[tuple[str, Document]]) -> list[tuple[Span, ...]]:
        """One span for each request whose value the model writes: where it stands, or, of a value in other words, the
        whole text with the value."""
        found: list[tuple[Span, ...]] = []
        tokenizer, model = self._model
        for start in range(0, len(requests), _BATCH):
            chunk = requests[start : start + _BATCH]
            lines = [f"{key}: {verbalise(document).line}" for key, document in chunk]
            with running(self.name):
                inputs = tokenizer(lines, padding=True, truncation=True, max_length=512, return_tensors="pt")
            with fastest_precision():
                written = model.generate(
                    input_ids=inputs["input_ids"],
                    attention_mask=inputs["attention_mask"],
                    max_new_tokens=_LONGEST_VALUE,
                )
            values = tokenizer.batch_decode(written, skip_special_tokens=True)
            found += [located(value, document) for value, (_, document) in zip(values, chunk, strict=True)]
        return found

    @cached_property
    def _model(self) -> tuple[Any, Any]:
        folder = model_folder(self.name)
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        with loading(self.name):
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model = AutoModelForSeq2SeqLM.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        return tokenizer, model.eval()


def located(value: str, document: Document) -> tuple[Span, ...]:
    """Where a written value stands in a text; the whole text with the value where it does not; nothing for none."""
    wanted, text = value.strip(), document.text
    if not wanted or wanted.casefold() in ("none", "null", "unknown"):
        return ()
    if fuzz.partial_ratio(wanted.casefold(), text.casefold()) >= _SAME and len(wanted) <= len(text):
        place = fuzz.partial_ratio_alignment(wanted.casefold(), text.casefold())
        if place is not None and place.dest_end > place.dest_start:
            return (Span(place.dest_start, place.dest_end, place.score / 100.0),)
    return (Span(0, len(text), 0.5, wanted),)


def _identity(name: str, model: Any) -> str:
    folder = Path(name)
    return f"sha256:{hash_weights(folder) if folder.is_dir() else hash_parameters(model)}"
