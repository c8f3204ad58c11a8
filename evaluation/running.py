"""`reqap-kg bench run`: a suite's questions put to one or more systems, written down as they are answered.

PREDICTIONS.jsonl gets {id, answer} (or {id, events}) a line; PREDICTIONS.trace.jsonl what else is known: times, plans,
warnings, why a question was declined. A run that was cut off goes on where it stopped; stores are kept beside the
predictions and used again while the data is the same.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from ..config import Settings
from ..engine.derivations import forget_derived
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph
from ..errors import ConfigError, UnknownFormat, UsageError
from ..store.generations import exists
from .suites import suite_called
from .suites.base import Life, Options, Question, Suite
from .systems import Opener, Response, System, Tracing, answered, opener_of

Tell = Callable[[str, int, int], None]
"""Shows what is being done, how much of it is done, and of how much."""
MAIN = "reqap"


@dataclass(frozen=True)
class RunOptions:
    """How to run. `systems` answer the same questions in the same run, the first into PREDICTIONS.jsonl, others into
    PREDICTIONS.<system>.jsonl. `again`: every question is asked a second time, with derivations there, for its time;
    `cold`: what was derived before is forgotten first. `stores` is where lives' stores are kept."""

    settings: Settings = field(default_factory=Settings)
    suite: Options = field(default_factory=Options)
    systems: tuple[str, ...] = ()
    tracing: Tracing = field(default_factory=Tracing)
    stores: Path | None = None
    again: bool = False
    cold: bool = False
    fresh: bool = False
    limit: int | None = None
    zone: str = "UTC"
    label: Mapping[str, Any] = field(default_factory=dict)
    """What the run is called in reports: switches, say."""


@dataclass
class Done:
    """What a run did: questions answered now, those of before, those that failed, and seconds."""

    answered: int = 0
    before: int = 0
    declined: int = 0
    failed: int = 0
    seconds: float = 0.0
    files: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The object of `bench run --json`."""
        return vars(self)


def run_suite(name: str | Suite, directory: Path, out: Path, options: RunOptions, tell: Tell | None = None) -> Done:
    """Answers a suite's questions. Raises UsageError for a folder that the suite cannot read."""
    suite = suite_called(name)
    begin = perf_counter()
    stores = options.stores or out.with_name(f"{out.stem}.stores")
    systems = options.systems or (default_system(suite),)
    openers = {system: opener_of(system) for system in systems}
    stores.mkdir(parents=True, exist_ok=True)
    outputs = [_Output(predictions_of(out, systems, at), system, suite, options) for at, system in enumerate(systems)]
    done = Done(files=[str(output.path) for output in outputs])
    lives = list(suite.lives(directory, replace(options.suite, work=stores / "written")))
    if not lives:
        raise UsageError(f"{directory} holds nothing that the suite {suite.name} reads")
    for output in outputs:
        output.begin(lives)
    total = sum(len(_taken(life, options)) for life in lives)
    for life in lives:
        _run_life(life, outputs, openers, stores, options, _Progress(tell or _silent, total, done))
    done.seconds = round(perf_counter() - begin, 1)
    return done


def default_system(suite: Suite) -> str:
    """The system of a suite if none is named: for conversations the one that gives events."""
    return "conversation" if suite.field == "events" else MAIN


def predictions_of(out: Path, systems: Sequence[str], at: int) -> Path:
    """Where the predictions of one of several systems go."""
    return out if at == 0 else out.with_name(f"{out.stem}.{systems[at]}{out.suffix or '.jsonl'}")


def trace_of(predictions: Path) -> Path:
    """Where what else is known of a run's answers stands."""
    return predictions.with_name(f"{predictions.stem}.trace.jsonl")


def _silent(what: str, done: int, of: int) -> None:
    """Shows nothing."""


@dataclass
class _Progress:
    tell: Tell
    total: int
    done: Done

    def step(self) -> None:
        self.tell("questions", self.done.answered + self.done.before, self.total)


