"""What a rule constructs: a piece of operator tree in RDF, with what the answer looks like and which leaves are still
open.

    [] a qud:Sum ; qud:name "price" ; qud:input [ a qud:Extract ; qud:names ( "price" ) ; qud:types ( "float" ) ;
         qud:input [ a qud:Qud ; qud:question "things I bought, in 2023" ] ] ; pg:answerType "number" .

A leaf that is a `pg:Question` too is read as a whole question again (a rule that only rewords says so); other leaves
are words that name events. A QUD inside a condition or a text form is a leaf as well:
`qud:condition 'lambda attr: attr["start_date"] in APPLY(l=QUD("I swam"), fct=…).result'`. There, what ends in a
question mark is a whole question: `qud:function 'lambda n: n - QUD("How many songs did I play in 2022?").result'`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from ...compiler.rewrites.expressions import with_trees
from ...errors import ReqapError
from ...ontology.namespaces import PG, QUD, RDF_TYPE
from ...operators.expressions import Expression
from ...operators.names import holds_answer
from ...operators.nodes import AttributeType, Extract, Filter, Node, Qud, Unnest, open_questions
from ...operators.syntax.rdf import Blank, Iri, RdfTerm, RdfTriple, Resource, Text, tree_from_rdf
from ...store.rdf import BlankNode, NamedNode, Term, Triple
from .rulebook import Rule

_INPUTS = frozenset({QUD + "input", QUD + "left", QUD + "right"})
_OPEN = Iri(QUD + "Qud")
_QUESTION = Iri(PG + "Question")


@dataclass(frozen=True)
class Leaf:
    """An open leaf: its question, and whether that is a whole question again rather than words that name events."""

    question: str
    whole: bool


@dataclass(frozen=True)
class Fragment:
    """A piece of tree; `said` holds what else the rule said of its top, by local name under pg:.

    `notes` are the pg:note, each for the reader of the answer; `uses` the annotations (pg:uses) that the piece was made
    of, where the rule tells: they make its confidence.
    """

    tree: Node
    leaves: tuple[Leaf, ...]
    said: Mapping[str, str]
    notes: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Broken:
    """What a rule constructed that is no tree, and why: it breaks the shapes of operators."""

    reason: str


def read_fragments(triples: Iterable[Triple]) -> list[Fragment | Broken]:
    """The pieces of tree that a rule constructed, one per top; what is none is told apart."""
    links: dict[RdfTerm, list[RdfTriple]] = {}
    below: set[RdfTerm] = set()
    for triple in triples:
        subject, predicate, value = read = _plain(triple)
        links.setdefault(subject, []).append(read)
        if predicate.value in _INPUTS:
            below.add(value)
    return [_piece(links, at) for at in links if at not in below and _is_operator(links[at])]


def tops_of(triples: Iterable[Triple]) -> int:
    """How many pieces these are, without reading them."""
    kinds: set[str] = set()
    below: set[str] = set()
    for triple in triples:
        predicate = triple.predicate.value
        if predicate in _INPUTS:
            below.add(str(triple.object))
        elif predicate == RDF_TYPE and isinstance(triple.object, NamedNode) and triple.object.value.startswith(QUD):
            kinds.add(str(triple.subject))
    return len(kinds - below)


def _is_operator(about: list[RdfTriple]) -> bool:
    return any(p.value == RDF_TYPE and isinstance(v, Iri) and v.value.startswith(QUD) for _, p, v in about)


def _piece(links: Mapping[RdfTerm, list[RdfTriple]], top: RdfTerm) -> Fragment | Broken:
    assert isinstance(top, Iri | Blank)
    own = [triple for at in _reach(links, top) for triple in links[at]]
    typed = [(s, v) for s, p, v in own if p.value == RDF_TYPE]
    whole = {s for s, v in typed if v == _QUESTION}
    questions = {s: _spaced(v.value) for s, p, v in own if p.value == QUD + "question"}
    opens = dict.fromkeys(s for s, v in typed if v == _OPEN and s in questions)
    about = [(p.value.removeprefix(PG), v.value) for _, p, v in links[top] if p.value.startswith(PG)]
    said = [(s, p, _tidied(p, v)) for s, p, v in own if not p.value.startswith(PG)]
    try:
        tree = tree_from_rdf(said, top)
    except ReqapError as bad:
        return Broken(str(bad))
    leaves = dict.fromkeys(Leaf(questions[at], at in whole) for at in opens)
    said_open = {leaf.question for leaf in leaves}
    others = (asked for asked in open_questions(tree) if asked not in said_open)
    leaves |= dict.fromkeys(Leaf(asked, whole=asked.endswith("?")) for asked in others)
    return Fragment(
        tree,
        tuple(leaves),
        dict(about),
        notes=tuple(dict.fromkeys(value for name, value in about if name == "note" and value)),
        uses=tuple(dict.fromkeys(value for name, value in about if name == "uses")),
    )


def _reach(links: Mapping[RdfTerm, list[RdfTriple]], top: RdfTerm) -> list[RdfTerm]:
    """The resources of one piece: what can be reached from its top, lists included."""
    reached = {top: None}
    pending = [top]
    while pending:
        for _, _, value in links[pending.pop()]:
            if value not in reached and value in links:
                reached[value] = None
                pending.append(value)
    return list(reached)


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
    changed: dict[str, Any] = {}
    for field in fields(tree):  # type: ignore[arg-type]
        value = getattr(tree, field.name)
        if isinstance(value, Node):
            changed[field.name] = with_leaves(value, filled)
        elif isinstance(value, Expression) and holds_answer(value):
            changed[field.name] = with_trees(value, lambda inner: with_leaves(inner, filled))
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


class RuleIndex:
    """Rules by what they wait for; those that wait for nothing are always needed."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._always = [at for at, rule in enumerate(rules) if not rule.triggers]
        self._by_trigger: dict[str, list[int]] = {}
        for at, rule in enumerate(rules):
            for trigger in rule.triggers:
                self._by_trigger.setdefault(trigger, []).append(at)

    def needed(self, present: Iterable[str]) -> list[Rule]:
        """The rules that wait for nothing, or for one of these kinds and patterns."""
        found = set(self._always)
        for trigger in present:
            found.update(self._by_trigger.get(trigger, ()))
        return [self._rules[at] for at in sorted(found)]
