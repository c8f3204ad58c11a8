"""A causal language model of Llama's shape, whose upper layers carry a low-rank adapter (Hu et al., 2021).

Projections that read the same states are one matrix each: queries, keys and values; gate and up. Layers below the
adapter never change. The vocabulary is that of the base model with tokens of our own behind it, whose rows are learnt.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .shapes import LONGEST, AdapterShape, Shape

Past = list[tuple[Tensor, Tensor] | None]
"""Keys and values of each layer, shape (rows, heads, tokens, size of a head)."""


class Adapted(nn.Module):
    """A fixed matrix, shape (out, in), with a learnt product of two thin ones beside it; rank 0 is the matrix alone."""

    weight: Tensor

    def __init__(self, weight: Tensor, rank: int, alpha: float) -> None:
        super().__init__()
        self.register_buffer("weight", weight, persistent=False)
        self.rank, self.scale = rank, alpha / max(rank, 1)
        if rank:
            self.a = nn.Parameter(torch.empty(rank, weight.shape[1]))
            self.b = nn.Parameter(torch.zeros(weight.shape[0], rank))
            nn.init.kaiming_uniform_(self.a, a=math.sqrt(5))

    def forward(self, x: Tensor) -> Tensor:
        said = F.linear(x, self.weight)
        return said + F.linear(F.linear(x, self.a), self.b * self.scale) if self.rank else said

    @torch.no_grad()
    def merge(self) -> None:
        """Adds what was learnt to the matrix, so that there is one product."""
        if self.rank:
            self.weight = self.weight + (self.b @ self.a) * self.scale
            self.rank = 0


class Layer(nn.Module):
    """Attention and feed-forward part of one layer, from the base model's weights by their names in a Llama."""

    before_attention: Tensor
    before_feeding: Tensor

    def __init__(self, shape: Shape, weights: Mapping[str, Tensor], at: int, rank: int, alpha: float) -> None:
        super().__init__()
        name = f"model.layers.{at}."

        def held(*parts: str) -> Tensor:
            return torch.cat([weights[f"{name}{part}.weight"] for part in parts])

        self.shape = shape
        self.qkv: nn.Module = Adapted(held(*(f"self_attn.{one}_proj" for one in "qkv")), rank, alpha)
        self.out: nn.Module = Adapted(held("self_attn.o_proj"), rank, alpha)
        self.up: nn.Module = Adapted(held("mlp.gate_proj", "mlp.up_proj"), rank, alpha)
        self.down: nn.Module = Adapted(held("mlp.down_proj"), rank, alpha)
        self.register_buffer("before_attention", held("input_layernorm"), persistent=False)
        self.register_buffer("before_feeding", held("post_attention_layernorm"), persistent=False)

    def forward(
        self, x: Tensor, turned: tuple[Tensor, Tensor], past: tuple[Tensor, Tensor] | None, seen: Tensor | None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """States, shape (rows, tokens, width), and this layer's keys and values, those of `past` first."""
        of = self.shape
        rows, length, _ = x.shape
        parts = self.qkv(F.rms_norm(x, (of.width,), self.before_attention, of.epsilon))
        parts = parts.view(rows, length, -1, of.head).transpose(1, 2)
        q, k = _rotated(parts[:, : -of.kv_heads], *turned).split([of.heads, of.kv_heads], 1)
        v = parts[:, -of.kv_heads :]
        if past is not None:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        # Heads that share keys and values are more tokens of one head.
        q = q.reshape(rows, of.kv_heads, -1, of.head)
        attended = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
        attended = attended.view(rows, of.heads, length, of.head).transpose(1, 2)
        x = x + self.out(attended.reshape(rows, length, -1))
        gate, up = self.up(F.rms_norm(x, (of.width,), self.before_feeding, of.epsilon)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up), (k, v)


def _rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    one, other = x.chunk(2, -1)
    return x * cos + torch.cat([-other, one], -1) * sin


class Llama(nn.Module):
    """`weights` are the base model's, by their names in a Llama; `meanings` are for each token of our own the tokens of
    the base model whose mean it begins as; `longest` is the most tokens that are read.

    What a model says is a choice among columns: tokens of the base model that the caller names, then our own."""

    table: Tensor
    head: Tensor
    norm: Tensor
    cos: Tensor
    sin: Tensor

    def __init__(
        self,
        shape: Shape,
        weights: Mapping[str, Tensor],
        meanings: Sequence[Sequence[int]],
        adapter: AdapterShape,
        longest: int = LONGEST,
    ) -> None:
        super().__init__()
        self.shape, self.first = shape, adapter.first
        table = weights["model.embed_tokens.weight"]
        own = torch.stack([table[list(tokens)].mean(0) for tokens in meanings])
        self.register_buffer("table", torch.cat([table, own]), persistent=False)
        self.register_buffer("head", weights.get("lm_head.weight", table), persistent=False)
        self.own = nn.Parameter(own.clone())
        self.bias = nn.Parameter(torch.zeros(len(meanings)))
        ranks = [adapter.rank if at >= adapter.first else 0 for at in range(shape.layers)]
        self.layers = nn.ModuleList(Layer(shape, weights, at, rank, adapter.alpha) for at, rank in enumerate(ranks))
        self.register_buffer("norm", weights["model.norm.weight"], persistent=False)
        angles = torch.outer(torch.arange(longest).float(), torch.tensor(shape.frequencies)).repeat(1, 2)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, ids: Tensor, past: Past | None = None) -> tuple[Tensor, Past]:
        """The last states, shape (rows, tokens, width), of tokens behind those of `past`; and all keys and values.
        Rows that are shorter than others are filled behind their end, where nothing looks at them."""
        before = past or [None] * self.shape.layers
        begin = before[0][0].shape[2] if before[0] is not None else 0
        end = begin + ids.shape[1]
        turned = self.cos[begin:end], self.sin[begin:end]
        seen = None
        if ids.shape[1] > 1:
            places = torch.arange(end, device=ids.device)
            seen = (places <= places[begin:].unsqueeze(1)).repeat(self.shape.heads // self.shape.kv_heads, 1)
        kept: Past = []
        x = self.table[ids]
        for at, layer in enumerate(self.layers):
            with torch.set_grad_enabled(torch.is_grad_enabled() and at >= self.first):
                x, held = layer(x, turned, before[at], seen)
            kept.append(held)
        return F.rms_norm(x, (self.shape.width,), self.norm, self.shape.epsilon), kept

    def scores(self, states: Tensor, columns: Tensor) -> Tensor:
        """What may come next: tokens of the base model by their numbers in `columns`, then our own, not normalised."""
        return torch.cat([F.linear(states, self.head[columns]), F.linear(states, self.own, self.bias)], -1)

    def merge(self) -> None:
        """Makes each matrix with its adapter one, for use."""
        for one in self.modules():
            if isinstance(one, Adapted):
                one.merge()

    @property
    def learnt(self) -> dict[str, nn.Parameter]:
        """What training changes, by name."""
        return {name: one for name, one in self.named_parameters() if one.requires_grad}
