"""A map's document read into the model: triples maps, their sources and pairs; term maps are read by `load_terms`."""

from __future__ import annotations

from collections.abc import Iterable

from ....errors import MappingError, Place
from ....ontology.namespaces import RDF_TYPE, RML
from ....store.rdf import Literal, NamedNode
from ....store.words import nearest_name as nearest
from ..model import (
    FileSource,
    JoinCondition,
    LogicalSource,
    PredicateObjectMap,
    RecordStream,
    RefObjectMap,
    TermMap,
    TriplesMap,
)
from .document import (
    ENCODINGS,
    EV_EMPTY_IS_NULL,
    EV_KEEP_OTHER_KEYS,
    EV_RECORDS,
    FORMULATIONS,
    ROOTS,
    Document,
    Node,
    Value,
    rml,
    short,
)
from .load_terms import expression_of, graph_maps, maps_of, term_map

_COMPRESSIONS = ("none", "gzip")
_MOST_CHARACTERS = 2**20
"""Some thousand triples maps."""


def load_triples_maps(text: str, *, path: str | None, base_iri: str | None) -> tuple[TriplesMap, ...]:
    """All triples maps of a Turtle text, in document order, checked against the vocabulary.

    Raises MappingError with the place of what is wrong.
    """
    if len(text) > _MOST_CHARACTERS:
        place = Place(1, 1, path)
        raise MappingError("a map too large", place=place, expected=f"at most {_MOST_CHARACTERS:,} characters")
    document = Document(text, path=path, base_iri=base_iri)
    for unknown in document.unknown_names():
        raise unknown
    nodes = triples_map_nodes(document)
    names = {str(node.term) for node in nodes}
    maps = tuple(triples_map_of(document, node) for node in nodes)
    for triples_map in maps:
        check_parents(triples_map.pairs, names)
    return maps


def triples_map_nodes(document: Document) -> list[Node]:
    """The nodes of the triples maps, in document order. Raises MappingError where there are none."""
    nodes = [node for node in document.nodes.values() if _is_triples_map(node)]
    if not nodes:
        place = Place(1, 1, document.path)
        raise MappingError(
            "no triples map", place=place, expected=f"a node of class rml:TriplesMap, rml: being <{RML}>"
        )
    return sorted(nodes, key=lambda node: (node.place.line, node.place.column) if node.place else (0, 0))


def _is_triples_map(node: Node) -> bool:
    typed = any(isinstance(v.term, NamedNode) and v.term.value == rml("TriplesMap") for v in node.all(RDF_TYPE))
    return typed or bool(node.all(rml("logicalSource")) or node.all(rml("predicateObjectMap")))


def check_parents(pairs: Iterable[PredicateObjectMap], names: set[str]) -> None:
    """Raises MappingError for a parent of a join that is no triples map of the document."""
    for pair in pairs:
        for item in pair.objects:
            if isinstance(item, RefObjectMap) and item.parent not in names:
                near = nearest(item.parent, names)
                raise MappingError(
                    f"{item.parent} is no triples map",
                    place=item.place,
                    expected="a triples map of this document",
                    nearest=near,
                )


def triples_map_of(document: Document, node: Node) -> TriplesMap:
    """One triples map. Raises MappingError for the first thing that is wrong in it."""
    kind = "triples map"
    document.check(node, kind)
    source = document.one(node, rml("logicalSource"), kind)
    if source is None:
        raise MappingError(
            f"{_name(node)} has no rml:logicalSource",
            place=node.place,
            expected="one rml:logicalSource on a triples map",
        )
    subject = _subject(node)
    subject_node = document.nodes.get(subject.term) if not isinstance(subject.term, Literal) else None
    base = document.one(node, rml("baseIRI"), kind)
    source_node = document.node(source, "logical source")
    iterator = document.one(source_node, rml("iterator"), "logical source")
    shortcut = bool(node.all(rml("subject")))
    return TriplesMap(
        name=str(node.term),
        source=_logical_source(document, source_node),
        subject=term_map(document, subject, "subject map", constant=shortcut),
        classes=_classes(subject_node) if subject_node and not shortcut else (),
        graphs=graph_maps(document, subject_node) if subject_node and not shortcut else (),
        pairs=tuple(pair_of(document, value) for value in node.all(rml("predicateObjectMap"))),
        base_iri=_base(base) if base else None,
        keep_other_keys=document.flag(node, EV_KEEP_OTHER_KEYS),
        empty_is_null=document.flag(node, EV_EMPTY_IS_NULL),
        place=node.place,
        source_place=source.place,
        iterator_place=iterator.place if iterator else source.place,
    )


def _name(node: Node) -> str:
    return short(node.term.value) if isinstance(node.term, NamedNode) else "the triples map"


def _subject(node: Node) -> Value:
    values = node.all(rml("subjectMap")) + node.all(rml("subject"))
    if not values:
        raise MappingError(
            f"{_name(node)} has no rml:subjectMap",
            place=node.place,
            expected="one rml:subjectMap or rml:subject on a triples map",
        )
    if len(values) > 1:
        raise MappingError(
            f"{_name(node)} has {len(values)} subject maps",
            place=values[1].place,
            expected="one rml:subjectMap or rml:subject",
        )
    return values[0]


def _classes(node: Node) -> tuple[str, ...]:
    classes = []
    for value in node.all(rml("class")):
        if not isinstance(value.term, NamedNode):
            raise MappingError("rml:class is not an IRI", place=value.place, expected="the IRI of a class")
        classes.append(value.term.value)
    return tuple(classes)


