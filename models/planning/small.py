"""The matrices of a causal language model in eight bits, for one core of a laptop.

Some channels of what a matrix reads are a hundred times larger than others, and would leave these few of the eight
bits. So each channel is made smaller by as much as its matrix is made larger there (SmoothQuant, Xiao et al., 2023),
which the matrix before takes back; how large channels are was seen on questions (`ranges`). What goes into `down` is
larger still in some tokens than in others: it is read in sixteen bits. The first token is read in single floats, once
for all questions.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Final, cast

import torch
from torch import Tensor, nn
from torch.ao.quantization import quantize_dynamic
from torch.ao.quantization.qconfig import per_channel_dynamic_qconfig

from .llama import Adapted, Layer, Llama
from .shapes import Shape

ALPHA: Final = 0.75
"""How much of the difference between channels goes into the matrix."""
PARTS: Final = ("qkv", "out", "up", "down")
_LEAST: Final = 1e-4
_LEVELS: Final = 127.0
Ranges = Mapping[str, Tensor]
"""The largest value of each channel that a matrix reads, by `layer.part`."""


@torch.inference_mode()
def ranges(model: Llama, texts: Iterable[Tensor]) -> dict[str, Tensor]:
    """How large the channels are that each matrix reads of texts, shape (1, tokens), without their first token."""
    found: dict[str, Tensor] = {}
    hooks = []
    for name, part in _parts(model):

        def look(_: nn.Module, read: tuple[Tensor, ...], __: Tensor, name: str = name) -> None:
            largest = read[0][0, 1:].abs().amax(0)
            found[name] = torch.maximum(found[name], largest) if name in found else largest

        hooks.append(part.register_forward_hook(look))
    for ids in texts:
        model(ids)
    for hook in hooks:
        hook.remove()
    return found


def _parts(model: Llama) -> Iterable[tuple[str, nn.Module]]:
    for at, layer in enumerate(model.layers):
        for part in PARTS:
            yield f"{at}.{part}", getattr(layer, part)


@torch.inference_mode()
def smoothed(model: Llama, seen: Ranges) -> None:
    """Makes the channels more alike in a model whose adapter is merged; what it says stays the same."""
    for at, layer in enumerate(model.layers):
        assert isinstance(layer, Layer)
        _smooth(layer, {part: seen[f"{at}.{part}"].clamp(min=_LEAST) for part in PARTS}, model.shape)


@torch.inference_mode()
def in_eight_bits(model: Llama) -> Llama:
    """The model with its matrices in eight bits, a scale for each row."""
    for layer in model.layers:
        assert isinstance(layer, Layer)
        for part in ("qkv", "out", "up"):
            setattr(layer, part, _packed(_matrix(layer, part)))
        layer.down = _Halved(_matrix(layer, "down"))
    return model


def _matrix(layer: Layer, part: str) -> Tensor:
    return cast(Adapted, getattr(layer, part)).weight


def _smooth(layer: Layer, seen: Ranges, shape: Shape) -> None:
    """Makes the channels of what the matrices read more alike."""
    shared, kept = shape.heads // shape.kv_heads, shape.kv_heads * shape.head
    qkv, out, up, down = (_matrix(layer, part) for part in PARTS)
    for_qkv, for_up, for_down = (
        _factors(seen[part], one.abs().amax(0)) for part, one in (("qkv", qkv), ("up", up), ("down", down))
    )
    values = (one.view(shape.kv_heads, shared, shape.head).amax(1) for one in (seen["out"], out.abs().amax(0)))
    for_values = _factors(*values)
    layer.before_attention = layer.before_attention / for_qkv
    layer.before_feeding = layer.before_feeding / for_up
    qkv, up = qkv * for_qkv, up * for_up
    qkv[-kept:] /= for_values.reshape(-1, 1)
    up[shape.inner :] /= for_down.unsqueeze(1)
    out = out * for_values.unsqueeze(1).expand(-1, shared, -1).reshape(-1)
    for part, one in zip(PARTS, (qkv, out, up, down * for_down), strict=True):
        cast(Adapted, getattr(layer, part)).weight = one


def _factors(seen: Tensor, weight: Tensor) -> Tensor:
    return seen**ALPHA / weight.clamp(min=_LEAST) ** (1 - ALPHA)


def _packed(weight: Tensor) -> nn.Module:
    """A product in eight bits of both."""
    linear = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
    linear.weight = nn.Parameter(weight, requires_grad=False)
    with warnings.catch_warnings():  # torch means to move this elsewhere
        warnings.simplefilter("ignore")
        return quantize_dynamic(nn.Sequential(linear), {nn.Linear: per_channel_dynamic_qconfig})[0]


class _Halved(nn.Module):
    """A product of a matrix in eight bits with what is read in sixteen."""

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        scale = weight.abs().amax(1) / _LEVELS
        self.weight = (weight / scale.unsqueeze(1)).round().to(torch.int8)
        self.scale = scale.bfloat16()

    def forward(self, x: Tensor) -> Tensor:
        flat = torch.ops.aten._weight_int8pack_mm(x.reshape(-1, x.shape[-1]).bfloat16(), self.weight, self.scale)
        return flat.float().view(*x.shape[:-1], -1)
