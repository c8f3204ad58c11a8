"""Questions asked of a passing store of the draft; those whose answer is that of the direct computation are kept."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Final

from ...config import Settings
from ...errors import ReqapError
from ..answers.answer import Answer
from ..authoring.domain import load_domain
from ..importing.ingest_domain import ingest_domain
from ..importing.loading import IngestOptions
from ..importing.report import IngestReport, Progress
from ..knowledge import KnowledgeGraph
from .model import Draft, Question
from .rows import MOST_ROWS

WANTED: Final = 20
_OF_A_SORT: Final = 4
"""Questions of one sort, as long as there are others."""
_MOST_TRIED: Final = 90
_MOST_SECONDS: Final = 60.0
_QUERY_SECONDS: Final = 10.0
"""A question that takes longer is no good example."""
_NEAR: Final = 1e-5


@dataclass(frozen=True)
class Tried:
    """What came of the questions: those that are kept, how many were asked, and why others are not kept."""

    kept: tuple[Question, ...]
    asked: int
    failed: tuple[tuple[str, str], ...]
    report: IngestReport


@contextmanager
def passing_store(
    draft: Draft, folder: Path, work: Path, settings: Settings, now: datetime, home_zone: str, progress: Progress
) -> Iterator[tuple[KnowledgeGraph, IngestReport]]:
    """A store of the drafted domain, over the first rows where there are many."""
    chosen = settings.model_copy(update={"domain": folder, "rules": (), "query_seconds": _QUERY_SECONDS})
    options = IngestOptions(chosen, now, default_zone=home_zone)
    report = ingest_domain(load_domain(folder), _shortened(draft, folder, work), work / "store", options, progress)
    with KnowledgeGraph.open(work / "store", chosen) as known:
        yield known, report


def _shortened(draft: Draft, folder: Path, work: Path) -> list[Path]:
    """Files that stand in for tables of facts with many rows; nothing where none has."""
    facts = {fact.table for fact in draft.facts} - {link.target for link in draft.links}
    long = [
        table for table in draft.tables if table.name in facts and table.rows > MOST_ROWS and not table.reading.iterator
    ]
    if not long:
        return []
    place = work / "data"
    place.mkdir()
    for table in draft.tables:
        source = folder / table.reading.path
        target = place / source.name
        if table not in long:
            target.symlink_to(source.resolve())
            continue
        delimiter = "\t" if source.suffix == ".tsv" else _delimiter(source)
        with (
            source.open(encoding="utf-8-sig", newline="") as stream,
            target.open("w", encoding="utf-8", newline="") as out,
        ):
            csv.writer(out).writerows(islice(csv.reader(stream, delimiter=delimiter), MOST_ROWS + 1))
    return [place]


def _delimiter(path: Path) -> str:
    from ...texts.separators import csv_separator

    with path.open(encoding="utf-8-sig", newline="") as stream:
        return csv_separator(stream.read(1 << 16), cut=True)


def try_questions(
    asked: Iterable[Question], known: KnowledgeGraph, report: IngestReport, now: datetime, progress: Progress
) -> Tried:
    """Asks in turn, until there are enough that are right, of several sorts."""
    kept: list[Question] = []
    spare: list[Question] = []
    failed: list[tuple[str, str]] = []
    sorts: Counter[str] = Counter()
    begin, count = monotonic(), 0
    for question in islice(asked, _MOST_TRIED):
        if len(kept) == WANTED or monotonic() - begin > _MOST_SECONDS:
            break
        count += 1
        progress.counted("try questions", len(kept), WANTED)
        try:
            answer = known.ask(question.text, now=now, most_events=0)
        except ReqapError as bad:
            failed.append((question.text, str(bad)))
            continue
        wrong = _wrong(question, answer)
        if wrong:
            failed.append((question.text, wrong))
            continue
        right = replace(question, tree=answer.plan, answer=answer.answer_type)
        main = question.sort.split(",")[0]
        (kept if sorts[main] < _OF_A_SORT else spare).append(right)
        sorts[main] += 1
    kept += spare[: WANTED - len(kept)]
    return Tried(tuple(kept), count, tuple(failed), report)


def _wrong(question: Question, answer: Answer) -> str:
    """Why an answer is not the right one; nothing where it is."""
    if answer.warnings or answer.missing or answer.also:
        return "; ".join(answer.warnings) or "nothing found"
    notes = [note for note in answer.notes if note.startswith(("not read", "left out"))]
    if notes:
        return "; ".join(notes)
    got = answer.table.rows if answer.table and len(question.expected[0]) > 1 else [(value,) for value in answer.values]
    expected = question.expected
    rows = [tuple(row) for row in got]
    if not question.ordered:
        rows, expected = _sorted(rows), _sorted(expected)
    same = len(rows) == len(expected) and all(
        len(one) == len(other) and all(map(_are_same, one, other)) for one, other in zip(rows, expected, strict=True)
    )
    return "" if same else f"another answer: {str(rows[:3])[:80]}, not {str(list(expected[:3]))[:80]}"


def _sorted(rows: Sequence[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return sorted((tuple(row) for row in rows), key=lambda row: [_text(cell) for cell in row[: max(1, len(row) - 1)]])


def _text(cell: object) -> str:
    return f"{float(cell):g}" if isinstance(cell, int | float) and not isinstance(cell, bool) else str(cell)


def _are_same(one: object, other: object) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=_NEAR, abs_tol=1e-6)
    return _text(one) == _text(other)
