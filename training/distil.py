"""Decompositions to train on: `python -m reqap_kg.training.distil LIVES --out STEPS.jsonl`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..cli.app import run
from ..cli.common import machine_zone, settings
from ..cli.printing.console import print_json, say
from ..cli.printing.progress import steps_bar
from ..evaluation.running import RunOptions
from ..evaluation.suites.base import Options
from ..texts.words import counted
from .distilling import distil

program = typer.Typer()


def distil_command(
    directory: Path,
    out: Path,
    top: int,
    split: str,
    read: str | None,
    only: str,
    stores: Path | None,
    limit: int | None,
    config: Path | None,
    as_json: bool,
) -> None:
    """Writes the steps, with a bar on a terminal; says how many questions were kept, and why others were not."""
    options = RunOptions(
        settings=settings(config),
        suite=Options(read=read, only=only),
        stores=stores,
        limit=limit,
        zone=machine_zone(),
    )
    with steps_bar(visible=not as_json) as tell:
        done = distil(directory, out, split, top, options, tell or (lambda *_: None))
    if as_json:
        print_json(done.as_json())
        return
    say(f"{counted(done.questions, 'question')} in {done.seconds:,.0f} s: {done.kept:,} kept, written to {out}")
    reasons = f"{done.wrong:,} wrong, {done.declined:,} declined, {done.failed:,} failed"
    say(f"{reasons}, {done.unanswered:,} left out because their answer is nothing")


@program.command()
def main(
    directory: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="What bench.generate wrote, or lives with gold."),
    ],
    out: Annotated[Path, typer.Option(help="Where the steps go (JSONL); written anew.")],
    top: Annotated[int, typer.Option(min=1, help="The most trees that are tried for a question.")] = 5,
    split: Annotated[
        str, typer.Option(help="train, dev, test or all; a folder without such parts is used whole.")
    ] = "train",
    read: Annotated[str | None, typer.Option(help="observables or exports.")] = None,
    only: Annotated[str, typer.Option(help="Only files of questions with this in their name.")] = "",
    stores: Annotated[Path | None, typer.Option(help="Where stores are kept. Default: beside the steps.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many questions of each life.")] = None,
    config: Annotated[Path | None, typer.Option("--config", envvar="REQAP_KG_CONFIG", help="Settings in TOML.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Make training data: decompositions of questions, kept only if their tree gives the right answer.

    All proposers of the settings are asked, a language model too where one is configured. The first of the K likeliest
    trees that gives the gold is written: {"id", "life", "proposer", "steps"} a line, each step a question and its tree.

    \b
      python -m reqap_kg.bench.generate LIVES --personas 5 --events 3000
      python -m reqap_kg.training.distil LIVES --out steps.jsonl --top 5
      python -m reqap_kg.training.decomposer_steps --model XS --steps steps.jsonl --out tuned
    """
    distil_command(directory, out, top, split, read, only, stores, limit, config, as_json)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], program, "python -m reqap_kg.training.distil"))
