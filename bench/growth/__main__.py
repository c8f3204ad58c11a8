"""How import, index, questions and RETRIEVE grow with the number of events: ten times the events should take at most
eleven times the time and six times the memory.

    python -m reqap_kg.bench.growth DIR --events 1000 10000 100000 1000000 [--texts 100000] [--svg docs/growth.svg]

A life of 45,000 events in five years, some 3,300 of them texts, goes on in others like it until there are so many
events, or ends sooner: a month holds as many at every size. Every step runs in a process of its own, so that a peak of
memory is its own; times are of the processor but where it says clock. Questions are asked over the first month and over
a tenth of the life. What was measured is kept in DIR/growth.json; sizes that stand there are not measured again.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final

Measures = dict[str, float]
TIME, MEMORY = "s", "MiB"
WANTED: Final = {TIME: 11, MEMORY: 6}
"""The most that a figure may grow where events grow tenfold."""
_BLOCK, _DAYS = 45_000, 1_826
_BEGIN: Final = date(2019, 1, 1)
_QUERIES: Final = ("I ate Italian food", "I went to the dentist", "I flew somewhere")
_SONGS: Final = 'EXTRACT(l=RETRIEVE(query="music streams"), attr_names=["{key}"], attr_types=[{kind}])'
_RUNS: Final = 'EXTRACT(l=RETRIEVE(query="runs"), attr_names=["distance"], attr_types=[float])'


def _period(rows: str, begin: date, end: date) -> str:
    bounds = (f"date({day.year}, {day.month}, {day.day})" for day in (begin, end))
    first, last = bounds
    return f'FILTER(l={rows}, filter=lambda attr: attr["start_date"] >= {first} and attr["start_date"] < {last})'


def trees(begin: date, end: date) -> Mapping[str, str]:
    """Five questions about a period, by name."""
    songs = _period('RETRIEVE(query="music streams")', begin, end)
    lengths = _period(_SONGS.format(key="duration", kind="float"), begin, end)
    titles = _period(_SONGS.format(key="song_name", kind="str"), begin, end)
    weeks = f'MAP(l={lengths}, fct=lambda attr: attr["start_date"].isocalendar().week, res_name="week")'
    plays = f'MAP(l=GROUP_BY(l={titles}, attr_names=["song_name"]), fct=len, res_name="times")'
    overlap = "i1.start_datetime < i2.end_datetime and i1.end_datetime > i2.start_datetime"
    workouts = _period('RETRIEVE(query="workouts")', begin, end)
    return {
        "count": f"APPLY(l={songs}, fct=len)",
        "sum by week": f'MAP(l=GROUP_BY(l={weeks}, attr_names=["week"]), '
        'fct=lambda g: sum(e["duration"] for e in g), res_name="total")',
        "five played most": f'APPLY(l={plays}, fct=lambda l: sorted(l, key=lambda y: y["times"], reverse=True)[:5])',
        "longest run": f'ARGMAX(l={_period(_RUNS, begin, end)}, arg_attr_name="distance", val_attr_name="start_date")',
        "songs that overlap a workout": f'JOIN(l1={songs}, l2={workouts}, condition="{overlap}")',
    }


def records(events: int, seed: int = 7) -> Iterator[dict[str, Any]]:
    """The events of a life of any length."""
    from ..retrieving import lived

    number = 0
    for block in range(-(-events // _BLOCK)):
        count = min(_BLOCK, events - block * _BLOCK)
        shift = timedelta(days=block * _DAYS)
        for record in lived(count, seed + block, _days(count)):
            moved = {
                name: (date.fromisoformat(value) + shift).isoformat() if name in ("start_date", "end_date") else value
                for name, value in record.items()
            }
            yield {**moved, "id": number}
            number += 1


def _days(events: int) -> int:
    return max(31, round(events * _DAYS / _BLOCK))


# ---------------------------------------------------------------- steps, each in a process of its own
def _generated(folder: Path, events: int) -> Measures:
    from ..events import write_lines

    write_lines(folder / "life.jsonl", records(events))
    return {}


def _imported(folder: Path, _events: int) -> Measures:
    from ...config import Settings
    from ...engine.importing.ingest import ingest
    from ...engine.importing.loading import IngestOptions
    from ..life import NOW

    report, seconds = _timed(lambda: ingest([folder / "life.jsonl"], folder / "store", IngestOptions(Settings(), NOW)))
    return {
        "import, s": seconds,
        "import, clock": perf_counter() - _BEGUN,
        "triples": float(sum(source.triples for source in report.sources)),
    }


def _indexed(folder: Path, _events: int) -> Measures:
    """Opening for the first time, which makes the index of values, the statistics and what else is kept."""
    from ...engine.knowledge import KnowledgeGraph

    with KnowledgeGraph.open(folder / "store"):
        return {"index, s": _processor(), "index, clock": perf_counter() - _BEGUN}


def _asked(folder: Path, events: int) -> Measures:
    """Opening with a first question about something else; then each question for the first time, and again."""
    from ...engine.knowledge import KnowledgeGraph
    from ..life import NOW

    tenth = _BEGIN + timedelta(days=max(1, _days(events) // 10))
    periods = {"month": date(2019, 2, 1), "tenth": tenth}
    found: Measures = {}
    with KnowledgeGraph.open(folder / "store") as known:
        known.run('APPLY(l=RETRIEVE(query="films"), fct=len)', now=NOW)
        found["opening, s"] = _processor()
        for period, end in periods.items():
            for name, tree in trees(_BEGIN, end).items():
                answer, first = _timed(lambda tree=tree: known.run(tree, now=NOW))
                again = [_timed(lambda tree=tree: known.run(tree, now=NOW))[1] for _ in range(5)]
                found[f"{name}, {period}, first, s"], found[f"{name}, {period}, again, s"] = first, median(again)
                assert answer.events or answer.answer, f"{name} in the {period} matched nothing"
    for period in periods:
        for when in ("first", "again"):
            parts = [value for name, value in found.items() if name.endswith(f", {period}, {when}, s")]
            found[f"five questions about the {period}, {when}, s"] = sum(parts)
    return found


def _read_ahead(folder: Path, _events: int) -> Measures:
    from ...engine.knowledge import KnowledgeGraph
    from ..life import NOW

    with KnowledgeGraph.open(folder / "store") as known:
        ahead, seconds = _timed(lambda: known.read_ahead(now=NOW))
    return {"texts read ahead, s": seconds, "texts": float(ahead.texts)}


def _retrieved(folder: Path, _events: int) -> Measures:
    """Three searches, in a process whose models the first of another phrase has loaded."""
    from ...engine.knowledge import KnowledgeGraph
    from ..life import NOW

    with KnowledgeGraph.open(folder / "store") as known:
        known.retrieve("I gave somebody a present", now=NOW)
        found = [_timed(lambda query=query: known.retrieve(query, now=NOW))[1] for query in _QUERIES]
    return {"three searches, s": sum(found)}


Step = Callable[[Path, int], Measures]
STEPS: Final[Mapping[str, Step]] = {
    "generate": _generated,
    "import": _imported,
    "index": _indexed,
    "ask": _asked,
    "read ahead": _read_ahead,
    "search": _retrieved,
    "search again": _retrieved,
}
_OF_TEXTS: Final = ("read ahead", "search", "search again")


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What some work gave, and its seconds."""
    begin = _processor()
    return work(), _processor() - begin


