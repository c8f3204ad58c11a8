"""What servers do in their own way: how results are asked for, and whether more than patterns is left to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox

Solved = ox.QuerySolutions | ox.QueryBoolean
_JSON: Final = "application/sparql-results+json"
_XML: Final = "application/sparql-results+xml"


@dataclass(frozen=True)
class Dialect:
    """A server's ways. `piece` is how many bytes of N-Triples it is given at once; with `patterns_only` it is asked for
    what matches patterns, and all else of a query is evaluated here."""

    results: str = _JSON
    piece: int = 32 * 2**20
    patterns_only: bool = False

    @property
    def told(self) -> str:
        """The dialect in words."""
        if self.patterns_only:
            return "it is a Virtuoso, which is asked for what matches patterns"
        return "it is asked in plain SPARQL 1.1"

    def parsed(self, body: bytes) -> Solved:
        """Solutions or truth. Raises SyntaxError for what is none."""
        form = ox.QueryResultsFormat.XML if self.results == _XML else ox.QueryResultsFormat.JSON
        return ox.parse_query_results(body, format=form)


STANDARD: Final = Dialect()
# Virtuoso 7 casts texts that are no numbers, compares across types, has integers for truth: docs/scale.md.
VIRTUOSO: Final = Dialect(results=_XML, piece=4 * 2**20, patterns_only=True)
_SERVERS: Final = (("virtuoso", VIRTUOSO),)
_WORD: Final = re.compile(r"[a-z]+")


def dialect_of(server: str) -> Dialect:
    """The dialect of a server by what it calls itself in its header `Server`."""
    words = set(_WORD.findall(server.casefold()))
    return next((dialect for name, dialect in _SERVERS if name in words), STANDARD)
