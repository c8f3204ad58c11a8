"""RDF form of operator trees under `qud:`: what rules construct, and what an answer's plan is stored as.

A triple is a tuple of three terms of this module, so that the algebra needs no RDF library; `store.rdf` converts to
and from the store's terms. One resource per operator, typed `qud:Filter` and so on; conditions and functions are
literals in text form; names and types are RDF lists of plain literals (a single literal is read as a list of one).
A tree, or a part of one, may also be given in text form: `[] a qud:Tree ; qud:text "RETRIEVE(query=\\"music\\")"`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import TreeTypeError
from ...ontology.namespaces import QUD, RDF, RDF_TYPE
from ..nodes import (
    Apply,
    ArgMax,
    ArgMin,
    AttributeType,
    Avg,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Max,
    Min,
    Node,
    Qud,
    Retrieve,
    Sum,
    Unnest,
)
from .limits import MAX_DEPTH
from .printing import format_expression
from .text import parse_condition, parse_function, parse_tree

MAX_NODES = 2_000
"""Operators in one tree read from RDF, where shared nodes could blow it up."""


@dataclass(frozen=True, slots=True)
class Iri:
    """An IRI."""

    value: str


@dataclass(frozen=True, slots=True)
class Blank:
    """A blank node."""

    value: str


@dataclass(frozen=True, slots=True)
class Text:
    """A literal, by its text."""

    value: str


Resource = Iri | Blank
RdfTerm = Iri | Blank | Text
RdfTriple = tuple[Resource, Iri, RdfTerm]

# Operator → its fields, in the constructor's order: property, how the value is held, whether it may be missing.
_FIELDS: dict[type[Node], tuple[tuple[str, str, bool], ...]] = {
    Qud: (("question", "text", False),),
    Retrieve: (("query", "text", False), ("input", "node", True)),
    Extract: (("input", "node", False), ("names", "names", False), ("types", "types", False)),
    Join: (("left", "node", False), ("right", "node", False), ("condition", "condition", False)),
    GroupBy: (("input", "node", False), ("names", "names", False)),
    Filter: (("input", "node", False), ("condition", "function", False)),
    Map: (("input", "node", False), ("function", "function", False), ("name", "text", False)),
    Apply: (("input", "node", False), ("function", "function", False)),
    Unnest: (("input", "node", False), ("name", "text", False), ("itemName", "text", True)),
    ArgMin: (("input", "node", False), ("argName", "text", False), ("valueName", "text", False)),
    ArgMax: (("input", "node", False), ("argName", "text", False), ("valueName", "text", False)),
    Min: (("input", "node", False), ("name", "text", False)),
    Max: (("input", "node", False), ("name", "text", False)),
    Sum: (("input", "node", False), ("name", "text", False)),
    Avg: (("input", "node", False), ("name", "text", False)),
}
_CLASSES = {QUD + kind.__name__: kind for kind in _FIELDS}
_TREE = Iri(QUD + "Tree")
_FIRST, _REST, _NIL = Iri(RDF + "first"), Iri(RDF + "rest"), Iri(RDF + "nil")


def tree_to_rdf(tree: Node, root: Resource = Blank("tree")) -> list[RdfTriple]:
    """The tree's triples; blank nodes are named after `root` and their place below it."""
    out: list[RdfTriple] = []
    _write(tree, root, out)
    return out


def _write(node: Node, at: Resource, out: list[RdfTriple]) -> None:
    out.append((at, Iri(RDF_TYPE), Iri(QUD + type(node).__name__)))
    for (name, kind, _), value in zip(_FIELDS[type(node)], _values(node), strict=True):
        if value is None:
            continue
        predicate = Iri(QUD + name)
        if kind == "node":
            below = Blank(f"{_label(at)}-{name}")
            out.append((at, predicate, below))
            _write(value, below, out)
        elif kind in ("names", "types"):
            _write_list(at, predicate, [str(item) for item in value], out)
        else:
            out.append((at, predicate, Text(value if kind == "text" else format_expression(value))))


def _values(node: Node) -> list[Any]:
    """Values of the node's fields in the order of _FIELDS."""
    return [getattr(node, name) for name in node.__dataclass_fields__]  # type: ignore[attr-defined]


def _label(at: Resource) -> str:
    return at.value if isinstance(at, Blank) else "tree"


def _write_list(at: Resource, predicate: Iri, items: list[str], out: list[RdfTriple]) -> None:
    subject, link = at, predicate
    for position, item in enumerate(items):
        cell = Blank(f"{_label(at)}-{predicate.value.removeprefix(QUD)}{position}")
        out += [(subject, link, cell), (cell, _FIRST, Text(item))]
        subject, link = cell, _REST
    out.append((subject, link, _NIL))


