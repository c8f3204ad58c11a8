"""A suite put to one way of planning."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from ...cli.printing.progress import steps_bar
from ...config import MODEL, RULES, Settings
from ...evaluation.metrics import System, scored
from ...evaluation.running import RunOptions, Tell, open_life, run_suite
from ...evaluation.suites import suite_called
from ...evaluation.suites.base import Gold, Judged, Life, Options, Suite
from .questions import MAKERS, SYSTEMS, Talks

WAYS: Final = {
    "rules": Settings(proposers=(RULES,)),
    "parser": Settings(proposers=(MODEL,)),
    "both": Settings(),
}
"""The ways of planning."""
OF_DATA: Final[Mapping[str, tuple[str, str, Options]]] = {
    "p1": ("personas", "personas/p1", Options()),
    "p2": ("personas", "personas/p2", Options()),
    "p3": ("personas", "personas/p3", Options()),
    "timelineqa-complex": ("timelineqa", "timelineqa", Options(clean=True, only="complex")),
    "timelineqa-atomic": ("timelineqa", "timelineqa", Options(clean=True, only="atomic")),
    "temporal-memory": ("temporal-memory", "temporal-memory", Options()),
}
"""Suites with their folders below DATA."""
ROWS: Final = (*OF_DATA, *MAKERS)
EVERY: Final = {"temporal-memory": 8}
"""Of which suites a part is asked, unless it is said which: 5,040 questions would take hours."""


class Sampled:
    """Every so manieth question of a suite that has gold."""

    def __init__(self, suite: Suite, every: int) -> None:
        self.name, self.measures, self.field = suite.name, suite.measures, suite.field
        self._suite, self._every = suite, every

    def lives(self, directory: Path, options: Options) -> Iterator[Life]:
        """The lives, with these questions."""
        kept = {gold.id for gold in self.gold(directory, options)}
        for life in self._suite.lives(directory, options):
            yield replace(life, questions=tuple(question for question in life.questions if question.id in kept))

    def gold(self, directory: Path, options: Options) -> Iterator[Gold]:
        """What is right for these questions."""
        yield from list(self._suite.gold(directory, options))[:: self._every]

    def judge(self, gold: Gold, answer: object) -> Judged:
        """As the suite does."""
        return self._suite.judge(gold, answer)


@dataclass(frozen=True)
class Row:
    """A suite to ask: its questions and where its data is, and what answers them if not the suite's own system."""

    name: str
    suite: Suite
    folder: Path
    options: Options
    systems: tuple[str, ...] = ()


def row_of(name: str, data: Path, out: Path, every: int, tell: Tell) -> Row:
    """The suite of a name, with every so manieth of its questions; the questions of a life, or its dialogues, where the
    name is a folder of the personas' layout, or the file of dialogues in it."""
    path = Path(name)
    if path.suffix == ".jsonl":
        name = f"{path.parent.name}-{path.stem}"
        return Row(name, Talks(name, path), path.parent, Options(), ("dialogue",))
    if path.is_dir() and name not in OF_DATA:
        return Row(path.name, Sampled(suite_called("personas"), every), path, Options())
    if name in MAKERS:
        return Row(name, MAKERS[name](every, out / "corpus", tell), data, Options(), (SYSTEMS[name],))
    suite, folder, options = OF_DATA[name]
    return Row(name, Sampled(suite_called(suite), every), data / folder, options)


def measured(row: Row, way: str, out: Path, every: int, tell: Tell) -> System:
    """What a way of planning makes of a suite; questions that were answered before are not asked again."""
    predictions, stores = out / way / f"{row.name}.jsonl", out / way / "stores" / row.name
    _copied(row, out / "stores" / row.name, stores, tell)
    options = RunOptions(WAYS[way], row.options, row.systems, stores=stores)
    options = replace(options, label={"suite": row.name, "way": way, "every": every})
    run_suite(row.suite, row.folder, predictions, options, tell)
    return scored(row.suite, row.folder, [predictions], row.options).systems[0]


def _copied(row: Row, first: Path, stores: Path, tell: Tell) -> None:
    """Copies stores in which no question was asked, which are made where they are not there."""
    options = RunOptions(suite=replace(row.options, work=first / "written"))
    first.mkdir(parents=True, exist_ok=True)
    for life in row.suite.lives(row.folder, options.suite):
        mark = f"{life.name}.json"
        if (stores / mark).is_file():
            continue
        with open_life(life, first, options, tell):
            pass
        shutil.rmtree(stores / life.name, ignore_errors=True)
        shutil.copytree(first / life.name, stores / life.name)
        shutil.copyfile(first / mark, stores / mark)


def measured_apart(name: str, way: str, data: Path, out: Path, every: int) -> System:
    """The same of a suite by name, with a bar, in a process of its own: nothing is kept there of what another way made
    of the same questions."""
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:
        return alone.submit(_measured_here, name, way, data, out, every).result()


def _measured_here(name: str, way: str, data: Path, out: Path, every: int) -> System:
    with steps_bar(visible=True) as bar:
        tell = bar or (lambda *_: None)
        return measured(row_of(name, data, out, every, tell), way, out, every, tell)
