"""RDF terms, parsing, and operator trees as triples, for the floors above: only this package imports pyoxigraph."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from pyoxigraph import (
    BlankNode,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    RdfFormat,
    Triple,
    Variable,
    parse,
    serialize,
)

from ..errors import LocatedError, Place
from ..operators.nodes import Node
from ..operators.syntax.rdf import Blank, Iri, RdfTerm, Resource, Text, tree_to_rdf

__all__ = [
    "BlankNode",
    "DefaultGraph",
    "Literal",
    "NamedNode",
    "Quad",
    "RdfFormat",
    "Subject",
    "Term",
    "Triple",
    "Variable",
    "parse_nquads",
    "parse_turtle",
    "serialize_turtle",
    "tree_triples",
    "write_nquads",
]

_PARSER_PLACE = re.compile(r"^Parser error (?:at|between) line [^:]*: ")
"""What the parser says about the place, which `Place` tells."""

MOST_DEEP = 200
"""Brackets inside one another in Turtle."""
_BRACKET = re.compile(
    r"""\#[^\r\n]*|<[^<>\s]*>|\"{3}(?:[^"\\]|\\.|\"(?!\"\"))*\"{3}|'{3}(?:[^'\\]|\\.|'(?!''))*'{3}"""
    r"""|"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|([\[(])|([\])])""",
    re.DOTALL,
)

Subject = NamedNode | BlankNode
Term = NamedNode | BlankNode | Literal


def parse_turtle(
    text: str | bytes, *, base_iri: str | None = None, path: str | None = None, error: type[LocatedError] = LocatedError
) -> Iterator[Quad]:
    """Quads of a Turtle document, in document order. Raises `error` with line and column where it is malformed, or
    nested more than MOST_DEEP brackets deep, for the sake of those who walk what it says."""
    _check_depth(text if isinstance(text, str) else text.decode("utf-8", "replace"), path, error)
    try:
        yield from parse(text, format=RdfFormat.TURTLE, base_iri=base_iri)
    except SyntaxError as bad:
        place = Place(bad.lineno or 1, bad.offset or 1, path)
        message = _PARSER_PLACE.sub("", bad.msg or "") or "malformed Turtle"
        raise error(message, place=place, expected="Turtle (RDF 1.1)") from bad


def _check_depth(text: str, path: str | None, error: type[LocatedError]) -> None:
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += 1 if match[1] else -1 if match[2] else 0
        if depth > MOST_DEEP:
            at = match.start()
            place = Place(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at), path)
            raise error(f"this is nested more than {MOST_DEEP} deep", place=place, expected="fewer brackets")


def serialize_turtle(triples: Iterable[Triple], prefixes: dict[str, str] | None = None) -> str:
    """Turtle text of `triples`, with `prefixes` declared."""
    data = serialize(triples, format=RdfFormat.TURTLE, prefixes=prefixes or {})
    return (data or b"").decode()


def write_nquads(path: Path, quads: Iterable[Quad], *, append: bool = False) -> None:
    """Writes quads as N-Quads to a file."""
    with path.open("ab" if append else "wb") as out:
        serialize(quads, output=out, format=RdfFormat.N_QUADS)


def parse_nquads(text: str | bytes, *, lenient: bool = False) -> Iterator[Quad]:
    """Quads of an N-Quads document. Raises ValueError where it is malformed; `lenient` lets invalid IRIs pass."""
    try:
        yield from parse(text, format=RdfFormat.N_QUADS, lenient=lenient)
    except SyntaxError as bad:
        raise ValueError(f"malformed N-Quads: {bad}") from bad


def link(file: Path, other: Path) -> None:
    """Gives a file a second name; a copy where the file system has no links."""
    try:
        other.hardlink_to(file)
    except OSError:  # some file systems have none
        shutil.copyfile(file, other)


def tree_triples(tree: Node, root: Subject | None = None) -> list[Triple]:
    """The tree's triples under `qud:`, its top at `root` (a blank node if not given)."""
    top = _resource_of(root) if root is not None else Blank("tree")
    return [Triple(_subject_of(s), NamedNode(p.value), _term_of(o)) for s, p, o in tree_to_rdf(tree, top)]


def _resource_of(at: Subject) -> Resource:
    return Iri(at.value) if isinstance(at, NamedNode) else Blank(at.value)


def _subject_of(at: Resource) -> Subject:
    return NamedNode(at.value) if isinstance(at, Iri) else BlankNode(at.value)


def _term_of(at: RdfTerm) -> Term:
    return Literal(at.value) if isinstance(at, Text) else _subject_of(at)
