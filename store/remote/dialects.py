"""What servers do in their own way: how results are asked for, what they cannot parse or do not keep."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox

from ...ontology.namespaces import XSD
from ..sparql.reading import read_query
from .client import Pairs

Solved = ox.QuerySolutions | ox.QueryBoolean
_JSON: Final = "application/sparql-results+json"
_XML: Final = "application/sparql-results+xml"


def _same(parts: list[str]) -> list[str]:
    return parts


@dataclass(frozen=True)
class Dialect:
    """A server's ways. `piece` is how many bytes of N-Triples it is given at once."""

    name: str
    results: str = _JSON
    parameters: Pairs = ()
    piece: int = 32 * 2**20
    adapted: Callable[[list[str]], list[str]] = _same
    """The printed tokens of a query as the server takes them."""

    beyond: tuple[str, ...] = ()
    """Functions that the server computes otherwise than SPARQL says: a query that calls one is evaluated here."""

    def is_beyond(self, query: str) -> bool:
        """Whether the server's answer to a query could be wrong."""
        return bool(self.beyond) and any(f"{name} (" in read_query(query) for name in self.beyond)

    def parsed(self, body: bytes) -> Solved:
        """Solutions or truth. Raises SyntaxError for what is none."""
        form = ox.QueryResultsFormat.XML if self.results == _XML else ox.QueryResultsFormat.JSON
        return ox.parse_query_results(body, format=form)


def _sums_of_nothing(told: list[str]) -> list[str]:
    """Virtuoso's sum of nothing is nothing, in SPARQL it is 0."""
    parts, at = list(told), 0
    while at < len(parts) - 1:
        if parts[at] == "SUM" and parts[at + 1] == "(":
            end = _closing(parts, at + 1)
            parts[at : end + 1] = ["COALESCE", "(", *parts[at : end + 1], ",", "0", ")"]
            at += 2
        at += 1
    return parts


def _closing(parts: list[str], begin: int) -> int:
    """Where the bracket is closed that is opened at `begin`."""
    depth = 0
    for at in range(begin, len(parts)):
        depth += (parts[at] == "(") - (parts[at] == ")")
        if depth == 0:
            return at
    return len(parts) - 1


STANDARD: Final = Dialect("SPARQL 1.1")
VIRTUOSO: Final = Dialect(
    "Virtuoso", results=_XML, piece=4 * 2**20, adapted=_sums_of_nothing, beyond=(f"<{XSD}boolean>",)
)
_SERVERS: Final = (("virtuoso", VIRTUOSO),)
_WORD: Final = re.compile(r"[a-z]+")


def dialect_of(server: str) -> Dialect:
    """The dialect of a server by what it calls itself in its header `Server`."""
    words = set(_WORD.findall(server.casefold()))
    return next((dialect for name, dialect in _SERVERS if name in words), STANDARD)
