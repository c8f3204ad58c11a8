"""`reqap-kg bench score`: how good predictions are, by kind of question, and whether two systems differ.

Hit@1 and relaxed Hit@1 (ReQAP, section 5) as each suite defines them, shares of declined questions, precision among
those that were answered, times by stage and operator, errors by stage; McNemar's exact test between systems.
"""

from __future__ import annotations

import json
import re
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb
from pathlib import Path
from typing import Any, Final

from ..errors import UsageError
from ..extraction.documents import TEXT_CLASSES
from ..operators.nodes import Extract, Node, children
from ..operators.syntax.text import read_tree
from .running import trace_of
from .suites import suite_called
from .suites.base import MISSING, Gold, Judged, Options, Suite, lines_of

STAGES: Final = ("plan", "retrieve", "extract", "sparql", "total", "wall", "cpu")
"""Stages of answering as `Answer.timings_ms` has them, and the time of the whole call."""


@dataclass(frozen=True)
class Cell:
    """Questions of one group: how many, the means of the two measures, the share answered, the mean of the first
    measure among those answered, and what of all questions is answered wrongly without a sign of doubt."""

    count: int
    hit: float
    relaxed: float
    answered: float
    precision: float
    silent: float

    @classmethod
    def of(cls, judged: Sequence[Judged]) -> Cell:
        """The means of some questions, of which there is at least one."""
        given = [found.hit for found in judged if found.given]
        return cls(
            len(judged),
            statistics.fmean(found.hit for found in judged),
            statistics.fmean(found.relaxed for found in judged),
            len(given) / len(judged),
            statistics.fmean(given) if given else 0.0,
            sum(1 - found.hit for found in judged if found.given and not found.doubted) / len(judged),
        )

    @classmethod
    def over(cls, cells: Sequence[Cell]) -> Cell:
        """The means of groups, each counting the same."""
        shares = ((cell.hit, cell.relaxed, cell.answered, cell.precision, cell.silent) for cell in cells)
        columns = zip(*shares, strict=True)
        return cls(sum(cell.count for cell in cells), *map(statistics.fmean, columns))


@dataclass(frozen=True)
class Times:
    """Milliseconds of some runs."""

    count: int
    median: float
    mean: float
    p95: float
    total: float

    @classmethod
    def of(cls, taken: Sequence[float]) -> Times:
        """Of at least one run."""
        ordered = sorted(taken)
        at = min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))
        sums = statistics.median(ordered), statistics.fmean(ordered), ordered[at], sum(ordered)
        return cls(len(ordered), *(round(value, 1) for value in sums))


@dataclass(frozen=True)
class Miss:
    """A question that was answered wrongly, or not at all. `stage` is where it went wrong, where that can be told."""

    id: str
    question: str
    gold: Any
    answer: Any
    declined: bool
    stage: str
    reason: str


