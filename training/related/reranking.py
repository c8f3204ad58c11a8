"""Training of the head that re-ranks: of the best that the first ranking finds, which is relevant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from ...models.bert import BertFiles
from ...models.encoder import installed_weights
from ...models.set_encoder import SIZE, SetEncoder
from .cross_head import BEST, CrossHead, Read
from .heads import Vectors, middle_rank
from .states import Tell
from .task import Case

_OTHERS: Final = 7
"""Documents that are not relevant, beside one that is."""

_AT_ONCE: Final = 64

Reads = Callable[[Sequence[str]], Read]
"""Texts to the states that the encoder makes of them."""


@dataclass(frozen=True)
class Ranking:
    """What the first ranking made of a case: all documents with their scores, best first."""

    case: Case
    documents: tuple[str, ...]
    scores: Tensor

    @property
    def best(self) -> tuple[str, ...]:
        """The documents that are re-ranked."""
        return self.documents[:BEST]


@dataclass(frozen=True)
class RerankPlan:
    """How to train."""

    epochs: float = 1.0
    rate: float = 2e-4
    cases: int = 8
    seed: int = 1


@dataclass(frozen=True)
class Corpus:
    """Where the words of documents, the states of texts and the vectors of paths come from."""

    texts: Mapping[str, str]
    reads: Reads
    names: Mapping[str, Tensor]

    def logits(self, head: CrossHead, ranking: Ranking, documents: Sequence[str]) -> Tensor:
        """Logits (documents,) of documents of a case."""
        case = ranking.case
        place = {one: at for at, one in enumerate(ranking.documents)}
        linked = torch.zeros(len(documents), SIZE)
        for at, one in enumerate(documents):
            for path, own in case.linked.items():
                if one in own and path in self.names:
                    linked[at] += self.names[path]
        query = self.reads([case.text])
        first = torch.stack([ranking.scores[place[one]] for one in documents])
        return head(query.of([0] * len(documents)), self.reads([self.texts[one] for one in documents]), linked, first)


def first_rankings(vectors: Vectors, network: SetEncoder, cases: Sequence[Case]) -> list[Ranking]:
    """How a set encoder ranks the documents of cases."""
    found: list[Ranking] = []
    with torch.inference_mode():
        for pool in dict.fromkeys(case.pool for case in cases):
            ids = list(vectors.pools[pool].column)
            own = [case for case in cases if case.pool == pool]
            for start in range(0, len(own), _AT_ONCE):
                some = own[start : start + _AT_ONCE]
                for case, scores in zip(some, vectors.scores(network, some)[0], strict=True):
                    best = scores.argsort(descending=True).tolist()
                    found.append(Ranking(case, tuple(ids[place] for place in best), scores[best]))
    return found


def trained_head(rankings: Sequence[Ranking], corpus: Corpus, plan: RerankPlan, tell: Tell | None = None) -> CrossHead:
    """A head trained on the first rankings of training cases."""
    torch.manual_seed(plan.seed)
    random = Random(plan.seed)
    head = CrossHead(BertFiles(installed_weights()))
    told = [one for one in rankings if _others(one)]
    steps = max(1, int(plan.epochs * len(told)) // plan.cases)
    optimizer = torch.optim.AdamW(
        [
            {"params": head.layer.parameters(), "lr": plan.rate},
            {"params": [head.segment, head.trust, *head.paths.parameters(), *head.score.parameters()], "lr": 1e-3},
        ],
        weight_decay=0.01,
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.0, 1 - step / steps))
    for step in range(steps):
        losses = [_loss(head, one, corpus, random) for one in random.sample(told, min(plan.cases, len(told)))]
        loss = torch.stack(losses).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()
        if tell:
            tell(f"loss {float(loss.detach()):.3f}", step + 1, steps)
    return head.eval()


def reranked(head: CrossHead, rankings: Sequence[Ranking], corpus: Corpus) -> dict[str, list[float]]:
    """Ranks, from 1, of the relevant documents of each case, the best of them re-ranked."""
    found: dict[str, list[float]] = {}
    with torch.inference_mode():
        for one in rankings:
            best = one.best
            scores = torch.cat([corpus.logits(head, one, best), -1e6 + one.scores[len(best) :]])
            place = {document: at for at, document in enumerate(one.documents)}
            found[one.case.id] = sorted(middle_rank(scores, place[right]) for right in one.case.relevant)
    return found


def _others(ranking: Ranking) -> list[str]:
    out = {*ranking.case.relevant, *ranking.case.excluded}
    return [one for one in ranking.best if one not in out]


def _loss(head: CrossHead, ranking: Ranking, corpus: Corpus, random: Random) -> Tensor:
    right = random.choice(ranking.case.relevant)
    others = _others(ranking)
    documents = [right, *random.sample(others, min(_OTHERS, len(others)))]
    return cross_entropy(corpus.logits(head, ranking, documents)[None], torch.tensor([0]))
