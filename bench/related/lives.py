"""Lives as tasks of retrieval: an event, and the others that tell of the same happening, of the same trip, or reply.

    python -m reqap_kg.bench.related.lives OUT DIR [DIR ...] [--rule strict|paper] [--part train|check|test]

A folder DIR holds observables.jsonl, profile.json, occurrences.jsonl ({observables}), links.csv and canonical.jsonl, as
the generator writes them. Neighbourhoods are those that `reqap-kg related` walks.
"""

from __future__ import annotations

import csv
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ...config import Settings
from ...engine.importing.ingest import ingest
from ...engine.importing.loading import IngestOptions
from ...retrieval.neighbourhood.walking import Rule
from ...training.related.task import Task, joined
from .walked import Walked

RELATIONS: Final = ("happening", "trip", "reply")
_REPLY: Final = re.compile(r"^(?:(?:re|aw|sv|fwd?): *)+", re.IGNORECASE)
Pairs = Mapping[str, frozenset[frozenset[str]]]


def pairs_of(folder: Path) -> Pairs:
    """Pairs of source ids by relation."""
    found = {"happening": _pairs(map(str, row["observables"]) for row in _rows(folder / "occurrences.jsonl"))}
    canonical = {row["id"]: row for row in _rows(folder / "canonical.jsonl")}
    trips = defaultdict[str, set[str]](set)
    with (folder / "links.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            event = canonical.get(row["canonical_id"], {})
            trip = event.get("id") if event.get("type") == "trip" else event.get("trip_id")
            if trip:
                trips[trip].add(row["observable_id"])
    found["trip"] = _pairs(trips.values()) - found["happening"]
    found["reply"] = _pairs(_threads(folder)) - found["happening"] - found["trip"]
    return found


def _threads(folder: Path) -> Iterable[set[str]]:
    """Mails between the same two people under one subject, of which one is marked as a reply."""
    threads = defaultdict[tuple[str, frozenset[str]], dict[str, bool]](dict)
    for row in _rows(folder / "observables.jsonl"):
        subject = str(row.get("subject") or "")
        if row["source"] == "mail" and subject:
            bare = _REPLY.sub("", subject).casefold()
            people = frozenset(map(str, (row.get("sender"), row.get("recipient"))))
            threads[bare, people][str(row["id"])] = bare != subject.casefold()
    return [set(mails) for mails in threads.values() if any(mails.values())]


def _pairs(groups: Iterable[Iterable[str]]) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for group in groups for pair in combinations(sorted(set(group)), 2))


def life_task(folder: Path, store: Path, rule: Rule, part: str) -> Task:
    """The task of a life that was imported into `store`. The id of a case is relation, life and IRI."""
    with Walked.open(store, f"{folder.parent.name}-{folder.name}") as walked:
        said = walked.surroundings.said
        iris = {iri.rsplit("/", 1)[-1]: iri for iri in said if "/data/observables/" in iri}
        among = frozenset(iris.values())
        cases = [
            walked.case(relation, iris[number], relevant, among, rule, part)
            for (relation, number), others in sorted(_related(pairs_of(folder)).items())
            if number in iris and (relevant := [iris[other] for other in others if other in iris])
        ]
        return Task(walked.documents(iris.values()), tuple(cases))


def _related(pairs: Pairs) -> dict[tuple[str, str], set[str]]:
    found = defaultdict[tuple[str, str], set[str]](set)
    for relation, own in pairs.items():
        for pair in own:
            one, other = sorted(pair)
            found[relation, one].add(other)
            found[relation, other].add(one)
    return found


def imported(folder: Path, store: Path) -> Path:
    """The store of a life, imported unless it is there."""
    if not store.is_dir():
        now = datetime.fromisoformat(json.loads((folder / "profile.json").read_text(encoding="utf-8"))["now"])
        ingest([folder / "observables.jsonl", folder / "profile.json"], store, IngestOptions(Settings(), now))
    return store


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def main(
    out: Annotated[Path, typer.Argument(help="Folder for documents.jsonl and cases.jsonl.")],
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Lives.")],
    rule: Annotated[Rule, typer.Option(help="What of a neighbourhood counts.")] = Rule.PAPER,
    part: Annotated[str, typer.Option(help="train, check or test.")] = "train",
) -> None:
    """Writes lives as a task."""
    with tempfile.TemporaryDirectory() as work:
        tasks: Sequence[Task] = [
            life_task(folder, imported(folder, Path(work) / str(number)), rule, part)
            for number, folder in enumerate(folders)
        ]
    joined(tasks).write(out)
    typer.echo(f"{out}: {sum(len(task.cases) for task in tasks):,} cases")


if __name__ == "__main__":
    typer.run(main)
