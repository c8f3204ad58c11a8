"""One network of the parser with the encoder that was tuned with it: what it says of the next steps of a form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import torch
from torch import Tensor

from ..weights import load_trained
from .parser_network import Memory, Names, ParserNetwork, WordEncoder, is_tuned, marks_of

KEYS = "keys"
"""The name of the attributes' vectors among the weights."""
_DECODER = "decoder."


@dataclass
class Reading:
    """A question as one network reads it, with what it keeps of the paths that are followed."""

    network: ParserNetwork
    memory: Memory
    questions: list[tuple[Tensor, Tensor]]
    past: list[tuple[Tensor, Tensor] | None] = field(default_factory=list[tuple[Tensor, Tensor] | None])

    def next(self, last: Sequence[int], at: int) -> Tensor:
        """What may come after each path, shape (paths, table + keys + 2 × words), not yet masked; `last` are the
        numbers of the paths' last steps, `at` how many there were."""
        size = len(last)
        memory = Memory(self.memory.words.expand(size, -1, -1), self.memory.gone.expand(size, -1), self.memory.keys)
        x = self.network.inputs(memory, torch.tensor([[number] for number in last]), at)
        seen: list[tuple[Tensor, Tensor] | None] = []
        past = self.past or [None] * len(self.network.layers)
        for block, question, before in zip(self.network.layers, self.questions, past, strict=True):
            shared = (question[0].expand(size, -1, -1, -1), question[1].expand(size, -1, -1, -1))
            x, kept = block(x, shared, None, None, before)
            seen.append(kept)
        self.past = seen
        return self.network.logits(x, memory)[:, -1]

    def follow(self, rows: Sequence[int]) -> None:
        """Goes on from these paths of the last step."""
        chosen = torch.tensor(rows)
        self.past = [(kept[0][chosen], kept[1][chosen]) for kept in self.past if kept is not None]


class Member:
    """A network, read from `weights` when it is first asked. `names` is what it can say."""

    def __init__(self, weights: Path, encoder: Path, names: Names) -> None:
        self._weights = weights
        self._encoder_folder = encoder
        self._names = names

    def read(
        self, words: Sequence[str], marks: Sequence[frozenset[str]], keys: Sequence[str], own: Tensor | None
    ) -> Reading:
        """A question given as words, with what the data knows of each; `own` are the vectors of `keys` where these are
        a domain's."""
        vectors = self.keys if own is None else own
        encoded, gone = self._encoder.encode([words])
        memory = Memory(self.network.linked(encoded, marks_of([words], [marks], keys), vectors), gone, vectors)
        return Reading(self.network, memory, self.network.questions(memory))

    @cached_property
    def network(self) -> ParserNetwork:
        """The decoder."""
        network = ParserNetwork(self._names)
        found = {name.removeprefix(_DECODER): one for name, one in self._held.items() if name.startswith(_DECODER)}
        network.load_state_dict(found)
        return network.eval()

    @property
    def keys(self) -> Tensor:
        """The vectors of the attributes that it was trained with, shape (keys, 384)."""
        return self._held[KEYS]

    @cached_property
    def _held(self) -> dict[str, Tensor]:
        return {name: weight.float() for name, weight in load_trained(self._weights).items()}

    @cached_property
    def _encoder(self) -> WordEncoder:
        return WordEncoder.of(self._encoder_folder, {name: one for name, one in self._held.items() if is_tuned(name)})
