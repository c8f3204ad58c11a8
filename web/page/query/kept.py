"""The results of the latest queries, so that the rest of a table, its chart and its files need not be asked for by
sending the query again."""

from __future__ import annotations

from collections import OrderedDict
from secrets import token_urlsafe
from typing import Final

from starlette.exceptions import HTTPException

from .running import Found

_MOST: Final = 8
_NAME_BYTES: Final = 12


class Kept:
    """Results by names that nobody guesses; the oldest go."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, Found] = OrderedDict()

    def keep(self, found: Found) -> str:
        """Keeps a result; its name."""
        name = token_urlsafe(_NAME_BYTES)
        self._held[name] = found
        while len(self._held) > _MOST:
            self._held.popitem(last=False)
        return name

    def found(self, name: str) -> Found:
        """The result of that name. Raises HTTPException where it is gone."""
        if name not in self._held:
            raise HTTPException(404)
        self._held.move_to_end(name)
        return self._held[name]
