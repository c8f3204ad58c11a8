"""Re-ranking: a query and a document read together by one more layer of the encoder (the paper's table 2).

A cross-encoder in which only the last layer sees both: what lies below is the encoder's reading of each text, so a
document is read once for many queries. The paths that lead from query to document are told by the vectors of their
names. The logit adds to that of the first ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from ...models.bert import Bert, BertFiles, Packing
from ...models.set_encoder import SIZE

LONGEST: Final = 64
"""Tokens of a text that are read."""
BEST: Final = 50
"""Documents that are re-ranked."""
_LAYER: Final = "encoder.layer.{}."
_TRUST: Final = 10.0


@dataclass(frozen=True)
class Read:
    """Texts as the encoder reads them: states (texts, tokens, size) and mask (texts, tokens)."""

    states: Tensor
    mask: Tensor

    def of(self, rows: Sequence[int]) -> Read:
        """Those of some texts, in their order."""
        return Read(self.states[list(rows)], self.mask[list(rows)])


class CrossHead(nn.Module):
    """One layer over both, begun as a copy of the encoder's last one."""

    def __init__(self, files: BertFiles) -> None:
        super().__init__()
        held = files.weights()
        last = _LAYER.format(int(str(files.config["num_hidden_layers"])) - 1)
        self._names = [name for name in held if name.startswith(last)]
        self._prefix, self._files = last, files
        self.layer = nn.ParameterList([nn.Parameter(held[name].clone().float()) for name in self._names])
        self.segment = nn.Parameter(torch.zeros(2, SIZE))
        self.paths = nn.Linear(SIZE, SIZE, bias=False)
        self.score = nn.Linear(SIZE, 1)
        self.trust = nn.Parameter(torch.tensor(_TRUST))
        with torch.no_grad():
            self.paths.weight.zero_()
            self.score.weight.mul_(0.1)
            self.score.bias.zero_()

    def forward(self, queries: Read, documents: Read, linked: Tensor, first: Tensor) -> Tensor:
        """Logits (pairs,) of pairs of a query and a document; `linked` (pairs, size) adds up the names of the paths
        between them, `first` (pairs,) are the scores of the first ranking."""
        states = torch.cat([queries.states + self.segment[0], documents.states + self.segment[1]], dim=1)
        mask = torch.cat([queries.mask, documents.mask], dim=1)
        packing = Packing.of(mask)
        bert = Bert(self._files, dict(zip(self._names, self.layer, strict=True)))
        joined = packing.unpacked(bert.layer(self._prefix, packing.packed(states), packing))
        weights = mask.unsqueeze(-1)
        mean = (joined * weights).sum(1) / weights.sum(1).clamp(min=1)
        return self.trust * first + self.score(torch.tanh(mean + self.paths(linked)))[:, 0]
