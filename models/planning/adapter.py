"""What training a causal language model as a parser of questions learns, in one small file of halves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from ...errors import ConfigError
from ..folders import loading
from .shapes import AdapterShape

if TYPE_CHECKING:
    from safetensors import safe_open
    from torch import Tensor

_RANGES: Final = "ranges."
_TOLD: Final = "reqap-kg"
"""The name under which the file tells what it holds."""


@dataclass(frozen=True)
class Adapter:
    """What an adapter is of: the names of our own tokens, the attributes among them, the words that forms use unasked,
    the attributes of personal events, the words that forms leave out."""

    base: str
    """The base model: XS, a size, or its folder."""
    shape: AdapterShape
    own: tuple[str, ...]
    keys: tuple[str, ...]
    words: tuple[str, ...]
    personal: tuple[str, ...]
    asides: tuple[str, ...]


@dataclass(frozen=True)
class Learnt:
    """The weights of an adapter, by their names in `llama.Llama`."""

    weights: Mapping[str, Tensor]
    ranges: Mapping[str, Tensor]
    """How large the channels are that each matrix of the adapted model reads (`small.ranges`)."""


def save_adapter(adapter: Adapter, learnt: Learnt, path: Path) -> None:
    """Writes an adapter."""
    from safetensors.torch import save_file

    told = {**vars(adapter), "shape": vars(adapter.shape)}
    held = {**learnt.weights, **{f"{_RANGES}{name}": one for name, one in learnt.ranges.items()}}
    weights = {name: one.detach().half().cpu().contiguous() for name, one in held.items()}
    part = path.with_suffix(".part")
    save_file(weights, part, {_TOLD: json.dumps(told)})
    part.replace(path)


def load_adapter(path: Path) -> Adapter:
    """What an adapter is of, without its weights. Raises ConfigError where there is none, or it is damaged."""
    with _opened(path, "np") as held:
        told = json.loads((held.metadata() or {})[_TOLD])
        shape, base = AdapterShape(**told.pop("shape")), told.pop("base")
        return Adapter(base, shape, **{name: tuple(value) for name, value in told.items()})


def load_learnt(path: Path) -> Learnt:
    """The weights of an adapter as single floats. Raises ConfigError where there is none, or it is damaged."""
    with _opened(path, "pt") as held:
        tensors = {name: held.get_tensor(name).float() for name in held.keys()}  # noqa: SIM118 - no mapping
    weights = {name: one for name, one in tensors.items() if not name.startswith(_RANGES)}
    ranges = {name.removeprefix(_RANGES): one for name, one in tensors.items() if name.startswith(_RANGES)}
    return Learnt(weights, ranges)


@contextmanager
def _opened(path: Path, framework: Literal["np", "pt"]) -> Iterator[safe_open]:
    from safetensors import safe_open

    if not path.is_file():
        raise ConfigError(f"there is no adapter {path}")
    with loading(str(path)), safe_open(path, framework) as held:
        yield held
