"""States of texts below the layers that are trained, computed once: an epoch then costs the trained layers alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Encoding
from torch import Tensor

from ...models.bert import Bert, BertFiles
from ...models.encoder import installed_weights

FROZEN: Final = 4
"""Layers that are not trained."""
LONGEST: Final = 256
_BATCH: Final = 32
_PART: Final = 4096
"""Texts after which what was computed is kept."""

Tell = Callable[[str, int, int], None]


class TextStates:
    """States (tokens, size) of texts, flat in a file, in half precision; begun again where it stopped."""

    def __init__(self, texts: Sequence[str], folder: Path, tell: Tell | None = None) -> None:
        files = BertFiles(installed_weights())
        self.place = {text: number for number, text in enumerate(texts)}
        encodings = files.tokenizer(LONGEST).encode_batch(list(texts))
        self.lengths = np.array([len(encoding.ids) for encoding in encodings])
        self._starts = np.concatenate([[0], np.cumsum(self.lengths)])
        self._states = self._opened(texts, folder, files)
        self._fill(encodings, files, folder / f"{self._digest}.done", tell)

    def batch(self, rows: Sequence[int], longest: int = LONGEST) -> tuple[Tensor, Tensor]:
        """States (texts, tokens, size) and mask (texts, tokens) of texts by number, cut to `longest` tokens."""
        lengths = np.minimum(self.lengths[list(rows)], longest)
        states = torch.zeros(len(rows), int(lengths.max()), self._states.shape[1])
        mask = torch.zeros(states.shape[:2])
        for at, (row, length) in enumerate(zip(rows, lengths, strict=True)):
            start = self._starts[row]
            states[at, :length] = torch.from_numpy(self._states[start : start + length].astype(np.float32))
            mask[at, :length] = 1.0
        return states, mask

    def _opened(self, texts: Sequence[str], folder: Path, files: BertFiles) -> NDArray[np.float16]:
        digest = hashlib.sha256(str(FROZEN).encode())
        for text in texts:
            digest.update(hashlib.sha256(text.encode()).digest())
        self._digest = digest.hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self._digest}.npy"
        shape = (int(self._starts[-1]), int(str(files.config["hidden_size"])))
        if path.is_file():
            return np.lib.format.open_memmap(path, mode="r+")
        return np.lib.format.open_memmap(path, mode="w+", dtype=np.float16, shape=shape)

    def _fill(self, encodings: Sequence[Encoding], files: BertFiles, mark: Path, tell: Tell | None) -> None:
        """Computes what is not there; texts of about the same length go together."""
        done = int(mark.read_text()) if mark.is_file() else 0
        if done >= len(encodings):
            return
        bert = Bert(files, files.weights())
        order = np.argsort(self.lengths, kind="stable")
        with torch.inference_mode():
            for start in range(done, len(order), _BATCH):
                rows = order[start : start + _BATCH]
                (states,), _ = bert.layers([encodings[row] for row in rows], (FROZEN,))
                for row, found in zip(rows, states, strict=True):
                    at, length = self._starts[row], self.lengths[row]
                    self._states[at : at + length] = found[:length].numpy().astype(np.float16)
                if start % _PART < _BATCH or start + _BATCH >= len(order):
                    self._states.flush()  # type: ignore[attr-defined]
                    mark.write_text(str(min(start + _BATCH, len(order))))
                    if tell:
                        tell("states", start, len(order))
