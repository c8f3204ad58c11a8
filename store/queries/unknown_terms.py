"""Terms of our namespaces in a query that neither ontology nor data has: slips that give empty tables, not errors.

Terms of a person's own that the store has are known as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rapidfuzz import fuzz, process, utils

from ...ontology.namespaces import EV, KEY, OWL, PG, PREFIXES, QUD, RDF, RDFS, WH
from ..graph import Graph
from ..rdf import NamedNode
from ..sparql.printing import iris_in
from ..sparql.reading import read_tokens

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
