"""A domain's files held against the shapes of its vocabulary (ontology/domain-shapes.ttl)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...errors import DomainError
from ...ontology.namespaces import RDF_TYPE, SH, WH, XSD
from ...planner.authoring.findings import Finding, Severity, order_of
from ...planner.authoring.terms import local
from ...store.ontology_graph import ontology_quads, shipped_documents
from ...store.rdf import Literal, NamedNode
from ...store.words import nearest_name
from .consequences import without_consequences
from .parts import MAPS, ONTOLOGY, PROFILE, Parts, Statement, read_parts

_OF_BOTH = frozenset({"preference", "shownBy", "partOf"})
"""Local names of what is said of measures and dimensions alike."""


@cache
def _shapes() -> Any:
    from rdflib import Graph

    return Graph().parse(
        data=files("reqap_kg.ontology").joinpath("domain-shapes.ttl").read_text("utf-8"), format="turtle"
    )


@cache
def shipped_types(sets: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    """The classes of what ships, by IRI."""
    found: dict[str, set[str]] = defaultdict(set)
    for quad in ontology_quads(shipped_documents(sets)):
        if quad.predicate.value == RDF_TYPE and isinstance(quad.subject, NamedNode):
            found[quad.subject.value].add(getattr(quad.object, "value", ""))
    return {iri: frozenset(kinds) for iri, kinds in found.items()}


def check_shapes(parts: Parts) -> None:
    """Adds a finding for each value that a shape refuses."""
    parts.findings += shape_findings(parts)


def refuse_wrong_shapes(folder: Path) -> None:
    """Raises DomainError for the first error in what an import reads of a domain: its ontology, maps and profile."""
    parts = read_parts(folder)
    read = {document.path for part, document in parts.documents if part in (ONTOLOGY, MAPS, PROFILE)}
    check_shapes(parts)
    for finding in sorted(without_consequences(parts), key=order_of):
        if finding.severity == Severity.ERROR and finding.place is not None and finding.place.path in read:
            raise DomainError(finding.message, place=finding.place, expected=finding.expected, nearest=finding.nearest)


def shape_findings(parts: Parts) -> list[Finding]:
    """What the shapes refuse."""
    from pyshacl import validate
    from rdflib import Graph, URIRef

    types = _types(parts)
    graph = Graph()
    for one in parts.statements:
        graph.add((_term(one.quad.subject), URIRef(one.predicate), _term(one.quad.object)))
    named = {one.value for one in parts.statements if isinstance(one.quad.object, NamedNode)}
    named |= {one.subject for one in parts.statements}
    for iri in named & shipped_types(parts.domain.uses).keys():
        for kind in shipped_types(parts.domain.uses)[iri]:
            graph.add((URIRef(iri), URIRef(RDF_TYPE), URIRef(kind)))
    _, report, _ = validate(graph, shacl_graph=_shapes(), inference="none", advanced=False, allow_warnings=False)
    assert isinstance(report, Graph)
    results = report.subjects(URIRef(RDF_TYPE), URIRef(SH + "ValidationResult"))
    found = [found for node in results for found in _findings(_Result.of(node, report), parts, types)]
    return list(dict.fromkeys(found))


def _types(parts: Parts) -> Mapping[str, set[str]]:
    """All things by their classes: what shall be named is one of them."""
    found: dict[str, set[str]] = defaultdict(set)
    for iri, kinds in shipped_types(parts.domain.uses).items():
        for kind in kinds:
            found[kind].add(iri)
    for one in parts.by_predicate.get(RDF_TYPE, ()):
        found[one.value].add(one.subject)
    return found


def _term(term: object) -> Any:
    from rdflib import BNode, URIRef
    from rdflib import Literal as RdflibLiteral

    if isinstance(term, NamedNode):
        return URIRef(term.value)
    if isinstance(term, Literal):
        kind = None if term.language or term.datatype.value == XSD + "string" else URIRef(term.datatype.value)
        return RdflibLiteral(term.value, lang=term.language, datatype=kind, normalize=False)
    return BNode(getattr(term, "value", ""))


@dataclass(frozen=True)
class _Result:
    """One result of the validation: what was looked at, the property and value at fault, and what the shape says."""

    focus: str
    path: str | None
    value: str | None
    expected: str | None
    severity: Severity
    shape: Any

    @classmethod
    def of(cls, node: Any, report: Any) -> _Result:
        from rdflib import URIRef

        names = ("focusNode", "resultPath", "value", "resultMessage")
        said = [report.value(node, URIRef(SH + name)) for name in names]
        focus, *others = [None if term is None else str(term) for term in said]
        told = report.value(node, URIRef(SH + "resultSeverity"))
        severity = Severity.WARNING if str(told) == SH + "Warning" else Severity.ERROR
        return cls(focus or "", *others, severity=severity, shape=report.value(node, URIRef(SH + "sourceShape")))


def _findings(result: _Result, parts: Parts, types: Mapping[str, set[str]]) -> Iterator[Finding]:
    about = parts.by_subject.get(result.focus, ())
    if result.path is None:
        yield from _of_the_whole(result, about, parts)
    elif result.value is None:
        yield from _of_number(result, about, parts)
    else:
        for one in about:
            if one.predicate == result.path and one.value == result.value:
                finding = _told(one, result, parts, _nearest(one, result.shape, types, parts))
                if result.value in parts.by_subject:
                    parts.follows[finding] = (result.value, None)
                yield finding


def _of_the_whole(result: _Result, about: Sequence[Statement], parts: Parts) -> Iterator[Finding]:
    """A thing that is not what something says of it takes it to be: told where that is said."""
    said = (one for one in about if one.predicate.startswith(WH) and local(one.predicate) not in _OF_BOTH)
    for one in (*said, *about)[:1]:
        finding = _told(one, result, parts, None)
        parts.follows[finding] = (result.focus, None)
        yield finding


def _of_number(result: _Result, about: Sequence[Statement], parts: Parts) -> Iterator[Finding]:
    """Too few or too many values: told at the head of what is said of the thing, or at the last value."""
    untyped = result.path == RDF_TYPE
    typed = next((one for one in about if (untyped or one.predicate == RDF_TYPE) and one.part == ONTOLOGY), None)
    several = [one for one in about if one.predicate == result.path]
    path = parts.short(result.path or "")
    if several:
        message = f"{parts.short(result.focus)} has several {path}"
        yield Finding(result.severity, message, several[-1].place, None, result.expected)
    elif typed is not None:
        place = typed.document.place(typed.said.subject_at) if typed.said else None
        finding = Finding(result.severity, f"{parts.short(result.focus)} has no {path}", place, None, result.expected)
        parts.follows[finding] = (result.focus, path)
        yield finding


def _told(one: Statement, result: _Result, parts: Parts, nearest: str | None) -> Finding:
    shown = parts.short(one.value) if isinstance(one.quad.object, NamedNode) else f'"{one.value}"'
    name = parts.short(result.focus) + " " if isinstance(one.quad.subject, NamedNode) else ""
    message = f"{name}{parts.short(one.predicate)} {shown}"
    return Finding(result.severity, message, one.place, nearest, result.expected)


def _nearest(one: Statement, shape: Any, types: Mapping[str, set[str]], parts: Parts) -> str | None:
    """The nearest of the values that the shape lists, or of the things of the class that it asks for."""
    from rdflib import Literal as RdflibLiteral

    listed = list(_listed(shape, "in"))
    if listed and isinstance(listed[0], RdflibLiteral):
        best = nearest_name(one.value, map(str, listed))
        return f'"{best}"' if best else None
    wanted = [str(term) for term in listed] or [
        iri for kind in _classes(shape) for iri in types.get(kind, ()) if iri != one.value
    ]
    return nearest_iri(one.value, wanted, parts)


@cache
def listed_values(path: str) -> tuple[str, ...]:
    """The values that the shapes list for a property."""
    from rdflib import URIRef

    shapes = _shapes().subjects(URIRef(SH + "path"), URIRef(path))
    return tuple(str(value) for shape in shapes for value in _listed(shape, "in"))


def nearest_iri(iri: str, among: Iterable[str], parts: Parts) -> str | None:
    """The IRI of the nearest local name, as authors write it; those of the domain go first."""
    own = {one.subject for one in parts.statements}
    by_name = {local(known): known for known in sorted(among, key=lambda one: (one in own, one))}
    best = nearest_name(local(iri), by_name)
    return parts.short(by_name[best]) if best else None


def _listed(shape: Any, name: str) -> Iterator[Any]:
    from rdflib import URIRef
    from rdflib.collection import Collection

    for head in _shapes().objects(shape, URIRef(SH + name)):
        yield from Collection(_shapes(), head)


def _classes(shape: Any) -> Iterator[str]:
    from rdflib import URIRef

    for one in (shape, *_listed(shape, "or")):
        yield from map(str, _shapes().objects(one, URIRef(SH + "class")))