class _Output:
    """One system's predictions and their trace."""

    def __init__(self, path: Path, system: str, suite: Suite, options: RunOptions) -> None:
        self.path = path
        self.system = system
        self.field = suite.field
        self.options = options
        self.known: set[str] = set()

    def begin(self, lives: Iterable[Life]) -> None:
        """Finds what was answered before; whole lines count, a line that was cut off is dropped."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        asked = {question.id for life in lives for question in life.questions}
        if self.options.fresh:
            self.path.unlink(missing_ok=True)
            trace_of(self.path).unlink(missing_ok=True)
        noted = list(_whole_lines(trace_of(self.path)))
        about = {"system": self.system, "read": self.options.suite.read, **self.options.label}
        before = next((row["run"] for row in noted if "run" in row), about)
        if before != about:
            raise UsageError(f"{self.path} was written by another run ({before}); name another file, or --fresh")
        asked &= {row["id"] for row in noted if "id" in row}
        rows = list(_whole_lines(self.path))
        if strange := next((row.get("id") for row in rows if row.get("id") not in asked), None):
            raise UsageError(f"{self.path} holds answers to other questions ({strange}); name another, or --fresh")
        self.known = {row["id"] for row in rows}
        _rewrite(self.path, rows)
        _rewrite(trace_of(self.path), [{"run": about}, *(row for row in noted if row.get("id") in self.known)])

    def write(self, question: Question, life: Life, found: Response, again: Mapping[str, float]) -> None:
        """Adds an answer; the trace first, so that what stands in the predictions is whole."""
        trace = {"id": question.id, "life": life.name, "reason": found.reason, "ms": dict(found.ms), **found.more}
        if again:
            trace["again_ms"] = dict(again)
        _append(trace_of(self.path), trace)
        _append(self.path, {"id": question.id, self.field: list(found.answer)})


def _run_life(
    life: Life,
    outputs: Sequence[_Output],
    openers: Mapping[str, Opener],
    stores: Path,
    options: RunOptions,
    progress: _Progress,
) -> None:
    questions = _taken(life, options)
    waiting = {output.system: [q for q in questions if q.id not in output.known] for output in outputs}
    progress.done.before += len(questions) - max(map(len, waiting.values()))
    if not any(waiting.values()):
        return
    with open_life(life, stores, options, progress.tell) as known:
        opened = {
            output.system: openers[output.system](known, life, options.tracing)
            for output in outputs
            if waiting[output.system]
        }
        for question in questions:
            for output in outputs:
                if question.id not in output.known:
                    _run_question(question, life, output, opened[output.system], options, progress.done)
            progress.done.answered += any(question in waiting[output.system] for output in outputs)
            progress.step()


def _run_question(
    question: Question, life: Life, output: _Output, system: System, options: RunOptions, done: Done
) -> None:
    found = answered(system, question)
    again = answered(system, question).ms if options.again and not found.more.get("failed") else {}
    output.write(question, life, found, again)
    done.failed += bool(found.more.get("failed"))
    done.declined += not found.answer


@contextmanager
def open_life(life: Life, stores: Path, options: RunOptions, tell: Tell) -> Iterator[KnowledgeGraph]:
    """A life's store, below `stores`, opened for questions: built where it is not there, its texts read ahead."""
    settings = life.settings(options.settings)
    store = _stored(life, stores, settings, options, tell)
    if options.cold:
        forget_derived(store, lock_seconds=settings.lock_seconds)
    with KnowledgeGraph.open(store, settings) as known:
        tell(f"reading {life.name} ahead", 0, 0)
        _read_ahead(known, life)
        yield known


def _taken(life: Life, options: RunOptions) -> tuple[Question, ...]:
    return life.questions[: options.limit]


def _read_ahead(known: KnowledgeGraph, life: Life) -> None:
    """Reads texts ahead, as `ingest` does; without the models' weights questions are answered without them."""
    try:
        known.read_ahead(now=life.now)
    except ConfigError:
        return


def _stored(life: Life, stores: Path, settings: Settings, options: RunOptions, tell: Tell) -> Path:
    """The store of a life, built where it is not there or its data, or its domain, has changed."""
    store, mark = stores / life.name, stores / f"{life.name}.json"
    print_ = fingerprint((*life.paths, *((settings.domain,) if settings.domain else ())))
    if exists(store) and mark.is_file() and mark.read_text(encoding="utf-8") == print_:
        return store
    tell(f"importing {life.name}", 0, 0)
    shutil.rmtree(store, ignore_errors=True)
    told = IngestOptions(settings, life.now, options.zone)
    try:
        ingest(life.paths, store, told)
    except UnknownFormat:  # a questionnaire of another form: the data can be read without it
        if len(life.paths) < 2:
            raise
        ingest(life.paths[:1], store, told)
    mark.write_text(print_, encoding="utf-8")
    return store


def fingerprint(paths: Iterable[Path]) -> str:
    """Changes when a file of these, or below them, does: by names, sizes and contents."""
    digest = hashlib.sha256()
    for path in paths:
        for file in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file()):
            digest.update(str(file.relative_to(path.parent)).encode())
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def _whole_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file that are whole: a run that was cut off may have left half of one."""
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row


def _rewrite(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")


def _append(path: Path, row: Mapping[str, Any]) -> None:
    with path.open("a", encoding="utf-8") as out:
        out.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
