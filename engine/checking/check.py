"""All checks of a domain's folder, in an order in which each knows what those before it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from ...config import Settings, zone
from ...errors import DomainError, UsageError
from ...mappings.rml import CompiledMap
from ...ontology.namespaces import EV, FN, PG, PREFIXES, RML, SH
from ...planner.authoring.checks import UNASKED, Checked, check_all
from ...planner.authoring.findings import Finding, Severity, Sources, order_of
from ...planner.authoring.terms import Terms, namespace_of
from ...planner.authoring.uses import check_terms, iris_of
from ...planner.rules.rulebook import shipped_documents
from ...store.graph import MemoryGraph
from ...store.ontology_graph import Documents, ontology_quads
from ...store.ontology_graph import shipped_documents as shipped_ontology
from ...store.vocabulary import Vocabulary, load_vocabulary
from ..importing.loading import given_files, standing_in
from .consequences import without_consequences
from .maps import Sources as Files
from .maps import check_datatypes, check_predicates, check_sources, load_maps
from .ontology import chain_items, check_ontology, check_own_predicates, made_predicates, own_namespaces
from .parts import DOMAIN, MAPS, ONTOLOGY, PROFILE, QUESTIONS, RULES, Parts, read_parts
from .prefixes import check_prefixes, named_in
from .shapes import check_shapes
from .trees import check_built, check_cases
from .values import Run, check_profile, check_ranges, in_a_process, read_values

_QUERIES = (SH + "construct", SH + "ask", PG + "compute", PG + "look")


@dataclass(frozen=True)
class Report:
    """What is wrong in a domain, in order of place, and how much was looked at."""

    findings: tuple[Finding, ...]
    files: int
    patterns: int
    rules: int

    @property
    def wrong(self) -> bool:
        """Whether there is an error."""
        return any(finding.severity == Severity.ERROR for finding in self.findings)


def check_domain(
    folder: Path, settings: Settings, data: Sequence[Path] = (), *, home_zone: str = "UTC", run: Run | None = None
) -> Report:
    """All that is wrong in the files of a domain. Files in `data` stand in for those of the same names; `run` is how
    its maps are run. Raises DomainError for a folder that is none, UsageError for data that no map reads."""
    parts = read_parts(folder, settings.rules)
    if ONTOLOGY in parts.unread:
        return _without_ontology(parts, settings, data, zone(settings.home_zone or home_zone))
    misnamed = check_prefixes(parts)
    told = [*parts.findings]
    check_shapes(parts)
    checked = _check_rules(parts)
    _check_terms(parts, checked.terms)
    maps = load_maps(parts, zone(settings.home_zone or home_zone))
    _check_predicates(parts, checked)
    typed = check_datatypes(maps, parts)
    check_ontology(parts)
    files = Files(folder, _instead(maps, data), settings.limits)
    readable = check_sources(maps, parts, files)
    values = read_values(readable, parts, files, run or in_a_process(settings))
    check_profile(parts, values)
    check_ranges(parts, values, typed)
    vocabulary = _vocabulary(parts)
    if vocabulary is not None:
        check_cases(parts, checked.book, vocabulary, values)
        check_built(parts, vocabulary)
    if misnamed:  # the names of such a namespace, and what then is missing, say nothing new
        others = (
            one for one in parts.findings[len(told) :] if one not in parts.follows and not named_in(one, misnamed)
        )
        parts.findings = [*told, *others]
    return _report(parts, checked)


def _without_ontology(parts: Parts, settings: Settings, data: Sequence[Path], home: ZoneInfo) -> Report:
    """What can be said where the ontology cannot be read: of what names nothing that it would declare."""
    shipped = shipped_documents(parts.domain.uses)
    checked = check_all(parts.texts(RULES), shipped)
    parts.findings += [finding for finding in checked.findings if not _names_own(finding)]
    maps = load_maps(parts, home)
    check_sources(maps, parts, Files(parts.domain.folder, _instead(maps, data), settings.limits))
    return _report(parts, checked)


def _names_own(finding: Finding) -> bool:
    """Whether a name is told to be unknown that the project does not define."""
    name = finding.message.removeprefix("there is no ")
    return name != finding.message and name.partition(":")[0] not in PREFIXES


def _check_rules(parts: Parts) -> Checked:
    """Patterns and rules, together with those that ship; those in which a shape found something are not used."""
    places = {f.place for f in parts.findings}
    faulty = {one.subject for one in parts.of(RULES) if one.place in places and one.predicate.startswith((SH, PG))}
    shipped = shipped_documents(parts.domain.uses)
    checked = check_all(parts.texts(RULES), shipped, parts.texts(ONTOLOGY), faulty, _further(parts))
    partly = RULES in parts.unread
    parts.findings += (one for one in checked.findings if not (partly and one.message.startswith(UNASKED)))
    for finding in checked.findings:
        _, lacks, wanted = finding.message.partition(" has no ")
        for one in parts.of(RULES) if lacks else ():
            if one.predicate_place == finding.place:
                parts.follows[finding] = (one.subject, wanted)
    return checked


def _further(parts: Parts) -> frozenset[str]:
    """Terms that exist besides those of the ontology: what maps make, names that are only given."""
    named = frozenset(one.value for one in parts.statements if one.predicate.endswith("warehouse#partOf"))
    flags = frozenset(EV + name for name in ("Records", "keepOtherKeys", "emptyIsNull"))
    own = own_namespaces(parts)
    links = made_predicates(parts) | {item.value for item in chain_items(parts)}  # these are told with what maps make
    return flags | named | {iri for iri in links if namespace_of(iri) in own}


def _check_terms(parts: Parts, terms: Terms) -> None:
    """Misspelt terms of all files but those of patterns and rules, which were looked at. What RML and its functions are
    called is looked at where maps are read."""
    in_maps = replace(terms, by_namespace={s: iris for s, iris in terms.by_namespace.items() if s not in (RML, FN)})
    for known, held in ((terms, (DOMAIN, ONTOLOGY, PROFILE, QUESTIONS)), (in_maps, (MAPS,))):
        sources = Sources([one for part, one in parts.documents if part in held])
        check_terms(sources, known)
        unsure = RULES in parts.unread  # what a rule file declares may be named
        parts.findings += [finding for finding in sources.findings if not (unsure and _names_own(finding))]


def _check_predicates(parts: Parts, checked: Checked) -> None:
    """What maps make and the ontology says, and nothing reads."""
    if RULES in parts.unread:
        return
    rules = Sources([document for part, document in parts.documents if part == RULES])
    queries = (source for name in _QUERIES for source in rules.literals(name))
    asked = {iri for source in queries for _, iri in iris_of(source)} | {one.value for one in parts.of(RULES)}
    check_predicates(parts, asked, checked.terms)
    check_own_predicates(parts, asked)


def _instead(maps: Sequence[CompiledMap], data: Sequence[Path]) -> dict[str, Path]:
    written = [path for compiled in maps for path in compiled.source_paths]
    for path in data:
        if not path.exists():
            raise UsageError(f"there is no file or folder {path}")
    return dict(standing_in(written, given_files(data)))


def _vocabulary(parts: Parts) -> Vocabulary | None:
    """The vocabulary of all that could be read."""
    own = tuple((path, text.encode()) for path, text in parts.texts(ONTOLOGY))
    try:
        return _vocabulary_of((*shipped_ontology(parts.domain.uses), *own))
    except DomainError as bad:
        parts.findings.append(Finding.of(bad))
        return None


@lru_cache(maxsize=4)
def _vocabulary_of(documents: Documents) -> Vocabulary:
    return load_vocabulary(MemoryGraph(ontology_quads(documents)))


def _report(parts: Parts, checked: Checked) -> Report:
    """The findings, one at each place, without those that only follow from others."""
    kept: dict[tuple[object, ...], Finding] = {}
    for finding in sorted(without_consequences(parts), key=order_of):
        kept.setdefault((finding.place or finding.message, finding.severity), finding)
    paths = {path for path, _ in parts.texts(RULES)}
    patterns = sum(one.pattern.path in paths for one in checked.book.patterns) if checked.book else 0
    own = {one.subject for one in parts.of(RULES) if one.predicate == SH + "construct"}
    rules = sum(rule.iri in own for rule in checked.book.rules) if checked.book else 0
    return Report(tuple(kept.values()), len(parts.documents), patterns, rules)
