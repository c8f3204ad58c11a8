"""What neighbourhoods are compared with: BM25, texts appended to the query, and pseudo-relevance feedback."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Final

from torch import Tensor
from torch.nn.functional import normalize

from ...training.related.task import Case, Document

_WORD: Final = re.compile(r"\w+")
_TOP: Final = 2_000
_KEPT: Final = 5
"""Values of a neighbourhood that are appended, where they are retrieved first."""
_FED: Final = 3
"""Documents that pseudo-relevance feeds back."""
_WEIGHT: Final = 0.7


def bm25(documents: Sequence[Document], queries: Mapping[str, str], top: int = _TOP) -> dict[str, list[str]]:
    """The best documents of each query by BM25 over stems (SQLite's FTS5), best first."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE VIRTUAL TABLE documents USING fts5(text, tokenize='porter unicode61')")
        db.executemany("INSERT INTO documents VALUES (?)", ((one.text,) for one in documents))
        ranked = "SELECT rowid FROM documents WHERE text MATCH ? ORDER BY bm25(documents) LIMIT ?"
        return {
            name: [documents[row - 1].id for (row,) in db.execute(ranked, (_any_of(text), top))]
            for name, text in queries.items()
        }


def ranks_in(ranked: Sequence[str], case: Case, number: int) -> list[float]:
    """Ranks, from 1, of the relevant documents in a list; one that is not in it is the last of all."""
    place = {one: at for at, one in enumerate(ranked, start=1)}
    return sorted(float(place.get(one, number)) for one in case.relevant)


def appended(case: Case) -> str:
    """The query with every value of its neighbourhood after it."""
    return " ".join((case.text, *(value for _, values in sorted(case.around.items()) for value in values)))


def retrieved(case: Case) -> str:
    """The query with the values after it that BM25 finds nearest to it."""
    values = list(dict.fromkeys(value for _, values in sorted(case.around.items()) for value in values))
    found = bm25([Document(value, value, "") for value in values], {case.id: case.text}, _KEPT)[case.id]
    return " ".join((case.text, *found))


def fed_back(queries: Tensor, documents: Tensor) -> Tensor:
    """Queries with the mean of the documents that they find first."""
    best = (queries @ documents.T).topk(_FED, dim=1).indices
    return normalize(_WEIGHT * queries + (1 - _WEIGHT) * documents[best].mean(1), dim=-1)


def _any_of(text: str) -> str:
    """A query of FTS5 for any of a text's words."""
    return " OR ".join(f'"{word}"' for word in _words(text)) or '""'


def _words(text: str) -> Iterator[str]:
    return iter(dict.fromkeys(_WORD.findall(text.casefold())))