def _processor() -> float:
    """Seconds of the processor that this process and those that it started took: others may be at work."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, _WHOSE))


def _stepped(step: str, folder: Path, events: int) -> None:
    """Runs one step, and prints what it measured with the most memory that it needed."""
    found = STEPS[step](folder, events)
    peak = max(used.ru_maxrss for used in map(resource.getrusage, _WHOSE))
    if step == "search again":
        found = {name.replace("searches", "searches again"): value for name, value in found.items()}
    print(json.dumps({**found, f"{step}, MiB": peak / (2**20 if sys.platform == "darwin" else 2**10)}))


# ---------------------------------------------------------------- the ladder
def measured(work: Path, events: int, texts: int) -> Measures:
    """All steps over one size; texts are read ahead and searched up to so many events."""
    folder = work / str(events)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    found: Measures = {}
    for step in STEPS:
        if step in _OF_TEXTS and events > texts:
            continue
        command = [sys.executable, "-m", "reqap_kg.bench.growth", str(folder), "--step", step, "--events", str(events)]
        told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        found |= json.loads(told.splitlines()[-1])
        print(f"{events:,} events, {step}: {told.splitlines()[-1]}", file=sys.stderr, flush=True)
    shutil.rmtree(folder)
    return found


def table(sizes: Mapping[int, Measures]) -> Iterator[str]:
    """A row per figure, a column per size; behind a figure how it grew for each tenfold of events."""
    yield f"| what | {' | '.join(f'{events:,} events' for events in sizes)} |"
    yield "|---" * (len(sizes) + 1) + "|"
    for name in dict.fromkeys(name for found in sizes.values() for name in found):
        cells = [_cell(name, events, sizes) for events in sizes]
        yield f"| {name} | {' | '.join(cells)} |"


def _cell(name: str, events: int, sizes: Mapping[int, Measures]) -> str:
    found = sizes[events].get(name)
    if found is None:
        return "–"
    told = f"{found:,.0f}" if found >= 100 else f"{found:.3g}"
    smaller = [other for other in sizes if other < events and name in sizes[other]]
    unit = name.rpartition(", ")[2]
    if not smaller or unit not in WANTED:
        return told
    before = max(smaller)
    grown = tenfold(found / sizes[before][name], events / before)
    return f"{told} (×{grown:.1f})" if grown <= WANTED[unit] else f"{told} (**×{grown:.1f}**)"


def tenfold(grown: float, events: float) -> float:
    """Growth for ten times the events, of one for another number of times, as a power of it."""
    from math import log10

    return grown ** (1 / log10(events))


def draw(sizes: Mapping[int, Measures], out: Path) -> None:
    """Draws times and memory against events, both on logarithmic scales."""
    import vl_convert

    told = [
        {"what": name.rpartition(", ")[0], "unit": name.rpartition(", ")[2], "events": events, "value": value}
        for events, found in sizes.items()
        for name, value in found.items()
        if not any(part in name for part in (", month, ", ", tenth, ", "generate"))
    ]
    axis = {"type": "quantitative", "scale": {"type": "log"}}
    panels = [
        {
            "width": 340,
            "height": 260,
            "title": title,
            "transform": [{"filter": f"datum.unit == '{unit}'"}],
            "mark": {"type": "line", "point": True},
            "encoding": {
                "x": {**axis, "field": "events", "title": "events"},
                "y": {**axis, "field": "value", "title": unit},
                "color": {"field": "what", "type": "nominal", "title": None, "legend": {"labelLimit": 400}},
            },
        }
        for unit, title in ((TIME, "Time"), (MEMORY, "Peak of memory"))
    ]
    told_how = {"data": {"values": told}, "hconcat": panels, "resolve": {"scale": {"color": "independent"}}}
    out.write_text(vl_convert.vegalite_to_svg(told_how), encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    """Measures the sizes that are not measured yet; prints the table."""
    parser = argparse.ArgumentParser(prog="python -m reqap_kg.bench.growth", description=__doc__)
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument("--events", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--texts", type=int, default=100_000, help="the most events whose texts are read and searched")
    parser.add_argument("--svg", type=Path, help="draw times and memory")
    parser.add_argument("--step", choices=list(STEPS), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.step:
        _stepped(given.step, given.directory, given.events[0])
        return
    kept = given.directory / "growth.json"
    told = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    for events in given.events:
        if str(events) not in told:
            told[str(events)] = measured(given.directory, events, given.texts)
            kept.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    sizes = {int(events): found for events, found in sorted(told.items(), key=lambda one: int(one[0]))}
    print("\n".join(table(sizes)))
    if given.svg is not None:
        draw(sizes, given.svg)


_BEGUN: Final = perf_counter()
_WHOSE: Final = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)

if __name__ == "__main__":
    main(sys.argv[1:])
