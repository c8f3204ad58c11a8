"""Instances in words: what an encoder reads of an event, a post, a person."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ...ontology.namespaces import EV, RDF_TYPE, RDFS
from ...store.event_kinds import EventKinds
from ...store.graph import Graph
from ...store.index.index import ValueIndex
from ...store.rdf import Literal, NamedNode
from ...store.vocabulary import Vocabulary
from ...store.words import tells_words
from .walking import FEW, SHARE

_LABEL: Final = RDFS + "label"
_LAST: Final = (EV + "text", EV + "description")
_LONGEST: Final = 2_000
"""Characters that are read of an instance: more than any encoder takes."""
_AT_ONCE: Final = 2_000

Pairs = Sequence[tuple[str, str]]
"""Values of an instance, as (property, text)."""


@dataclass(frozen=True)
class Said:
    """What is said of an instance: what it is called, and all of its texts in one."""

    name: str
    text: str


@dataclass(frozen=True)
class Texts:
    """Where what is said of instances stands: events in the index, all else in the graph alone."""

    index: ValueIndex
    graph: Graph
    kinds: EventKinds
    vocabulary: Vocabulary

    def of(self, iris: Iterable[str]) -> dict[str, Said]:
        """What is said of instances, by IRI; of those of which anything is. What many events of a class have in common
        (a status, one's own address) is left out, unless it is what names them."""
        wanted = tuple(dict.fromkeys(iris))
        events = tuple(self.index.texts_of(wanted))
        sizes = Counter(event.type for event in events)
        counts = Counter((event.type, value) for event in events for _, value, _ in event.values)
        found = dict[str, Said]()
        for event in events:
            names, most = self._naming(event.type), max(FEW, SHARE * sizes[event.type])
            every = [(prop, text) for prop, _, text in event.values]
            kept = [(p, text) for p, value, text in event.values if p in names or counts[event.type, value] <= most]
            told = self._said(kept, event.type)
            found[event.iri] = told if told.text else self._said(every, event.type)
        for iri, kind, pairs in self._in_graph([iri for iri in wanted if iri not in found]):
            found[iri] = self._said(pairs, kind)
        return {iri: said for iri, said in found.items() if said.text}

    def _in_graph(self, iris: Sequence[str]) -> Iterator[tuple[str, str, Pairs]]:
        """Instances with a class and their texts."""
        for start in range(0, len(iris), _AT_ONCE):
            some = iris[start : start + _AT_ONCE]
            nodes = " ".join(str(NamedNode(iri)) for iri in some)
            rows = self.graph.select(f"SELECT DISTINCT ?e ?p ?v WHERE {{ VALUES ?e {{ {nodes} }} ?e ?p ?v }}")
            held, kinds = defaultdict[str, list[tuple[str, str]]](list), dict[str, str]()
            for instance, prop, value in rows:
                if instance is None or prop is None or value is None:
                    continue
                if prop.value == RDF_TYPE:
                    kinds[instance.value] = value.value
                elif isinstance(value, Literal) and (prop.value == _LABEL or self.kinds.is_text(prop.value)):
                    held[instance.value].append((prop.value, value.value))
            yield from ((iri, kinds.get(iri, ""), held[iri]) for iri in some)

    def _naming(self, kind: str) -> tuple[str, ...]:
        """The properties that name instances of a class."""
        info = self.vocabulary.classes.get(kind)
        named = info.label_property if info is not None else None
        kinds = (info.kind_property,) if info is not None and info.kind_property else ()
        return (_LABEL, named or EV + "title", EV + "subject", *kinds)

    def _said(self, values: Pairs, kind: str) -> Said:
        """The name first, long texts last; what another text says already is left out."""
        first = self._naming(kind)

        def place(value: tuple[str, str]) -> tuple[int, str, str]:
            return (first.index(value[0]) if value[0] in first else len(first) + (value[0] in _LAST), *value)

        told: list[str] = []
        ordered = [(prop, " ".join(text.split())) for prop, text in sorted(values, key=place)]
        for _, words in ordered:
            if tells_words(words) and not any(words.casefold() in other.casefold() for other in told):
                told.append(words)
        name = next((words for prop, words in ordered if prop in first), told[0] if told else "")
        return Said(name, ". ".join(told)[:_LONGEST])
