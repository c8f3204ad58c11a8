"""The bundled router of talk: whether a question is about what was said in chats, by which conditions, and which of its
words say when and who (Alonso et al. 2024 decide between metadata and content by a language model).

The encoder (MiniLM) reads the question as it is; a small network over its layers is all that was trained (the card is
in models/trained/chat). torch is imported when a question is really read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..encoder import installed_weights

if TYPE_CHECKING:
    from .chat_network import ChatNetwork
    from .word_vectors import WordReader

FOLDER: Final = Path(__file__).parents[1] / "trained" / "chat"
WEIGHTS: Final = "weights.safetensors"
KINDS: Final = ("none", "metadata", "content", "both", "measure")
"""Not about what was said; what was said then or by whom; about something; both; a count, time or order of messages."""
PARTS: Final = ("other", "time", "speaker", "topic")


@dataclass(frozen=True)
class ChatGuess:
    """How likely each of KINDS is (they add up to 1), and for each word how likely each of PARTS is."""

    kinds: tuple[float, ...]
    parts: tuple[tuple[float, ...], ...]


class ChatRouter:
    """Reads questions. Raises ConfigError where the encoder's weights are not installed."""

    def __init__(self, encoder: Path | None = None, folder: Path = FOLDER) -> None:
        self._encoder = encoder or installed_weights()
        self._folder = folder

    def read(self, words: Sequence[str]) -> ChatGuess:
        """What a question is, given as its words; those beyond the longest question are "other"."""
        import torch

        from .word_network import batched

        with torch.inference_mode():
            logits = self._network(*batched(self._reader.vectors([words])))
        kinds = tuple(torch.softmax(logits.kinds[0], dim=-1).tolist())
        parts = [tuple(row) for row in torch.softmax(logits.parts[0], dim=-1).tolist()]
        unread = (1.0, *(0.0 for _ in PARTS[1:]))
        return ChatGuess(kinds, tuple(parts) + (unread,) * (len(words) - len(parts)))

    @cached_property
    def _reader(self) -> WordReader:
        from .word_vectors import LONGEST, shared_reader

        return shared_reader(self._encoder, LONGEST)

    @cached_property
    def _network(self) -> ChatNetwork:
        from ..weights import load_trained
        from .chat_network import loaded

        return loaded(len(KINDS), len(PARTS), load_trained(self._folder / WEIGHTS))
