"""Results of a query in the formats people ask for; and which of its terms neither ontology nor data has, since such
slips give empty tables, not errors."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import islice
from typing import Final

import pyoxigraph as ox
from rapidfuzz import fuzz, process, utils

from ...errors import QueryError
from ...ontology.namespaces import EV, KEY, OWL, PG, PREFIXES, QUD, RDF, RDFS, WH
from ..graph import Graph, Results, Rows, StoreGraph
from ..rdf import BlankNode, Literal, NamedNode, Term, Triple
from ..sparql.printing import iris_in
from ..sparql.reading import read_tokens

_IRI = re.compile(r"<(https?://[^\s<>]+)>|(https?://[^\s<>,'\"]+)")
OURS: Final = (EV, KEY, QUD, PG, WH)
"""Namespaces of classes and properties; those of data, graphs and functions hold whatever there is."""
_MOST: Final = 20
"""Terms of one query that are looked for."""
_NEAR: Final = 60.0
_KINDS: Final = (
    f"{OWL}Class", f"{RDFS}Class", f"{OWL}DatatypeProperty", f"{OWL}ObjectProperty", f"{OWL}AnnotationProperty",
    f"{RDF}Property",
)  # fmt: skip
_IS_KNOWN: Final = "ASK {{ {{ {0} ?p ?o }} UNION {{ ?s {0} ?o }} UNION {{ ?s ?p {0} }} }}"


class ResultFormat(StrEnum):
    """Output formats of `reqap-kg sparql`."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    TURTLE = "turtle"


_SOLUTIONS = {
    ResultFormat.JSON: ox.QueryResultsFormat.JSON,
    ResultFormat.CSV: ox.QueryResultsFormat.CSV,
    ResultFormat.TSV: ox.QueryResultsFormat.TSV,
}


def run_query(graph: StoreGraph, query: str, wanted: ResultFormat) -> str | list[tuple[str, ...]]:
    """The answer as text; for a table, a header and rows of short texts.

    SELECT and ASK give json, csv or tsv (SPARQL 1.1 results), CONSTRUCT and DESCRIBE give turtle; a table shows either.
    Raises QueryError for a query that is wrong, not allowed, or has no such format.
    """
    return graph.answered(query, lambda found: _shown(found, wanted))


def plain_answer(graph: StoreGraph, query: str, *, most: int | None = None) -> Rows | bool | tuple[Triple, ...]:
    """The answer as it is: rows of a SELECT, truth of an ASK, triples of a CONSTRUCT or DESCRIBE; so many at most.

    Raises QueryError for a query that is wrong or not allowed.
    """
    return graph.answered(query, lambda found: _plain(found, most))


def _shown(found: Results, wanted: ResultFormat) -> str | list[tuple[str, ...]]:
    if isinstance(found, ox.QueryTriples):
        return _triples(found, wanted)
    if wanted is ResultFormat.TURTLE:
        raise QueryError("turtle is for CONSTRUCT and DESCRIBE", expected="--format table, json, csv or tsv")
    if wanted is not ResultFormat.TABLE:
        out = io.BytesIO()
        if isinstance(found, ox.QueryBoolean) and wanted is not ResultFormat.JSON:
            return f"{str(bool(found)).lower()}\n"
        found.serialize(out, format=_SOLUTIONS[wanted])
        text = out.getvalue().decode()
        return text if text.endswith("\n") else text + "\n"
    if isinstance(found, ox.QueryBoolean):
        return [("answer",), ("yes" if bool(found) else "no",)]
    header = tuple(v.value for v in found.variables)
    return [header, *(tuple(short(term) for term in row) for row in found)]


def _plain(found: Results, most: int | None) -> Rows | bool | tuple[Triple, ...]:
    if isinstance(found, ox.QueryTriples):
        return tuple(islice(found, most))
    if isinstance(found, ox.QueryBoolean):
        return bool(found)
    return Rows(tuple(v.value for v in found.variables), tuple(tuple(row) for row in islice(found, most)))


def _triples(found: ox.QueryTriples, wanted: ResultFormat) -> str | list[tuple[str, ...]]:
    if wanted is ResultFormat.TABLE:
        header = ("subject", "predicate", "object")
        return [header, *(tuple(short(term) for term in (t.subject, t.predicate, t.object)) for t in found)]  # type: ignore[arg-type]
    if wanted is not ResultFormat.TURTLE:
        raise QueryError(f"{wanted.value} is for SELECT and ASK", expected="--format turtle or table")
    data = ox.serialize(found, format=ox.RdfFormat.TURTLE, prefixes=dict(PREFIXES))
    return (data or b"").decode()


def short(term: Term | None) -> str:
    """A term as people read it: prefixed names, plain literals."""
    if term is None:
        return ""
    if isinstance(term, Literal):
        return term.value
    if isinstance(term, BlankNode):
        return f"_:{term.value[:8]}"
    return short_iri(term)


def short_iri(node: NamedNode) -> str:
    """An IRI with the project's longest fitting prefix."""
    return _shortened(node.value)


def short_text(text: str) -> str:
    """A text with the IRIs in it as people read them."""
    return _IRI.sub(lambda found: _shortened(found[1] or found[2]), text)


def _shortened(iri: str) -> str:
    fitting = [(base, name) for name, base in PREFIXES.items() if iri.startswith(base)]
    if not fitting:
        return iri
    base, name = max(fitting, key=lambda pair: len(pair[0]))
    return f"{name}:{iri.removeprefix(base)}"


def unknown_terms(query: str, graph: Graph) -> tuple[str, ...]:
    """A sentence for each unknown term, with the nearest that there is. Raises QueryError for what is no query."""
    text, tokens = read_tokens(query)
    said = (iri for _, iri in iris_in(tokens, text, PREFIXES) if iri.startswith(OURS) and iri not in OURS)
    asked = list(dict.fromkeys(said))[:_MOST]
    unknown = [iri for iri in asked if not graph.ask(_IS_KNOWN.format(NamedNode(iri)))]
    return tuple(_sentences(unknown, graph)) if unknown else ()


def _sentences(unknown: Iterable[str], graph: Graph) -> Iterator[str]:
    named: dict[str, dict[str, str]] = {}
    for iri in unknown:
        space = next(one for one in OURS if iri.startswith(one))
        if space not in named:
            named[space] = {known: known.removeprefix(space) for known in _known(space, graph)}
        near = process.extractOne(
            iri.removeprefix(space),
            named[space],
            scorer=fuzz.ratio,
            processor=utils.default_process,
            score_cutoff=_NEAR,
        )
        nearest = f"; nearest: {_short(near[2])}" if near else ""
        yield f"neither the ontology nor your data has {_short(iri)}{nearest}"


def _known(space: str, graph: Graph) -> list[str]:
    """Classes and properties of a namespace: those that are declared; keys of sources are not, and are looked for."""
    kinds = " ".join(f"<{kind}>" for kind in _KINDS)
    held = "?s ?t ?o" if space == KEY else f"VALUES ?kind {{ {kinds} }} ?t a ?kind"
    rows = graph.select(f"SELECT DISTINCT ?t {{ {held} }}")
    return sorted(term.value for (term,) in rows if isinstance(term, NamedNode) and term.value.startswith(space))


def _short(iri: str) -> str:
    prefix, space = next(
        (prefix, space) for prefix, space in PREFIXES.items() if space in OURS and iri.startswith(space)
    )
    return f"{prefix}:{iri.removeprefix(space)}"
