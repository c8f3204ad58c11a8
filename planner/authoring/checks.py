"""`rules check`: what is wrong in files of patterns and rules, with line and column, as a compiler tells it.

First what keeps them from being read (Turtle, extraction expressions, SPARQL), all of it, not only the first; then,
where they can be read, what would keep them from working: unknown terms and variables, what nothing uses, words that no
question has.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...errors import LocatedError, QueryError, RuleError
from ...ontology.namespaces import FN, PG, RDF_TYPE, RDFS, SH
from ...store.graph import MemoryGraph
from ...store.rdf import Quad, parse_turtle
from ...store.sparql.reading import check_where
from ...store.sparql.source import Document, Said
from ...store.words import nearest_name
from ..patterns import extraction as ex
from ..rules.rulebook import RULE_PREFIXES, RuleBook, load_rulebook, own_prefixes
from .findings import Finding, Severity, Source, Sources
from .pattern_checks import check_patterns
from .terms import Terms, known_terms, local, namespace_of, shortened
from .uses import check_rules, check_terms, iris_of

Documents = Sequence[tuple[str, str]]
"""Turtle documents as (path, text)."""
_COMPUTE_HEAD, _COMPUTE_TAIL = "SELECT * WHERE { ", "\n} LIMIT 1"


def check_documents(own: Documents, others: Documents) -> list[Finding]:
    """What is wrong in documents of patterns and rules that are used together with `others`, in order of place."""
    sources = Sources([Document(path, text) for path, text in own])
    quads = _parsed(sources)
    if not sources.findings:  # of what is no Turtle, nothing else can be said
        _check_syntax(sources, others)
    if not any(finding.severity == Severity.ERROR for finding in sources.findings):
        book = _loaded(sources, own, others)
        if book is not None:
            beside = _other_quads(others)
            terms = known_terms(book, [*quads, *beside], beside)
            _check_meaning(sources, book, terms)
    return sorted(set(sources.findings), key=_order)


def _order(finding: Finding) -> tuple[str, int, int, str]:
    place = finding.place
    return (place.path or "", place.line, place.column, finding.message) if place else ("", 0, 0, finding.message)


def _parsed(sources: Sources) -> list[Quad]:
    found: list[Quad] = []
    for document in sources.documents:
        try:
            found.extend(parse_turtle(document.text, path=document.path, error=RuleError))
        except RuleError as bad:
            sources.findings.append(Finding.of(bad))
    return found


def _other_quads(others: Documents) -> list[Quad]:
    return [quad for path, text in others for quad in parse_turtle(text, path=path, error=RuleError)]


# ---------------------------------------------------------------- what keeps the documents from being read
def _check_syntax(sources: Sources, others: Documents) -> None:
    patterns = _pattern_names(sources, others)
    for source in sources.literals(PG + "extract"):
        _check_extraction(source, patterns, sources)
    functions = load_rulebook(()).functions
    graph = MemoryGraph(functions=functions)
    for predicate in (PG + "compute", PG + "look", SH + "construct", SH + "ask"):
        for source in sources.literals(predicate):
            _check_functions(source, functions, sources)
    for source in sources.literals(PG + "compute"):
        _check_query(source, _prologue(source) + _COMPUTE_HEAD, _COMPUTE_TAIL, graph, sources)
    for source in sources.literals(PG + "look"):
        _check_query(source, _prologue(source), "", graph, sources)
    for source in (*sources.literals(SH + "construct"), *sources.literals(SH + "ask")):
        _check_query(source, _prologue(source), "", graph, sources)
    _check_parts(sources, others)
    _check_triggers(sources, others)


def _prologue(source: Source) -> str:
    """The prefixes that the text may use, in one line that goes before it."""
    own = "".join(f"PREFIX {p}: <{iri}> " for p, iri in own_prefixes(source.document.text).items())
    return RULE_PREFIXES.strip() + " " + own


def _check_query(source: Source, head: str, tail: str, graph: MemoryGraph, sources: Sources) -> None:
    """Runs the query on nothing: what does not parse, or reaches out, is told where it stands in the document."""
    try:
        if tail:
            check_where(source.text.text)
    except QueryError as bad:
        sources.findings.append(Finding.of(bad, source.place_of(bad)))
        return
    try:
        graph.answered(head + source.text.text + tail, bool)
    except QueryError as bad:
        unknown = bad.message.startswith("there is no function")
        if bad.message.endswith("is not declared"):
            bad = QueryError("a prefix is not declared, neither in this document nor by the project", place=bad.place)
        if not unknown:  # functions are told with the nearest name, below
            sources.findings.append(Finding.of(bad, source.place_of(bad, 0, len(head))))


def _check_functions(source: Source, functions: Collection[str], sources: Sources) -> None:
    for token, iri in iris_of(source):
        if namespace_of(iri) == FN and iri not in functions:
            best = nearest_name(local(iri), map(local, functions))
            sources.error(f"there is no function fn:{local(iri)}", source.place(token.offset), best and f"fn:{best}")


def _check_triggers(sources: Sources, others: Documents) -> None:
    """What rules wait for must be a pattern, or a kind that some pattern has."""
    every = Sources([*sources.documents, *(Document(path, text) for path, text in others)])
    known = {iri for _, _, iri in every.objects(PG + "kind")}
    known |= {said.subject for _, said, iri in every.objects(RDF_TYPE) if iri == PG + "Pattern"}
    for document, said, iri in sources.objects(PG + "trigger"):
        if iri not in known:
            best = nearest_name(local(iri), {local(one): one for one in known})
            hint = next((shortened(one) for one in known if local(one) == best), None)
            place = document.place(said.object.offset)
            sources.error(f"no pattern gives {shortened(iri)}, for which the rule waits", place, hint)


def _pattern_names(sources: Sources, others: Documents) -> set[str]:
    documents = [*sources.documents, *(Document(path, text) for path, text in others)]
    subjects = (s.subject for d in documents for s in d.said if s.predicate == PG + "extract")
    return {subject.rsplit("#", 1)[-1].rsplit("/", 1)[-1] for subject in subjects}


def _check_extraction(source: Source, patterns: set[str], sources: Sources) -> None:
    text = source.text.text
    try:
        tree = ex.parse_extraction(text)
    except RuleError as bad:
        sources.findings.append(Finding.of(bad, source.place_of(bad)))
        return
    for sub in ex.sub_patterns(tree):
        if sub.pattern not in patterns:
            at = max(0, text.find(sub.pattern))
            sources.error(f"{{{sub.pattern}}} is no pattern", source.place(at), nearest_name(sub.pattern, patterns))


def _check_parts(sources: Sources, others: Documents) -> None:
    """Patterns without expression, rules without CONSTRUCT, labels that are missing."""
    said = {(s.subject, s.predicate) for document in sources.documents for s in document.said}
    for document, one, kind in sources.objects(RDF_TYPE):
        place = document.place(one.predicate_at)
        wanted = {PG + "Pattern": PG + "extract", SH + "SPARQLRule": SH + "construct"}.get(kind)
        if wanted is None:
            continue
        if not one.subject:
            sources.error(f"a {_short(kind)} has no IRI", place)
        elif (one.subject, wanted) not in said:
            meant = _misspelt(document, one.subject, wanted, others)
            if meant is not None:
                sources.error(
                    f"there is no {shortened(meant.predicate)}", document.place(meant.predicate_at), _short(wanted)
                )
            sources.error(f"{_short(one.subject)} has no {_short(wanted)}", place)
        elif (one.subject, RDFS + "label") not in said:
            meant = _misspelt(document, one.subject, RDFS + "label", others)
            place, seen = (
                (document.place(meant.predicate_at), f", but {shortened(meant.predicate)}") if meant else (place, "")
            )
            sources.warn(f"{_short(one.subject)} has no rdfs:label{seen}; it is what answers call it", place)


def _misspelt(document: Document, subject: str, wanted: str, others: Documents) -> Said | None:
    """What is said of something by a property that nobody else uses, and that is written much like the one wanted."""
    space = namespace_of(wanted)
    alike = [one for one in document.said if one.subject == subject and namespace_of(one.predicate) == space]
    used = {quad.predicate.value for quad in _other_quads(others)} if alike else set[str]()
    alike = [one for one in alike if one.predicate not in used]
    best = nearest_name(local(wanted), [local(one.predicate) for one in alike])
    return next((one for one in alike if local(one.predicate) == best), None)


def _short(iri: str) -> str:
    found = shortened(iri)
    return local(iri) if found.startswith("<") else found


def _loaded(sources: Sources, own: Documents, others: Documents) -> RuleBook | None:
    """The rule book of all documents; None, with a finding, where something else is wrong with it."""
    try:
        return load_rulebook([*others, *own])
    except LocatedError as bad:
        places = sources.defined_at()
        named = [iri for iri in places if iri in bad.message]
        names = [iri for iri in places if f" {_short(iri).rsplit(':', 1)[-1]} " in f" {bad.message} "]
        place = next((places[iri] for iri in (*sorted(named, key=len, reverse=True), *names)), None)
        sources.findings.append(Finding.of(bad, place))
        return None


# ---------------------------------------------------------------- what keeps them from working
def _check_meaning(sources: Sources, book: RuleBook, terms: Terms) -> None:
    check_terms(sources, terms)
    check_rules(sources, book)
    if not any(finding.severity == Severity.ERROR for finding in sources.findings):
        check_patterns(sources, book, terms)
