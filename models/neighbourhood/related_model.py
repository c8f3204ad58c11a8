"""The trained set encoder, loaded: a query's vector and those of its neighbourhood in, one vector out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from ..encoder import hash_file
from ..weights import load_trained
from .set_encoder import SIZE, Aggregation, Neighbourhoods, SetEncoder

BUNDLED: Final = Path(__file__).parents[1] / "trained" / "related"
WEIGHTS: Final = "weights.safetensors"

Vectors = NDArray[np.float32]


class RelatedModel:
    """The gates of a folder's weights. Only vectors of the default encoder fit."""

    def __init__(self, folder: Path = BUNDLED) -> None:
        self._path = folder / WEIGHTS

    @property
    def identity(self) -> str:
        """Hash of the weights."""
        return f"sha256:{hash_file(self._path)}"

    def join(self, query: Vectors, around: Sequence[tuple[Vectors, Vectors]]) -> tuple[Vectors, Vectors]:
        """Of a query (size,), and for each category the vectors of its name (size,) and its values (values, size): the
        joined vector (size,) and the reach (categories,)."""
        pairs = [(torch.from_numpy(name.copy()), torch.from_numpy(values.copy())) for name, values in around]
        with torch.inference_mode():
            found = self.network(torch.from_numpy(query.copy())[None], Neighbourhoods.of([pairs]))
        return found.queries[0].numpy(), found.reach.numpy()

    def fits(self, size: int) -> bool:
        """Whether vectors of this size are those that it was trained on."""
        return size == SIZE

    @cached_property
    def network(self) -> SetEncoder:
        """The set encoder itself."""
        network = SetEncoder(Aggregation.GATE)
        network.load_state_dict(load_trained(self._path))
        return network.eval()
