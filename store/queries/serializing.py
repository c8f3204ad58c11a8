"""Results written as the W3C's formats have it, piece by piece, to whoever sends them on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import IO, Final, Protocol, cast

import pyoxigraph as ox

from ...errors import QueryError
from ...ontology.namespaces import PREFIXES
from ..graph import Results, StoreGraph
from ..rdf import Triple
from ..sparql.datasets import Dataset


class Serialization(StrEnum):
    """A format, by its media type."""

    JSON = "application/sparql-results+json"
    XML = "application/sparql-results+xml"
    CSV = "text/csv"
    TSV = "text/tab-separated-values"
    TURTLE = "text/turtle"
    N_TRIPLES = "application/n-triples"
    RDF_XML = "application/rdf+xml"


class Sink(Protocol):
    """Takes the pieces of a text."""

    def write(self, piece: bytes, /) -> int: ...

    def flush(self) -> None: ...


OF_SOLUTIONS: Final = {
    Serialization.JSON: ox.QueryResultsFormat.JSON,
    Serialization.XML: ox.QueryResultsFormat.XML,
    Serialization.CSV: ox.QueryResultsFormat.CSV,
    Serialization.TSV: ox.QueryResultsFormat.TSV,
}
"""Formats of SELECT and ASK."""
OF_TRIPLES: Final = {
    Serialization.TURTLE: ox.RdfFormat.TURTLE,
    Serialization.N_TRIPLES: ox.RdfFormat.N_TRIPLES,
    Serialization.RDF_XML: ox.RdfFormat.RDF_XML,
}
"""Formats of CONSTRUCT and DESCRIBE."""
_PREFIXES: Final = dict(PREFIXES)
_IN_XML: Final = frozenset({Serialization.XML, Serialization.RDF_XML})
_NO_XML: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
_NOT_A_CHARACTER: Final = b"\xef\xbf"
"""How U+FFFE and U+FFFF begin."""
_UNKNOWN: Final = "\N{REPLACEMENT CHARACTER}".encode()
_ELEMENT: Final = re.compile(r"(?<![\w.-])[\d.-]*+[^\W\d][\w.-]*+\Z")
"""The end of an IRI that can name an element."""


def write_results(
    graph: StoreGraph, query: str, wanted: Serialization, out: Sink, dataset: Dataset | None = None
) -> None:
    """Writes the answer of a query about a dataset, or about the union of all named graphs.

    Raises QueryError for a query that is wrong, not allowed, or has no such format, and what `out` raises."""
    graph.answered(query, lambda found: _write(found, wanted, out), dataset=dataset)


def write_triples(triples: Iterable[Triple], wanted: Serialization, out: Sink) -> None:
    """Writes triples. Raises QueryError as `write_results` does."""
    sink = _sink(wanted, out)
    said = _sayable(triples) if wanted is Serialization.RDF_XML else triples
    ox.serialize(said, cast(IO[bytes], sink), OF_TRIPLES[wanted], prefixes=_PREFIXES)
    sink.flush()


def _write(found: Results, wanted: Serialization, out: Sink) -> None:
    if (wanted in OF_TRIPLES) != isinstance(found, ox.QueryTriples):
        raise QueryError(f"the results of this query have no form as {wanted.value}")
    if isinstance(found, ox.QueryTriples):
        write_triples(found, wanted, out)
        return
    sink = _sink(wanted, out)
    found.serialize(cast(IO[bytes], sink), OF_SOLUTIONS[wanted])
    if isinstance(found, ox.QueryBoolean) and wanted in (Serialization.CSV, Serialization.TSV):
        sink.write(b"\n")
    sink.flush()


def _sayable(triples: Iterable[Triple]) -> Iterator[Triple]:
    """Triples whose properties can be elements of XML. Raises QueryError at one that cannot."""
    for triple in triples:
        iri = triple.predicate.value
        if not _ELEMENT.search(iri):
            raise QueryError(f"RDF/XML cannot say the property <{iri}>", expected="Turtle or N-Triples asked for")
        yield triple


def _sink(wanted: Serialization, out: Sink) -> Sink:
    return _CleanXml(out) if wanted in _IN_XML else out


class _CleanXml:
    """Passes XML on without the characters that it cannot hold, which texts of a life may: none can even be escaped."""

    def __init__(self, out: Sink) -> None:
        self._out = out
        self._kept = b""
        """The end of the last piece, where it may be the beginning of such a character."""

    def write(self, piece: bytes, /) -> int:
        text = self._kept + piece
        begun = next((size for size in (2, 1) if text.endswith(_NOT_A_CHARACTER[:size])), 0)
        self._kept = text[len(text) - begun :]
        self._pass(text[: len(text) - begun])
        return len(piece)

    def flush(self) -> None:
        """Passes on what was kept: nothing is written after that."""
        self._pass(self._kept)
        self._kept = b""
        self._out.flush()

    def _pass(self, text: bytes) -> None:
        if text:
            self._out.write(_NO_XML.sub(_UNKNOWN, text).replace(b"\r", b"&#13;"))
