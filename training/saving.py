"""Writes trained weights as `models/weights.py` reads them: matrices in eight bits, with a scale for each row."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from ..models.weights import SCALE

_LEVELS: Final = 127.0


def save_trained(model: nn.Module, path: Path) -> None:
    """Writes the trainable parameters of a model; matrices in eight bits."""
    save_weights({name: weight for name, weight in model.named_parameters() if weight.requires_grad}, path)


def save_weights(weights: Mapping[str, Tensor], path: Path) -> None:
    """Writes weights by name; matrices in eight bits."""
    stored: dict[str, Tensor] = {}
    for name, parameter in weights.items():
        weight = parameter.detach().float().cpu()
        if weight.dim() < 2 or weight.shape[0] < 8:
            stored[name] = weight.contiguous()
            continue
        scale = weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-12) / _LEVELS
        stored[name] = torch.round(weight / scale).to(torch.int8).contiguous()
        stored[name + SCALE] = scale.contiguous()
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(stored, path)
