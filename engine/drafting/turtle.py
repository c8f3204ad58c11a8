"""Turtle with comments; terms go through the serialiser of RDF, so that nothing of the data is ever read as Turtle."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ...ontology.namespaces import EV, FN, OWL, PG, QB, QUDT, RDF_TYPE, RDFS, RML, SKOS, UNIT, WH, XSD
from ...store.rdf import Literal, NamedNode

SPACES: Final[Mapping[str, str]] = {
    "ev": EV, "fn": FN, "owl": OWL, "pg": PG, "qb": QB, "qudt": QUDT, "rdfs": RDFS, "rml": RML, "skos": SKOS,
    "unit": UNIT, "wh": WH, "xsd": XSD,
}  # fmt: skip
_LOCAL: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_SIGNS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_NEEDS_ESCAPES: Final = frozenset("'\\\n\r\t\b\f")
_WIDE: Final = 116


class Writer:
    """Turtle that grows; `own` is the prefix of the domain and its namespace."""

    def __init__(self, own: tuple[str, str], first: str) -> None:
        self._spaces = {own[0]: own[1], **SPACES}
        self._lines: list[str] = []
        self._used: set[str] = set()
        self._first = first

    def iri(self, iri: str) -> str:
        """An IRI, short where it has a prefix."""
        if iri == RDF_TYPE:
            return "a"
        for prefix, space in self._spaces.items():
            if iri.startswith(space) and _LOCAL.fullmatch(iri[len(space) :]):
                self._used.add(prefix)
                return f"{prefix}:{iri[len(space) :]}"
        return str(NamedNode(iri))

    @staticmethod
    def text(value: str) -> str:
        """A text as a term."""
        return str(Literal(value))

    @staticmethod
    def quoted(value: str) -> str:
        """A text that has double quotes, as a term that can be read."""
        return str(Literal(value)) if set(value) & _NEEDS_ESCAPES else f"'{value}'"

    def heading(self, text: str) -> None:
        """A heading between parts."""
        self._lines += ["", f"# {'-' * 64} {one_line(text)}"]

    def comment(self, text: str) -> None:
        """A comment of its own line."""
        self._lines.append(f"# {one_line(text)}")

    def say(self, subject: str, pairs: Iterable[tuple[str, Sequence[str]]]) -> None:
        """What is said of a subject: predicates with their objects, all as terms already."""
        parts = [f"{predicate} {', '.join(objects)}" for predicate, objects in pairs if objects]
        lines = [subject]
        for number, part in enumerate(parts):
            part = f"{part} {'.' if number == len(parts) - 1 else ';'}"
            if len(lines[-1]) + len(part) < _WIDE:
                lines[-1] += f" {part}"
            else:
                lines.append(f"  {part}")
        self._lines += lines

    def raw(self, lines: Iterable[str]) -> None:
        """Lines that are Turtle already."""
        self._lines += lines

    def whole(self) -> str:
        """The document, with the prefixes that it uses."""
        head = [f"# {one_line(self._first)}"]
        prefixes = [f"@prefix {p}: {NamedNode(space)} ." for p, space in self._spaces.items() if p in self._used]
        return "\n".join((*head, *prefixes, *self._lines)) + "\n"


def one_line(text: str) -> str:
    """A text for a comment: no line ends and no control characters, and not endless."""
    plain = " ".join(_SIGNS.sub(" ", text).split())
    return plain if len(plain) <= 300 else f"{plain[:299]}…"
