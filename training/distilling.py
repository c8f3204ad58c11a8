"""Decompositions to train on, made from lives whose answers are known.

For each question up to so many trees are run, whoever proposed them; the first that gives the right answer is written
as steps, a line each, for `training.decomposer_steps` (the paper trains its decomposer so: section 3.1, trees
of a large model that lead to the right answer). What has no answer in the data confirms no tree and is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Final, TextIO

from ..engine.asking.planned import Planned
from ..engine.knowledge import KnowledgeGraph
from ..errors import NotUnderstood, UsageError
from ..evaluation.running import RunOptions, Tell, open_life
from ..evaluation.suites.base import Gold, Life, Question
from ..evaluation.suites.personas import Personas
from ..evaluation.systems import FAILURES
from ..operators.nodes import Node, Qud, Retrieve, rebuilt, walk
from ..operators.syntax.text import format_tree

TRAIN: Final = "train"
ALL: Final = "all"
Steps = list[tuple[str, str]]


@dataclass
class Distilled:
    """What became of the questions: `kept` with a right tree; `wrong`: no tree gives the gold; `declined`: nobody
    proposes a tree; `failed`: every tree broke off; `unanswered`: the gold says nothing, so no tree can be told right
    by it."""

    kept: int = 0
    wrong: int = 0
    declined: int = 0
    failed: int = 0
    unanswered: int = 0
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """The object of `distil --json`."""
        return vars(self)

    @property
    def questions(self) -> int:
        """All that were looked at."""
        return self.kept + self.wrong + self.declined + self.failed + self.unanswered


def distil(directory: Path, out: Path, split: str, top: int, options: RunOptions, tell: Tell) -> Distilled:
    """Writes the decompositions of the lives' questions. `split`: the part of lives that is used where DIR has such
    parts, or "all". Raises UsageError where DIR has no lives, no such part or no gold."""
    folder, suite, begin, done = part_of(directory, split), Personas(), perf_counter(), Distilled()
    stores = options.stores or out.with_name(f"{out.stem}.stores")
    asked = replace(options.suite, work=stores / "written")
    lives = list(suite.lives(folder, asked))
    gold = {one.id: one for one in suite.gold(folder, asked)}
    total = sum(len(life.questions[: options.limit]) for life in lives)
    out.parent.mkdir(parents=True, exist_ok=True)
    stores.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as lines:
        for life in lives:
            with open_life(life, stores, options, tell) as known:
                for question in life.questions[: options.limit]:
                    _distil(known, life, question, gold[question.id], top, lines, done)
                    tell("questions", done.questions, total)
    done.seconds = round(perf_counter() - begin, 1)
    return done


def part_of(directory: Path, split: str) -> Path:
    """The folder of a part of lives; the folder itself where it has no parts. Raises UsageError."""
    if split == ALL or not (directory / TRAIN).is_dir():
        return directory
    if not (directory / split).is_dir():
        raise UsageError(f"{directory} has no part {split!r}")
    return directory / split


def _distil(
    known: KnowledgeGraph, life: Life, question: Question, gold: Gold, top: int, lines: TextIO, done: Distilled
) -> None:
    """Writes the first right tree of a question, or counts why there is none."""
    if gold.row["answer_type"] == "none" or gold.row["answer"] in ([], None, ""):
        done.unanswered += 1
        return
    try:
        plans = known.plans(question.text, now=question.now, top=top)
    except FAILURES as bad:
        done.declined += isinstance(bad, NotUnderstood)
        done.failed += not isinstance(bad, NotUnderstood)
        return
    outcomes: list[bool | None] = []
    for planned in plans:
        outcomes.append(is_right(known, question, planned, gold))
        if outcomes[-1]:
            row = {"id": question.id, "life": life.name, "proposer": planned.planner}
            lines.write(json.dumps({**row, "steps": steps_of(known, question, planned)}, ensure_ascii=False) + "\n")
            lines.flush()
            done.kept += 1
            return
    done.wrong += False in outcomes
    done.failed += False not in outcomes


def is_right(known: KnowledgeGraph, question: Question, planned: Planned, gold: Gold) -> bool | None:
    """Whether a tree gives the gold, exactly as `bench score` compares; None where it cannot be run."""
    try:
        found = known.ask_plan(question.text, planned, now=question.now)
    except FAILURES:
        return None
    values = [] if found.answer_type == "none" else list(found.values)
    return bool(values) and Personas().judge(gold, values).hit == 1.0


def steps_of(known: KnowledgeGraph, question: Question, planned: Planned) -> Steps:
    """The plan step by step. Plans name the questions of their steps, but not the trees: rules read each such question
    again, and where what they read is part of the tree, that part is a step of its own; RETRIEVEs always are."""
    parts = list(dict.fromkeys(walk(planned.node)))
    named: dict[str, Node] = {}
    for _, phrase in planned.steps:
        read = (plan.tree for plan in known.investigate(phrase, now=question.now).plans)
        if (part := next((tree for tree in read if tree in parts), None)) is not None:
            named.setdefault(phrase, part)
    for part in parts:
        if isinstance(part, Retrieve) and part.source is None:
            named[part.query] = part
    return split_tree(question.text, planned.node, named)


def split_tree(question: str, tree: Node, named: Mapping[str, Node]) -> Steps:
    """(question, tree) with the largest parts that have a name as QUDs, then the same of these parts."""
    below: list[tuple[str, Node]] = []
    opened = tree
    for phrase, part in sorted(named.items(), key=lambda item: -sum(1 for _ in walk(item[1]))):
        if part == tree or phrase == question or part not in set(walk(opened)):
            continue
        opened = rebuilt(opened, lambda node, part=part, phrase=phrase: Qud(phrase) if node == part else node)
        below.append((phrase, part))
    steps = [(question, format_tree(opened))]
    for phrase, part in below:
        smaller = {name: node for name, node in named.items() if name not in (question, phrase)}
        steps += [step for step in split_tree(phrase, part, smaller) if step not in steps]
    return steps
