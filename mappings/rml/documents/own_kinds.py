"""What a user's map calls its events: a kind for each triples map over mere ev:Events, and the columns of labels.

Two maps in one source, sightings of birds and harvests of honey, both of class ev:Event, are two kinds of events.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from urllib.parse import quote

from ....ontology.namespaces import DATA, EV, RDF_TYPE, RDFS
from ....store.rdf import NamedNode
from ....store.words import key_words
from ..files.jsonpath import compile_path
from ..model import Constant, FileSource, PredicateObjectMap, Reference, RefObjectMap, Template, TermMap, TriplesMap

_EVENT = EV + "Event"


@dataclass(frozen=True)
class OwnKinds:
    """`kinds` by the names of triples maps; `called`, what people call each kind; `labels`, the column of the labels of
    each class that has one; `head`, with which the IRIs of all things begin."""

    kinds: Mapping[str, str]
    called: Mapping[str, str]
    labels: Mapping[str, str]
    head: str

    def narrowed(self, item: TriplesMap) -> TriplesMap:
        """The triples map with its kind in place of ev:Event."""
        kind = self.kinds.get(item.name)
        if kind is None:
            return item
        classes = tuple(kind if iri == _EVENT else iri for iri in item.classes)
        return replace(item, classes=classes, pairs=tuple(_narrowed(pair, kind) for pair in item.pairs))


def _narrowed(pair: PredicateObjectMap, kind: str) -> PredicateObjectMap:
    if RDF_TYPE not in _constants(pair.predicates):
        return pair
    typed = [
        replace(item, expression=Constant(NamedNode(kind)))
        if isinstance(item, TermMap) and _constants([item]) == {_EVENT}
        else item
        for item in pair.objects
    ]
    return replace(pair, objects=tuple(typed))


def own_kinds(maps: Iterable[TriplesMap], source: str) -> OwnKinds:
    """The kinds of a map that is imported as `source`. Triples maps with one subject map make one kind."""
    maps = tuple(maps)
    bare = [item for item in maps if _EVENT in _classes(item)]
    subjects = {item.subject: item for item in reversed(bare)}
    alone = len(subjects) == 1
    kinds: dict[str, str] = {}
    called: dict[str, str] = {}
    for item in bare:
        words = _called(subjects[item.subject], source, alone=alone)
        name = "".join(word.capitalize() for word in words.split())
        kind = f"{DATA}{quote(source, safe='')}#{quote(name, safe='')}"
        kinds[item.name] = kind
        called.setdefault(kind, words)
    return OwnKinds(kinds, called, _labels(maps, kinds), _head(maps))


def _called(item: TriplesMap, source: str, *, alone: bool) -> str:
    """The words of the map's name; without one, those of its file, or of the source if it is the only map."""
    if item.name.startswith("<"):
        named = key_words(re.split(r"[#/]", item.name[1:-1])[-1])
        if named:
            return named
    file = item.source.source
    stem = PurePosixPath(file.path.replace("\\", "/")).name.split(".")[0] if isinstance(file, FileSource) else ""
    return (key_words(stem) if not alone else "") or key_words(source)


def _labels(maps: Iterable[TriplesMap], kinds: Mapping[str, str]) -> dict[str, str]:
    """The column of the labels of each class, where it is one; labels may stand in another map of the same subject."""
    columns: dict[TermMap, set[str]] = defaultdict(set)
    maps = tuple(maps)
    for item in maps:
        columns[item.subject].update(_label_columns(item))
    found: dict[str, set[str]] = defaultdict(set)
    for item in maps:
        for iri in _classes(item):
            found[kinds.get(item.name, iri) if iri == _EVENT else iri] |= columns[item.subject]
    return {iri: next(iter(names)) for iri, names in found.items() if len(names) == 1}


def _label_columns(item: TriplesMap) -> Iterator[str]:
    for pair in item.pairs:
        if RDFS + "label" in _constants(pair.predicates):
            for part in pair.objects:
                if isinstance(part, TermMap) and isinstance(part.expression, Reference):
                    yield _column(part.expression.text)


def _column(reference: str) -> str:
    """A reference as people name its column: of a JSONPath the last name in it."""
    names = compile_path(reference).names if reference.startswith("$") else ()
    return names[-1] if names else reference


def _classes(item: TriplesMap) -> set[str]:
    typed = [pair.objects for pair in item.pairs if RDF_TYPE in _constants(pair.predicates)]
    return {*item.classes, *(iri for parts in typed for iri in _constants(parts))}


def _constants(parts: Iterable[TermMap | RefObjectMap]) -> set[str]:
    expressions = (part.expression for part in parts if isinstance(part, TermMap))
    terms = (expression.term for expression in expressions if isinstance(expression, Constant))
    return {term.value for term in terms if isinstance(term, NamedNode)}


def _head(maps: Iterable[TriplesMap]) -> str:
    """What the templates of all subjects begin with, up to a sign that ends a part of an IRI."""
    heads: list[str] = []
    common = 0
    for item in maps:
        parts = item.subject.expression.parts if isinstance(item.subject.expression, Template) else ("",)
        heads.append(parts[0] if isinstance(parts[0], str) else "")
    while len({head[common : common + 1] for head in heads}) == 1 and common < len(heads[0]):
        common += 1
    return heads[0][: max(heads[0].rfind(end, 0, common) for end in "/#:") + 1] if heads else ""
