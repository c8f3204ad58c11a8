"""Which terms, functions and variables patterns and rules may name, and the nearest to one that they may not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from ...errors import RuleError
from ...ontology.namespaces import EV, FN, PG, PREFIXES, QUD, RDF_TYPE, SH
from ...store.ontology_graph import SETS, ontology_triples, shipped_documents
from ...store.rdf import Literal, NamedNode, Quad, Triple, parse_turtle
from ...store.sparql.lexer import scanned
from ...store.sparql.source import iri_of
from ...store.words import nearest_name
from ..patterns.row_expression import Hole
from ..rules.rulebook import VARIABLE, Rule, RuleBook
from .sparql_source import construct_parts
from .standard_terms import standard_terms

_SHACL = [
    "SPARQLRule",
    "construct",
    "order",
    "condition",
    "deactivated",
    "prefixes",
    "declare",
    "prefix",
    "namespace",
    "ask",
]
_QUERIES = frozenset({SH + "construct", SH + "ask", PG + "compute", PG + "look"})
_OPEN = frozenset(PREFIXES[prefix] for prefix in ("sem", "qudt", "unit", "key", "data"))
"""Namespaces of which the documents here know a part."""
CLOSED = frozenset({EV, PG, QUD, FN, SH})
"""Namespaces whose terms are all known."""
INPUTS = frozenset({"now", "today", "weekday"})
"""What every transformation sees besides its groups."""
LEXICAL_VARIABLES = frozenset({"class", "namesEvents"})
"""Variables of annotations that no pattern made."""


@dataclass(frozen=True)
class Terms:
    """Everything that may be named: IRIs by namespace, and the kinds that words may be annotated as."""

    by_namespace: Mapping[str, frozenset[str]]
    lexical_kinds: frozenset[str]

    def knows(self, iri: str) -> bool:
        """Whether the term exists, or belongs to a namespace of which nothing is known."""
        namespace = namespace_of(iri)
        known = self.by_namespace.get(namespace)
        return known is None or iri in known or iri == namespace

    def nearest(self, iri: str, prefixes: Mapping[str, str] = PREFIXES) -> str | None:
        """The likeliest term that was meant, with its prefix if it has one of the project's or of these."""
        namespace = namespace_of(iri)
        here = {local(known): known for known in self.by_namespace.get(namespace, ())}
        best = nearest_name(local(iri), here)
        return shortened(here[best], prefixes) if best else None


def known_terms(
    book: RuleBook,
    documents: Iterable[Quad],
    others: tuple[tuple[str, str], ...],
    knowledge: Iterable[Quad] = (),
    further: Iterable[str] = (),
) -> Terms:
    """The terms of the ontology, of the rule book, of the documents' own vocabulary, and `further` ones; `others` are
    taken at their word: the predicates and classes that they use exist. So do those that `knowledge`, a domain's
    ontology, uses in namespaces of its own."""
    shipped = _terms_of(others)
    found = defaultdict(set, {name: set(iris) for name, iris in shipped.by_namespace.items()})
    kinds = set(shipped.lexical_kinds)
    _add(_said(documents), found, kinds)
    _add_knowledge(knowledge, found)
    found[FN] = set(book.functions)
    for compiled in book.patterns:
        found[PG].update(PG + kind for kind in compiled.pattern.kinds if ":" not in kind)
        found[namespace_of(compiled.pattern.iri)].add(compiled.pattern.iri)
    for iri in chain.from_iterable((rule.iri, *_inferred(rule)) for rule in book.rules):
        found[namespace_of(iri)].add(iri)
    for iri in further:
        found[namespace_of(iri)].add(iri)
    return Terms({name: frozenset(iris) for name, iris in found.items() if name not in _OPEN}, frozenset(kinds))


@lru_cache(maxsize=8)
def _terms_of(documents: tuple[tuple[str, str], ...]) -> Terms:
    """The terms of the ontology, of the vocabularies that others define, and of documents that are right, which are the
    same for all that are checked with them."""
    found: dict[str, set[str]] = defaultdict(set)
    kinds: set[str] = set()
    quads = [quad for path, text in documents for quad in parse_turtle(text, path=path, error=RuleError)]
    _add(_said(ontology_triples(shipped_documents(tuple(SETS)))), found, kinds)
    _add(_said(quads), found, kinds)
    for quad in quads:
        _use(quad, found)
    found[SH].update(SH + name for name in _SHACL)
    for iri in chain.from_iterable(standard_terms().values()):
        found[namespace_of(iri)].add(iri)
    return Terms({name: frozenset(iris) for name, iris in found.items()}, frozenset(kinds))


