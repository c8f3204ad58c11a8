"""What is done to a query before it is printed, in order."""

from __future__ import annotations

from dataclasses import replace

from .algebra import Select
from .lower import lowered
from .prune import pruned
from .share import shared


def arranged(query: Select) -> Select:
    """The query as it is printed: folds over the same solutions first, as what is left out later could tell them apart;
    then what nothing reads goes; then each Read becomes what it is in SPARQL."""
    query = pruned(replace(query, pattern=shared(query.pattern)))
    return replace(query, pattern=lowered(query.pattern))
