"""Which terms, functions and variables patterns and rules may name, and the nearest to one that they may not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..ontology.namespaces import EV, FN, PG, PREFIXES, QUD, RDF_TYPE, SH
from ..store.ontology_graph import SETS, ontology_triples, shipped_documents
from ..store.rdf import NamedNode, Quad
from .patterns import CompiledPattern
from .row_expression import Hole
from .rulebook import VARIABLE, Rule, RuleBook
from .sparql_source import construct_parts
from .turtle_source import iri_of

_SHACL = (
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
)
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

    def nearest(self, iri: str) -> str | None:
        """The likeliest term that was meant, with its prefix if it has one of the project's."""
        namespace = namespace_of(iri)
        here = {local(known): known for known in self.by_namespace.get(namespace, ())}
        best = nearest(local(iri), here)
        return shortened(here[best]) if best else None


def known_terms(book: RuleBook, documents: Iterable[Quad], others: Iterable[Quad]) -> Terms:
    """The terms of the ontology, of the rule book, and of the documents' own vocabulary; `others` are taken at their
    word: the predicates and classes that they use exist."""
    found: dict[str, set[str]] = defaultdict(set)
    kinds = set()
    for quad in others:
        found[namespace_of(quad.predicate.value)].add(quad.predicate.value)
        if quad.predicate.value == RDF_TYPE and isinstance(quad.object, NamedNode):
            found[namespace_of(quad.object.value)].add(quad.object.value)
    for subject, predicate, value in _stated(documents):
        found[namespace_of(subject)].add(subject)
        if predicate.endswith("#type") and value == PG + "LexicalKind":
            kinds.add(local(subject))
    for name in _SHACL:
        found[SH].add(SH + name)
    found[FN] = set(book.functions)
    for compiled in book.patterns:
        found[PG].update(PG + kind for kind in compiled.pattern.kinds if ":" not in kind)
        found[namespace_of(compiled.pattern.iri)].add(compiled.pattern.iri)
    for rule in book.rules:
        found[namespace_of(rule.iri)].add(rule.iri)
        for iri in _inferred(rule):
            found[namespace_of(iri)].add(iri)
    return Terms({name: frozenset(iris) for name, iris in found.items()}, frozenset(kinds))


def _inferred(rule: Rule) -> Iterable[str]:
    """Terms that an inference adds to the parse graph: it may make up its own."""
    query = construct_parts(rule.construct) if rule.infers else None
    for token in query.template if query is not None else ():
        iri = iri_of(token, {**PREFIXES, "var": VARIABLE})
        if iri is not None and namespace_of(iri) in (PG, VARIABLE):
            yield iri


def _stated(documents: Iterable[Quad]) -> Iterable[tuple[str, str, str]]:
    for triple in ontology_triples(shipped_documents(tuple(SETS))):
        if isinstance(triple.subject, NamedNode):
            yield triple.subject.value, triple.predicate.value, getattr(triple.object, "value", "")
    for quad in documents:
        if isinstance(quad.subject, NamedNode):
            yield quad.subject.value, quad.predicate.value, getattr(quad.object, "value", "")


def namespace_of(iri: str) -> str:
    """The IRI up to its last # or /."""
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]


def local(iri: str) -> str:
    """The rest."""
    return iri[len(namespace_of(iri)) :]


def shortened(iri: str) -> str:
    """With a prefix of the project's, where it has one: pg:extract."""
    prefixes = {**PREFIXES, "var": VARIABLE}
    return next((f"{p}:{local(iri)}" for p, name in prefixes.items() if name == namespace_of(iri)), f"<{iri}>")


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name of those that is most like this one, if any is like it at all."""
    from rapidfuzz import fuzz, process, utils  # only needed when something is wrong

    known = list(names)
    found = process.extractOne(name, known, scorer=fuzz.ratio, score_cutoff=60) or process.extractOne(
        name, known, scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=60
    )
    return found[0] if found else None


def exports(compiled: CompiledPattern, book: Mapping[str, CompiledPattern]) -> frozenset[str]:
    """Names of the variables that a match of the pattern may have."""
    return frozenset(inputs(compiled, book)) | frozenset(compiled.pattern.outputs)


def inputs(compiled: CompiledPattern, book: Mapping[str, CompiledPattern]) -> frozenset[str]:
    """Names of the variables that the pattern's words give, before its transformation."""
    holes = (hole for expression in compiled.expressions for hole in expression.holes)
    return frozenset(name for hole in holes for name in _of_hole(hole, book))


def _of_hole(hole: Hole, book: Mapping[str, CompiledPattern]) -> Iterable[str]:
    yield hole.name
    if hole.kind is not None:
        yield f"{hole.name}_matches"
    if hole.pattern is not None and hole.pattern in book:
        yield from (f"{hole.name}_{inner}" for inner in exports(book[hole.pattern], book))


def by_name(book: RuleBook) -> Mapping[str, CompiledPattern]:
    """The patterns by local name."""
    return {c.pattern.name: c for c in book.patterns}
