"""`reqap-kg ask`, `plan` and `run`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import typer

from ..engine.answers.answer import Answer
from ..engine.answers.outcomes import Reason
from ..engine.asking.planned import Planned
from ..engine.knowledge import KnowledgeGraph
from ..errors import NotUnderstood, ReqapError, UsageError
from ..texts.words import counted
from .answer_files import NO_FILES, NOTHING, AnswerExtras, Files
from .batch import check_readable, lines_or_errors, turns_in, write_lines
from .common import time_of
from .opening import opened
from .printing.answers import SOME, Shown, print_answer, print_whole
from .printing.console import block, paged, print_json, say
from .printing.failing import NOT_UNDERSTOOD, NOTHING_FOUND, kind_of
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


def show(answer: Answer, as_json: bool, explain: bool, shown: Shown, beside: AnswerExtras = NOTHING) -> None:
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


_ANSWERED: Final = "answered"
_NOTHING: Final = "without an answer"
_FAULTY: Final = "no question that can be asked"


@dataclass
class AskedLines:
    """The questions of a batch, with so many events of each answer (None: all), and what became of them."""

    known: KnowledgeGraph
    batch: Path
    now: str | None
    most_events: int | None = 1000
    _codes: Counter[int] = field(default_factory=Counter[int])
    _became: Counter[str] = field(default_factory=Counter[str])

    def answers(self) -> Iterator[dict[str, Any]]:
        """One object for each line, in order; that of a line that is no question, or fails, says why in `text`."""
        for number, row in lines_or_errors(self.batch, empty=True):
            if isinstance(row, UsageError):
                yield self._failed(number, None, row)
                continue
            try:
                yield {"id": row.get("id", number), **self._answered(number, row)}
            except ReqapError as bad:
                yield self._failed(row.get("id", number), row.get("question"), bad)

    def told(self) -> int:
        """Says how many lines had an answer; the exit code: 0, or that of the lines that could not be asked."""
        if self._became.total() > self._became[_ANSWERED]:
            parts = (f"{self._became[name]:,} {name}" for name in (_ANSWERED, _NOTHING, _FAULTY) if self._became[name])
            say(f"{counted(self._became.total(), 'line')}: {', '.join(parts)}", err=True)
        return max(self._codes, default=0)

    def _answered(self, number: int, row: dict[str, Any]) -> dict[str, Any]:
        question = row.get("question")
        if not isinstance(question, str):
            raise UsageError(f"{self.batch}:{number}: no question; expected {{id, question, now?, context?}}")
        at = row.get("now") or self.now
        now = time_of(str(at) if at else None)
        try:
            found = self.known.ask(question, now=now, most_events=self.most_events, context=row.get("context"))
            more: dict[str, Any] = {}
        except NotUnderstood as bad:
            found, more = self.known.refused(question, bad, now=now), {"understood": False}
        self._became[_NOTHING if found.answer_type == "none" else _ANSWERED] += 1
        return found.as_json() | more

    def _failed(self, name: object, question: object, bad: ReqapError) -> dict[str, Any]:
        reason, code = kind_of(bad)
        self._codes[code] += 1
        self._became[_FAULTY] += 1
        said = str(bad)
        return {"id": name, "question": question, "answer": [], "answer_type": "none", "reason": reason, "text": said,
                "error": said, "warnings": [said], "understood": isinstance(question, str)}  # fmt: skip
