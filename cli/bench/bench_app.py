"""The commands of `reqap-kg bench`; what they do is in `bench`, imported when one of them runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import Config, DomainGroup, Json

bench = typer.Typer(
    cls=DomainGroup,
    no_args_is_help=True,
    help="Benchmarks: invent lives, answer the questions of a suite, score the answers (docs/benchmarking.md).",
)
SuiteName = Annotated[str, typer.Argument(metavar="SUITE", help="personas, perqa, timelineqa or temporal-memory.")]
Directory = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder of one life, or of several; gold fields may be missing to run.")
]
Read = Annotated[
    str | None,
    typer.Option(help="Form of the data where there are several: observables or exports; episodes or text."),
]
Only = Annotated[str, typer.Option(help="Only files of questions with this in their name, e.g. complex.")]


@bench.command("run")
def run(
    suite: SuiteName,
    directory: Directory,
    out: Annotated[Path, typer.Option(help="Where predictions go (JSONL); a run that was cut off goes on.")],
    system: Annotated[
        list[str] | None, typer.Option(help="reqap, rag or sql; several answer in the same run. Default: reqap.")
    ] = None,
    read: Read = None,
    only: Only = "",
    stores: Annotated[Path | None, typer.Option(help="Where stores are kept. Default: beside the predictions.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew, whatever was answered before.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Ask every question twice, to time reuse.")] = False,
    cold: Annotated[bool, typer.Option("--cold", help="Forget what was derived before.")] = False,
    operators: Annotated[bool, typer.Option("--operators", help="Time every operator by itself, too.")] = False,
    events: Annotated[bool, typer.Option("--events", help="Note the events found, for the error analysis.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many questions of each life.")] = None,
    one_shot: Annotated[bool, typer.Option("--one-shot", help="Ablation: whole trees, no recursion.")] = False,
    no_classifiers: Annotated[
        bool, typer.Option("--no-classifiers", help="Ablation: RETRIEVE by words and meaning alone.")
    ] = False,
    keys_only: Annotated[bool, typer.Option("--keys-only", help="Ablation: EXTRACT reads no texts.")] = False,
    rules_only: Annotated[bool, typer.Option("--rules-only", help="Ablation: trees by rules alone.")] = False,
    model_only: Annotated[bool, typer.Option("--model-only", help="Ablation: trees by the model alone.")] = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Answer a suite's questions and write one line each: {"id", "answer"}, or {"id", "events"}.

    Beside PREDICTIONS.jsonl stands PREDICTIONS.trace.jsonl with times, plans and reasons; with several systems, each
    further one has its own PREDICTIONS.<system>.jsonl. A question that fails is written as declined.

    \b
      reqap-kg bench run personas LIVES --out answers.jsonl
    """
    from .bench import Switches, run_command

    switches = Switches(one_shot, no_classifiers, keys_only, rules_only, model_only)
    run_command(
        suite, directory, out, tuple(system or ()), read, only, stores, (fresh, again, cold), (operators, events),
        limit, switches, config, as_json,
    )  # fmt: skip


@bench.command("score")
def score(
    suite: SuiteName,
    directory: Directory,
    predictions: Annotated[
        list[Path], typer.Argument(metavar="PREDICTIONS...", help="One file, or several systems' to compare.")
    ],
    read: Read = None,
    only: Only = "",
    clean: Annotated[bool, typer.Option("--clean", help="Leave out questions whose gold is doubtful.")] = False,
    misses: Annotated[int, typer.Option(min=0, help="Show so many wrong answers.")] = 0,
    json_out: Annotated[Path | None, typer.Option("--json", help="Write the results here ('-': print).")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page of charts here.")] = None,
) -> None:
    """Score predictions: Hit@1 and relaxed Hit@1 by kind of question and persona, times, errors, McNemar's test.

    Relaxed: numbers within a tenth. The first file is compared with each of the others.

    \b
      reqap-kg bench score personas LIVES answers.jsonl
    """
    from .bench import score_command

    score_command(suite, directory, predictions, read, only, clean, misses, json_out, html)
