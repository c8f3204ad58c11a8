"""What `rules check` tells: findings with their place, and the documents in which the places are looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ...errors import LocatedError, Place
from ...store.sparql.source import Decoded, Document, Said, decoded, iri_of


class Severity(StrEnum):
    """An error keeps the rule from working; a warning most likely does."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, and the nearest right name if a name is unknown."""

    severity: Severity
    message: str
    place: Place | None = None
    nearest: str | None = None
    expected: str | None = None

    @classmethod
    def of(cls, bad: LocatedError, place: Place | None = None) -> Finding:
        """An error that was raised, at its own place or the one given."""
        return cls(Severity.ERROR, bad.message, place or bad.place, bad.nearest, bad.expected)

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        expected = f"; expected {self.expected}" if self.expected else ""
        hint = f"; did you mean {self.nearest}?" if self.nearest else ""
        return f"{where}{self.severity}: {self.message}{expected}{hint}"


def order_of(finding: Finding) -> tuple[str, int, int, str]:
    """Findings are told in the order of their places."""
    place = finding.place
    return (place.path or "", place.line, place.column, finding.message) if place else ("", 0, 0, finding.message)


@dataclass(frozen=True)
class Source:
    """One literal of a pattern or rule: what it says, and where."""

    document: Document
    subject: str
    said: Said
    text: Decoded

    def place(self, index: int = 0) -> Place:
        """The place in the document of a character of the text."""
        return self.document.place(self.text.at(index))

    def place_of(self, bad: LocatedError, lines_before: int = 0, columns_before: int = 0) -> Place:
        """The place in the document of an error in the text, to which lines and columns were put in front."""
        if bad.place is None:
            return self.place()
        line = bad.place.line - lines_before
        column = bad.place.column - (columns_before if line == 1 else 0)
        return self.document.place(self.text.at_place(max(1, line), max(1, column)))


@dataclass
class Sources:
    """The documents being checked, and what each pattern and rule says in them."""

    documents: Sequence[Document]
    findings: list[Finding] = field(default_factory=list)

    def literals(self, predicate: str) -> Iterator[Source]:
        """Every literal that is said with a predicate."""
        for document in self.documents:
            for said in document.said:
                if said.predicate == predicate and said.object.kind == "STRING":
                    yield Source(document, said.subject, said, decoded(said.object))

    def objects(self, predicate: str) -> Iterator[tuple[Document, Said, str]]:
        """Every IRI that is said with a predicate."""
        for document in self.documents:
            for said in document.said:
                iri = iri_of(said.object, document.prefixes)
                if said.predicate == predicate and iri is not None:
                    yield document, said, iri

    def defined_at(self) -> Mapping[str, Place]:
        """Where each subject is first spoken of."""
        found: dict[str, Place] = {}
        for document in self.documents:
            for subject, offset in document.defined.items():
                found.setdefault(subject, document.place(offset))
        return found

    def error(self, message: str, place: Place | None, nearest: str | None = None, expected: str | None = None) -> None:
        """Notes an error."""
        self.findings.append(Finding(Severity.ERROR, message, place, nearest, expected))

    def warn(self, message: str, place: Place | None, nearest: str | None = None, expected: str | None = None) -> None:
        """Notes a warning."""
        self.findings.append(Finding(Severity.WARNING, message, place, nearest, expected))
