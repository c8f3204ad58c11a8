"""Writing rules as one writes programs: the files of a domain, or of a user's own, checked and tested
(docs/authoring.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.resources import files
from pathlib import Path

from ...config import Settings
from ...errors import NotUnderstood
from ...planner.annotation.parse_graph import vocabulary_triples
from ...planner.authoring.cases import Case, Result, read_cases, try_cases
from ...planner.authoring.checks import check_documents
from ...planner.authoring.findings import Finding
from ...planner.rules.rulebook import CASES, RuleBook, load_rulebook, shipped_documents
from ...planner.search.plan import FindValues, Plan, Planner
from ...store.graph import MemoryGraph
from ...store.ontology_graph import ontology_quads
from ...store.vocabulary import Vocabulary, load_vocabulary
from ..knowledge import KnowledgeGraph
from .domain import Domain, domain_of, own_documents

Documents = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Workshop:
    """The rule files that are being written, `own`, and all that they are used with."""

    own: Documents
    others: Documents
    domain: Domain | None
    ontology: Documents = ()
    """That of the domain."""

    @classmethod
    def of(cls, paths: Sequence[Path], settings: Settings) -> Workshop:
        """Of the files and folders named; without any, of the domain's own files, else of the settings' rules.

        Raises UsageError for a file that cannot be read.
        """
        domain = domain_of(settings.domain)
        kept = (*(domain.rules if domain else ()), *settings.rules)
        named = tuple(file for path in paths for file in _turtle_files(path)) or kept
        wanted = {path.resolve() for path in named}
        beside = tuple(path for path in kept if path.resolve() not in wanted)
        words = domain.knowledge if domain else ()
        shipped = shipped_documents(domain.uses) if domain else shipped_documents()
        return cls(tuple(own_documents(named)), (*shipped, *own_documents(beside)), domain, tuple(own_documents(words)))

    @cached_property
    def rulebook(self) -> RuleBook:
        """All of them together. Raises RuleError with the place of what is wrong."""
        return load_rulebook([*self.others, *self.ontology, *self.own])

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The ontology that questions are read with."""
        documents = self.domain.ontology if self.domain else None
        return load_vocabulary(MemoryGraph(ontology_quads(documents)))

    def check(self) -> list[Finding]:
        """What is wrong in the files."""
        return check_documents(self.own, self.others, self.ontology)

    def counts(self) -> tuple[int, int]:
        """How many patterns and rules the files have."""
        paths = {path for path, _ in self.own}
        rules = {rule.iri for rule in self.rulebook.rules} - {
            rule.iri for rule in load_rulebook([*self.others, *self.ontology]).rules
        }
        return sum(c.pattern.path in paths for c in self.rulebook.patterns), len(rules)

    def cases(self) -> list[Case]:
        """Cases that stand in the files, in files of cases beside them, or in the domain's questions."""
        questions = self.domain.questions if self.domain else None
        beside = own_documents([questions]) if questions else []
        written = read_cases([*self.own, *(one for one in beside if one not in self.own)])
        return written if written or self.own or self.domain else shipped_cases()

    def test(self, cases: Sequence[Case], store: KnowledgeGraph | None) -> list[Result]:
        """Tries cases over a store that was opened with the files' rules, or without data: then the values that a case
        names are all there are."""
        return try_cases(cases, self._with_values if store is None else partial(_over, store))

    def _with_values(self, case: Case) -> Plan:
        if not case.known:
            return self._planner.plan(case.question, now=case.now)
        return self.planner(self.rulebook, case.values).plan(case.question, now=case.now)

    @cached_property
    def _planner(self) -> Planner:
        return self.planner(self.rulebook)

    def planner(self, book: RuleBook, values: FindValues | None = None) -> Planner:
        """A planner without data by a rule book; `values` are all the values there are."""
        return Planner(MemoryGraph(), self.vocabulary, book, values)

    @cached_property
    def knowledge(self) -> MemoryGraph:
        """What rules may ask of the vocabulary."""
        return MemoryGraph.of_triples(vocabulary_triples(self.vocabulary))


def _over(store: KnowledgeGraph, case: Case) -> Plan:
    found = store.investigate(case.question, now=case.now)
    if not found.plans:
        raise found.failure or NotUnderstood("the question says nothing", words=())
    return found.plans[0]


def shipped_cases() -> list[Case]:
    """The cases of the shipped rules."""
    folder = files("reqap_kg.mappings").joinpath("planner").joinpath(CASES)
    entries = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".ttl")), key=lambda entry: entry.name)
    return read_cases(
        (f"mappings/planner/{CASES}/{entry.name}", entry.read_text(encoding="utf-8")) for entry in entries
    )


def _turtle_files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(path.glob("**/*.ttl"))
    return [path]
