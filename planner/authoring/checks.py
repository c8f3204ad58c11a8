"""`rules check`: what is wrong in files of patterns and rules, with line and column, as a compiler tells it.

First what keeps them from being read (Turtle, extraction expressions, SPARQL), all of it, not only the first; then,
where they can be read, what would keep them from working: unknown terms and variables, what nothing uses, words that no
question has.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ...errors import LocatedError, QueryError, RuleError
from ...ontology.namespaces import FN, PG, RDF_TYPE, RDFS, SH
from ...store.graph import MemoryGraph
from ...store.rdf import Quad, parse_turtle
from ...store.sparql.reading import check_where
from ...store.sparql.source import Document, Said
from ...store.words import nearest_name
from ..patterns import extraction as ex
from ..rules.rulebook import RULE_PREFIXES, RuleBook, load_rulebook, own_prefixes
from .calls import check_calls
from .findings import Finding, Severity, Source, Sources, order_of
from .pattern_checks import check_patterns
from .terms import Terms, known_terms, local, namespace_of, shortened, variables_of
from .uses import check_rules, check_terms, iris_of

Documents = Sequence[tuple[str, str]]
"""Turtle documents as (path, text)."""
_COMPUTE_HEAD, _COMPUTE_TAIL = "SELECT * WHERE { ", "\n} LIMIT 1"
UNASKED = ("nothing reads the group", "no rule asks for the kind")
"""How findings begin that tell what nothing asks for: they may be wrong where not all could be read."""
_MOST_TRIES = 20
"""How often the rule book is loaded without what was wrong in it."""


@dataclass(frozen=True)
class Checked:
    """What is wrong in documents of patterns and rules, and what they may name; `book` is of all that is right."""

    findings: tuple[Finding, ...]
    book: RuleBook | None
    terms: Terms


def check_documents(own: Documents, others: Documents, knowledge: Documents = ()) -> list[Finding]:
    """What is wrong in documents of patterns and rules that are used together with `others`, which are right, and with
    the ontology of their domain, in order of place."""
    return list(check_all(own, others, knowledge).findings)


def check_all(
    own: Documents,
    others: Documents,
    knowledge: Documents = (),
    faulty: Collection[str] = (),
    further: Collection[str] = (),
) -> Checked:
    """The same, with what was read. `faulty` are IRIs of patterns and rules in which something is known to be wrong,
    `further` those of terms that exist. What cannot be read does not keep the rest from being checked."""
    sources = Sources([Document(path, text) for path, text in own])
    quads = _parsed(sources)
    unread = {finding.place.path for finding in sources.findings if finding.place}
    own = [(path, text) for path, text in own if path not in unread]
    sources.documents = [document for document in sources.documents if document.path not in unread]
    beside = [*others, *knowledge]
    _check_syntax(sources, beside)
    left_out = {*faulty, *_wrong(sources)}
    book = _loaded(sources, own, beside, left_out)
    known = book or load_rulebook(others)
    terms = known_terms(known, quads, tuple(others), _other_quads(knowledge), further)
    check_terms(sources, terms)
    if book is not None:
        given = variables_of(book)
        check_rules(sources, book, given)
        check_patterns(sources, book, terms, given)
    if left_out:  # these may be what asks for what nothing asks for
        sources.findings = [one for one in sources.findings if not one.message.startswith(UNASKED)]
    return Checked(tuple(sorted(set(sources.findings), key=order_of)), book, terms)


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


def _wrong(sources: Sources) -> set[str]:
    """The patterns and rules in which there is an error."""
    places = [finding.place for finding in sources.findings if finding.place and finding.severity == Severity.ERROR]
    found: set[str] = set()
    for document in sources.documents:
        begins = sorted((said.subject_at, said.subject) for said in document.said if said.subject)
        for place in places:
            if place.path == document.path and begins:
                at = bisect_right(begins, (document.offset(place.line, place.column), chr(0x10FFFF))) - 1
                found.add(begins[max(at, 0)][1])
    return found


# ---------------------------------------------------------------- what keeps the documents from being read
def _check_syntax(sources: Sources, others: Documents) -> None:
    patterns = _pattern_names(sources, others)
    for source in sources.literals(PG + "extract"):
        _check_extraction(source, patterns, sources)
    functions = load_rulebook(()).functions
    graph = MemoryGraph(functions=functions)
    for predicate in (PG + "compute", PG + "look", SH + "construct", SH + "ask"):
        inside = predicate == PG + "compute"
        head, tail = (_COMPUTE_HEAD, _COMPUTE_TAIL) if inside else ("", "")
        for source in sources.literals(predicate):
            _check_functions(source, functions, sources)
            if _check_query(source, _prologue(source) + head, tail, graph, sources):
                check_calls(source, functions, graph, sources)
    _check_parts(sources, others)
    _check_triggers(sources, others)


def _prologue(source: Source) -> str:
    """The prefixes that the text may use, in one line that goes before it."""
    own = "".join(f"PREFIX {p}: <{iri}> " for p, iri in own_prefixes(source.document.text).items())
    return RULE_PREFIXES.strip() + " " + own


def _check_query(source: Source, head: str, tail: str, graph: MemoryGraph, sources: Sources) -> bool:
    """Runs the query on nothing: what does not parse, or reaches out, is told where it stands in the document. Whether
    it parses."""
    try:
        if tail:
            check_where(source.text.text)
    except QueryError as bad:
        sources.findings.append(Finding.of(bad, source.place_of(bad)))
        return False
    try:
        graph.answered(head + source.text.text + tail, bool)
    except QueryError as bad:
        if bad.message.startswith("there is no function"):  # told with the nearest name
            return True
        if bad.message.endswith("is not declared"):
            bad = QueryError("a prefix is not declared, neither in this document nor by the project", place=bad.place)
        sources.findings.append(Finding.of(bad, source.place_of(bad, 0, len(head))))
        return False
    return True


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
            hint = next((shortened(one, document.prefixes) for one in known if local(one) == best), None)
            place = document.place(said.object.offset)
            message = f"no pattern gives {shortened(iri, document.prefixes)}, for which the rule waits"
            sources.error(message, place, hint)


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


def _loaded(sources: Sources, own: Documents, others: Documents, left_out: set[str]) -> RuleBook | None:
    """The rule book of all documents without what is wrong in them, which is told; None, with a finding, where that
    cannot be said."""
    places = sources.defined_at()
    for _ in range(_MOST_TRIES):
        _add_dependent(sources, left_out)
        try:
            return load_rulebook([*others, *own], without=frozenset(left_out))
        except LocatedError as bad:
            iri = _named(bad, places, left_out)
            sources.findings.append(Finding.of(bad, places.get(iri or "")))
            if iri is None:
                return None
            left_out.add(iri)
    return None


def _named(bad: LocatedError, places: Collection[str], left_out: Collection[str]) -> str | None:
    """The pattern or rule that an error names."""
    here = [iri for iri in places if iri not in left_out]
    named = sorted((iri for iri in here if iri in bad.message), key=len, reverse=True)
    called = (iri for iri in here if f" {local(iri)} " in f" {bad.message.replace(':', ' ')} ")
    return next(iter((*named, *called)), None)


def _add_dependent(sources: Sources, left_out: set[str]) -> None:
    """Adds what waits for or uses a pattern that is left out: nothing can be said of it."""
    if not left_out:
        return
    uses: dict[str, set[str]] = defaultdict(set)
    for _, said, iri in sources.objects(PG + "trigger"):
        uses[said.subject].add(iri)
    by_name = {local(iri): iri for iri in left_out}
    for source in sources.literals(PG + "extract"):
        with suppress(RuleError):
            subs = (sub.pattern for sub in ex.sub_patterns(ex.parse_extraction(source.text.text)))
            uses[source.subject] |= {by_name.get(name, name) for name in subs}
    for source in sources.literals(SH + "construct"):
        uses[source.subject] |= {iri for _, iri in iris_of(source)}
    while more := {one for one, used in uses.items() if one not in left_out and used & left_out}:
        left_out |= more
        by_name.update({local(iri): iri for iri in more})
        for one in uses:
            uses[one] |= {by_name[name] for name in uses[one] if name in by_name}
