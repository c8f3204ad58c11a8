"""The files of a domain as text and as triples with their places; what cannot be read is told, the rest goes on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from ...config import own_text
from ...errors import DomainError, Place
from ...ontology.namespaces import DATA, PG, PREFIXES, RDF, RDF_TYPE
from ...planner.authoring.findings import Finding, Severity
from ...planner.authoring.terms import shortened
from ...store.ontology_graph import SETS
from ...store.rdf import Quad, parse_turtle
from ...store.sparql.source import Document, Said, placed
from ...store.words import nearest_name
from ..authoring.domain import PROFILE_BASE, Domain, load_domain

DOMAIN, ONTOLOGY, MAPS, RULES, PROFILE, QUESTIONS = "domain", "ontology", "maps", "rules", "profile", "questions"
_FILES: Final = ("domain.ttl", "ontology.ttl", "profile.ttl", "questions.ttl")
_FOLDERS: Final = ("ontology", "maps", "patterns", "rules")
_ALIKE: Final = 3
"""So many letters may the name of a file differ from that of one that is read."""
_BASES: Final = {DOMAIN: f"{DATA}domain", MAPS: DATA, PROFILE: PROFILE_BASE}


@dataclass(frozen=True)
class Statement:
    """One triple of a file, and where it is written."""

    quad: Quad
    said: Said | None
    document: Document
    part: str

    @property
    def subject(self) -> str:
        """The IRI, or the label of a blank node."""
        return getattr(self.quad.subject, "value", "")

    @property
    def predicate(self) -> str:
        return self.quad.predicate.value

    @property
    def value(self) -> str:
        """The IRI, text, or label of a blank node."""
        return getattr(self.quad.object, "value", "")

    @property
    def place(self) -> Place | None:
        """Of the object."""
        return self.document.place(self.said.object.offset) if self.said else None

    @property
    def predicate_place(self) -> Place | None:
        return self.document.place(self.said.predicate_at) if self.said else None


@dataclass
class Parts:
    """All that a domain's files say."""

    domain: Domain
    documents: list[tuple[str, Document]] = field(default_factory=list[tuple[str, Document]])
    statements: list[Statement] = field(default_factory=list[Statement])
    findings: list[Finding] = field(default_factory=list[Finding])
    unread: set[str] = field(default_factory=set[str])
    """Parts of which a file cannot be read: what there is of them is not known."""
    follows: dict[Finding, tuple[str, str | None]] = field(default_factory=dict[Finding, tuple[str, str | None]])
    """Findings that may only follow from others: the thing that they are about, and the name that it then lacks, if it
    is one."""

    def of(self, *parts: str) -> Iterator[Statement]:
        """The statements of some parts."""
        return (one for one in self.statements if one.part in parts)

    def texts(self, *parts: str) -> list[tuple[str, str]]:
        """The documents of some parts, as (path, text)."""
        return [(one.path or "", one.text) for part, one in self.documents if part in parts]

    @cached_property
    def by_predicate(self) -> Mapping[str, Sequence[Statement]]:
        found: dict[str, list[Statement]] = defaultdict(list)
        for one in self.statements:
            found[one.predicate].append(one)
        return found

    @cached_property
    def by_subject(self) -> Mapping[str, Sequence[Statement]]:
        found: dict[str, list[Statement]] = defaultdict(list)
        for one in self.statements:
            found[one.subject].append(one)
        return found

    def objects(self, subject: str, predicate: str) -> list[str]:
        """What is said of something by a property."""
        return [one.value for one in self.by_subject.get(subject, ()) if one.predicate == predicate]

    def typed(self, kind: str) -> list[Statement]:
        """The statements that something is of a class."""
        return [one for one in self.by_predicate.get(RDF_TYPE, ()) if one.value == kind]

    def items(self, head: str) -> list[Statement]:
        """The items of a list."""
        found: list[Statement] = []
        while one := next((s for s in self.by_subject.get(head, ()) if s.predicate == RDF + "first"), None):
            found.append(one)
            head = next(iter(self.objects(head, RDF + "rest")), "")
        return found

    @cached_property
    def prefixes(self) -> Mapping[str, str]:
        """The project's prefixes, and those of the documents."""
        own = {prefix: iri for _, document in self.documents for prefix, iri in document.prefixes.items()}
        return {**own, **PREFIXES}

    def short(self, iri: str) -> str:
        """As authors write it."""
        return shortened(iri, self.prefixes)

    def error(
        self,
        message: str,
        place: Place | None,
        nearest: str | None = None,
        expected: str | None = None,
        *,
        about: str | None = None,
    ) -> None:
        """Notes an error; one `about` a thing may only follow from what is wrong with that."""
        finding = Finding(Severity.ERROR, message, place, nearest, expected)
        self.findings.append(finding)
        if about is not None:
            self.follows[finding] = (about, None)

    def is_wrong_at(self, place: Place | None) -> bool:
        """Whether an error is told of a place."""
        return any(finding.place == place and finding.severity == Severity.ERROR for finding in self.findings)

    def warn(self, message: str, place: Place | None, nearest: str | None = None, expected: str | None = None) -> None:
        self.findings.append(Finding(Severity.WARNING, message, place, nearest, expected))


