"""Trained weights in a small file: what differs from the encoder, in eight bits with a scale for each row.

Only the layers that training changed are stored; the word embeddings stay those of the encoder. Eight bits a weight
with a scale for each row changes a logit by about one part in a hundred (docs/benchmarks.md).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from safetensors.torch import load_file
from torch import Tensor

SCALE: Final = ".scale"
"""Ends the name of a matrix's scales."""


def load_trained(path: Path) -> dict[str, Tensor]:
    """The stored parameters by name, as floats."""
    stored = load_file(path)
    return {
        name: weight.float() * stored[name + SCALE] if name + SCALE in stored else weight.float()
        for name, weight in stored.items()
        if not name.endswith(SCALE)
    }
