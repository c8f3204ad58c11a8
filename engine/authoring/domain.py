"""A domain: a folder with the ontology, maps, patterns, rules and profile that questions about other data are read by.

    domain.ttl               what it is called and which shipped rules it uses
    ontology.ttl, ontology/  its classes and properties, measures and dimensions
    maps/*.ttl               RML maps; their file sources are below the folder (data/sales.csv)
    patterns/*.ttl rules/*.ttl
    profile.ttl              who asks: what "my city" means
    questions.ttl            example questions with their trees (`reqap-kg rules test`)
    data/                    the files that the maps read

Only domain.ttl must be there. Personal events are the domain of an empty folder that uses "personal".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from ...config import Settings, own_text
from ...errors import DomainError, UsageError
from ...ontology.namespaces import DATA, PG, PROFILE_SOURCE, QB, RDF_TYPE, RDFS, WH
from ...planner.rules.rulebook import RuleBook, load_rulebook, shipped_rulebook
from ...planner.rules.rulebook import shipped_documents as rule_documents
from ...sources.text import slug
from ...store.ontology_graph import PERSONAL, SETS, WAREHOUSE, Documents, shipped_documents
from ...store.rdf import NamedNode, Quad, parse_turtle
from ...store.words import nearest_name

PROFILE_BASE = f"{DATA}{PROFILE_SOURCE}/"
"""What relative IRIs of a profile are below: <owner> is who asks."""
_LATER = 100
"""Added to the orders of the rules of personal events in domains that have measures, too."""


@dataclass(frozen=True)
class Domain:
    """A domain that was read from a folder. `uses` are names of shipped sets: "personal", "warehouse"."""

    folder: Path
    label: str
    uses: tuple[str, ...]

    @property
    def name(self) -> str:
        """Names the domain's source, and its store where no other is given."""
        return slug(self.folder.resolve().name) or "domain"

    @property
    def ontology(self) -> Documents:
        """The vocabulary of a store of this domain: what the shipped sets have, and its own."""
        own = tuple((str(path), _text(path).encode()) for path in self._turtle("ontology"))
        return (*shipped_documents(self.uses), *own)

    @property
    def maps(self) -> tuple[Path, ...]:
        """Its RML maps."""
        return tuple(self._turtle("maps"))

    @property
    def rules(self) -> tuple[Path, ...]:
        """Its patterns and rules."""
        return (*self._turtle("patterns"), *self._turtle("rules"))

    @property
    def has_rules(self) -> bool:
        """Whether it has rules, not patterns alone."""
        return any(True for _ in self._turtle("rules"))

    @property
    def knowledge(self) -> tuple[Path, ...]:
        """What rules may ask of besides patterns and rules: its ontology."""
        return tuple(self._turtle("ontology"))

    @property
    def profile(self) -> tuple[Quad, ...]:
        """What profile.ttl says; nothing where there is none."""
        path = self.folder / "profile.ttl"
        if not path.is_file():
            return ()
        return tuple(
            parse_turtle(_text(_inside(self.folder, path)), base_iri=PROFILE_BASE, path=str(path), error=DomainError)
        )

    @property
    def questions(self) -> Path | None:
        """Its example questions."""
        path = self.folder / "questions.ttl"
        return _inside(self.folder, path) if path.is_file() else None

    def _turtle(self, name: str) -> Iterator[Path]:
        """The Turtle files of a part: the file of that name, and those of the folder."""
        single = self.folder / f"{name}.ttl"
        found = [single] if single.is_file() else []
        for path in (*found, *sorted((self.folder / name).glob("**/*.ttl"))):
            yield _inside(self.folder, path)


def _inside(folder: Path, path: Path) -> Path:
    """The path itself. Raises DomainError for a link that leads out of the domain's folder."""
    if not path.resolve().is_relative_to(folder.resolve()):
        raise DomainError(f"{path} is a link out of the domain's folder {folder}, which is not followed")
    return path


def load_domain(folder: Path) -> Domain:
    """The domain of a folder. Raises DomainError where there is none, or domain.ttl is not as it must be."""
    path = folder / "domain.ttl"
    if not path.is_file():
        raise DomainError(f"{folder} is no domain: it has no domain.ttl")
    found: dict[str, list[str]] = {}
    for quad in parse_turtle(_text(path), base_iri=f"{DATA}domain", path=str(path), error=DomainError):
        found.setdefault(quad.predicate.value, []).append(getattr(quad.object, "value", ""))
    for name in found.keys() - {PG + "ruleSet"}:
        if name.startswith(PG):
            raise DomainError(f"{path}: a domain has no pg:{name.removeprefix(PG)}", expected="pg:ruleSet")
    uses = tuple(sorted(set(found.get(PG + "ruleSet", [PERSONAL]))))
    for name in uses:
        if name not in SETS:
            raise DomainError(f"{path}: pg:ruleSet {name!r}", expected=f"one of {', '.join(sorted(SETS))}")
    label = next(iter(found.get(RDFS + "label", [])), folder.resolve().name)
    return Domain(folder, label, uses)


