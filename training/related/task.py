"""What is retrieved: documents, and cases of a query with the values around it and the documents that are relevant.

A folder holds `documents.jsonl` and `cases.jsonl`, with the fields of `Document` and `Case`. `pool` says which
documents a case is found among (a site, a life), `part` is train, check (to choose by) or test (to report).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final

_DOCUMENTS: Final = "documents.jsonl"
_CASES: Final = "cases.jsonl"


@dataclass(frozen=True)
class Document:
    """A text that may be retrieved."""

    id: str
    text: str
    pool: str


@dataclass(frozen=True)
class Case:
    """A query with its neighbourhood: texts by category in `around`, the documents in a category in `linked`.
    `relevant` are documents; `excluded` is never retrieved (the query itself)."""

    id: str
    text: str
    pool: str
    around: Mapping[str, tuple[str, ...]]
    relevant: tuple[str, ...]
    part: str = "train"
    excluded: tuple[str, ...] = ()
    linked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """What sort of relation is looked for: the id begins with it."""
        return self.id.partition(":")[0]

    def only(self, categories: Iterable[str]) -> Case:
        """With these categories alone."""
        kept = frozenset(categories)
        around = {name: values for name, values in self.around.items() if name in kept}
        return replace(self, around=around, linked={name: one for name, one in self.linked.items() if name in kept})


@dataclass(frozen=True)
class Task:
    """Documents and cases."""

    documents: tuple[Document, ...]
    cases: tuple[Case, ...]

    def of(self, part: str) -> tuple[Case, ...]:
        """The cases of a part."""
        return tuple(case for case in self.cases if case.part == part)

    def texts(self) -> list[str]:
        """Every text there is, each once, in order."""
        found: dict[str, None] = dict.fromkeys(document.text for document in self.documents)
        for case in self.cases:
            found.update(dict.fromkeys((case.text, *case.around)))
            found.update(dict.fromkeys(value for values in case.around.values() for value in values))
        return list(found)

    def write(self, folder: Path) -> None:
        """Writes both files."""
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / _DOCUMENTS, self.documents)
        _write(folder / _CASES, self.cases)


def read_task(folder: Path) -> Task:
    """A folder of cases."""
    documents = tuple(Document(**row) for row in _rows(folder / _DOCUMENTS))
    return Task(documents, tuple(_case(row) for row in _rows(folder / _CASES)))


def joined(tasks: Sequence[Task]) -> Task:
    """Several tasks as one; the pools keep them apart, and a document of several is one."""
    return Task(
        tuple({document.id: document for task in tasks for document in task.documents}.values()),
        tuple(case for task in tasks for case in task.cases),
    )


def batches(cases: Sequence[Case], size: int, random: Random) -> list[list[Case]]:
    """Cases of one pool each, in random order."""
    pools = defaultdict[str, list[Case]](list)
    for case in cases:
        pools[case.pool].append(case)
    found = []
    for own in pools.values():
        random.shuffle(own)
        found += [own[at : at + size] for at in range(0, len(own), size)]
    random.shuffle(found)
    return found


def _case(row: dict[str, Any]) -> Case:
    case = Case(**row)
    around = {name: tuple(values) for name, values in case.around.items()}
    linked = {name: tuple(documents) for name, documents in case.linked.items()}
    kept = {"relevant": tuple(case.relevant), "excluded": tuple(case.excluded)}
    return replace(case, around=around, linked=linked, **kept)


def _write(path: Path, rows: Sequence[Document] | Sequence[Case]) -> None:
    with path.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