@dataclass(frozen=True)
class System:
    """One file of predictions, scored. `groups` are by heading and name."""

    name: str
    file: str
    switches: tuple[str, ...]
    whole: Cell
    groups: Mapping[str, Mapping[str, Cell]]
    stages: Mapping[str, Times]
    again: Times | None
    operators: Mapping[str, Times]
    errors: Mapping[str, int]
    misses: tuple[Miss, ...]
    judged: Mapping[str, Judged] = field(repr=False)

    def as_json(self) -> dict[str, Any]:
        """Everything but the single judgements."""
        plain = {name: vars(times) for name, times in self.stages.items()}
        return {
            "system": self.name,
            "file": self.file,
            "switches": list(self.switches),
            "all": vars(self.whole),
            "groups": {h: {name: vars(cell) for name, cell in cells.items()} for h, cells in self.groups.items()},
            "ms_by_stage": plain,
            "ms_again": vars(self.again) if self.again else None,
            "ms_by_operator": {name: vars(times) for name, times in self.operators.items()},
            "errors_by_stage": dict(self.errors),
            "misses": [vars(miss) for miss in self.misses],
        }


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same questions: how often only the first was right (or better), how often only the second,
    and the probability of a difference as large where there is none. `by` has the same by complexity type."""

    first: str
    second: str
    group: str
    only_first: int
    only_second: int
    p: float


@dataclass(frozen=True)
class Scored:
    """What `bench score` found."""

    suite: str
    measures: tuple[str, str]
    questions: int
    systems: tuple[System, ...]
    comparisons: tuple[Comparison, ...]

    def as_json(self) -> dict[str, Any]:
        """The object of `bench score --json`."""
        return {
            "suite": self.suite,
            "measures": {"hit": self.measures[0], "relaxed": self.measures[1]},
            "questions": self.questions,
            "systems": [system.as_json() for system in self.systems],
            "mcnemar": [vars(comparison) for comparison in self.comparisons],
        }


def scored(name: str | Suite, directory: Path, predictions: Sequence[Path], options: Options) -> Scored:
    """Scores files of predictions against a folder's gold. Raises UsageError where there is no gold."""
    suite = suite_called(name)
    gold = list(suite.gold(directory, options))
    if not gold:
        raise UsageError(f"{directory} has no questions to score")
    systems = [_system(suite, gold, path) for path in predictions]
    names = _named(systems)
    compared = [
        comparison
        for other, called in zip(systems[1:], names[1:], strict=True)
        for comparison in _compared(gold, (systems[0], names[0]), (other, called))
    ]
    return Scored(suite.name, suite.measures, len(gold), tuple(systems), tuple(compared))


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact test (two-sided binomial): the probability that two equally good systems differ this much."""
    differing = only_first + only_second
    tail = sum(comb(differing, k) for k in range(min(only_first, only_second) + 1))
    return min(1.0, 2 * tail / 2**differing)


def _compared(gold: Sequence[Gold], one: tuple[System, str], two: tuple[System, str]) -> Iterable[Comparison]:
    groups: dict[str, list[str]] = {"all": [item.id for item in gold]}
    for item in gold:
        for heading, name in item.groups:
            if heading == "complexity":
                groups.setdefault(f"complexity: {name}", []).append(item.id)
    for group, ids in groups.items():
        pairs = [(one[0].judged[id_].hit, two[0].judged[id_].hit) for id_ in ids]
        first, second = sum(a > b for a, b in pairs), sum(b > a for a, b in pairs)
        yield Comparison(one[1], two[1], group, first, second, mcnemar(first, second))


def _named(systems: Sequence[System]) -> list[str]:
    """A name for each that no other has."""
    names = [" ".join((system.name, *(f"--{switch}" for switch in system.switches))) for system in systems]
    return [name if names.count(name) == 1 else system.file for name, system in zip(names, systems, strict=True)]


def _system(suite: Suite, gold: Sequence[Gold], path: Path) -> System:
    answers = {str(row.get("id")): row.get(suite.field) for row in lines_of(path)}
    traces = _traces(path)
    about = traces.pop("", {})
    judged = {
        item.id: replace(suite.judge(item, answers.get(item.id, MISSING)), doubted=in_doubt(traces.get(item.id, {})))
        for item in gold
    }
    asked = [traces[item.id] for item in gold if item.id in traces]
    misses = [
        _miss(suite, item, answers, judged[item.id], traces.get(item.id)) for item in gold if judged[item.id].hit < 1
    ]
    groups = _groups(gold, judged)
    return System(
        name=str(about.get("system", path.stem)),
        file=path.name,
        switches=tuple(about.get("switches", ())),
        whole=_whole(suite, groups, judged),
        groups=groups,
        stages=_stages(asked),
        again=_times(trace["again_ms"]["wall"] for trace in asked if trace.get("again_ms")),
        operators=_operators(asked),
        errors=_counted(miss.stage for miss in misses),
        misses=tuple(misses),
        judged=judged,
    )


def _natural(group: tuple[str, str]) -> list[tuple[int, str]]:
    """Orders names with numbers as people do: q2 before q10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", group[1])]


def _whole(suite: Suite, groups: Mapping[str, Mapping[str, Cell]], judged: Mapping[str, Judged]) -> Cell:
    """All questions; where a suite averages over tests, each test counts the same."""
    tests = groups.get("test", {}) if suite.field == "events" else {}
    return Cell.over(list(tests.values())) if tests else Cell.of(list(judged.values()))


def _groups(gold: Sequence[Gold], judged: Mapping[str, Judged]) -> Mapping[str, Mapping[str, Cell]]:
    found = defaultdict[tuple[str, str], list[Judged]](list)
    for item in gold:
        for group in item.groups:
            found[group].append(judged[item.id])
    headings = dict.fromkeys(heading for heading, _ in found)
    return {
        heading: {name: Cell.of(found[heading, name]) for h, name in sorted(found, key=_natural) if h == heading}
        for heading in headings
    }


