"""What a user's own map brings that no ontology declares: its classes and properties, declared from what was mapped, so
that they can be asked about by their names, and numbers and dates read as such.

    classes      of things with a start (of all things where none has one) are kinds of events; things that are
                 only an ev:Event are of a kind named by their triples map (`own_kinds.py`)
    events       are of the source; their own id there is what tells their IRI from others
    properties   are named by the words of their IRIs; a column all of whose values are numbers or dates holds these
    labels       name an event in questions ("a chough"); the column that they come from names them ("which species")
    links        to things with a label read as that label; texts in a language read as texts
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from ...mappings.rml import OwnKinds
from ...mappings.rml.nquads import is_lexical
from ...ontology.namespaces import DATA, EV, KEY, OWL, RDF_TYPE, RDFS, SKOS, XSD, source_graph
from ...store.rdf import Literal, NamedNode, Quad, Term, Triple, parse_nquads, write_nquads
from ...store.vocabulary import EVENT, packaged_vocabulary
from ...store.words import key_words

_LABEL: Final = RDFS + "label"
_STRING: Final = XSD + "string"
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?")
_SOURCE, _SOURCE_ID = EV + "source", EV + "sourceId"
_OF_SOURCE: Final = (_SOURCE, _SOURCE_ID)
_BATCH: Final = 5000
"""Lines that are read at once."""
Value = Term | Triple


@dataclass
class _Column:
    """The values of one property; `links` are those that are read as a text beside them."""

    texts: int = 0
    numbers: bool = True
    dates: bool = True
    moments: bool = True
    links: int = 0
    datatypes: set[str] = field(default_factory=set[str])

    def add(self, value: Value) -> None:
        if not isinstance(value, Literal) or value.language:
            self.links += 1
            return
        self.datatypes.add(value.datatype.value)
        self.texts += 1
        text = value.value
        self.numbers = self.numbers and bool(_NUMBER.fullmatch(text))
        self.dates = self.dates and bool(_DATE.fullmatch(text)) and _is(text, date)
        self.moments = self.moments and bool(_MOMENT.fullmatch(text)) and _is(text, datetime)

    @property
    def datatype(self) -> str:
        """The datatype of the values: the one that they have, or that all texts are written as."""
        if self.datatypes and self.datatypes != {_STRING}:
            return min(self.datatypes)
        found = ((self.numbers, "decimal"), (self.dates, "date"), (self.moments, "dateTime"))
        return XSD + next((name for fits, name in found if fits and self.texts), "string")


def _is(text: str, kind: type[date]) -> bool:
    try:
        kind.fromisoformat(text)
    except ValueError:
        return False
    return True


@dataclass
class _Seen:
    """What was mapped: classes by subject, which subjects have a start, columns and their subjects' classes, labels."""

    classes: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    timed: set[str] = field(default_factory=set[str])
    columns: dict[str, _Column] = field(default_factory=lambda: defaultdict(_Column))
    users: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    labels: dict[str, str] = field(default_factory=dict[str, str])
    told: dict[str, set[str]] = field(default_factory=lambda: {name: set() for name in _OF_SOURCE})
    """The subjects of which the map itself tells source and id."""

    def add(self, quad: Quad) -> None:
        subject, predicate = str(quad.subject), quad.predicate.value
        if predicate == RDF_TYPE:
            self.classes[subject].add(getattr(quad.object, "value", ""))
        elif predicate == _LABEL:
            self.labels.setdefault(subject, getattr(quad.object, "value", ""))
        elif predicate == EV + "start":
            self.timed.add(subject)
        elif predicate in self.told:
            self.told[predicate].add(subject)
        elif _is_own_property(predicate):
            self.columns[predicate].add(quad.object)
            self.users[predicate].add(subject)


def _is_own_property(iri: str) -> bool:
    return not iri.startswith((KEY, RDFS, OWL)) and iri not in packaged_vocabulary().properties