@lru_cache(maxsize=4)
def _kept(folder: Path) -> Domain:
    return load_domain(folder)


def domain_of(folder: Path | None) -> Domain | None:
    """The domain that the settings name, if any."""
    return None if folder is None else _kept(folder)


def ontology_of(folder: Path | None) -> Documents:
    """The vocabulary of a store of the domain that the settings name; without one, that of personal events."""
    domain = domain_of(folder)
    return shipped_documents() if domain is None else domain.ontology


def measures_in(settings: Settings) -> bool:
    """Whether the settings' domain has measures and dimensions."""
    domain = domain_of(settings.domain)
    return domain is not None and WAREHOUSE in domain.uses


def rulebook_of(settings: Settings, folder: Path | None = None) -> RuleBook:
    """The rule book of the settings' domain, with the settings' own rules added; the folder keeps what makes loading it
    again quick.

    Raises UsageError where a file cannot be read, RuleError with the place of what is wrong in it.
    """
    domain = domain_of(settings.domain)
    if domain is None:
        return rulebook_with(settings.rules, folder)
    own = (*domain.knowledge, *domain.rules, *settings.rules)
    about = (str(domain.folder / "domain.ttl"), _said_of(domain))
    documents = [*rule_documents(domain.uses), about, *((str(path), _text(path)) for path in own)]
    book = load_rulebook(documents, folder)
    check_measures(book.quads)
    return _figures_first(book) if {PERSONAL, WAREHOUSE} <= set(domain.uses) else book


def rulebook_with(paths: Sequence[Path], folder: Path | None = None) -> RuleBook:
    """The shipped rule book with the files' patterns and rules added; the folder keeps what makes loading it again
    quick.

    Raises UsageError where a file cannot be read, RuleError with the place of what is wrong in it.
    """
    if not paths:
        return shipped_rulebook(folder)
    return load_rulebook([*rule_documents(), *own_documents(paths)], folder)


def own_documents(paths: Iterable[Path]) -> list[tuple[str, str]]:
    """A user's files of rules, as (path, Turtle). Raises UsageError where one cannot be read."""
    found: list[tuple[str, str]] = []
    for path in paths:
        try:
            found.append((str(path), own_text(path)))
        except (OSError, UnicodeDecodeError) as bad:
            raise UsageError(f"the rules {path} cannot be read: {bad}") from bad
    return found


def _said_of(domain: Domain) -> str:
    """What rules may ask of the domain: the shipped sets that it uses."""
    sets = ", ".join(f'"{name}"' for name in domain.uses)
    return f"<{DATA}domain> a <{PG}Domain> ; <{PG}ruleSet> {sets} ."


def _figures_first(book: RuleBook) -> RuleBook:
    """Where a domain has both sets, what names measures or dimensions is a question to the warehouse: the rules of
    personal events, which read almost anything, come after its rules and the domain's own."""
    personal = {rule.iri for rule in shipped_rulebook().rules}
    later = (replace(rule, order=rule.order + _LATER) if rule.iri in personal else rule for rule in book.rules)
    return replace(book, rules=tuple(sorted(later, key=lambda rule: rule.order)))


def _text(path: Path) -> str:
    try:
        return own_text(path)
    except (OSError, UnicodeDecodeError) as bad:
        raise DomainError(f"{path} cannot be read: {bad}") from bad


WAYS: Final = ("sum", "avg", "average", "min", "max", "count", "distinct", "none")
"""What wh:aggregate may say."""
_OF_DIMENSIONS: Final = ("notOver", "partly")


def check_measures(quads: Iterable[Quad]) -> None:
    """Raises DomainError for a way of adding up that there is none of, and for what names no dimension or measure."""
    said = tuple(quads)
    kinds = {
        (q.subject, q.object.value) for q in said if q.predicate.value == RDF_TYPE and isinstance(q.object, NamedNode)
    }
    for quad in said:
        term = quad.predicate.value.removeprefix(WH)
        value = getattr(quad.object, "value", "")
        if term == "aggregate" and value not in WAYS:
            expected = f"one of {', '.join(WAYS)}"
            message = f"{quad.subject}: wh:aggregate {value!r}"
            raise DomainError(message, expected=expected, nearest=nearest_name(value, WAYS))
        wanted = "DimensionProperty" if term in _OF_DIMENSIONS else "MeasureProperty" if term == "weight" else None
        if wanted and quad.predicate.value.startswith(WH) and (quad.object, QB + wanted) not in kinds:
            raise DomainError(f"{quad.subject}: wh:{term} {value}", expected=f"a qb:{wanted} of the domain")
