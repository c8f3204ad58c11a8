"""What patterns and rules name: terms that do not exist, variables that nothing binds or that nothing reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ...ontology.namespaces import FN, PG, PREFIXES, QUD, RDF_TYPE, SH
from ...store.sparql.lexer import SparqlToken, scanned
from ...store.sparql.source import iri_of
from ...store.words import nearest_name
from ..followups.text import FOLLOW_UPS
from ..patterns.patterns import CompiledPattern
from ..rules.rulebook import VARIABLE, Rule, RuleBook
from .findings import Source, Sources
from .sparql_source import Role, Use, construct_parts, variable_uses, where_parts
from .terms import CLOSED, LEXICAL_VARIABLES, Terms, Variables, local, namespace_of, shortened

NOTHING = "nothing"
"""A variable that is left unbound on purpose: IF(BOUND(?n), ?n, ?nothing)."""
_THIS = "this"


def check_terms(sources: Sources, terms: Terms) -> None:
    """Terms of namespaces that are known, which have no such term."""
    for document in sources.documents:
        for said in document.said:
            for iri, at in (
                (said.predicate, said.predicate_at),
                (iri_of(said.object, document.prefixes), said.object.offset),
            ):
                if iri and not terms.knows(iri):
                    own = document.prefixes
                    sources.error(f"there is no {shortened(iri, own)}", document.place(at), terms.nearest(iri, own))
    for predicate in (SH + "construct", PG + "compute", PG + "look"):
        for source in sources.literals(predicate):
            for token, iri in iris_of(source):
                if not terms.knows(iri) and namespace_of(iri) not in (VARIABLE, FN):
                    own = source.document.prefixes
                    place = source.place(token.offset)
                    sources.error(f"there is no {shortened(iri, own)}", place, terms.nearest(iri, own))


def iris_of(source: Source) -> Iterator[tuple[SparqlToken, str]]:
    """The IRIs that a literal of SPARQL writes, with their tokens."""
    prefixes = {**PREFIXES, "var": VARIABLE, **source.document.prefixes}
    for token in scanned(source.text.text):
        iri = iri_of(token, prefixes)
        if iri is not None and iri not in CLOSED and iri != VARIABLE:
            yield token, iri


def check_rules(sources: Sources, book: RuleBook, variables: Variables) -> None:
    """Variables of rules, what they ask of patterns, and whether they build a tree at all."""
    given = variables.exports
    rules = {rule.iri: rule for rule in book.rules}
    for source in sources.literals(SH + "construct"):
        rule = rules.get(source.subject)
        if rule is not None:
            _check_variables(source, sources)
            _check_exports(source, rule, book, given, sources)
            if not rule.infers:
                _check_template(source, sources)
                _check_loop(source, sources)
            _check_filters(source, sources)
    asked = _asked(book) | _MECHANISM
    for document, said, iri in sources.objects(PG + "kind"):
        if local(iri) not in asked:
            best = nearest_name(local(iri), asked)
            place = document.place(said.object.offset)
            sources.warn(f"no rule asks for the kind {shortened(iri)}", place, f"pg:{best}" if best else None)


_FOLLOW_UPS = frozenset(f"FollowUp{name}" for name in FOLLOW_UPS)
_SORTS = frozenset({"Filter", "Aside", "Frame", "Marker", "Phrasing", "Wording", "Otherwise"})
_MECHANISM = _FOLLOW_UPS | _SORTS | frozenset({"Never", "Refused", "Noise"})


def _asked(book: RuleBook) -> frozenset[str]:
    """Local names of everything that rules name."""
    named = (iri_of(t, PREFIXES) for rule in book.rules for t in scanned(rule.construct) if t.kind in ("NAME", "IRI"))
    triggers = (trigger for rule in book.rules for trigger in rule.triggers)
    return frozenset(local(iri) for iri in (*named, *triggers) if iri)


def _check_variables(source: Source, sources: Sources) -> None:
    uses = list(variable_uses(scanned(source.text.text)))
    bound = {u.name for u in uses if u.role in (Role.TRIPLE, Role.GIVEN)} | {_THIS, NOTHING}
    counts = Counter(u.name for u in uses)
    for use in _first_of_each(uses):
        if use.name not in bound:
            what = "the template tells" if use.role == Role.TEMPLATE else "an expression reads"
            message = f"{what} ?{use.name}, which nothing binds"
            told = sources.warn if use.role == Role.MAY_MISS else sources.error
            told(message, source.place(use.offset), _variable(use.name, bound - {use.name}))
        elif counts[use.name] == 1 and use.name not in (_THIS, NOTHING) and not use.tested:
            what = (
                "is computed and not used" if use.role == Role.GIVEN else "is used once: write [] if it only must exist"
            )
            meant = _variable(use.name, {name for name, count in counts.items() if name != use.name})
            sources.warn(f"?{use.name} {what}", source.place(use.offset), meant)


def _first_of_each(uses: Sequence[Use]) -> list[Use]:
    found: dict[str, Use] = {}
    for use in uses:
        found.setdefault(use.name, use)
    return list(found.values())


def _variable(name: str, names: set[str]) -> str | None:
    best = nearest_name(name, names - {_THIS, NOTHING})
    return f"?{best}" if best else None


def _check_exports(
    source: Source, rule: Rule, book: RuleBook, exported: Mapping[str, frozenset[str]], sources: Sources
) -> None:
    """`var:x` where none of the patterns that the rule names gives ?x."""
    text = source.text.text
    named = {iri for _, iri in iris_of(source)} | rule.triggers
    asked = [c for c in book.patterns if _is_named(c, named)] or list(book.patterns)
    given = LEXICAL_VARIABLES.union(*(exported[c.pattern.name] for c in asked))
    for token in scanned(text):
        iri = iri_of(token, {"var": VARIABLE}) or ""
        if namespace_of(iri) == VARIABLE and local(iri) and local(iri) not in given:
            best = nearest_name(local(iri), given)
            names = ", ".join(sorted(c.pattern.name for c in asked)) if len(asked) < 5 else "the patterns"
            sources.error(f"{names} give no ?{local(iri)}", source.place(token.offset), f"var:{best}" if best else None)


def _is_named(compiled: CompiledPattern, named: set[str]) -> bool:
    kinds = {PG + kind for kind in compiled.pattern.kinds} - {PG + "Filter", PG + "Frame", PG + "Aside", PG + "Marker"}
    return compiled.pattern.iri in named or not kinds.isdisjoint(named)


def _check_template(source: Source, sources: Sources) -> None:
    """A rule that builds no operator, or gives one a property that operators do not have."""
    query = construct_parts(source.text.text)
    if query is None:
        sources.error("the CONSTRUCT has no template", source.place())
        return
    prefixes = {**PREFIXES, **source.document.prefixes}
    named = [iri_of(token, prefixes) or "" for token in query.template]
    types = [b for a, b in pairwise(named) if a == RDF_TYPE]
    computed = any(t.kind == "VAR" for t, a in zip(query.template[1:], named, strict=False) if a == RDF_TYPE)
    if not computed and not any(iri.startswith(QUD) for iri in types):
        sources.error("the rule builds no operator", source.place())


def _check_loop(source: Source, sources: Sources) -> None:
    """A rule that asks the very question that it was given, which would ask it again."""
    query = construct_parts(source.text.text)
    if query is None:
        return
    prefixes = {**PREFIXES, **source.document.prefixes}
    own: set[str] = set()
    kinds: set[str] = set()
    for part in where_parts(query):
        tokens = scanned(part.text)
        if part.kind != "triple" or len(tokens) < 3 or tokens[0].text not in ("$this", "?this"):
            continue
        predicate = iri_of(tokens[1], prefixes)
        if predicate in (PG + "text", PG + "core") and tokens[2].kind == "VAR":
            own.add(tokens[2].text[1:])
        elif predicate == RDF_TYPE:
            kinds.add(iri_of(tokens[2], prefixes) or "")
    whole = PG + "Question" in {iri_of(token, prefixes) for token in query.template}
    asked = (b for a, b in pairwise(query.template) if iri_of(a, prefixes) == QUD + "question" and b.kind == "VAR")
    for token in asked:
        if token.text[1:] in own and PG + ("Phrase" if whole else "Question") not in kinds:
            message = f"the rule asks ?{token.text[1:]}, its own question, over and over"
            sources.error(message, source.place(token.offset), expected="other words than those of the question")


def _check_filters(source: Source, sources: Sources) -> None:
    """A rule for whole questions that leaves a leaf open without the question's filters would lose these."""
    names = {iri for _, iri in iris_of(source)}
    leaf = QUD + "Qud" in names
    reads = {PG + "filters", PG + "text", PG + "rest", PG + "Filter"} & names
    if leaf and not reads and {PG + "Question"} & names:
        sources.warn(
            "the rule does not read pg:filters: “in 2023” and the like would get lost; "
            'take `$this pg:filters ?filters` and put ?filters behind the leaf\'s words, or ask for `pg:filters ""`',
            source.place(),
        )