def _base(value: Value) -> str:
    if isinstance(value.term, NamedNode | Literal):
        return value.term.value
    raise MappingError("rml:baseIRI is not an IRI", place=value.place, expected="an absolute IRI ending in a slash")


def pair_of(document: Document, value: Value) -> PredicateObjectMap:
    """One predicate-object map. Raises MappingError for the first thing that is wrong in it."""
    kind = "predicate-object map"
    node = document.node(value, kind)
    predicates = maps_of(document, node, "predicate", "predicate map")
    objects: list[TermMap | RefObjectMap] = [
        term_map(document, item, "object map", constant=True) for item in node.all(rml("object"))
    ]
    for item in node.all(rml("objectMap")):
        target = document.node(item, "object map")
        if target.all(rml("parentTriplesMap")):
            objects.append(_ref_object_map(document, target))
        else:
            objects.append(term_map(document, item, "object map"))
    for found, what in ((predicates, "predicate"), (objects, "object")):
        if not found:
            place = node.place or value.place
            raise MappingError(f"a {kind} without {what}", place=place, expected=f"rml:{what} or rml:{what}Map")
    return PredicateObjectMap(predicates, tuple(objects), graph_maps(document, node))


def _ref_object_map(document: Document, node: Node) -> RefObjectMap:
    parent = document.one(node, rml("parentTriplesMap"), "object map")
    assert parent is not None
    joins = tuple(_join(document, value) for value in node.all(rml("joinCondition")))
    return RefObjectMap(str(parent.term), joins, parent.place)


def _join(document: Document, value: Value) -> JoinCondition:
    node = document.node(value, "join condition")
    return JoinCondition(
        expression_of(document, node, "child", "child map"),
        expression_of(document, node, "parent", "parent map"),
        node.place,
    )


def _logical_source(document: Document, node: Node) -> LogicalSource:
    kind = "logical source"
    source = document.one(node, rml("source"), kind)
    if source is None:
        raise MappingError("a logical source without rml:source", place=node.place, expected="one rml:source")
    iterator = document.one(node, rml("iterator"), kind)
    formulation, namespaces = _formulation(document, document.one(node, rml("referenceFormulation"), kind), node)
    return LogicalSource(
        source=_source(document, source),
        formulation=formulation,
        iterator=document.text(iterator, "rml:iterator") if iterator else None,
        namespaces=namespaces,
    )


def _formulation(document: Document, value: Value | None, node: Node) -> tuple[str, tuple[tuple[str, str], ...]]:
    expected = ", ".join(rml_name for rml_name in (f"rml:{name}" for name in FORMULATIONS))
    if value is None:
        raise MappingError("a logical source without rml:referenceFormulation", place=node.place, expected=expected)
    if isinstance(value.term, NamedNode) and value.term not in document.nodes:
        return document.name(value, FORMULATIONS, "reference formulation"), ()
    formulation = document.node(value, "reference formulation")
    types = [v for v in formulation.all(RDF_TYPE)]
    for kind in types:
        document.name(kind, ("XPathReferenceFormulation", "ReferenceFormulation"), "reference formulation")
    namespaces = []
    for item in formulation.all(rml("namespace")):
        space = document.node(item, "namespace")
        prefix = document.one(space, rml("namespacePrefix"), "namespace")
        url = document.one(space, rml("namespaceURL"), "namespace")
        if prefix is None or url is None:
            raise MappingError(
                "an incomplete namespace", place=space.place, expected="rml:namespacePrefix and rml:namespaceURL"
            )
        namespaces.append((document.text(prefix, "rml:namespacePrefix"), document.text(url, "rml:namespaceURL")))
    return "XPath", tuple(namespaces)


def _source(document: Document, value: Value) -> FileSource | RecordStream:
    if isinstance(value.term, Literal):
        return FileSource("MappingDirectory", value.term.value)
    if isinstance(value.term, NamedNode) and value.term.value == EV_RECORDS:
        return RecordStream()
    node = document.node(value, "source")
    path = document.one(node, rml("path"), "source")
    if path is None:
        expected = "rml:path on a rml:RelativePathSource, a path in quotes, or ev:Records"
        near = "ev:Records" if isinstance(value.term, NamedNode) and nearest(value.term.value, [EV_RECORDS]) else None
        raise MappingError(
            "a source that is neither a file nor a record stream", place=value.place, expected=expected, nearest=near
        )
    return FileSource(
        _root(document, node),
        document.text(path, "rml:path"),
        _encoding(document, node),
        tuple(document.text(item, "rml:null") for item in node.all(rml("null"))),
        _compression(document, node),
    )


def _root(document: Document, node: Node) -> str:
    value = document.one(node, rml("root"), "source")
    if value is None:
        return "CurrentWorkingDirectory"
    return value.term.value if isinstance(value.term, Literal) else document.name(value, ROOTS, "root")


def _encoding(document: Document, node: Node) -> str:
    value = document.one(node, rml("encoding"), "source")
    return ENCODINGS[document.name(value, ENCODINGS, "encoding")] if value else "utf-8"


def _compression(document: Document, node: Node) -> str | None:
    value = document.one(node, rml("compression"), "source")
    name = document.name(value, _COMPRESSIONS, "compression") if value else "none"
    return None if name == "none" else name
