"""Which graphs of the store a query is about, said beside it or by its FROM and FROM NAMED.

The grammar knows neither keyword, so that a query names other data only where that is wanted, as in the SPARQL
Protocol: there the clauses are taken out before the query is read. What they name are graphs of the store; nothing is
ever loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from ...errors import Place, QueryError
from ...ontology.namespaces import PREFIXES
from ..rdf import NamedNode
from .lexer import CLOSING, OPENING, OTHER_DATA, SparqlToken, check_nesting, place_in, tokens_of, unescaped
from .parser import check_grammar
from .printing import iris_in
from .reading import MAX_QUERY_CHARS

_FROM: Final = re.compile("from", re.IGNORECASE)
_IRIS: Final = frozenset({"IRI", "NAME", "NAMESPACE"})
_GROUP: Final = frozenset({"WHERE", "LBRACE"})
_NO_LINE_END: Final = re.compile(r"[^\r\n]")


@dataclass(frozen=True, slots=True)
class Dataset:
    """Graphs of the store: those whose triples together are the default graph, and those that GRAPH may name."""

    default: tuple[NamedNode, ...] = ()
    named: tuple[NamedNode, ...] = ()

    @classmethod
    def of(cls, default: Iterable[str], named: Iterable[str]) -> Self:
        """By IRI. Raises QueryError for what is no whole IRI."""
        return cls(tuple(_node(iri, None) for iri in default), tuple(_node(iri, None) for iri in named))


def without_dataset(query: str) -> tuple[str, Dataset | None]:
    """A query without its FROM and FROM NAMED, of the same length and lines so that places in it stay, and the dataset
    that they make: None where there are none.

    Raises QueryError where they stand where they may not, and for any other fault of a query that has some."""
    if len(query) > MAX_QUERY_CHARS:
        return query, None  # whoever reads it says so
    text = unescaped(query)
    if not _FROM.search(text):
        return query, None
    tokens = tuple(tokens_of(text, with_dataset=True))
    clauses, checked = _parted(tokens)
    if not any(token.kind in OTHER_DATA for token in tokens):
        return query, None
    check_nesting(checked, text)
    check_grammar(checked, text, "query")
    iris = dict(iris_in(tokens, text, PREFIXES))
    held = [(clause, _node(iris[clause[-1]], place_in(text, tokens[clause[-1]].offset))) for clause in clauses]
    default, named = (tuple(node for clause, node in held if len(clause) == size) for size in (2, 3))
    return _blanked(text, tokens, {at for clause in clauses for at in clause}), Dataset(default, named)


def _parted(tokens: Sequence[SparqlToken]) -> tuple[list[range], list[SparqlToken]]:
    """Where each clause is among the tokens, and the tokens with WHERE in place of the clauses: they stand wherever it
    may. As it is never left out then, what DESCRIBE does without gets an empty group."""
    clauses: list[range] = []
    checked: list[SparqlToken] = []
    at = depth = 0
    while at < len(tokens):
        depth += (tokens[at].kind in OPENING) - (tokens[at].kind in CLOSING)
        clause = _clause(tokens, at) if depth == 0 else None
        if clause is None:
            checked.append(tokens[at])
            at += 1
            continue
        begin = tokens[at]
        while clause is not None:
            clauses.append(clause)
            at = clause.stop
            clause = _clause(tokens, at)
        checked.append(SparqlToken("WHERE", begin.text, begin.offset))
        following = tokens[at].kind if at < len(tokens) else ""
        at += following == "WHERE"
        if following not in _GROUP and any(token.kind == "DESCRIBE" for token in checked):
            checked += [
                SparqlToken("LBRACE", begin.text, begin.offset),
                SparqlToken("RBRACE", begin.text, begin.offset),
            ]
    return clauses, checked


def _clause(tokens: Sequence[SparqlToken], at: int) -> range | None:
    """The clause that begins there."""
    kinds = [token.kind for token in tokens[at : at + 3]]
    if kinds[:1] == ["FROM"] and len(kinds) > 1 and kinds[1] in _IRIS:
        return range(at, at + 2)
    if kinds[:2] == ["FROM", "NAMED"] and len(kinds) > 2 and kinds[2] in _IRIS:
        return range(at, at + 3)
    return None


def _blanked(text: str, tokens: Sequence[SparqlToken], left_out: set[int]) -> str:
    """A text with only its tokens, and spaces for all else. Comments go, as their backslashes would be resolved a
    second time."""
    parts: list[str] = []
    end = 0
    for at, token in enumerate(tokens):
        if at in left_out:
            continue
        parts += [_NO_LINE_END.sub(" ", text[end : token.offset]), token.text]
        end = token.offset + len(token.text)
    return "".join((*parts, _NO_LINE_END.sub(" ", text[end:])))


def _node(iri: str, place: Place | None) -> NamedNode:
    try:
        return NamedNode(iri)
    except ValueError as bad:
        raise QueryError(f"{iri[:200]!r} is no whole IRI", place=place, expected="an IRI with its scheme") from bad