def read_parts(folder: Path, rules: Iterable[Path] = ()) -> Parts:
    """The files of the folder, and rules beside them. Raises DomainError where it has no domain.ttl."""
    parts = Parts(Domain(folder, folder.resolve().name, ()))
    parts.domain = _domain(folder, parts)
    domain = parts.domain
    paths: list[tuple[str, Path]] = [(DOMAIN, folder / "domain.ttl")]
    for part, listed in (
        (ONTOLOGY, lambda: domain.knowledge), (MAPS, lambda: domain.maps), (RULES, lambda: domain.rules),
        (PROFILE, lambda: [folder / "profile.ttl"]), (QUESTIONS, lambda: [domain.questions]),
    ):  # fmt: skip
        try:
            paths += [(part, path) for path in listed() if path is not None and path.is_file()]
        except DomainError as bad:
            parts.findings.append(Finding.of(bad))
    known = {path.resolve() for _, path in paths}
    paths += [(RULES, path) for path in rules if path.resolve() not in known]
    for part, path in paths:
        _read(part, path, parts)
    _check_names(folder, parts)
    return parts


def _domain(folder: Path, parts: Parts) -> Domain:
    """The domain; where domain.ttl is wrong, which is told, the one that was most likely meant."""
    path = folder / "domain.ttl"
    try:
        return load_domain(folder)
    except DomainError as bad:
        if not path.is_file():
            raise
        uses: set[str] = set()
        try:
            said = list(parse_turtle(own_text(path), base_iri=_BASES[DOMAIN], path=str(path), error=DomainError))
        except (DomainError, OSError, UnicodeDecodeError):
            said = []  # told when the file is read
        for quad in said:
            if quad.predicate.value == PG + "ruleSet":
                uses |= {nearest_name(getattr(quad.object, "value", ""), SETS) or ""} - {""}
        if said and not any(quad.predicate.value.startswith(PG) for quad in said):
            parts.findings.append(Finding.of(bad))
        return Domain(folder, folder.resolve().name, tuple(sorted(uses or SETS)))


def _read(part: str, path: Path, parts: Parts) -> None:
    try:
        text = own_text(path)
    except (OSError, UnicodeDecodeError) as bad:
        parts.error(f"{path} cannot be read: {bad}", Place(1, 1, str(path)))
        parts.unread.add(part)
        return
    base = _BASES.get(part)
    try:
        quads = list(parse_turtle(text, base_iri=base, path=str(path), error=DomainError))
    except DomainError as bad:
        parts.findings.append(Finding.of(bad))
        parts.unread.add(part)
        return
    document = Document(str(path), text, base or "")
    parts.documents.append((part, document))
    parts.statements += [Statement(quad, said, document, part) for quad, said in placed(quads, document)]


def _check_names(folder: Path, parts: Parts) -> None:
    """Files and folders that nothing reads, and that are named much like what is read."""
    for path in sorted(folder.iterdir()):
        names, what = (_FOLDERS, "folder") if path.is_dir() else (_FILES, "file")
        meant = nearest_name(path.name, names)
        if path.name in (*names, "data") or meant is None or abs(len(meant) - len(path.name)) > _ALIKE:
            continue
        if len(set(meant) ^ set(path.name)) <= _ALIKE and not (folder / meant).exists():
            place = Place(1, 1, str(path))
            parts.warn(f"nothing reads the {what} {path.name}", place, meant, expected=f"one of {', '.join(names)}")
