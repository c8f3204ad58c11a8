"""A scored run as tables, as JSON and as one page of charts that needs nothing else (no script, no network)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from .. import templates
from .metrics import Cell, Comparison, Scored, System, Times, dumped

Rows = list[tuple[str, ...]]
HEADINGS: Final = {
    "complexity": "Complexity types",
    "persona": "Personas",
    "type": "Types of answer",
    "questions": "Sets of questions",
    "gold": "Gold",
    "op": "Operations",
    "answer_type": "Types of answer",
    "test": "Tests",
    "kind": "Kinds of question",
    "conversation": "Conversations",
    "template": "Templates",
}
"""What groups are called, in the order in which they are shown."""
SHOWN: Final = 40
"""Groups of a heading that a chart shows."""
COLOURS: Final = ("#3366aa", "#cc7722", "#449966", "#aa4477", "#777777")
_WIDTH: Final = 420


def tables(found: Scored, misses: int = 0) -> Iterator[tuple[str, Rows]]:
    """(title, header and rows) for a terminal."""
    yield f"{found.suite}: {found.questions:,} questions", list(_summary(found))
    for heading in _headings(found):
        yield HEADINGS.get(heading, heading), list(_group_rows(found, heading))
    if found.comparisons:
        yield "McNemar's exact test", list(_comparison_rows(found.comparisons))
    for system in found.systems:
        if system.stages:
            yield f"Milliseconds by stage: {_called(system)}", list(_time_rows("stage", _times(system)))
        if system.operators:
            yield f"Milliseconds by operator: {_called(system)}", list(_time_rows("operator", system.operators))
        if system.errors:
            yield f"What was not right, by stage: {_called(system)}", list(_error_rows(system))
        if misses and system.misses:
            yield f"Not right: {_called(system)}", list(_miss_rows(system, misses))


def write_json(path: Path, found: Scored) -> None:
    """Writes the results as one JSON object."""
    path.write_text(dumped(found), encoding="utf-8")


def page(found: Scored) -> str:
    """The results as a page in HTML."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = files(templates).joinpath("bench.html.j2").read_text(encoding="utf-8")
    names = [_called(system) for system in found.systems]
    return environment.from_string(template).render(
        suite=found.suite,
        questions=found.questions,
        measures=found.measures,
        systems=list(zip(names, COLOURS * len(names), strict=False)),
        summary=list(_summary(found)),
        charts=[_chart(found, heading) for heading in _headings(found)],
        comparisons=list(_comparison_rows(found.comparisons)) if found.comparisons else [],
        times=[(name, _bars_of_times(_times(s))) for name, s in zip(names, found.systems, strict=True) if s.stages],
        operators=[
            (name, _bars_of_times(s.operators)) for name, s in zip(names, found.systems, strict=True) if s.operators
        ],
        errors=[(name, _bars_of_errors(s)) for name, s in zip(names, found.systems, strict=True) if s.errors],
        misses=[(name, list(_miss_rows(s, len(s.misses)))[1:]) for name, s in zip(names, found.systems, strict=True)],
        width=_WIDTH,
    )


def _called(system: System) -> str:
    return " ".join((system.name, *(f"--{switch}" for switch in system.switches)))


def _headings(found: Scored) -> list[str]:
    present = {heading for system in found.systems for heading in system.groups}
    known = [heading for heading in HEADINGS if heading in present]
    return known + sorted(present.difference(HEADINGS))


def _summary(found: Scored) -> Iterator[tuple[str, ...]]:
    yield "system", "n", *found.measures, "answered", "precision", "silent", "median ms"
    for system in found.systems:
        wall = system.stages.get("wall")
        yield _called(system), *_cells(system.whole), f"{wall.median:,.0f}" if wall else "-"


def _cells(cell: Cell) -> tuple[str, ...]:
    shares = (cell.hit, cell.relaxed, cell.answered, cell.precision, cell.silent)
    return (f"{cell.count:,}", *(f"{share:.3f}" for share in shares))


def _group_rows(found: Scored, heading: str) -> Iterator[tuple[str, ...]]:
    yield heading, "system", "n", *found.measures, "answered", "precision", "silent"
    names = dict.fromkeys(name for system in found.systems for name in system.groups.get(heading, {}))
    for name in names:
        for system in found.systems:
            cell = system.groups.get(heading, {}).get(name)
            if cell is not None:
                yield name, _called(system), *_cells(cell)


