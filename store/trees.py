"""Operator trees as the store's triples, and back: rules construct them, answers keep them."""

from __future__ import annotations

from collections.abc import Iterable

from ..operators.nodes import Node
from ..operators.syntax.rdf import Blank, Iri, RdfTerm, RdfTriple, Resource, Text, tree_from_rdf, tree_to_rdf
from .rdf import BlankNode, Literal, NamedNode, Subject, Term, Triple


def tree_triples(tree: Node, root: Subject | None = None) -> list[Triple]:
    """The tree's triples under `qud:`, its top at `root` (a blank node if not given)."""
    top = _plain(root) if root is not None else Blank("tree")
    return [Triple(_subject(s), NamedNode(p.value), _term(o)) for s, p, o in tree_to_rdf(tree, top)]


def tree_of(triples: Iterable[Triple], root: Subject | None = None) -> Node:
    """The tree that triples say; see operators.syntax.rdf.tree_from_rdf for `root` and the errors raised."""
    return tree_from_rdf(
        (plain for triple in triples if (plain := _plain_triple(triple)) is not None),
        None if root is None else _plain(root),
    )


def _plain_triple(triple: Triple) -> RdfTriple | None:
    if isinstance(triple.subject, Triple) or isinstance(triple.object, Triple):
        return None
    value = triple.object
    held: RdfTerm = Text(value.value) if isinstance(value, Literal) else _plain(value)
    return _plain(triple.subject), Iri(triple.predicate.value), held


def _plain(at: Subject) -> Resource:
    return Iri(at.value) if isinstance(at, NamedNode) else Blank(at.value)


def _subject(at: Resource) -> Subject:
    return NamedNode(at.value) if isinstance(at, Iri) else BlankNode(at.value)


def _term(at: RdfTerm) -> Term:
    return Literal(at.value) if isinstance(at, Text) else _subject(at)
