"""Forty structured trees and the demo's questions on an embedded store and on SPARQL servers of this machine: the same
rows, how many times as long, how many requests.

    python -m reqap_kg.bench.remote [--scale 0.1] [--rounds 3] [--each] [--trees-only]

Runs in a checkout, whose tests know how the servers are started; one that cannot be had is left out with the reason.
The life has 45,000 events times the scale. Each tree is run with its evidence, as `reqap-kg run` does: for the first
time in the process, and again (median of the rounds). The ratio is wall-clock time over that of the embedded store.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from ...config import Settings
from ...engine.answers.answer import Answer
from ...engine.importing.ingest import ingest
from ...engine.importing.loading import IngestOptions
from ...engine.knowledge import KnowledgeGraph
from ...errors import ReqapError
from ...store.remote import graph as remote_graph
from ...store.remote.generations import RemoteEvents, keep_address
from ..life import NOW, Life, write_life
from ..table import Figure
from ..timing import timed
from .trees import forty

EMBEDDED: Final = "embedded"
WANTED: Final = 3
"""Requests of a structured question."""
_SHOWN: Final = 1_000


@dataclass(frozen=True)
class Run:
    """One tree or question on one store: milliseconds, requests, queries that were evaluated here, and the answer."""

    milliseconds: float
    requests: int
    here: int
    answer: object


@dataclass(frozen=True)
class Twice:
    """For the first time, and again."""

    first: Run
    again: Run


class Counting:
    """Counts the queries that are evaluated here, of all stores of this process."""

    def __init__(self) -> None:
        self.here = 0
        self._really = remote_graph.evaluated_here

    def __call__(self, *given: Any) -> Any:
        self.here += 1
        return self._really(*given)

    @contextmanager
    def begun(self) -> Iterator[Counting]:
        """Counts until it ends."""
        remote_graph.evaluated_here = self
        try:
            yield self
        finally:
            remote_graph.evaluated_here = self._really


@dataclass(frozen=True)
class Place:
    """Where a store is: the folder, and the settings with what lets one in."""

    name: str
    directory: Path
    settings: Settings

    def named(self, what: str) -> Place:
        """Another store at the same place."""
        directory = self.directory.with_name(f"{self.directory.name}-{what}")
        held = self.directory / "remote.json"
        if held.is_file():
            keep_address(directory, json.loads(held.read_text())["address"].replace("name=bench", f"name={what}"))
        return Place(self.name, directory, self.settings)


@contextmanager
def places(folder: Path) -> Iterator[list[Place]]:
    """The embedded store and the servers that can be had; says which cannot."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    servers: Any = import_module("remote.servers")
    with ExitStack() as stack:
        found = [Place(EMBEDDED, folder / EMBEDDED, Settings())]
        for name in ("oxigraph", "virtuoso"):
            why = servers.missing(name)
            if why is not None:
                print(f"{name} is left out: {why}")
                continue
            server = stack.enter_context(servers.served(name))
            keep_address(folder / name, f"{server.address}name=bench")
            found.append(Place(name, folder / name, Settings(access=server.access)))
        yield found


# ---------------------------------------------------------------- asking
def _requests(known: KnowledgeGraph) -> int:
    return known.graph.connection.requests if isinstance(known.graph, RemoteEvents) else 0


def _run(known: KnowledgeGraph, counting: Counting, text: str, now: datetime, *, is_tree: bool) -> Run:
    requests, here = _requests(known), counting.here

    def answer() -> object:
        try:
            return _plain(known.run(text, now=now) if is_tree else known.ask(text, now=now))
        except ReqapError as bad:
            return f"{type(bad).__name__}: {bad}"

    taken, found = timed(answer)
    return Run(taken, _requests(known) - requests, counting.here - here, found)


def _plain(answer: Answer) -> object:
    """What has to be the same on every store. Sums of numbers with a point may differ in their last digits; of more
    events than are looked up, any may be."""
    values = sorted((round(v, 6) if isinstance(v, float) else v for v in answer.values), key=repr)
    events = len(answer.events) if answer.more_events else sorted(event.iri for event in answer.events)
    return [values, answer.answer_type, answer.unit, events]


def asked(
    place: Place, texts: Mapping[str, str], now: datetime, rounds: int, *, is_tree: bool
) -> Iterator[tuple[str, Twice]]:
    """Every text on one store; a first one, of nothing that follows, opens what is opened once."""
    with Counting().begun() as counting, KnowledgeGraph.open(place.directory, place.settings) as known:
        _run(known, counting, 'APPLY(l=RETRIEVE(query="television episodes"), fct=len)', now, is_tree=True)
        if not is_tree:
            _run(known, counting, "How many posts did I write in 2020?", now, is_tree=False)
        for name, text in texts.items():
            filled = _filled(known, text)
            first = _run(known, counting, filled, now, is_tree=is_tree)
            again = [_run(known, counting, filled, now, is_tree=is_tree) for _ in range(rounds)]
            middle = statistics.median(run.milliseconds for run in again)
            yield name, Twice(first, Run(middle, again[0].requests, again[0].here, again[0].answer))


def _filled(known: KnowledgeGraph, text: str) -> str:
    for mark, name in (("%FILM%", "ev:movieTitle"), ("%SONG%", "ev:songName")):
        if mark in text:
            (row,) = known.graph.select(f"SELECT ?v {{ ?e {name} ?v }} GROUP BY ?v ORDER BY DESC(COUNT(?e)) ?v LIMIT 1")
            assert row[0] is not None
            text = text.replace(mark, row[0].value)
    return text


