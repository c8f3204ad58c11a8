"""What needs no training of the encoder: one category more or less, λ, values of a category, and speed.

All over the vectors of an encoder that was fine-tuned without neighbourhoods.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Final

import torch

from ...models.set_encoder import Aggregation, SetEncoder
from ...training.related.fitting import Fitting, Plan
from ...training.related.heads import HeadsPlan, Vectors, ranks, trained_heads
from ...training.related.measures import Ranked
from ...training.related.network import Upper
from ...training.related.states import Tell, TextStates
from ...training.related.task import Case, Task
from .runs import Run
from .stackexchange import Site

LAMBDAS: Final = (0.1, 0.3, 0.5, 0.7, 0.9)
FEATURES: Final = (1, 3, 10, 30)
THRIFT: Final = (None, 1.0, 0.2)
"""What gates that are not 0 cost in training; None: no gates at all."""
ALL: Final = "all sites"


def fine_tuned(site: Site, split: str, work: Path, tell: Tell | None = None) -> tuple[Task, Vectors, Upper]:
    """The task with all columns, the vectors of its texts by the encoder of the run without neighbourhoods, and the
    layers of that encoder which were trained."""
    task = _in_one_pool(site.task(split, "any_answer", posthoc=True))
    states = TextStates(task.texts(), work / "states", tell)
    bare = Task(task.documents, tuple(case.only(()) for case in task.cases))
    run = Run.of("none", "none")
    fitting = Fitting(bare, states, Plan(Aggregation.NONE))
    fitting.run(work / "runs" / f"{split}-{run.name}", tell)
    kept = work / "vectors" / f"{split}.pt"
    texts = task.texts()
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        torch.save(fitting.network.upper.vectors(states, [states.place[text] for text in texts]), kept)
    vectors = dict(zip(texts, torch.load(kept, weights_only=True), strict=True))
    held = Vectors.by(lambda wanted: torch.stack([vectors[text] for text in wanted]), task)
    return task, held, fitting.network.upper


def _in_one_pool(task: Task) -> Task:
    """All sites' answers are ranked together."""
    return Task(
        tuple(replace(document, pool=ALL) for document in task.documents),
        tuple(replace(case, pool=ALL) for case in task.cases),
    )


def only(task: Task, columns: Sequence[str]) -> Task:
    """The task with these columns alone."""
    return Task(task.documents, tuple(case.only(columns) for case in task.cases))


def recall(task: Task, vectors: Vectors, network: SetEncoder, part: str) -> Ranked:
    """How well the part's answers are found among all."""
    found = ranks(task, vectors, network, part)
    return Ranked.of([found[case.id] for case in task.of(part)])


def with_gates(task: Task, vectors: Vectors, columns: Sequence[str], seed: int = 1) -> SetEncoder:
    """Gates trained on these columns over vectors that stay; how thrifty they are is chosen by the part `check`, and
    they stay shut where nothing is gained there."""
    mine, best, found = only(task, columns), 0.0, SetEncoder(Aggregation.NONE)
    for thrift in THRIFT:
        gates = found if thrift is None else trained_heads(mine, vectors, HeadsPlan(thrift=thrift, seed=seed)).eval()
        gained = recall(mine, vectors, gates, "check").told["Recall@10"]
        if gained > best:
            best, found = gained, gates
    return found


def by_lambda(task: Task, vectors: Vectors, part: str) -> Iterator[tuple[float, float]]:
    """λ and Recall@10 of the paper's mean of means."""
    for share in LAMBDAS:
        yield share, recall(task, vectors, SetEncoder(Aggregation.MEAN, share), part).told["Recall@10"]


def by_features(task: Task, vectors: Vectors, network: SetEncoder, part: str) -> Iterator[tuple[int, float, float]]:
    """Values of a category, Recall@10 and milliseconds a query of joining them."""
    for most in FEATURES:
        cases = [_cut(case, most) for case in task.cases]
        cut = Task(task.documents, tuple(cases))
        found = recall(cut, vectors, network, part).told["Recall@10"]
        yield most, found, _milliseconds(cut.of(part), vectors, network)


def _cut(case: Case, most: int) -> Case:
    around = {name: values[:most] for name, values in case.around.items()}
    return Case(case.id, case.text, case.pool, around, case.relevant, case.part, case.excluded)


def _milliseconds(cases: Sequence[Case], vectors: Vectors, network: SetEncoder) -> float:
    """Of one query at a time, whose texts have vectors already."""
    with torch.inference_mode():
        begin = perf_counter()
        for case in cases:
            around, _ = vectors.neighbourhoods([case], None)
            network(vectors.of[case.text][None], around)
        return 1000 * (perf_counter() - begin) / len(cases)
