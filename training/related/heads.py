"""Training of the set encoder alone, over the encoder's own vectors: every document of a pool is a negative.

Nothing else moves, so that what a store has embedded serves; minutes on one core.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

import torch
from torch import Tensor

from ...models.set_encoder import Aggregation, Augmented, Neighbourhoods, SetEncoder
from .fitting import SCALE
from .states import Tell
from .task import Case, Document, Task, batches

_OUT: Final = -9.0
"""Below every score: a document that is no candidate."""
_AT_ONCE: Final = 64
_MOST_TIMES: Final = 8
_SAME: Final = 1e-6
"""Within which scores are equal: sums of the same numbers differ by their order."""


@dataclass(frozen=True)
class HeadsPlan:
    """How to train. A training step sees `still` values of a category."""

    aggregation: Aggregation = Aggregation.GATE
    epochs: int = 2
    batch: int = 32
    rate: float = 1e-3
    still: int = 30
    least: int = 150
    """Cases of a kind and pool in an epoch; of fewer, each is taken several times."""
    thrift: float = 0.2
    """How much gates and reach that are not 0 cost: a category that says nothing is to be left alone."""
    seed: int = 1


@dataclass(frozen=True)
class Pool:
    """Documents that are told apart: their places by id, and their vectors."""

    column: Mapping[str, int]
    vectors: Tensor


@dataclass
class Vectors:
    """The vectors of a task's texts."""

    of: Mapping[str, Tensor]
    pools: Mapping[str, Pool]
    random: Random = field(default_factory=lambda: Random(1))

    @classmethod
    def by(cls, encode: Callable[[Sequence[str]], Tensor], task: Task) -> Vectors:
        """By what encodes texts."""
        texts = task.texts()
        of = dict(zip(texts, encode(texts), strict=True))
        pools = defaultdict[str, list[Document]](list)
        for document in task.documents:
            pools[document.pool].append(document)
        held = {
            name: Pool({one.id: at for at, one in enumerate(own)}, torch.stack([of[one.text] for one in own]))
            for name, own in pools.items()
        }
        return cls(of, held)

    def neighbourhoods(self, cases: Sequence[Case], most: int | None) -> tuple[Neighbourhoods, list[Sequence[str]]]:
        """Neighbourhoods of cases, and for each category the documents that are in it."""
        around: list[list[tuple[Tensor, Tensor]]] = []
        linked: list[Sequence[str]] = []
        for case in cases:
            own = []
            for name, values in sorted(case.around.items()):
                kept = self.random.sample(values, most) if most is not None and len(values) > most else values
                own.append((self.of[name], torch.stack([self.of[value] for value in kept])))
                linked.append(case.linked.get(name, ()))
            around.append(own)
        return Neighbourhoods.of(around), linked

    def scores(self, network: SetEncoder, cases: Sequence[Case], most: int | None = None) -> tuple[Tensor, Augmented]:
        """Scores (cases, documents) of cases of one pool, and what the network made of their queries."""
        pool = self.pools[cases[0].pool]
        around, linked = self.neighbourhoods(cases, most)
        queries = torch.stack([self.of[case.text] for case in cases])
        found = network(queries, around)
        scores = found.queries @ pool.vectors.T
        places = [
            (int(around.owner[number]), pool.column[one], number) for number, own in enumerate(linked) for one in own
        ]
        if places:
            rows, columns, numbers = torch.tensor(places).T
            scores = scores.index_put((rows, columns), found.reach[numbers], accumulate=True)
        for row, case in enumerate(cases):
            scores[row, [pool.column[one] for one in case.excluded if one in pool.column]] = _OUT
        return scores, found


def trained_heads(task: Task, vectors: Vectors, plan: HeadsPlan, tell: Tell | None = None) -> SetEncoder:
    """A set encoder that is trained on the task's training cases."""
    torch.manual_seed(plan.seed)
    vectors.random = random = Random(plan.seed)
    network = SetEncoder(plan.aggregation)
    optimizer = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=0.01)
    cases = _evened(task.of("train"), plan.least)
    for epoch in range(plan.epochs):
        order = batches(cases, plan.batch, random)
        for number, batch in enumerate(order):
            scores, made = vectors.scores(network, batch, plan.still)
            spent = (made.gates.abs().sum() + made.reach.abs().sum()) / len(batch)
            loss = _loss(scores, batch, vectors.pools[batch[0].pool]) + plan.thrift * spent
            if not loss.requires_grad:  # no case of the batch has a neighbourhood
                continue
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            if tell:
                tell(f"epoch {epoch + 1}, loss {float(loss.detach()):.3f}", number + 1, len(order))
    return network


def _evened(cases: Sequence[Case], least: int) -> list[Case]:
    """Cases, those of which there are few several times: a life has ten replies beside hundreds of happenings."""
    sizes = Counter((case.pool, case.kind) for case in cases)
    times = {key: min(_MOST_TIMES, -(-least // size)) for key, size in sizes.items()}
    return [case for case in cases for _ in range(times[case.pool, case.kind])]


def ranks(task: Task, vectors: Vectors, network: SetEncoder, part: str) -> dict[str, list[float]]:
    """Ranks, from 1, of the relevant documents of each case; of documents that are alike, the middle."""
    found: dict[str, list[float]] = {}
    pools = defaultdict[str, list[Case]](list)
    for case in task.of(part):
        pools[case.pool].append(case)
    with torch.inference_mode():
        for own in pools.values():
            for start in range(0, len(own), _AT_ONCE):
                cases = own[start : start + _AT_ONCE]
                column = vectors.pools[cases[0].pool].column
                for case, scores in zip(cases, vectors.scores(network, cases)[0], strict=True):
                    found[case.id] = sorted(middle_rank(scores, column[one]) for one in case.relevant)
    return found


def middle_rank(scores: Tensor, place: int) -> float:
    """The rank of one among scores, from 1: of equals, the middle."""
    above = scores - scores[place]
    equal = above.abs() <= _SAME
    return float((above > _SAME).sum()) + (float(equal.sum()) + 1) / 2


def _loss(scores: Tensor, cases: Sequence[Case], pool: Pool) -> Tensor:
    """That any relevant document is the one."""
    chances = torch.log_softmax(SCALE * scores, dim=1)
    told = [
        torch.logsumexp(chances[row, [pool.column[one] for one in case.relevant]], dim=0)
        for row, case in enumerate(cases)
    ]
    return -torch.stack(told).mean()
