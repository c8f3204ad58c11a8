"""What is sent of a query: the tokens that were read, with terms for variables, and the graphs by the names that the
server has for them.

A named graph of a generation has a name of its own on the server (`generations.py`). Where a query says GRAPH <name>,
the server's name stands in its place; where it says GRAPH ?name, the manifest of the generation joins the two, so that
`?name` is what the reader means wherever else it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...errors import QueryError
from ...ontology.namespaces import PREFIXES
from ..rdf import NamedNode, Term
from ..sparql.datasets import Dataset
from ..sparql.lexer import CLOSING, OPENING, SparqlToken
from ..sparql.printing import printed
from ..sparql.reading import read_tokens

HERE: Final = ""
"""The name of a graph that is the server's default graph."""
STANDS_FOR: Final = NamedNode("https://w3id.org/reqap-kg/store#standsFor")
_SUFFIX: Final = "__at"
_AFTER_DATASET: Final = frozenset({"WHERE", "LBRACE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES"})
"""What may follow FROM in a query."""


@dataclass(frozen=True)
class Names:
    """How a server calls things: `graphs` by the reader's names, the `manifest` that says so (None: the names are the
    same), `terms` of the vocabulary with the path that stands for each."""

    graphs: Mapping[str, str] = field(default_factory=dict[str, str])
    manifest: NamedNode | None = None
    terms: Mapping[str, str] = field(default_factory=dict[str, str])


def sent_query(query: str, bindings: Mapping[str, Term], names: Names, dataset: Dataset | None = None) -> list[str]:
    """The tokens to send, as they are printed, with the `dataset` (by the server's names) as FROM and FROM NAMED.
    Raises QueryError as `read_query` does."""
    text, tokens = read_tokens(query)
    shown = printed(tokens, text, PREFIXES)
    heads, template = _projected(tokens), _template(tokens)
    for at, token in enumerate(tokens):
        if not shown[at]:
            continue
        if token.kind == "VAR" and token.text[1:] in bindings:
            shown[at] = _bound(token.text[1:], bindings, projected=at in heads)
        elif at not in template and shown[at][1:-1] in names.terms and token.kind in ("IRI", "NAME", "NAMESPACE"):
            shown[at] = names.terms[shown[at][1:-1]]
    if names.graphs:
        _name_graphs(tokens, shown, names)
    if dataset is not None:
        at = _place_of_dataset(tokens, template)
        shown[at:at] = _clauses(dataset)
    return [part for part in shown if part]


def _place_of_dataset(tokens: Sequence[SparqlToken], template: range) -> int:
    """Where FROM may stand: behind what is asked for, before the group that it is asked of."""
    depth = 0
    for at, token in enumerate(tokens):
        if depth == 0 and at not in template and token.kind in _AFTER_DATASET:
            return at
        depth += (token.kind in OPENING) - (token.kind in CLOSING)
    return len(tokens)


def _clauses(dataset: Dataset) -> Iterator[str]:
    yield from (f"FROM {node}" for node in dataset.default)
    yield from (f"FROM NAMED {node}" for node in dataset.named)


def _bound(name: str, bindings: Mapping[str, Term], *, projected: bool) -> str:
    term = str(bindings[name])
    if term.startswith("_:"):
        raise QueryError(f"?{name} is a blank node, which no query can name in another store")
    return f"({term} AS ?{name})" if projected else term


def _projected(tokens: Sequence[SparqlToken]) -> frozenset[int]:
    """The places of variables that a SELECT lists."""
    found: set[int] = set()
    depth, listing = 0, -1
    for at, token in enumerate(tokens):
        depth += (token.kind in OPENING) - (token.kind in CLOSING)
        if token.kind == "SELECT":
            listing = depth
        elif token.kind in ("WHERE", "LBRACE"):
            listing = -1
        elif token.kind == "VAR" and depth == listing:
            found.add(at)
    return frozenset(found)


def _template(tokens: Sequence[SparqlToken]) -> range:
    """The places of what a CONSTRUCT builds, in which no path may stand."""
    begin = next((at for at, token in enumerate(tokens) if token.kind == "CONSTRUCT"), None)
    if begin is None:
        return range(0)
    depth = 0
    for at in range(begin + 1, len(tokens)):
        depth += (tokens[at].kind in OPENING) - (tokens[at].kind in CLOSING)
        if depth == 0:
            return range(begin, at)
    return range(0)


def _name_graphs(tokens: Sequence[SparqlToken], shown: list[str], names: Names) -> None:
    """Puts the server's names behind each GRAPH."""
    for at, token in enumerate(tokens[:-1]):
        if token.kind != "GRAPH":
            continue
        named = shown[at + 1]
        if names.graphs.get(named[1:-1]) == HERE:
            shown[at] = shown[at + 1] = ""
        elif named.startswith("?") and names.manifest is not None:
            joined = f"GRAPH {names.manifest} {{ {named}{_SUFFIX} {STANDS_FOR} {named} }}"
            shown[at], shown[at + 1] = f"{joined} GRAPH", named + _SUFFIX
        elif not named.startswith("?"):
            shown[at + 1] = f"<{names.graphs.get(named[1:-1], named[1:-1])}>"
