"""Operator trees as the store's triples."""

from __future__ import annotations

from ..operators.nodes import Node
from ..operators.syntax.rdf import Blank, Iri, RdfTerm, Resource, Text, tree_to_rdf
from .rdf import BlankNode, Literal, NamedNode, Subject, Term, Triple


def tree_triples(tree: Node, root: Subject | None = None) -> list[Triple]:
    """The tree's triples under `qud:`, its top at `root` (a blank node if not given)."""
    top = _plain(root) if root is not None else Blank("tree")
    return [Triple(_subject(s), NamedNode(p.value), _term(o)) for s, p, o in tree_to_rdf(tree, top)]


def _plain(at: Subject) -> Resource:
    return Iri(at.value) if isinstance(at, NamedNode) else Blank(at.value)


def _subject(at: Resource) -> Subject:
    return NamedNode(at.value) if isinstance(at, Iri) else BlankNode(at.value)


def _term(at: RdfTerm) -> Term:
    return Literal(at.value) if isinstance(at, Text) else _subject(at)
