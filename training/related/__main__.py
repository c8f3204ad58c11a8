"""Trains gates on tasks: `python -m reqap_kg.training.related TASK [TASK ...] --out FOLDER`.

A TASK is a folder of cases (`task.py`). A few minutes on one core, the most of which is embedding; vectors are kept in
`--work`, so that it goes on where it stopped. The same seed and data give the same weights.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import torch
import typer

from ...models.encoder import Encoder, load_encoder
from ...models.set_encoder import WEIGHTS, Aggregation, SetEncoder
from ...store.index.vectors import VectorCache
from ..saving import save_trained
from .heads import HeadsPlan, Vectors, ranks, trained_heads
from .measures import Ranked
from .task import Task, joined, read_task


def kept_vectors(task: Task, encoder: Encoder, work: Path) -> Vectors:
    """The vectors of a task's texts, those that were computed before from `work`."""
    work.mkdir(parents=True, exist_ok=True)
    cache = VectorCache(work)
    try:
        with typer.progressbar(length=1, label="embedding") as shown:

            def tell(_: str, done: int, total: int) -> None:
                shown.length = total
                shown.update(done - shown.pos)

            return Vectors.by(
                lambda texts: torch.from_numpy(
                    cache.vectors(texts, identity=encoder.identity, encode=encoder.encode, progress=tell)
                ),
                task,
            )
    finally:
        cache.close()


def measured(task: Task, vectors: Vectors, network: SetEncoder, part: str) -> dict[str, dict[str, float]]:
    """Figures by the kind of case, which its id begins with."""
    kinds: dict[str, list[list[float]]] = {}
    for case, own in ranks(task, vectors, network, part).items():
        kinds.setdefault(case.partition(":")[0], []).append(own)
    return {kind: {"cases": len(own), **Ranked.of(own).told} for kind, own in sorted(kinds.items())}


def train(task: Task, plan: HeadsPlan, out: Path, work: Path) -> None:
    """Trains gates, and writes them with their figures on the cases of the parts check and test."""
    vectors = kept_vectors(task, load_encoder(), work)
    with typer.progressbar(length=1, label="training") as shown:

        def tell(_: str, done: int, total: int) -> None:
            shown.length = total
            shown.update(done - shown.pos)

        network = trained_heads(task, vectors, plan, tell).eval()
    out.mkdir(parents=True, exist_ok=True)
    save_trained(network, out / WEIGHTS)
    figures = {
        part: {
            "encoder alone": measured(task, vectors, SetEncoder(Aggregation.NONE), part),
            "with the neighbourhood": measured(task, vectors, network, part),
        }
        for part in ("check", "test")
        if task.of(part)
    }
    (out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    typer.echo(json.dumps(figures, indent=1))


def main(
    tasks: Annotated[list[Path], typer.Argument(metavar="TASK...", help="Folders of cases.")],
    out: Annotated[Path, typer.Option(help="Where weights and figures go.")],
    work: Annotated[Path, typer.Option(help="Where vectors are kept.")] = Path("work-related"),
    epochs: Annotated[int, typer.Option(help="Passes over the cases.")] = HeadsPlan.epochs,
    rate: Annotated[float, typer.Option(help="Learning rate.")] = HeadsPlan.rate,
    thrift: Annotated[float, typer.Option(help="What gates that are not 0 cost.")] = HeadsPlan.thrift,
    seed: Annotated[int, typer.Option(help="Seed of sampling.")] = HeadsPlan.seed,
) -> None:
    """Trains on tasks of your own; the bundled gates: `python -m reqap_kg.bench.related.train`."""
    plan = HeadsPlan(epochs=epochs, rate=rate, thrift=thrift, seed=seed)
    train(joined([read_task(folder) for folder in tasks]), plan, out, work)


if __name__ == "__main__":
    typer.run(main)
