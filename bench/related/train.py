"""Makes what the bundled gates are trained on, and trains them: `python -m reqap_kg.bench.related.train WORK`.

Twelve invented lives of 1,200 events, by both rules, and the hand-written forums of training/data/forums. A quarter
of an hour on 2 cores, nearly all of it embedding; WORK keeps what was made, so that it goes on where it stopped. One
life is only to choose by. The same seed gives the same weights.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from ...models.set_encoder import BUNDLED
from ...retrieval.neighbourhood.walking import Rule
from ...training.pairs import DATA
from ...training.related.__main__ import train
from ...training.related.heads import HeadsPlan
from ...training.related.task import joined, read_task
from ..lives.generate import Wanted, generate
from .forums import forum_task
from .lives import imported, life_task

LIVES: Final = Wanted(personas=12, events=1_200, questions=1, seed=4242, exports=False)


def tasks(work: Path) -> list[Path]:
    """The folders of the tasks, each made unless it is there."""
    lives = work / "lives"
    if not (lives / "benchmark.json").is_file():
        generate(lives, LIVES)
    made = []
    for folder in sorted(lives.glob("*/p*")):
        for rule in Rule:
            out = work / "tasks" / f"{folder.name}-{rule}"
            if not (out / "cases.jsonl").is_file():
                part = "check" if folder.parent.name == "dev" else "train"
                life_task(folder, imported(folder, work / "stores" / folder.name), rule, part).write(out)
            made.append(out)
    for folder in sorted((DATA / "forums").iterdir()):
        for rule in Rule:
            out = work / "tasks" / f"{folder.name}-{rule}"
            if not (out / "cases.jsonl").is_file():
                forum_task(folder, work / "stores" / folder.name, rule, "train").write(out)
            made.append(out)
    return made


def main(
    work: Annotated[Path, typer.Argument(help="Where what is made is kept.")],
    out: Annotated[Path, typer.Option(help="Where weights and figures go.")] = BUNDLED,
    seed: Annotated[int, typer.Option(help="Seed of sampling.")] = HeadsPlan.seed,
) -> None:
    """Trains the gates that `reqap-kg related` uses."""
    train(joined([read_task(folder) for folder in tasks(work)]), HeadsPlan(seed=seed), out, work / "vectors")


if __name__ == "__main__":
    typer.run(main)
