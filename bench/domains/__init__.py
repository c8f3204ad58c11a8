"""Questions to domains that somebody described, held against SQL over their tables.

    python -m reqap_kg.bench.domains DIR [DIR …] [--misses]

Each DIR has `domain/` (a domain folder), `tables/*.csv` and `questions.jsonl`, whose lines have `id`, `kind`,
`question` and `sql`, which runs in SQLite over the tables. An answer is right where it has the same values; it is
silently wrong where it is not, and says nothing of doubt.
"""

from __future__ import annotations

import argparse
import csv
import json
import sqlite3
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from ...config import Settings
from ...engine.answers.answer import Answer
from ...engine.authoring.domain import load_domain
from ...engine.importing.ingest_domain import ingest_domain
from ...engine.importing.loading import IngestOptions
from ...engine.importing.report import Silent
from ...engine.knowledge import KnowledgeGraph
from ...errors import ReqapError

NOW = datetime(2025, 9, 14, 10, 30)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)


@dataclass(frozen=True)
class Judged:
    """One question: what came of it, and how long its plan took (milliseconds)."""

    id: object
    kind: str
    question: str
    outcome: str
    """right, wrong, doubted (wrong, with a sign of doubt), declined."""
    told: str
    gold: str
    milliseconds: float


def tables(folder: Path, *, empty: str | None = "") -> sqlite3.Connection:
    """The CSV files of a folder as tables; columns all of whose cells are numbers are numbers. `empty` is what an empty
    cell is."""
    db = sqlite3.connect(":memory:")
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            header, *rows = csv.reader(stream)
        kinds = [
            "NUMERIC" if all(_is_number(row[at]) for row in rows if row[at] or empty is not None) else "TEXT"
            for at in range(len(header))
        ]
        columns = ", ".join(f"{name} {kind}" for name, kind in zip(header, kinds, strict=True))
        db.execute(f'CREATE TABLE "{path.stem}" ({columns})')
        marks = ", ".join("?" * len(header))
        db.executemany(f'INSERT INTO "{path.stem}" VALUES ({marks})', [[cell or empty for cell in row] for row in rows])  # noqa: S608 (a file's own name)
    return db


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def judged(folder: Path) -> Iterator[Judged]:
    """The questions of a folder, each asked once at first sight."""
    both = [tables(folder / "tables", empty=empty) for empty in ("", None)]  # authors may have meant either
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    settings = Settings(home_zone="Europe/Lisbon", domain=folder / "domain")
    with tempfile.TemporaryDirectory() as store:
        ingest_domain(load_domain(folder / "domain"), [], Path(store), IngestOptions(settings, NOW), Silent())
        with KnowledgeGraph.open(Path(store), settings) as known:
            for line in lines:
                if line.strip():
                    yield _one(json.loads(line), both, known)


def _one(asked: dict[str, Any], both: Sequence[sqlite3.Connection], known: KnowledgeGraph) -> Judged:
    gold, other = (db.execute(asked["sql"]).fetchall() for db in both)
    began = perf_counter()
    with suppress(ReqapError):
        known.plan(asked["question"], now=NOW)
    took = 1000 * (perf_counter() - began)
    try:
        answer = known.ask(asked["question"], now=NOW)
    except ReqapError as bad:
        return Judged(asked["id"], asked["kind"], asked["question"], "declined", str(bad)[:200], repr(gold[:4]), took)
    right = fits(answer, gold) or fits(answer, other)
    outcome = "right" if right else "doubted" if answer.doubt or answer.warnings or answer.missing else "wrong"
    rows = answer.table.rows[:4] if answer.table is not None else answer.values[:4]
    told = f"{rows} {answer.plan} {answer.doubt} {answer.warnings}"
    return Judged(asked["id"], asked["kind"], asked["question"], outcome, told, repr(gold[:4]), took)


def fits(answer: Answer, gold: Sequence[tuple[Any, ...]]) -> bool:
    """Whether an answer says what SQL gives: one value, or rows of a key and a value."""
    if not gold or gold == [(None,)]:
        return answer.missing is not None or not answer.values
    found = (
        [tuple(row) for row in answer.table.rows] if answer.table is not None else [(value,) for value in answer.values]
    )
    if len(gold) == 1 and len(gold[0]) == 1:
        said = [value for row in found for value in row]
        if len(answer.values) == 1 and _same(answer.values[0], gold[0][0]):
            return True
        return len(found) == 1 and any(_same(value, gold[0][0]) for value in said[-1:] + said[:1])
    if len(gold[0]) == 1:
        return _same_set([row[:1] for row in found], gold)
    if len(found) != len(gold):
        return False
    if _same_set([(*row[: len(gold[0]) - 1], row[-1]) for row in found], gold):
        return True
    names = {str(row[0]).lower() for row in found}
    if len(found) > 1 and (
        names <= set(_DAYS) or all(isinstance(row[0], int | date) or str(row[0])[:4].isdigit() for row in found)
    ):
        return _same_set([row[-1:] for row in found], [row[-1:] for row in gold])  # periods are written in many ways
    if len(gold) == 1 and len(answer.values) == 1 and _same(answer.values[0], gold[0][0]):
        return True  # a weekday is a number in the table, a name in the answer
    return len(gold) == 1 and _same_set([row[:1] for row in found], [row[:1] for row in gold])


def _same_set(found: Sequence[tuple[Any, ...]], gold: Sequence[tuple[Any, ...]]) -> bool:
    left = list(gold)
    for row in found:
        match = next((one for one in left if len(one) == len(row) and all(map(_same, row, one))), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _same(said: Any, gold: Any) -> bool:
    if isinstance(said, bool):
        return str(gold).lower() in (("1", "true", "yes", "1.0") if said else ("0", "false", "no", "none", "0.0"))
    if _is_number(str(said)) and gold is not None and _is_number(str(gold)):
        one, other = float(said), float(gold)
        return abs(one - other) <= max(0.011, 2e-4 * abs(other))
    one, other = str(said).lower(), str(gold).lower()
    if one == other or (len(other) >= 4 and other[:4].isdigit() and (one.startswith(other) or other.startswith(one))):
        return True
    return one in _MONTHS and _is_number(other) and int(float(other)) == _MONTHS.index(one) + 1


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--misses", action="store_true", help="print what was not answered right")
    chosen = parser.parse_args()
    for folder in chosen.folders:
        found = list(judged(folder))
        count = Counter(one.outcome for one in found)
        total = len(found)
        median = statistics.median(one.milliseconds for one in found)
        said = (
            f"right {count['right']} of {total}; silently wrong {count['wrong']}; wrong with doubt {count['doubted']}"
        )
        print(f"{folder.name}: {said}; declined {count['declined']}; plan {median:.0f} ms median")
        for kind in sorted({one.kind for one in found}):
            of_kind = Counter(one.outcome for one in found if one.kind == kind)
            print(f"  {kind}: {dict(of_kind)}")
        for one in found if chosen.misses else ():
            if one.outcome != "right":
                print(f"  {one.id} [{one.outcome}] {one.question}\n     told {one.told}\n     gold {one.gold}")
