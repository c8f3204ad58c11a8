"""When a search that found nothing says that its words were not understood: then 0 is no answer.

Counts of what was looked for in vain are right where a name is missing from the data ("songs by Taylor Swift"), or
where a plain word is ("I swam"). They are mostly wrong where the words say nothing ("I went") or are many and name
nothing ("trips I took by car or by truck"): docs/models-planning.md has the figures.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from ...store.words import fold
from ...texts.tokens import atoms

MOST_PLAIN: Final = 2
"""Telling words up to which a phrase is plain enough to be understood."""


def is_unread(in_vain: Iterable[str], empty: Collection[str]) -> bool:
    """Whether one of the queries that were searched in vain has words that say nothing or are many. `empty` are the
    words that say nothing."""
    telling = (sum(fold(word) not in empty for word in atoms(query)) for query in in_vain)
    return any(not 1 <= number <= MOST_PLAIN for number in telling)
