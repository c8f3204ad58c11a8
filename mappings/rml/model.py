"""A map as data: what a Turtle document says, checked, with every shortcut written out. No I/O here.

Places do not count when things are compared: two expressions that say the same are the same expression.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...errors import Place
from ...store.rdf import Literal, NamedNode


@dataclass(frozen=True)
class Constant:
    """rml:constant, or a constant shortcut."""

    term: NamedNode | Literal
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Reference:
    """rml:reference: an expression of the logical source's reference formulation."""

    text: str
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Template:
    """rml:template, cut into its literal pieces and references; escapes are undone."""

    parts: tuple[str | Reference, ...]
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Call:
    """rml:functionExecution: a function of the fn: namespace with inputs in document order."""

    function: str
    inputs: tuple[tuple[str, TermMap], ...]
    place: Place | None = field(default=None, compare=False)


Expression = Constant | Reference | Template | Call


@dataclass(frozen=True)
class TermMap:
    """How a term is made; `expression` is None only for a blank node that is fresh in every iteration."""

    expression: Expression | None
    term_type: str
    language: Expression | None = None
    datatype: TermMap | None = None
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class JoinCondition:
    """rml:joinCondition: `child` is read from the child's iteration, `parent` from the parent's."""

    child: Expression
    parent: Expression
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class RefObjectMap:
    """Objects that are the subjects of another triples map, named by `parent` (its node's N-Triples text)."""

    parent: str
    joins: tuple[JoinCondition, ...]
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class PredicateObjectMap:
    predicates: tuple[TermMap, ...]
    objects: tuple[TermMap | RefObjectMap, ...]
    graphs: tuple[TermMap, ...]


@dataclass(frozen=True)
class FileSource:
    """A file below a root directory: 'MappingDirectory', 'CurrentWorkingDirectory', or a folder below the former."""

    root: str
    path: str
    encoding: str = "utf-8"
    nulls: tuple[str, ...] = ()
    compression: str | None = None


@dataclass(frozen=True)
class RecordStream:
    """ev:Records: the records a reader of exports yields."""


@dataclass(frozen=True)
class LogicalSource:
    """Where iterations come from. Equal logical sources (places apart) are the same source to joins."""

    source: FileSource | RecordStream
    formulation: str
    iterator: str | None
    namespaces: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class TriplesMap:
    """One rule: iterations of a source to triples. `name` is for people and for joins."""

    name: str
    source: LogicalSource
    subject: TermMap
    classes: tuple[str, ...]
    graphs: tuple[TermMap, ...]
    pairs: tuple[PredicateObjectMap, ...]
    base_iri: str | None
    keep_other_keys: bool
    empty_is_null: bool
    place: Place | None = field(default=None, compare=False)
    source_place: Place | None = field(default=None, compare=False)
    iterator_place: Place | None = field(default=None, compare=False)
