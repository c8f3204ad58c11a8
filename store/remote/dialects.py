"""What servers do in their own way: how results are asked for, and whether more than patterns is left to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox

from ...errors import StoreError
from ...ontology.namespaces import RDF, XSD
from ..index.graph_facts import is_plain
from ..rdf import Literal, NamedNode, Triple

Solved = ox.QuerySolutions | ox.QueryBoolean
_JSON: Final = "application/sparql-results+json"
_XML: Final = "application/sparql-results+xml"
_WRAPPED: Final = b"https://w3id.org/reqap-kg/store?as="
_TYPED: Final = re.compile(rb'"\^\^<([^>]*)>\s*\.\s*')
_IRIS: Final = re.compile(rb"<([^>]*)>\s+<([^>]*)>\s+(?:<([^>]*)>)?")
LONGEST_IRI: Final = 1_800
"""Bytes of an IRI that every server keeps: Virtuoso cuts longer ones off."""
_TEXTS: Final = frozenset({XSD + "string", RDF + "langString"})
_PLAIN: Final = frozenset(XSD + name for name in ("boolean", "date", "dateTime"))
_FEW_DIGITS: Final = {
    XSD + "integer": re.compile(r"[+-]?[0-9]{1,9}"),
    XSD + "decimal": re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?"),
}


@dataclass(frozen=True)
class Dialect:
    """A server's ways. `piece` is how many bytes of N-Triples it is given at once, `line` how many of one triple; what
    is longer is written by an update. With `patterns_only` it is asked for what matches patterns, and all else of a
    query is evaluated here."""

    results: str = _JSON
    piece: int = 32 * 2**20
    line: int = 2**31
    patterns_only: bool = False

    @property
    def told(self) -> str:
        """The dialect in words."""
        if self.patterns_only:
            return "it is a Virtuoso, which is asked for what matches patterns"
        return "it is asked in plain SPARQL 1.1"

    def written(self, line: bytes) -> bytes:
        """A line of N-Triples as the server is given it: values that it would change under a datatype that it does not
        know. Raises StoreError for an IRI that it would cut off."""
        if not self.patterns_only:
            return line
        if len(line) > LONGEST_IRI and (iris := _IRIS.match(line)):
            for iri in iris.groups(b""):
                if len(iri) > LONGEST_IRI:
                    raise StoreError(f"the store keeps no IRI of more than {LONGEST_IRI:,} bytes: {iri[:80].decode()}…")
        found = _TYPED.fullmatch(line, line.rfind(b'"^^<'))
        if found is None or found[1].startswith(_WRAPPED):
            return line
        at = found.start()
        begin = line.rfind(b'"', 0, at)
        text, is_escaped = line[begin + 1 : at], line[begin - 1 : begin] == b"\\"
        if not is_escaped and b"\\" not in text and is_plain_everywhere(found[1].decode(), text.decode()):
            return line
        return line[: found.start(1)] + _WRAPPED + line[found.start(1) :]

    @staticmethod
    def read(triple: Triple) -> Triple:
        """A triple as it was before it was written."""
        held = triple.object
        if not isinstance(held, Literal) or not held.datatype.value.startswith(_WRAPPED.decode()):
            return triple
        datatype = NamedNode(held.datatype.value.removeprefix(_WRAPPED.decode()))
        return Triple(triple.subject, triple.predicate, Literal(held.value, datatype=datatype))

    def parsed(self, body: bytes) -> Solved:
        """Solutions or truth. Raises SyntaxError for what is none."""
        form = ox.QueryResultsFormat.XML if self.results == _XML else ox.QueryResultsFormat.JSON
        return ox.parse_query_results(body, format=form)


STANDARD: Final = Dialect()
# Virtuoso 7 casts texts that are no numbers, compares across types, has integers for truth, and reads no texts of
# 64 KiB: docs/scale.md.
VIRTUOSO: Final = Dialect(results=_XML, piece=4 * 2**20, line=2**16 - 2**12, patterns_only=True)
_SERVERS: Final = (("virtuoso", VIRTUOSO),)
_WORD: Final = re.compile(r"[a-z]+")


def is_plain_everywhere(datatype: str, text: str) -> bool:
    """Whether every server keeps such a literal: some refuse or change ill-formed ones, those of rare datatypes, and
    numbers of many digits, which Virtuoso rounds, or makes decimals of integers."""
    if datatype in _FEW_DIGITS:
        return _FEW_DIGITS[datatype].fullmatch(text) is not None
    return datatype in _TEXTS or (datatype in _PLAIN and is_plain(datatype, text))


def dialect_of(server: str) -> Dialect:
    """The dialect of a server by what it calls itself in its header `Server`."""
    words = set(_WORD.findall(server.casefold()))
    return next((dialect for name, dialect in _SERVERS if name in words), STANDARD)
