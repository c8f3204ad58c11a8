"""When a search that found nothing says that its words were not understood: then 0 is no answer.

Counts of what was looked for in vain are right where a name is missing from the data ("songs by Taylor Swift"), or
where a plain word is ("I swam"). They are mostly wrong where the words say nothing ("I went") or are many and name
nothing ("trips I took by car or by truck"): docs/models-planning.md has the figures.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from ...retrieval.retrieved import found_nothing
from ...store.words import fold
from ...texts.tokens import atoms

MOST_PLAIN: Final = 2
"""Telling words up to which a phrase is plain enough to be understood."""


def is_unread(queries: Iterable[str], warnings: Collection[str], empty: Collection[str]) -> bool:
    """Whether a search found nothing that names nothing missing, by words that say nothing or are many. `empty` are the
    words that say nothing."""
    return any(found_nothing(query) in warnings and not _is_plain(query, empty) for query in queries)


def _is_plain(query: str, empty: Collection[str]) -> bool:
    telling = [word for word in atoms(query) if fold(word) not in empty]
    return 1 <= len(telling) <= MOST_PLAIN