def _miss(
    suite: Suite, item: Gold, answers: Mapping[str, object], judged: Judged, trace: Mapping[str, Any] | None
) -> Miss:
    right = item.row.get("relevant" if suite.field == "events" else "answer")
    reason = str(trace.get("reason", "")) if trace else ""
    stage = stage_of_error(item, trace, asked=item.id in answers, declined=not judged.given)
    return Miss(item.id, item.text, right, answers.get(item.id), not judged.given, stage, reason)


def _traces(path: Path) -> dict[str, dict[str, Any]]:
    """What a run noted, by question; under "" what the run was. Predictions of other systems have none."""
    found = dict[str, dict[str, Any]]()
    if trace_of(path).is_file():
        for row in lines_of(trace_of(path)):
            if "run" in row:
                found[""] = row["run"]
            elif "id" in row:
                found[str(row["id"])] = row
    return found


def _stages(traces: Sequence[Mapping[str, Any]]) -> dict[str, Times]:
    taken = defaultdict[str, list[float]](list)
    for trace in traces:
        for name, ms in trace.get("ms", {}).items():
            taken[name].append(float(ms))
    order = {name: at for at, name in enumerate(STAGES)}
    return {name: Times.of(taken[name]) for name in sorted(taken, key=lambda n: (order.get(n, 0), n))}


def _operators(traces: Sequence[Mapping[str, Any]]) -> dict[str, Times]:
    taken = defaultdict[str, list[float]](list)
    for trace in traces:
        for name, ms, _ in trace.get("operators", ()):
            taken[name].append(float(ms))
    found = {name: Times.of(ms) for name, ms in taken.items()}
    return dict(sorted(found.items(), key=lambda item: -item[1].total))


def _times(taken: Iterable[float]) -> Times | None:
    found = list(taken)
    return Times.of(found) if found else None


def _counted(names: Iterable[str]) -> dict[str, int]:
    found = defaultdict[str, int](int)
    for name in names:
        found[name] += 1
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def dumped(found: Scored) -> str:
    """The results as a JSON text."""
    return json.dumps(found.as_json(), ensure_ascii=False, indent=2) + "\n"


def in_doubt(trace: Mapping[str, Any]) -> bool:
    """Whether whoever reads the answer is told that it may not be what was meant. Warnings and notes are none."""
    return bool(trace.get("doubt"))


NOT_ASKED, DECLINED, FAILED = "not asked", "declined", "failed"
TREE, RETRIEVE, EXTRACT, WRONG = "tree", "RETRIEVE", "EXTRACT", "wrong"
TEXTS: Final = frozenset(iri.rsplit("#", 1)[-1] for iri in TEXT_CLASSES)
"""Classes of events that tell in words; others are what they are."""
_TIMES: Final = frozenset(
    {"start_date", "end_date", "start_time", "end_time", "date", "start_datetime", "end_datetime"}
)


def stage_of_error(gold: Gold, trace: Mapping[str, Any] | None, *, asked: bool, declined: bool) -> str:
    """The stage that a question's wrong answer is due to."""
    if not asked:
        return NOT_ASKED
    if trace is not None and trace.get("failed"):
        return FAILED
    if declined:
        return DECLINED
    if gold.happenings is None or trace is None or "retrieved" not in trace:
        return WRONG
    retrieved = {str(event) for found in trace["retrieved"].values() for event in found}
    behind = {str(event): str(kind) for event, kind in trace.get("behind", ())}
    return _by_events(gold.happenings, retrieved, behind, str(trace.get("plan", "")))


def _by_events(
    happenings: tuple[frozenset[str], ...], retrieved: set[str], behind: Mapping[str, str], plan: str
) -> str:
    found = [happening for happening in happenings if happening & retrieved]
    if happenings and not found:
        return TREE if retrieved else RETRIEVE
    if len(found) < len(happenings):
        return RETRIEVE
    rest = [happening for happening in happenings if happening & behind.keys()]
    reads = any(key not in _TIMES for key in keys_of(plan))
    if len(rest) < len(happenings):
        return EXTRACT if reads else TREE
    known = frozenset[str]().union(*happenings)
    others = [kind for event, kind in behind.items() if event not in known]
    if others:
        return RETRIEVE if all(kind in TEXTS for kind in others) else TREE
    return EXTRACT if reads else TREE


def keys_of(plan: str) -> frozenset[str]:
    """The keys that a tree in text form extracts."""
    return frozenset(_keys(read_tree(plan).node)) if plan else frozenset()


def _keys(tree: Node) -> Iterator[str]:
    if isinstance(tree, Extract):
        yield from tree.names
    for part in children(tree):
        yield from _keys(part)
