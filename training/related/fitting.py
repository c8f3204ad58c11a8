"""The training itself: batches of queries with their neighbourhoods against in-batch and mined negatives.

Gradients go through queries, documents and, of each category, `sample` values; up to `still` more count without (DAQu,
section 3.4). With `sample` 0 values keep the encoder's own vectors, which a store has anyway.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from transformers import get_linear_schedule_with_warmup

from ...models.set_encoder import LAMBDA, Aggregation, Neighbourhoods
from .network import RelatedNetwork
from .states import Tell, TextStates
from .task import Case, Task, batches

SCALE: Final = 20.0
"""Cosines to logits."""
_LONGEST: Final = 128
_HARD_FROM: Final = 3
"""Best documents that are not relevant may be answers that nobody marked: the first ones are spared."""
_HARD_TO: Final = 30


@dataclass(frozen=True)
class Plan:
    """How to train."""

    aggregation: Aggregation = Aggregation.GATE
    share: float = LAMBDA
    thrift: float = 0.2
    """How much gates that are not 0 cost."""
    sample: int = 0
    still: int = 30
    epochs: int = 2
    batch: int = 32
    rate: float = 5e-5
    heads_rate: float = 2e-3
    seed: int = 1


class Fitting:
    """A network in training over a task."""

    def __init__(self, task: Task, states: TextStates, plan: Plan) -> None:
        torch.manual_seed(plan.seed)
        self.task, self.states, self.plan = task, states, plan
        self.random = Random(plan.seed)
        self.network = RelatedNetwork(plan.aggregation, plan.share)
        self._texts = {document.id: states.place[document.text] for document in task.documents}
        self._pools: dict[str, list[str]] = defaultdict(list)
        for document in task.documents:
            self._pools[document.pool].append(document.id)
        self._hard: dict[str, list[str]] = {}
        self.around = self._around_vectors()

    def run(self, work: Path, tell: Tell | None = None) -> None:
        """Trains, and keeps a checkpoint after each epoch; one that is there is gone on from."""
        cases = self.task.of("train")
        steps = self.plan.epochs * len(batches(cases, self.plan.batch, self.random))
        optimizer, schedule = self._optimizer(steps)
        begun = self._resume(work / "checkpoint.pt", optimizer, schedule)
        for epoch in range(begun, self.plan.epochs):
            if epoch:
                self._mine(cases)
            order = batches(cases, self.plan.batch, self.random)
            for number, batch in enumerate(order):
                loss = self._loss(batch)
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                if tell:
                    tell(f"epoch {epoch + 1}, loss {float(loss.detach()):.3f}", number + 1, len(order))
            self._keep(work / "checkpoint.pt", epoch + 1, optimizer, schedule)

    def document_vectors(self) -> tuple[list[str], Tensor]:
        """Ids and vectors of all documents."""
        ids = [document.id for document in self.task.documents]
        return ids, self.network.upper.vectors(self.states, [self._texts[one] for one in ids])

    def query_vectors(self, cases: Sequence[Case], around: dict[int, Tensor] | None = None) -> Tensor:
        """Vectors of queries with all of their neighbourhoods."""
        found = self.network.upper.vectors(self.states, [self.states.place[case.text] for case in cases])
        held = self.around if around is None else around
        with torch.inference_mode():
            pairs = [self._pairs(case, held, most=None) for case in cases]
            return self.network.around(found, Neighbourhoods.of(pairs)).queries

    def final_around(self) -> dict[int, Tensor]:
        """Vectors of values by their text's number, of the network as it is now."""
        return self._around_vectors() if self.plan.sample else self.around

    def _around_vectors(self) -> dict[int, Tensor]:
        if self.plan.aggregation is Aggregation.NONE:
            return {}
        around = [case.around for case in self.task.cases]
        texts = {*(name for one in around for name in one), *(v for one in around for vs in one.values() for v in vs)}
        rows = sorted(self.states.place[text] for text in texts)
        return dict(zip(rows, self.network.upper.vectors(self.states, rows), strict=True))

    def _pairs(self, case: Case, held: dict[int, Tensor], most: int | None) -> list[tuple[Tensor, Tensor]]:
        if not held:
            return []
        found = []
        for name, values in sorted(case.around.items()):
            kept = list(values) if most is None or len(values) <= most else self.random.sample(values, most)
            vectors = torch.stack([held[self.states.place[value]] for value in kept])
            found.append((held[self.states.place[name]], vectors))
        return found

    def _loss(self, batch: Sequence[Case]) -> Tensor:
        rightly = [self.random.choice(case.relevant) for case in batch]
        hard = [self.random.choice(self._hard[case.id]) for case in batch if self._hard.get(case.id)]
        documents = list(dict.fromkeys((*rightly, *hard)))
        queries = self._encoded([self.states.place[case.text] for case in batch])
        vectors = self._encoded([self._texts[one] for one in documents])
        made = self.network.around(queries, self._sampled(batch))
        logits = SCALE * made.queries @ vectors.T
        column = {one: place for place, one in enumerate(documents)}
        wrong = torch.zeros_like(logits, dtype=torch.bool)
        for row, (case, right) in enumerate(zip(batch, rightly, strict=True)):
            for other in {*case.relevant, *case.excluded} - {right}:
                if other in column:
                    wrong[row, column[other]] = True
        loss = cross_entropy(logits.masked_fill(wrong, -1e4), torch.tensor([column[one] for one in rightly]))
        return loss + self.plan.thrift * made.gates.abs().sum() / len(batch)

    def _sampled(self, batch: Sequence[Case]) -> Neighbourhoods:
        pairs = [self._pairs(case, self.around, self.plan.still) for case in batch]
        if not self.plan.sample or not self.around:
            return Neighbourhoods.of(pairs)
        chosen = [
            [(place, self.states.place[value]) for value in self._few(values)]
            for case in batch
            for place, (_, values) in enumerate(sorted(case.around.items()))
        ]
        flat = [row for few in chosen for _, row in few]
        encoded = iter(self._encoded(flat)) if flat else iter(())
        few = iter(chosen)
        return Neighbourhoods.of(
            [
                [(name, torch.cat([torch.stack([next(encoded) for _ in next(few)]), still])) for name, still in own]
                for own in pairs
            ]
        )

    def _few(self, values: Sequence[str]) -> list[str]:
        return self.random.sample(list(values), min(self.plan.sample, len(values)))

    def _encoded(self, rows: Sequence[int]) -> Tensor:
        return self.network.upper(*self.states.batch(rows, _LONGEST))

    def _mine(self, cases: Sequence[Case]) -> None:
        """The documents that the network ranks high and that are not relevant."""
        ids, documents = self.document_vectors()
        queries = self.query_vectors(cases)
        column = {one: place for place, one in enumerate(ids)}
        for pool, own in self._pools.items():
            rows = [row for row, case in enumerate(cases) if case.pool == pool]
            if not rows:
                continue
            scores = queries[rows] @ documents[[column[one] for one in own]].T
            best = scores.topk(min(_HARD_TO, len(own)), dim=1).indices.tolist()
            for row, found in zip(rows, best, strict=True):
                case = cases[row]
                out = {*case.relevant, *case.excluded}
                self._hard[case.id] = [own[place] for place in found if own[place] not in out][_HARD_FROM:]

    def _optimizer(self, steps: int) -> tuple[torch.optim.Optimizer, Any]:
        groups = [
            {"params": self.network.upper.parameters(), "lr": self.plan.rate},
            {"params": self.network.around.parameters(), "lr": self.plan.heads_rate},
        ]
        optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
        return optimizer, get_linear_schedule_with_warmup(optimizer, steps // 10, steps)

    def _resume(self, path: Path, optimizer: torch.optim.Optimizer, schedule: Any) -> int:
        if not path.is_file():
            return 0
        held = torch.load(path, weights_only=True)
        if held["plan"] != str(asdict(self.plan)):
            return 0
        self.network.load_state_dict(held["network"])
        if int(held["epoch"]) >= self.plan.epochs:
            return int(held["epoch"])
        optimizer.load_state_dict(held["optimizer"])
        schedule.load_state_dict(held["schedule"])
        return int(held["epoch"])

    def _keep(self, path: Path, epoch: int, optimizer: torch.optim.Optimizer, schedule: Any) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = {
            "plan": str(asdict(self.plan)),
            "epoch": epoch,
            "network": self.network.state_dict(),
            "optimizer": optimizer.state_dict(),
            "schedule": schedule.state_dict(),
        }
        scratch = path.with_suffix(".new")
        torch.save(held, scratch)
        scratch.replace(path)