def tree_from_rdf(triples: Iterable[RdfTriple], root: Resource | None = None) -> Node:
    """The tree that the triples say, from `root`, or from the one operator that no other has as its input.

    Raises TreeTypeError for anything that is not one finite, well-formed tree, TreeSyntaxError for a condition or
    function whose text does not parse.
    """
    graph: dict[Resource, dict[str, list[RdfTerm]]] = {}
    for subject, predicate, value in triples:
        values = graph.setdefault(subject, {}).setdefault(predicate.value, [])
        if value not in values:
            values.append(value)
    return _Reader(graph).node(root if root is not None else _root(graph), 0)


def _root(graph: Mapping[Resource, Mapping[str, list[RdfTerm]]]) -> Resource:
    inputs = {QUD + name for fields in _FIELDS.values() for name, kind, _ in fields if kind == "node"}
    below = {value for links in graph.values() for link in inputs for value in links.get(link, [])}
    types = {at: links.get(RDF_TYPE, []) for at, links in graph.items()}
    operators = [at for at, kinds in types.items() if any(isinstance(k, Iri) and k.value in _CLASSES for k in kinds)]
    tops = [at for at in operators if at not in below]
    if len(tops) != 1:
        raise TreeTypeError(f"one operator must be on top, not {len(tops)}")
    return tops[0]


class _Reader:
    """Reads operators from an index of triples, counting them."""

    def __init__(self, graph: Mapping[Resource, Mapping[str, list[RdfTerm]]]) -> None:
        self._graph = graph
        self._seen = 0

    def node(self, at: RdfTerm, depth: int) -> Node:
        """The operator at a resource."""
        self._seen += 1
        if depth > MAX_DEPTH or self._seen > MAX_NODES:
            raise TreeTypeError("the triples are no tree: nested too deep, or in a circle")
        links = self._graph.get(at, {}) if not isinstance(at, Text) else {}
        if _TREE in links.get(RDF_TYPE, []):
            return self._written(links.get(QUD + "text", []))
        kinds = [_CLASSES[k.value] for k in links.get(RDF_TYPE, []) if isinstance(k, Iri) and k.value in _CLASSES]
        if len(kinds) != 1:
            raise TreeTypeError(f"{_show(at)} must have one operator as its class, not {len(kinds)}")
        kind = kinds[0]
        build: Callable[..., Node] = kind
        return build(*(self._value(kind, links, *field, depth) for field in _FIELDS[kind]))

    def _written(self, texts: Sequence[RdfTerm]) -> Node:
        if len(texts) != 1 or not isinstance(texts[0], Text):
            raise TreeTypeError(f"qud:Tree needs one qud:text, not {len(texts)}")
        return parse_tree(texts[0].value)

    def _value(
        self, kind: type[Node], links: Mapping[str, list[RdfTerm]], name: str, held: str, optional: bool, depth: int
    ) -> Any:
        found = links.get(QUD + name, [])
        if not found and optional:
            return None
        if len(found) != 1:
            raise TreeTypeError(f"qud:{kind.__name__} needs one qud:{name}, not {len(found)}")
        value = found[0]
        if held == "node":
            return self.node(value, depth + 1)
        if held == "names":
            return tuple(self._list(value))
        if held == "types":
            return tuple(_type(item) for item in self._list(value))
        if not isinstance(value, Text):
            raise TreeTypeError(f"qud:{name} of qud:{kind.__name__} must be a text, not {_show(value)}")
        if held == "text":
            return value.value
        return parse_condition(value.value) if held == "condition" else parse_function(value.value)

    def _list(self, at: RdfTerm) -> list[str]:
        if isinstance(at, Text):
            return [at.value]
        items: list[str] = []
        while at != _NIL:
            links = self._graph.get(at, {}) if not isinstance(at, Text) else {}
            first, rest = links.get(_FIRST.value, []), links.get(_REST.value, [])
            if len(first) != 1 or len(rest) != 1 or not isinstance(first[0], Text) or len(items) > MAX_NODES:
                raise TreeTypeError(f"{_show(at)} is not an RDF list of texts")
            items.append(first[0].value)
            at = rest[0]
        return items


def _type(name: str) -> AttributeType:
    try:
        return AttributeType(name)
    except ValueError as bad:
        raise TreeTypeError(f"no type {name!r}; there are {', '.join(AttributeType)}") from bad


def _show(at: RdfTerm) -> str:
    return f"<{at.value}>" if isinstance(at, Iri) else f"_:{at.value}" if isinstance(at, Blank) else repr(at.value)
