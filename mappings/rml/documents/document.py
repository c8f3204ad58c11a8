"""A map's Turtle text as nodes with places; every question to it can fail with line, column and the nearest name.

The tables at its head are the RML vocabulary as this engine reads it: which property may stand on which kind of node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from ....errors import MappingError, Place
from ....ontology.namespaces import EV, RDF_TYPE, RML
from ....store.rdf import Literal, NamedNode, Subject, Term, parse_turtle
from ....store.sparql.source import Document as TurtleSource
from ....store.sparql.source import placed
from ....store.words import nearest_name as nearest

EV_RECORDS: Final = EV + "Records"
"""As rml:source: the records that a reader of exports yields, one logical iteration each."""
EV_KEEP_OTHER_KEYS: Final = EV + "keepOtherKeys"
"""On a triples map: every key that no triples map with the same subject references is kept under key:."""
EV_EMPTY_IS_NULL: Final = EV + "emptyIsNull"
"""On a triples map: an empty string counts as a missing value."""

OLD_NAMESPACES: Final = (
    "http://www.w3.org/ns/r2rml#",
    "http://semweb.mmlab.be/ns/rml#",
    "http://semweb.mmlab.be/ns/ql#",
)
"""R2RML and the first RML: read by older engines, not by this one."""

_EXPRESSION = ("constant", "reference", "template", "functionExecution", "return", "returnMap")
_TERM = (*_EXPRESSION, "termType", "logicalTarget")
_OBJECT = (*_TERM, "language", "languageMap", "datatype", "datatypeMap")

PROPERTIES: Final = MappingProxyType(
    {
        "triples map": ("logicalSource", "subjectMap", "subject", "predicateObjectMap", "baseIRI"),
        "logical source": ("source", "referenceFormulation", "iterator"),
        "source": ("root", "path", "encoding", "null", "compression"),
        "subject map": (*_TERM, "class", "graph", "graphMap"),
        "predicate map": _TERM,
        "object map": (*_OBJECT, "parentTriplesMap", "joinCondition"),
        "graph map": _TERM,
        "datatype map": _TERM,
        "language map": _EXPRESSION,
        "predicate-object map": ("predicate", "predicateMap", "object", "objectMap", "graph", "graphMap"),
        "join condition": ("child", "childMap", "parent", "parentMap"),
        "child map": _TERM,
        "parent map": _TERM,
        "function execution": ("function", "functionMap", "input"),
        "input": ("parameter", "parameterMap", "inputValue", "inputValueMap"),
        "input value map": _TERM,
        "function map": _EXPRESSION,
        "parameter map": _EXPRESSION,
        "reference formulation": ("namespace",),
        "namespace": ("namespacePrefix", "namespaceURL"),
    }
)
"""Local names of the rml: properties that each kind of node may carry."""

EV_PROPERTIES: Final = MappingProxyType({"triples map": (EV_KEEP_OTHER_KEYS, EV_EMPTY_IS_NULL)})

_CLASS_NAMES = """
TriplesMap LogicalSource Source RelativePathSource TermMap ExpressionMap SubjectMap PredicateMap
ObjectMap GraphMap PredicateObjectMap RefObjectMap ReferencingObjectMap Join ChildMap ParentMap
LanguageMap DatatypeMap FunctionExecution FunctionMap Input ParameterMap ReturnMap TermType
ReferenceFormulation XPathReferenceFormulation Namespace FunctionValuedTermMap FunctionExpressionMap
"""
CLASSES: Final = tuple(_CLASS_NAMES.split())
"""Local names of the rml: classes; typing is optional and without effect, only misspelling is refused."""

TERM_TYPES: Final = ("IRI", "URI", "UnsafeIRI", "UnsafeURI", "BlankNode", "Literal")
FORMULATIONS: Final = ("JSONPath", "CSV", "XPath")
ROOTS: Final = ("MappingDirectory", "CurrentWorkingDirectory")
ENCODINGS: Final = MappingProxyType({"UTF-8": "utf-8", "UTF-16": "utf-16"})

ALLOWED_TYPES: Final = MappingProxyType(
    {
        "subject map": ("IRI", "URI", "UnsafeIRI", "UnsafeURI", "BlankNode"),
        "predicate map": ("IRI", "URI", "UnsafeIRI", "UnsafeURI"),
        "graph map": ("IRI", "URI", "UnsafeIRI", "UnsafeURI", "BlankNode"),
        "datatype map": ("IRI", "URI", "UnsafeIRI", "UnsafeURI"),
    }
)
"""RML-Core, Term Maps: the term types of each position; elsewhere any."""
_DEEPEST: Final = 32
"""Function executions inside one another."""
_MOST_EXECUTIONS: Final = 5_000
"""Function executions of a map, one that is named in several places counted at each: they are run at each."""


def rml(name: str) -> str:
    """The IRI of a local name of the RML vocabulary."""
    return RML + name


def all_properties() -> frozenset[str]:
    """Every local property name of the vocabulary, for naming the nearest one."""
    return frozenset(name for names in PROPERTIES.values() for name in names)


@dataclass(frozen=True)
class Value:
    """One object of a triple, and where its predicate and itself stand."""

    term: Term
    predicate_place: Place | None
    place: Place | None


@dataclass
class Node:
    """One subject of the map with everything said about it."""

    term: Subject
    place: Place | None
    values: dict[str, list[Value]] = field(default_factory=dict)

    def all(self, predicate: str) -> list[Value]:
        return self.values.get(predicate, [])


def short(iri: str) -> str:
    """An IRI as people write it in maps."""
    for prefix, namespace in (("rml", RML), ("ev", EV)):
        if iri.startswith(namespace):
            return f"{prefix}:{iri[len(namespace) :]}"
    return f"<{iri}>"


class Document:
    """The parsed map. Raises MappingError for text that is no Turtle."""

    def __init__(self, text: str, *, path: str | None, base_iri: str | None) -> None:
        self.path = path
        self.nodes: dict[Subject, Node] = {}
        self._open: list[Subject] = []
        self._executions = 0
        quads = list(parse_turtle(text, base_iri=base_iri, path=path, error=MappingError))
        source = TurtleSource(path, text, base_iri or "")
        for quad, said in placed(quads, source):
            places = (
                [source.place(at) for at in (said.subject_at, said.predicate_at, said.object.offset)] if said else []
            )
            self._add(quad.subject, quad.predicate.value, quad.object, *(places or (None, None, None)))

    def _add(
        self,
        subject: object,
        iri: str,
        term: object,
        at: Place | None,
        predicate_at: Place | None,
        term_at: Place | None,
    ) -> None:
        if isinstance(subject, Subject) and isinstance(term, Term):
            node = self.nodes.setdefault(subject, Node(subject, at))
            node.values.setdefault(iri, []).append(Value(term, predicate_at, term_at))

    def unknown_names(self) -> Iterator[MappingError]:
        """Every rml: property and class must be one of the vocabulary, wherever it stands: those that are none."""
        known = all_properties()
        for node in self.nodes.values():
            for iri, values in node.values.items():
                place = values[0].predicate_place
                yield from _old(iri, place)
                if iri.startswith(RML) and iri[len(RML) :] not in known:
                    yield _unknown(iri, sorted(known), place, "a property of the RML vocabulary")
                for value in values if iri == RDF_TYPE else []:
                    kind = value.term.value if isinstance(value.term, NamedNode) else ""
                    yield from _old(kind, value.place)
                    if kind.startswith(RML) and kind[len(RML) :] not in CLASSES:
                        yield _unknown(kind, CLASSES, value.place, "a class of the RML vocabulary")

    def node(self, value: Value, kind: str) -> Node:
        """The node that `value` points to, with its properties checked for `kind`."""
        if isinstance(value.term, Literal):
            raise MappingError(
                f"a {kind} cannot be a literal", place=value.place, expected=f"a {kind}: [ … ] or its name"
            )
        node = self.nodes.get(value.term) or Node(value.term, value.place)
        if node.values:
            self.check(node, kind)
        return node

    def check(self, node: Node, kind: str) -> None:
        """Refuse rml: properties that have no meaning on this kind of node, and unknown ev: flags on a triples map."""
        allowed = PROPERTIES[kind]
        for iri, values in node.values.items():
            place = values[0].predicate_place
            if iri.startswith(RML) and iri[len(RML) :] not in allowed:
                raise _unknown(
                    iri, allowed, place, f"on a {kind} one of {', '.join('rml:' + name for name in allowed)}", kind
                )
            flags = EV_PROPERTIES.get(kind, ())
            if flags and iri.startswith(EV) and iri not in flags:
                near = nearest(short(iri), [short(flag) for flag in flags])
                raise MappingError(
                    f"unknown flag {short(iri)}", place=place, expected=" or ".join(map(short, flags)), nearest=near
                )

    def one(self, node: Node, predicate: str, kind: str) -> Value | None:
        """The only value of a property, None without one; several are refused at the second."""
        values = node.all(predicate)
        if len(values) > 1:
            raise MappingError(f"more than one {short(predicate)}", place=values[1].place, expected=f"one on a {kind}")
        return values[0] if values else None

    def text(self, value: Value, what: str) -> str:
        """The text of a plain literal."""
        if not isinstance(value.term, Literal):
            raise MappingError(f"{what} is not a literal", place=value.place, expected='text in quotes, as in "$.name"')
        return value.term.value

    def name(self, value: Value, known: Iterable[str], what: str) -> str:
        """The local name of an rml: IRI that must be one of `known`."""
        names = list(known)
        expected = ", ".join("rml:" + name for name in names)
        if isinstance(value.term, NamedNode):
            _refuse_old(value.term.value, value.place)
            local = value.term.value.removeprefix(RML)
            if value.term.value.startswith(RML) and local in names:
                return local
            near = nearest(local, names)
            near = f"rml:{near}" if near else None
            raise MappingError(
                f"unknown {what} {short(value.term.value)}", place=value.place, expected=expected, nearest=near
            )
        raise MappingError(f"{what} must be a name", place=value.place, expected=expected)

    @contextmanager
    def execution(self, node: Node, place: Place | None) -> Iterator[None]:
        """While a function execution is read, which stands as the object at `place`. Raises MappingError for one that
        contains itself, for too many inside one another, and for too many in all."""
        self._executions += 1
        if node.term in self._open:
            raise MappingError(
                "a function execution contains itself", place=place, expected="another one, or a reference"
            )
        if len(self._open) == _DEEPEST:
            told = f"function executions nested more than {_DEEPEST} deep"
            raise MappingError(told, place=place, expected="fewer inside one another")
        if self._executions > _MOST_EXECUTIONS:
            told = f"more than {_MOST_EXECUTIONS:,} function executions, each counted wherever it is named"
            raise MappingError(told, place=place, expected="fewer of them")
        self._open.append(node.term)
        try:
            yield
        finally:
            self._open.pop()

    def flag(self, node: Node, predicate: str) -> bool:
        """A boolean flag, false when it is not there."""
        value = self.one(node, predicate, "triples map")
        if value is None:
            return False
        if isinstance(value.term, Literal) and value.term.value in ("true", "false"):
            return value.term.value == "true"
        raise MappingError(f"{short(predicate)} is neither true nor false", place=value.place, expected="true or false")


def _old(iri: str, place: Place | None) -> Iterator[MappingError]:
    for old in OLD_NAMESPACES:
        if iri.startswith(old):
            local = nearest(iri[len(old) :], all_properties() | frozenset(CLASSES))
            near = f"rml:{local} with rml: <{RML}>" if local else None
            yield MappingError(
                f"<{iri}> is of an older vocabulary", place=place, expected=f"RML under <{RML}>", nearest=near
            )


def _refuse_old(iri: str, place: Place | None) -> None:
    for bad in _old(iri, place):
        raise bad


def _unknown(
    iri: str, known: Iterable[str], place: Place | None, expected: str, kind: str | None = None
) -> MappingError:
    near = nearest(iri[len(RML) :], known)
    message = f"{short(iri)} has no meaning on a {kind}" if kind else f"unknown name {short(iri)}"
    return MappingError(message, place=place, expected=expected, nearest=f"rml:{near}" if near else None)


def allowed_type(kind: str, term_type: str) -> bool:
    """Whether a term map in this position may make terms of this type."""
    return kind not in ALLOWED_TYPES or term_type in ALLOWED_TYPES[kind]
