"""What a rule constructs: a piece of operator tree in RDF, with what the answer looks like and which leaves are still
open.

    [] a qud:Sum ; qud:name "price" ; qud:input [ a qud:Extract ; qud:names ( "price" ) ; qud:types ( "float" ) ;
         qud:input [ a qud:Qud ; qud:question "things I bought, in 2023" ] ] ; pg:answerType "number" .

A leaf that is a `pg:Question` too is read as a whole question again (a rule that only rewords says so); other leaves
are words that name events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from ..errors import ReqapError, RuleError
from ..ontology.namespaces import PG, QUD, RDF_TYPE
from ..operators.nodes import AttributeType, Extract, Filter, Node, Qud, Unnest, walk
from ..operators.rdf import Blank, Iri, RdfTerm, RdfTriple, Resource, Text, tree_from_rdf
from ..store.rdf import BlankNode, NamedNode, Term, Triple

_INPUTS = frozenset({QUD + "input", QUD + "left", QUD + "right"})
_OPEN = Iri(QUD + "Qud")
_QUESTION = Iri(PG + "Question")


@dataclass(frozen=True)
class Leaf:
    """An open leaf: its question, and whether that is a whole question again rather than words that name events."""

    question: str
    whole: bool


@dataclass(frozen=True)
class Piece:
    """A piece of tree; `said` holds what else the rule said of its top, by local name under pg:."""

    tree: Node
    leaves: tuple[Leaf, ...]
    said: Mapping[str, str]


def read_pieces(triples: Iterable[Triple], rule: str) -> list[Piece]:
    """The pieces of tree that a rule constructed, one per top. Raises RuleError naming the rule where one is
    malformed."""
    read = [_plain(triple) for triple in triples]
    below = {value for _, predicate, value in read if predicate.value in _INPUTS}
    operators = [s for s, p, v in read if p.value == RDF_TYPE and isinstance(v, Iri) and v.value.startswith(QUD)]
    tops = [at for at in dict.fromkeys(operators) if at not in below]
    try:
        return [_piece(read, top) for top in tops]
    except ReqapError as bad:
        raise RuleError(f"rule {rule} builds a tree that is none: {bad}") from bad


def _piece(triples: list[RdfTriple], top: Resource) -> Piece:
    said = {p.value.removeprefix(PG): v.value for s, p, v in triples if s == top and p.value.startswith(PG)}
    reached = _reach(triples, top)
    whole = {s for s, p, v in triples if p.value == RDF_TYPE and v == _QUESTION}
    opens = [s for s, p, v in triples if s in reached and p.value == RDF_TYPE and v == _OPEN]
    questions = {s: _spaced(v.value) for s, p, v in triples if p.value == QUD + "question"}
    leaves = tuple(Leaf(questions[at], at in whole) for at in dict.fromkeys(opens) if at in questions)
    own = [(s, p, _tidied(p, v)) for s, p, v in triples if not p.value.startswith(PG)]
    return Piece(tree_from_rdf(own, top), leaves, said)


def _reach(triples: list[RdfTriple], top: Resource) -> set[RdfTerm]:
    reached: set[RdfTerm] = {top}
    pending: list[RdfTerm] = [top]
    while pending:
        at = pending.pop()
        for s, p, v in triples:
            if s == at and p.value in _INPUTS and v not in reached:
                reached.add(v)
                pending.append(v)
    return reached


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _tidied(predicate: Iri, value: RdfTerm) -> RdfTerm:
    """Questions and queries are put together of parts that may be empty: one space between words."""
    if predicate.value in (QUD + "question", QUD + "query"):
        return Text(_spaced(value.value))
    return value


def _plain(triple: Triple) -> RdfTriple:
    subject = triple.subject
    at: Resource = Iri(subject.value) if isinstance(subject, NamedNode) else Blank(str(subject))
    return at, Iri(triple.predicate.value), _term(triple.object)


def _term(term: Term | Triple) -> RdfTerm:
    if isinstance(term, NamedNode):
        return Iri(term.value)
    return Blank(str(term)) if isinstance(term, BlankNode | Triple) else Text(term.value)


def with_leaves(tree: Node, filled: Mapping[str, Node]) -> Node:
    """The tree with its open leaves replaced by the trees of their questions; attributes are extracted only once."""
    if isinstance(tree, Qud):
        return filled[tree.question]
    changed: dict[str, Any] = {
        field.name: with_leaves(value, filled)
        for field in fields(tree)  # type: ignore[arg-type]
        if isinstance(value := getattr(tree, field.name), Node)
    }
    whole = replace(tree, **changed) if changed else tree  # type: ignore[type-var]
    if isinstance(whole, Extract):
        return _extracted_once(whole)
    return whole.input if isinstance(whole, Unnest) and not _is_list(whole.input, whole.name) else whole


def _is_list(tree: Node, name: str) -> bool:
    """Whether the attribute was extracted as a list: rules unnest whatever they group by, most attributes have one
    value."""
    while isinstance(tree, Filter | Extract):
        if isinstance(tree, Extract) and name in tree.names:
            return tree.types[tree.names.index(name)] == AttributeType.LIST
        tree = tree.input
    return True


def _extracted_once(tree: Extract) -> Node:
    """EXTRACT of what is not extracted below already: filters and aggregates may ask for the same attribute."""
    known: set[tuple[str, AttributeType]] = set()
    at = tree.input
    while isinstance(at, Filter | Extract):
        if isinstance(at, Extract):
            known.update(zip(at.names, at.types, strict=True))
        at = at.input
    wanted = [(n, t) for n, t in zip(tree.names, tree.types, strict=True) if (n, t) not in known]
    if not wanted:
        return tree.input
    return Extract(tree.input, tuple(n for n, _ in wanted), tuple(t for _, t in wanted))


def operator_count(tree: Node) -> int:
    """How many operators the tree has."""
    return sum(1 for _ in walk(tree))
