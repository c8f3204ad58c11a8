"""`reqap-kg ask`, `plan` and `run`."""

from __future__ import annotations

from pathlib import Path

import typer

from ..engine.answers.answer import Answer
from ..engine.answers.outcomes import Reason
from ..engine.asking.planned import Planned
from ..errors import NotUnderstood, UsageError
from .answer_files import NO_FILES, NOTHING, Beside, Files
from .asking_lines import AskedLines
from .batch import check_readable, turns_in, write_lines
from .common import time_of
from .opening import opened
from .printing.answers import SOME, Shown, print_answer, print_whole
from .printing.console import block, paged, print_json, say
from .printing.failing import NOT_UNDERSTOOD, NOTHING_FOUND
from .query import read_text


def ask_command(
    question: str | None,
    store: Path | None,
    now: str | None,
    as_json: bool,
    explain: bool,
    events: int,
    plan: str | None,
    batch: Path | None,
    out: Path | None,
    config: Path | None,
    context: Path | None = None,
    shown: Shown = SOME,
    files: Files = NO_FILES,
) -> None:
    """Answers one question; exit code 3 where nothing was found, 4 where it was not understood. Of a file of them, exit
    code 2 where a line is no question that can be asked."""
    if batch is not None:
        if question is not None or out is None or context is not None:
            raise UsageError("--batch IN.jsonl goes with --out OUT.jsonl, without a question and without --context")
        with opened(store, config) as known:
            check_readable(batch)
            asked = AskedLines(known, batch, now, events or None)
            write_lines(out, asked.answers(), batch)
        if code := asked.told():
            raise typer.Exit(code)
        return
    if question is None:
        raise UsageError("expected a question, or --batch IN.jsonl --out OUT.jsonl")
    if context is not None and plan is not None:
        raise UsageError("--plan TREE runs the tree as it is: it goes without --context")
    with opened(store, config) as known:
        told, at = turns_in(context) if context is not None else None, time_of(now)
        most = None if files.table is not None else events or None
        try:
            answer = known.ask(question, now=at, tree=plan, most_events=most, explain=explain, context=told)
        except NotUnderstood as bad:
            answer = known.refused(question, bad, now=at)
        beside = files.write(answer, known, quiet=as_json)
    show(answer, as_json, explain, shown, beside)


def run_command(
    tree: str | None,
    file: Path | None,
    store: Path | None,
    now: str | None,
    as_json: bool,
    explain: bool,
    events: int,
    config: Path | None,
    shown: Shown = SOME,
) -> None:
    """Runs an operator tree; exit code 3 when it finds nothing."""
    text = read_text(tree, file, "a tree")
    with opened(store, config) as known:
        answer = known.run(text, now=time_of(now), most_events=events or None, explain=explain)
    show(answer, as_json, explain, shown)


def plan_command(
    question: str,
    store: Path | None,
    now: str | None,
    as_json: bool,
    parse_graph: bool,
    top: int | None,
    config: Path | None,
) -> None:
    """Shows the tree that a question becomes, the `top` that it may become, or what was recognised in it."""
    with opened(store, config) as known:
        if parse_graph:
            block(known.parse_graph(question, now=time_of(now)))
            return
        made = known.plans(question, now=time_of(now), top=top or 1)
    if as_json:
        print_json(made[0].as_json() if top is None else {"plans": [plan.as_json() for plan in made]})
        return
    for number, plan in enumerate(made, start=1):
        _print_plan(plan, f"{number}. " if top is not None else "")


def _print_plan(plan: Planned, number: str) -> None:
    for part in plan.each:
        block(f"{number if part is plan else ''}{part.tree}")
    parts = (
        f" ({', '.join(f'{name} {value:.2f}' for name, value in plan.parts.as_json().items())})" if plan.parts else ""
    )
    say()
    say(f"in words: {plan.in_words}")
    say(f"answer: {plan.answer_type}, score {plan.score:.2f}{parts}")
    for rule, question in plan.steps:
        say(f"  {rule}: {question}")
    for note in plan.notes:
        say(f"  note: {note}")
    if number:
        say()


def show(answer: Answer, as_json: bool, explain: bool, shown: Shown, beside: Beside = NOTHING) -> None:
    """Prints an answer with what is `beside` it; exit code 3 when there is none."""
    if as_json:
        print_json({**answer.as_json(), **beside.json})
    elif not answer.plan:
        print_answer(answer, shown.values, "--all shows them")
    else:
        with paged():
            print_whole(answer, explain, shown, beside.lines)
    if answer.answer_type == "none":
        raise typer.Exit(_exit_code(answer))


def _exit_code(answer: Answer) -> int:
    """3 where the question was understood and the data has nothing of it, else 4."""
    found = answer.missing is None or answer.missing.reason in (Reason.NOTHING_MATCHES, Reason.NO_SUCH_DATA)
    return NOTHING_FOUND if found else NOT_UNDERSTOOD
