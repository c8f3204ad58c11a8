"""The trees of cases, and those that rules build: attributes and classes that there are none of, values that the data
do not have, rules that do not exist."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise
from typing import Any

from ...errors import Place, ReqapError
from ...ontology.namespaces import PG, PREFIXES, QUD, SH
from ...operators.expressions import Attribute, Collection, Comparison
from ...operators.expressions import Literal as Constant
from ...operators.nodes import AttributeType, Extract, Filter, Node, Retrieve, queries, walk
from ...operators.standard import STANDARD
from ...operators.syntax.text import parse_tree
from ...planner.annotation.parse_graph import attribute_key
from ...planner.authoring.cases import case_faults, written_as
from ...planner.authoring.findings import Finding, Source, Sources
from ...planner.rules.rulebook import RuleBook
from ...store.ontology_graph import PERSONAL, WAREHOUSE
from ...store.sparql.lexer import SparqlToken, scanned
from ...store.sparql.source import Decoded, Document, decoded, iri_of
from ...store.vocabulary import ClassInfo, PropertyInfo, Vocabulary
from ...store.words import nearest_name
from .parts import QUESTIONS, RULES, Parts, Statement
from .shapes import listed_values, nearest_iri
from .values import Values, nearest_value

_Listed = list[tuple[Place, str]]
_ATTRIBUTE = re.compile(r"""attr\[["'](\w+)["']\]""")


def check_cases(parts: Parts, book: RuleBook | None, vocabulary: Vocabulary, values: Values) -> None:
    """Adds what is wrong in cases."""
    for part, document in parts.documents:
        if part in (QUESTIONS, RULES):
            parts.findings += [Finding.of(bad) for bad in case_faults(document.path or "", document.text)]
    rules = {rule.iri for rule in book.rules} if book else set[str]()
    rules |= {one.subject for one in parts.by_predicate.get(SH + "construct", ())}
    for one in (*parts.of(QUESTIONS), *parts.of(RULES)):
        if one.predicate == PG + "rule" and one.value not in rules and RULES not in parts.unread:
            message = f"there is no rule {parts.short(one.value)}"
            parts.error(
                message,
                one.place,
                nearest_iri(one.value, rules, parts),
                expected="a rule of the domain or a shipped one",
            )
        if one.predicate == PG + "tree":
            _check_tree(one, _Names(parts, vocabulary), values)


def _check_tree(one: Statement, names: _Names, values: Values) -> None:
    at = next(written_as(one.document, one.subject, one.predicate, one.value), None)
    try:
        tree = parse_tree(one.value)
    except ReqapError:
        return  # told above
    if at is None or not names.closed:
        return
    written = _Written(one.document, at)
    for node in walk(tree):
        if isinstance(node, Retrieve):
            names.check_class(node.query, written.place(node.query))
        elif isinstance(node, Extract):
            for name in node.names:
                names.check_attribute(name, names.classes(node), written.place(name))
        elif isinstance(node, Filter):
            for name, value in _compared(node):
                _check_value(name, value, node, written, names, values)


@dataclass(frozen=True)
class _Written:
    """A tree's text in a document."""

    document: Document
    at: Decoded

    def place(self, name: str) -> Place:
        """Where a text stands in quotes in it."""
        found = max(self.at.text.find(f'"{name}"'), self.at.text.find(f"'{name}'"))
        return self.document.place(self.at.at(max(found, -1) + 1))


@dataclass(frozen=True)
class _Names:
    """What trees may name."""

    parts: Parts
    vocabulary: Vocabulary

    @property
    def closed(self) -> bool:
        """Whether all that trees can name is declared: texts of a diary tell of more than its ontology."""
        return self.parts.domain.uses == (WAREHOUSE,) and PERSONAL not in self.parts.domain.uses

    def classes(self, node: Node) -> tuple[ClassInfo, ...]:
        return tuple(c for query in queries(node) for c in self.vocabulary.classes_named(query))

    def properties(self, name: str, classes: tuple[ClassInfo, ...]) -> list[PropertyInfo]:
        """The properties that an attribute may mean, of these classes."""
        named = self.vocabulary.properties_named(name.replace("_", " "))
        return [p for p in named if not classes or any(self.vocabulary.may_have(c.iri, p) for c in classes)]

    def check_class(self, query: str, place: Place) -> None:
        """Adds a finding where a query names no class."""
        if not self.vocabulary.classes_named(query):
            labels = [label for info in self.vocabulary.event_classes() for label in info.labels]
            self.parts.error(
                f"no class is called “{query}”", place, nearest_name(query, labels), expected="the label of a class"
            )

    def check_attribute(self, name: str, classes: tuple[ClassInfo, ...], place: Place) -> None:
        """Adds a finding where no property, or none of these classes, is called so."""
        if name in STANDARD or self.properties(name, classes):
            return
        near = [p for p in self.vocabulary.properties.values() if not classes or p in self._of(classes)]
        nearest = nearest_name(name, [attribute_key(label) for p in near for label in p.labels])
        of = f" of {' or '.join(info.label for info in classes)}" if classes else ""
        self.parts.error(
            f"there is no attribute {name}{of}", place, nearest, expected="the label of a property, with _ for spaces"
        )

    def _of(self, classes: tuple[ClassInfo, ...]) -> list[PropertyInfo]:
        return [p for info in classes for p in self.vocabulary.properties_of(info.iri) if p.domain]


def _compared(node: Filter) -> Iterator[tuple[str, str]]:
    """The attributes of a condition with the texts that they are compared with."""
    for found in _within(getattr(node, "condition", None) or getattr(node, "test", None)):
        if isinstance(found, Comparison) and isinstance(found.left, Attribute):
            for operator, right in zip(found.operators, found.rights, strict=True):
                texts = right.items if isinstance(right, Collection) and operator == "in" else (right,)
                if operator in ("==", "!=", "in", "not in"):
                    yield from (
                        (found.left.name, t.value)
                        for t in texts
                        if isinstance(t, Constant) and isinstance(t.value, str)
                    )


def _within(value: Any) -> Iterator[Any]:
    """A part of an expression with all its parts."""
    yield value
    if isinstance(value, tuple):
        for part in value:
            yield from _within(part)
    elif is_dataclass(value) and not isinstance(value, Node):
        for one in fields(value):
            yield from _within(getattr(value, one.name))


def _check_value(name: str, value: str, node: Node, written: _Written, names: _Names, values: Values) -> None:
    held: dict[str, str] = {}
    for prop in names.properties(name, names.classes(node)):
        held |= values.get(prop.iri, {})
    if held and value not in held:
        names.parts.error(f'the data have no {name} "{value}"', written.place(value), nearest_value(value, held))


# ---------------------------------------------------------------- trees that rules build
def check_built(parts: Parts, vocabulary: Vocabulary) -> None:
    """Classes, attributes and types that rules name in the trees that they build."""
    names = _Names(parts, vocabulary)
    documents = [document for part, document in parts.documents if part == RULES]
    for source in Sources(documents).literals(SH + "construct"):
        tokens = scanned(source.text.text)
        types = _lists(tokens, source, QUD + "types")
        for place, kind in (one for listed in types for one in listed):
            if kind not in set(AttributeType) and not kind.startswith(("?", "$")):
                parts.error(
                    f"there is no type {kind}", place, nearest_name(kind, AttributeType), ", ".join(AttributeType)
                )
        for token, after in _after(tokens, source):
            told = decoded(after).text if after.kind == "STRING" else None
            if token == PG + "answerType" and told is not None and told not in listed_values(PG + "answer"):
                known = listed_values(PG + "answer")
                place = source.place(after.offset + 1)
                parts.error(f"there is no answer type {told}", place, nearest_name(told, known), ", ".join(known))
        _check_lengths(_lists(tokens, source, QUD + "names"), types, parts)
        if names.closed:
            _check_names_built(tokens, source, names)


def _check_lengths(names: list[_Listed], types: list[_Listed], parts: Parts) -> None:
    """Names and types stand beside each other in EXTRACT."""
    if len(names) != len(types):
        return  # of GROUP_BY, or computed
    for some, others in zip(names, types, strict=True):
        if others and len(some) != len(others):
            parts.error(f"{len(some)} names have {len(others)} types", others[0][0], expected="a type for each name")


def _check_names_built(tokens: list[SparqlToken], source: Source, names: _Names) -> None:
    made: set[str] = set()
    for token, after in _after(tokens, source):
        if after.kind == "STRING" and token in (QUD + "name", QUD + "itemName"):
            made.add(decoded(after).text)
        if after.kind == "STRING" and token == QUD + "query":
            names.check_class(decoded(after).text, source.place(after.offset + 1))
    for place, name in (one for listed in _lists(tokens, source, QUD + "names") for one in listed):
        if name not in made and not name.startswith(("?", "$")):
            names.check_attribute(name, (), place)
    for token in tokens:
        if token.kind == "STRING":
            for match in _ATTRIBUTE.finditer(token.text):
                if match[1] not in made:
                    names.check_attribute(match[1], (), source.place(token.offset + match.start(1)))


def _after(tokens: list[SparqlToken], source: Source) -> Iterator[tuple[str, SparqlToken]]:
    prefixes: Mapping[str, str] = {**PREFIXES, **source.document.prefixes}
    for token, after in pairwise(tokens):
        yield iri_of(token, prefixes) or "", after


def _lists(tokens: list[SparqlToken], source: Source, predicate: str) -> list[_Listed]:
    """The lists that a rule writes out behind a predicate, with the place of each text or variable."""
    found: list[_Listed] = []
    inside = False
    for name, after in _after(tokens, source):
        if name == predicate and after.text == "(":
            inside = True
            found.append([])
        elif after.text == ")":
            inside = False
        elif inside and after.kind in ("STRING", "VAR"):
            text = decoded(after).text if after.kind == "STRING" else after.text
            found[-1].append((source.place(after.offset + 1), text))
    return found
