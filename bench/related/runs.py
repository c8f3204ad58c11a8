"""One training and its ranks: how a way of encoding queries ranks the answers of a split."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from torch import Tensor

from ...models.set_encoder import Aggregation
from ...training.related.fitting import Fitting, Plan
from ...training.related.states import Tell, TextStates
from ...training.related.task import Case, Task
from .stackexchange import POSTHOC, STRICT, Site

PAPER: Final = (STRICT["tags"], POSTHOC["comments_q"], POSTHOC["comments_a"])
"""The paper's columns of Any Answer."""
ANSWERS: Final = ("any_answer", "best_answer")


@dataclass(frozen=True)
class Run:
    """A network by name: how it is trained, and with which columns (`strict`, `paper`, or none)."""

    name: str
    plan: Plan
    columns: tuple[str, ...]

    @classmethod
    def of(cls, way: str, regime: str, **plan: float) -> Run:
        """By the way of joining and the regime."""
        columns = {"strict": tuple(STRICT.values()), "paper": PAPER, "none": ()}[regime]
        label = "".join(f"-{key}{value}" for key, value in plan.items())
        return cls(f"{way}-{regime}{label}", Plan(Aggregation(way), **plan), columns)  # type: ignore[arg-type]


def ranks_of(queries: Tensor, documents: Tensor, ids: Sequence[str], cases: Sequence[Case]) -> dict[str, list[int]]:
    """Ranks, from 1, of each case's relevant documents among all."""
    column = {one: place for place, one in enumerate(ids)}
    found = {}
    for case, scores in zip(cases, queries @ documents.T, strict=True):
        scores[[column[one] for one in case.excluded if one in column]] = -2.0
        own = scores[[column[one] for one in case.relevant]]
        found[case.id] = sorted(int((scores > score).sum()) + 1 for score in own)
    return found


def measure(site: Site, split: str, run: Run, work: Path, tell: Tell | None = None) -> None:
    """Trains a run and writes the ranks of `check` and `test` for both tasks, unless that was done before."""
    out = work / "ranks" / f"{split}-{run.name}.json"
    if out.is_file():
        return
    tasks = {name: site.task(split, name, posthoc=True) for name in ANSWERS}
    states = TextStates(tasks[ANSWERS[0]].texts(), work / "states", tell)
    own = Task(site.documents, tuple(case.only(run.columns) for case in tasks[ANSWERS[0]].cases))
    fitting = Fitting(own, states, run.plan)
    fitting.run(work / "runs" / f"{split}-{run.name}", tell)
    ids, documents = fitting.document_vectors()
    around = fitting.final_around()
    found: dict[str, dict[str, dict[str, list[int]]]] = {}
    for name, task in tasks.items():
        for part in ("check", "test"):
            cases = [case.only(run.columns) for case in task.of(part)]
            ranks = ranks_of(fitting.query_vectors(cases, around), documents, ids, cases)
            found.setdefault(name, {})[part] = ranks
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(found), encoding="utf-8")


def read_ranks(work: Path, split: str, name: str, task: str, part: str) -> list[list[int]]:
    """Ranks of a run, in the order of its queries."""
    told = json.loads((work / "ranks" / f"{split}-{name}.json").read_text(encoding="utf-8"))
    return [told[task][part][query] for query in sorted(told[task][part])]


def names(work: Path, split: str) -> Iterable[str]:
    """Runs of a split that are measured."""
    return sorted(path.stem.removeprefix(f"{split}-") for path in (work / "ranks").glob(f"{split}-*.json"))