def declare_own_terms(path: Path, source: str, names: OwnKinds) -> int:
    """Rewrites the triples of an own map in place, with what declares its terms and names the source of its events; how
    many triples there are then."""
    seen = _Seen()
    for quad in _quads(path):
        seen.add(quad)
    own = _Own(seen, source, names)
    target = path.with_suffix(".declared")
    written = _Counted((*own.declarations(),), (one for quad in _quads(path) for one in own.said(quad)))
    write_nquads(target, written)
    target.replace(path)
    return written.count


class _Counted:
    """Quads, counted while they are read."""

    def __init__(self, *parts: Iterable[Quad]) -> None:
        self.parts = parts
        self.count = 0

    def __iter__(self) -> Iterator[Quad]:
        for part in self.parts:
            for quad in part:
                self.count += 1
                yield quad


class _Own:
    """The terms of one source, and its triples put in them."""

    def __init__(self, seen: _Seen, source: str, names: OwnKinds) -> None:
        self.seen = seen
        self.graph = NamedNode(source_graph(source))
        self.source = source
        self.names = names
        called = "".join(word.capitalize() for word in key_words(source).split())
        self.kind = f"{DATA}{quote(source, safe='')}#{quote(called, safe='')}"
        """The class of what is only an ev:Event, and whose triples map does not say so."""
        known = packaged_vocabulary().classes
        timed = seen.timed or seen.classes.keys()
        of_events = {c for s in timed for c in seen.classes.get(s, ()) if c not in known}
        of_events |= {c for classes in seen.classes.values() for c in classes if c in names.called}
        bare = any(c == EVENT for s in seen.classes for c in seen.classes[s])
        self.kinds = sorted(of_events | ({self.kind} if bare else set()))
        self.kind_set = frozenset(self.kinds)
        self.last_words = Counter(word for kind in self.kinds for word in self._called(kind).split()[-1:])
        self.events = {
            s for s, classes in seen.classes.items() if not classes.isdisjoint(of_events) or EVENT in classes
        }

    def declarations(self) -> Iterator[Quad]:
        """What declares classes and properties."""
        if not self.kinds:
            return
        by_label: dict[str, list[str]] = defaultdict(list)
        for kind in self.kinds:
            label = self._label_of(kind)
            by_label[label].append(kind)
            yield from self._about(kind, "Class", self._called(kind), subClassOf=EVENT)
            for name in self._also(kind):
                yield self._quad(kind, SKOS + "altLabel", Literal(name))
            yield self._quad(kind, EV + "kindProperty", NamedNode(label))
            yield self._quad(kind, EV + "labelProperty", NamedNode(label))
            yield self._quad(kind, EV + "anyVerb", Literal(True))
        for label, kinds in by_label.items():
            yield from self._property(label, self.names.labels.get(kinds[0], "name"), _STRING, kinds)
        for iri, column in sorted(self.seen.columns.items()):
            users = sorted({k for s in self.seen.users[iri] for k in self._kinds_of(s)})
            if users:
                yield from self._property(self._read_as(iri), iri, column.datatype, users)

    def _label_of(self, kind: str) -> str:
        """The property that holds the labels of a kind."""
        return KEY + quote(self.names.labels.get(kind, "name"), safe="")

    def said(self, quad: Quad) -> Iterator[Quad]:
        """A triple of the map, and what follows from it."""
        subject, predicate, value = str(quad.subject), quad.predicate.value, quad.object
        if subject not in self.events:
            yield quad
            return
        if predicate == RDF_TYPE:
            bare = getattr(value, "value", "") == EVENT
            yield self._of(quad, RDF_TYPE, NamedNode(self.kind)) if bare else quad
            yield from self._unnamed(quad, subject)
            yield from self._unsourced(quad, subject)
            return
        column = self.seen.columns.get(predicate)
        if predicate == _LABEL and isinstance(value, Literal):
            kinds = self._kinds_of(subject)
            yield self._of(quad, self._label_of(kinds[0] if kinds else self.kind), Literal(value.value))
        elif column is not None and isinstance(value, Literal) and not value.language:
            typed = is_lexical(value.value, column.datatype)
            yield (
                self._of(quad, predicate, Literal(value.value, datatype=NamedNode(column.datatype))) if typed else quad
            )
            return
        elif column is not None and (name := self._text_of(value)):
            yield self._of(quad, self._read_as(predicate), Literal(name))
        yield quad

    def _text_of(self, value: Value) -> str | None:
        """What a link or a text in a language reads as."""
        return value.value if isinstance(value, Literal) else self.seen.labels.get(str(value))

    def _unsourced(self, quad: Quad, subject: str) -> Iterator[Quad]:
        """Source and own id of an event, where the map tells none, once."""
        iri = quad.subject.value if isinstance(quad.subject, NamedNode) else subject
        own = unquote(iri.removeprefix(self.names.head)) or iri
        for predicate, value in ((_SOURCE, self.graph), (_SOURCE_ID, Literal(own))):
            if subject not in self.seen.told[predicate]:
                self.seen.told[predicate].add(subject)
                yield self._of(quad, predicate, value)

    def _unnamed(self, quad: Quad, subject: str) -> Iterator[Quad]:
        """A label for an event that the map gives none."""
        if subject not in self.seen.labels:
            kinds = self._kinds_of(subject)
            self.seen.labels[subject] = self._called(kinds[0]) if kinds else self.source
            yield self._of(quad, _LABEL, Literal(self.seen.labels[subject]))

    def _kinds_of(self, subject: str) -> list[str]:
        classes = self.seen.classes.get(subject, set())
        known = {self.kind if iri == EVENT else iri for iri in classes}
        return sorted(known & self.kind_set)

    def _called(self, kind: str) -> str:
        if kind == self.kind:
            return key_words(self.source)
        return self.names.called.get(kind) or key_words(re.split(r"[#/]", kind)[-1])

    def _also(self, kind: str) -> list[str]:
        """Other names of a kind: the last word of its own, where no other ends in it; of an only one, the source's."""
        called = self._called(kind)
        if not called:
            return []
        last = called.split()[-1]
        others = [last] if self.last_words[last] == 1 else []
        alone = [key_words(self.source)] if len(self.kinds) == 1 else []
        return [name for name in dict.fromkeys((*alone, *others)) if name != called]

    def _read_as(self, iri: str) -> str:
        """The property that is asked for: of links to what has a label, one that holds the labels."""
        column = self.seen.columns[iri]
        return KEY + quote(re.split(r"[#/]", iri)[-1], safe="") if column.links and not column.texts else iri

    def _property(self, iri: str, named: str, datatype: str, kinds: Iterable[str]) -> Iterator[Quad]:
        yield from self._about(iri, "DatatypeProperty", key_words(re.split(r"[#/]", named)[-1]), range=datatype)
        for kind in kinds:
            yield self._quad(iri, RDFS + "domain", NamedNode(kind))

    def _about(self, iri: str, kind: str, label: str, **said: str) -> Iterator[Quad]:
        yield self._quad(iri, RDF_TYPE, NamedNode(OWL + kind))
        yield self._quad(iri, _LABEL, Literal(label))
        for name, value in said.items():
            yield self._quad(iri, RDFS + name, NamedNode(value))

    def _quad(self, subject: str, predicate: str, value: Term) -> Quad:
        return Quad(NamedNode(subject), NamedNode(predicate), value, self.graph)

    def _of(self, quad: Quad, predicate: str, value: Term) -> Quad:
        return Quad(quad.subject, NamedNode(predicate), value, self.graph)


def _quads(path: Path) -> Iterator[Quad]:
    """The quads of a file, some thousand lines at a time."""
    with path.open("rb") as stream:
        while lines := stream.readlines(_BATCH * 100):
            yield from parse_nquads(b"".join(lines))