# ---------------------------------------------------------------- what is told
def compared(
    name: str, here: Mapping[str, Twice], there: Mapping[str, Twice], what: str, *, each: bool
) -> Iterator[Figure]:
    """The figures of one server against the embedded store. Raises AssertionError where an answer differs."""
    wrong = [one for one in here if there[one].first.answer != here[one].first.answer]
    wrong += [one for one in here if there[one].again.answer != here[one].first.answer]
    for one in dict.fromkeys(wrong):
        told = (f"  {who}: {str(runs[one].first.answer)[:_SHOWN]}" for who, runs in ((EMBEDDED, here), (name, there)))
        print(one, *told, sep="\n", file=sys.stderr)
    if wrong:
        raise AssertionError(f"{name} answers otherwise than the embedded store: {', '.join(dict.fromkeys(wrong))}")
    for when in ("first", "again"):
        theirs = {one: getattr(twice, when) for one, twice in there.items()}
        ours = {one: getattr(twice, when) for one, twice in here.items()}
        yield from _figures(f"{name}: {len(here)} {what}, {when}", ours, theirs)
        if each:
            yield from (_line(name, one, when, ours[one], theirs[one]) for one in theirs)


def _figures(title: str, ours: Mapping[str, Run], theirs: Mapping[str, Run]) -> Iterator[Figure]:
    ratios = [run.milliseconds / ours[one].milliseconds for one, run in theirs.items()]
    times = [run.milliseconds for run in theirs.values()]
    requests = [run.requests for run in theirs.values()]
    more = [f"{one} ({run.requests})" for one, run in theirs.items() if run.requests > WANTED]
    here = sum(run.here > 0 for run in theirs.values())
    yield Figure(f"{title}: ratio of time to embedded, median / worst", _pair(ratios, ".1f"))
    yield Figure(f"{title}: milliseconds, median / worst", _pair(times, ".0f"))
    told = f"{_pair(requests, '.0f')} / {sum(n <= WANTED for n in requests)} of {len(requests)}"
    yield Figure(f"{title}: requests, median / most / at most {WANTED}", told)
    yield Figure(f"{title}: of which some query was evaluated here", str(here))
    if more:
        yield Figure(f"{title}: requests of those that take more", "; ".join(more))


def _pair(values: Sequence[float], form: str) -> str:
    return f"{statistics.median(values):{form}} / {max(values):{form}}"


def _line(name: str, one: str, when: str, ours: Run, theirs: Run) -> Figure:
    told = f"{theirs.milliseconds:.1f} ms / {ours.milliseconds:.1f} ms / {theirs.requests} requests / {theirs.here}"
    return Figure(f"{name}: {one}, {when}: there / embedded / requests / evaluated here", told)


def _demo(found: Sequence[Place], rounds: int, *, each: bool) -> Iterator[Figure]:
    """The demo's questions."""
    with as_file(files("reqap_kg.examples").joinpath("demo")) as demo:
        lines = (demo / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        now = datetime.fromisoformat(rows[0]["now"])
        imported = [place.named("demo") for place in found]
        for place in imported:
            options = IngestOptions(place.settings, now)
            taken, _ = timed(lambda place=place, options=options: ingest([demo / "exports"], place.directory, options))
            yield Figure(f"{place.name}: importing the demo life", f"{taken / 1000:.1f} s")
    levels = {level: [row for row in rows if row["level"] == level] for level in {row["level"] for row in rows}}
    for level, chosen in sorted(levels.items()):
        texts = {row["question"]: row["question"] for row in chosen}
        runs = [dict(asked(place, texts, now, rounds, is_tree=False)) for place in imported]
        for place, there in zip(imported[1:], runs[1:], strict=True):
            yield from compared(place.name, runs[0], there, f"{level} questions of the demo", each=each)


def measure(folder: Path, scale: float, rounds: int, *, each: bool, trees_only: bool) -> Iterator[Figure]:
    """All figures."""
    with places(folder) as found:
        write_life(folder / "life.jsonl", Life().scaled(scale), 7)
        runs: list[dict[str, Twice]] = []
        for place in found:
            options = IngestOptions(place.settings, NOW)
            work = lambda place=place, options=options: ingest([folder / "life.jsonl"], place.directory, options)  # noqa: E731
            yield Figure(f"{place.name}: importing the life", f"{timed(work)[0] / 1000:.1f} s")
            taken, _ = timed(lambda place=place: _open(place))
            yield Figure(f"{place.name}: opening for the first time", f"{taken / 1000:.1f} s")
            runs.append(dict(asked(place, forty(), NOW, rounds, is_tree=True)))
        for place, there in zip(found[1:], runs[1:], strict=True):
            yield from compared(place.name, runs[0], there, "trees", each=each)
        if not trees_only:
            yield from _demo(found, rounds, each=each)


def _open(place: Place) -> None:
    with KnowledgeGraph.open(place.directory, place.settings):
        pass


def main() -> None:
    """Prints the figures as rows of a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=0.1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--each", action="store_true", help="a line for each tree and question, too")
    parser.add_argument("--trees-only", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for figure in measure(Path(folder), given.scale, given.rounds, each=given.each, trees_only=given.trees_only):
            print(figure, flush=True)


if __name__ == "__main__":
    main()