def _comparison_rows(comparisons: Sequence[Comparison]) -> Iterator[tuple[str, ...]]:
    yield "questions", "first", "second", "only first right", "only second right", "p"
    for found in comparisons:
        p = f"{found.p:.4f}" if found.p >= 0.0001 else f"{found.p:.1e}"
        yield found.group, found.first, found.second, str(found.only_first), str(found.only_second), p


def _times(system: System) -> Mapping[str, Times]:
    return {**system.stages, **({"asked again": system.again} if system.again else {})}


def _time_rows(what: str, times: Mapping[str, Times]) -> Iterator[tuple[str, ...]]:
    yield what, "runs", "median", "mean", "95 %", "sum in s"
    for name, taken in times.items():
        shown = (f"{value:,.1f}" for value in (taken.median, taken.mean, taken.p95, taken.total / 1000))
        yield name, f"{taken.count:,}", *shown


def _error_rows(system: System) -> Iterator[tuple[str, ...]]:
    yield "stage", "questions", "share"
    for stage, count in system.errors.items():
        yield stage, str(count), f"{count / len(system.misses):.2f}"


def _miss_rows(system: System, most: int) -> Iterator[tuple[str, ...]]:
    yield "id", "question", "right", "answer", "stage", "reason"
    for miss in system.misses[:most]:
        yield miss.id, miss.question, _short(miss.gold), _short(miss.answer), miss.stage, _short(miss.reason)


def _short(value: Any) -> str:
    values = value if isinstance(value, list) else [] if value is None else [value]
    text = ", ".join(map(str, values))
    return text if len(text) <= 120 else f"{text[:119]}…"


@dataclass(frozen=True)
class Bar:
    """A bar of a chart: where it stands and how long it is, in pixels; `faint` is drawn behind it."""

    label: str
    colour: str
    y: int
    length: float
    faint: float
    text: str


@dataclass(frozen=True)
class Chart:
    """Bars below each other; `first` are the heights at which a group's label stands."""

    title: str
    bars: tuple[Bar, ...]
    labels: tuple[tuple[str, int], ...]
    height: int


_BAR, _GAP = 14, 8


def _chart(found: Scored, heading: str) -> Chart:
    """A group of bars for each name: the first measure in full colour, the second behind it."""
    names = list(dict.fromkeys(n for system in found.systems for n in system.groups.get(heading, {})))[:SHOWN]
    bars, labels, y = list[Bar](), list[tuple[str, int]](), 0
    for name in names:
        labels.append((name, y + _BAR - 3))
        for at, system in enumerate(found.systems):
            cell = system.groups.get(heading, {}).get(name)
            if cell is not None:
                text = f"{cell.hit:.2f} / {cell.relaxed:.2f} of {cell.count:,}"
                length, faint = _pixels(cell.hit), _pixels(max(cell.hit, cell.relaxed))
                bars.append(Bar(_called(system), COLOURS[at % len(COLOURS)], y, length, faint, text))
            y += _BAR
        y += _GAP
    return Chart(HEADINGS.get(heading, heading), tuple(bars), tuple(labels), y)


def _bars_of_times(times: Mapping[str, Times]) -> Chart:
    """Medians in full colour, 95 of 100 runs behind them, on one scale."""
    longest = max((taken.p95 for taken in times.values()), default=0.0) or 1.0
    bars, labels = list[Bar](), list[tuple[str, int]]()
    for at, (name, taken) in enumerate(times.items()):
        y = at * (_BAR + _GAP)
        labels.append((name, y + _BAR - 3))
        text = f"{taken.median:,.0f} ms, 95 %: {taken.p95:,.0f} ms"
        length, faint = _pixels(taken.median / longest), _pixels(taken.p95 / longest)
        bars.append(Bar(name, COLOURS[0], y, length, faint, text))
    return Chart("", tuple(bars), tuple(labels), len(bars) * (_BAR + _GAP))


def _bars_of_errors(system: System) -> Chart:
    bars, labels = list[Bar](), list[tuple[str, int]]()
    most = max(system.errors.values(), default=1)
    for at, (stage, count) in enumerate(system.errors.items()):
        y = at * (_BAR + _GAP)
        labels.append((stage, y + _BAR - 3))
        length = _pixels(count / most)
        bars.append(Bar(stage, COLOURS[1], y, length, length, f"{count} ({count / len(system.misses):.0%})"))
    return Chart("", tuple(bars), tuple(labels), len(bars) * (_BAR + _GAP))


def _pixels(share: float) -> float:
    return round(share * _WIDTH, 1)
