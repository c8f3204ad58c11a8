"""A BERT encoder's forward pass on torch alone: what reads at question time, in a process that has just begun.

Importing transformers takes seconds that a question cannot wait; torch, tokenizers and safetensors (its own parts) do
not (docs/decisions/011-light-inference.md). Training and any other model use transformers. A test holds both to the
same vectors. Source: Devlin et al. 2019, as in transformers' BertModel with gelu and absolute positions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file
from tokenizers import Encoding, Tokenizer
from torch import Tensor
from torch.nn.functional import embedding, gelu, layer_norm, linear, scaled_dot_product_attention

WEIGHTS: Final = "model.safetensors"


@dataclass(frozen=True)
class BertFiles:
    """A folder with config.json, model.safetensors and tokenizer.json."""

    folder: Path

    @cached_property
    def config(self) -> Mapping[str, object]:
        """The published configuration."""
        return json.loads((self.folder / "config.json").read_text(encoding="utf-8"))

    def weights(self) -> dict[str, Tensor]:
        """Parameters by name, without the prefix that some files have."""
        return {name.removeprefix("bert."): tensor for name, tensor in load_file(self.folder / WEIGHTS).items()}

    def tokenizer(self, longest: int) -> Tokenizer:
        """The tokenizer, cutting the last of the segments to `longest` tokens in all."""
        found = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        found.no_padding()
        found.enable_truncation(longest)
        return found


@dataclass(frozen=True)
class Packing:
    """Where the tokens of texts of unlike lengths stand, so that only attention sees what fills the shorter ones up.

    `shape` (texts, tokens of the longest), `kept` the places that are tokens, of the flattened shape, and `allowed`
    what attention may see; both None where all texts are of one length.
    """

    shape: tuple[int, int]
    kept: Tensor | None
    allowed: Tensor | None

    @classmethod
    def of(cls, mask: Tensor) -> Packing:
        """Of a mask (texts, tokens) that is 1 where there is a token."""
        texts, tokens = mask.shape
        if bool(mask.all()):
            return cls((texts, tokens), None, None)
        return cls((texts, tokens), mask.flatten().nonzero()[:, 0], mask.bool()[:, None, None, :])

    def unpacked(self, states: Tensor) -> Tensor:
        """States of tokens (all tokens, size) as (texts, tokens, size), zero where a text has none."""
        if self.kept is None:
            return states.view(*self.shape, -1)
        texts, tokens = self.shape
        return (
            states.new_zeros(texts * tokens, states.shape[-1]).index_copy(0, self.kept, states).view(texts, tokens, -1)
        )

    def packed(self, states: Tensor) -> Tensor:
        """The other way."""
        flat = states.flatten(0, 1)
        return flat if self.kept is None else flat[self.kept]


class Bert:
    """The encoder's layers over given weights."""

    def __init__(self, files: BertFiles, weights: Mapping[str, Tensor]) -> None:
        self._weights = weights
        self._layers = int(str(files.config["num_hidden_layers"]))
        self._heads = int(str(files.config["num_attention_heads"]))
        self._epsilon = float(str(files.config["layer_norm_eps"]))

    def states(self, encodings: Sequence[Encoding]) -> tuple[Tensor, Tensor]:
        """Last layer, shape (texts, tokens, size), and the mask, shape (texts, tokens)."""
        (last,), mask = self.layers(encodings, (self._layers,))
        return last, mask

    def layers(self, encodings: Sequence[Encoding], wanted: Sequence[int]) -> tuple[tuple[Tensor, ...], Tensor]:
        """Layers by number (0 the embeddings), each of shape (texts, tokens, size), and the mask."""
        rows = [encoding.ids for encoding in encodings]
        width = max(map(len, rows))
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
        packing = Packing.of(mask)
        hidden = self._embedded(
            torch.tensor([token for row in rows for token in row]),
            torch.tensor([kind for encoding in encodings for kind in encoding.type_ids]),
            torch.tensor([place for row in rows for place in range(len(row))]),
        )
        found = {0: hidden}
        for layer in range(max(wanted)):
            found[layer + 1] = hidden = self.layer(f"encoder.layer.{layer}.", hidden, packing)
        return tuple(packing.unpacked(found[layer]) for layer in wanted), mask

    def above(self, states: Tensor, mask: Tensor, first: int) -> Tensor:
        """The last layer (texts, tokens, size) of states (texts, tokens, size) that lie under the layer `first`."""
        packing = Packing.of(mask)
        hidden = packing.packed(states)
        for layer in range(first, self._layers):
            hidden = self.layer(f"encoder.layer.{layer}.", hidden, packing)
        return packing.unpacked(hidden)

    def _embedded(self, ids: Tensor, types: Tensor, places: Tensor) -> Tensor:
        held = self._weights
        summed = embedding(ids, held["embeddings.word_embeddings.weight"])
        summed = summed + embedding(types, held["embeddings.token_type_embeddings.weight"])
        summed = summed + embedding(places, held["embeddings.position_embeddings.weight"])
        return self._norm("embeddings.LayerNorm", summed)

    def layer(self, prefix: str, hidden: Tensor, packing: Packing) -> Tensor:
        """What a layer, by the prefix of its weights, makes of states (all tokens, size)."""
        query, key, value = (
            packing.unpacked(self._linear(f"{prefix}attention.self.{name}", hidden))
            .unflatten(-1, (self._heads, -1))
            .transpose(1, 2)
            for name in ("query", "key", "value")
        )
        seen = scaled_dot_product_attention(query, key, value, attn_mask=packing.allowed)
        joined = self._linear(f"{prefix}attention.output.dense", packing.packed(seen.transpose(1, 2).flatten(2)))
        hidden = self._norm(f"{prefix}attention.output.LayerNorm", joined + hidden)
        wide = gelu(self._linear(f"{prefix}intermediate.dense", hidden))
        return self._norm(f"{prefix}output.LayerNorm", self._linear(f"{prefix}output.dense", wide) + hidden)

    def _linear(self, name: str, inputs: Tensor) -> Tensor:
        return linear(inputs, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _norm(self, name: str, inputs: Tensor) -> Tensor:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return layer_norm(inputs.float(), weight.shape, weight, bias, self._epsilon)


def fast_weights(weights: Mapping[str, Tensor], *, low: bool) -> dict[str, Tensor]:
    """Weights of linear layers in bfloat16 where `low`, so that they need not be converted at every batch."""
    return {
        name: tensor.bfloat16() if low and "embeddings" not in name and "LayerNorm" not in name else tensor
        for name, tensor in weights.items()
    }


def mean_vectors(states: Tensor, mask: Tensor) -> Tensor:
    """The mean of each text's tokens at unit length (the pooling of sentence-transformers' MiniLM)."""
    weights = mask.unsqueeze(-1).float()
    mean = (states.float() * weights).sum(1) / weights.sum(1).clamp(min=1)
    return torch.nn.functional.normalize(mean, dim=-1)