def _add(said: Iterable[tuple[str, str, str]], found: dict[str, set[str]], kinds: set[str]) -> None:
    for subject, predicate, value in said:
        found[namespace_of(subject)].add(subject)
        if predicate == PG + "kind" and namespace_of(value) == PG:
            found[PG].add(value)
        if predicate.endswith("#type") and value == PG + "LexicalKind":
            kinds.add(local(subject))


def _add_knowledge(knowledge: Iterable[Quad], found: dict[str, set[str]]) -> None:
    """Adds what an ontology speaks of, and the predicates of its own with which it does."""
    shipped = {*PREFIXES.values()}
    for subject, predicate, _ in _said(knowledge):
        found[namespace_of(subject)].add(subject)
        if namespace_of(predicate) not in shipped:
            found[namespace_of(predicate)].add(predicate)


def _use(quad: Quad, found: Mapping[str, set[str]]) -> None:
    """Adds the predicate, the class and the terms of SPARQL that a document uses, to namespaces of which something is
    known."""
    used = [quad.predicate.value]
    if quad.predicate.value == RDF_TYPE and isinstance(quad.object, NamedNode):
        used.append(quad.object.value)
    if quad.predicate.value in _QUERIES and isinstance(quad.object, Literal):
        used += [iri for token in scanned(quad.object.value) if (iri := iri_of(token)) is not None]
    for iri in used:
        if namespace_of(iri) in found:
            found[namespace_of(iri)].add(iri)


def _inferred(rule: Rule) -> Iterable[str]:
    """Terms that an inference adds to the parse graph: it may make up its own."""
    query = construct_parts(rule.construct) if rule.infers else None
    for token in query.template if query is not None else ():
        iri = iri_of(token, {**PREFIXES, "var": VARIABLE})
        if iri is not None and namespace_of(iri) not in (FN, QUD, SH):
            yield iri


def _said(quads: Iterable[Quad | Triple]) -> Iterable[tuple[str, str, str]]:
    for quad in quads:
        if isinstance(quad.subject, NamedNode):
            yield quad.subject.value, quad.predicate.value, getattr(quad.object, "value", "")


def namespace_of(iri: str) -> str:
    """The IRI up to its last # or /."""
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]


def local(iri: str) -> str:
    """The rest."""
    return iri[len(namespace_of(iri)) :]


def shortened(iri: str, own: Mapping[str, str] = PREFIXES) -> str:
    """With a prefix of the project's or of these, where it has one: pg:extract."""
    prefixes = {**PREFIXES, "var": VARIABLE, **own}
    return next((f"{p}:{local(iri)}" for p, name in prefixes.items() if name == namespace_of(iri)), f"<{iri}>")


@dataclass(frozen=True)
class Variables:
    """Names of variables by pattern: those that its words give, and those that a match may have in all."""

    inputs: Mapping[str, frozenset[str]]
    exports: Mapping[str, frozenset[str]]


def variables_of(book: RuleBook) -> Variables:
    """The variables of every pattern of the book, by its local name."""
    given: dict[str, frozenset[str]] = {}
    exported: dict[str, frozenset[str]] = {}
    for compiled in book.patterns:  # each comes after those that it uses
        holes = {hole for expression in compiled.expressions for hole in expression.holes}
        name = compiled.pattern.name
        given[name] = frozenset(variable for hole in holes for variable in _of_hole(hole, exported))
        exported[name] = given[name] | frozenset(compiled.pattern.outputs)
    return Variables(given, exported)


def _of_hole(hole: Hole, exported: Mapping[str, frozenset[str]]) -> Iterable[str]:
    yield hole.name
    if hole.kind is not None:
        yield f"{hole.name}_matches"
    if hole.pattern is not None:
        yield from (f"{hole.name}_{inner}" for inner in exported.get(hole.pattern, ()))
