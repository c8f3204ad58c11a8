"""All that EXTRACT needs for reading texts: lexicon, profile, keys, what other records hold, and the reader's marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from ..ontology.namespaces import EV
from ..store.graph import Graph
from ..store.rdf import NamedNode
from ..store.words import fold
from ..texts.document import Document, Span
from ..texts.lexicon import Lexicon, load_lexicon
from ..texts.lexicon_file import Entry
from .keys import TextKey, TextKeys, load_text_keys
from .text_life import Life, load_life
from .text_page import Page

_SHORTEST: Final = 4
"""Signs of the shortest value of other records that is looked for in texts."""


class Tagger(Protocol):
    """Marks the words of a text that answer a question (models/reader.py)."""

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> str: ...

    def tag(self, requests: Sequence[tuple[str, Document]]) -> list[tuple[Span, ...]]: ...


@dataclass
class Texts:
    """What reading texts of one store needs; kept while the store is open."""

    graph: Graph
    lexicon: Lexicon
    life: Life
    keys: TextKeys
    tagger: Tagger | None = None
    areas: frozenset[str] = frozenset()
    _known: dict[str, Lexicon] = field(default_factory=dict)
    _own: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    _pages: dict[str, Page] = field(default_factory=dict)
    _tags: dict[tuple[str, str], tuple[Span, ...]] = field(default_factory=dict)

    def pages(self, documents: Sequence[Document], key: TextKey) -> tuple[Page, ...]:
        """The documents laid open for a key: what other records hold of it, and what the reader marks."""
        self._learn(key)
        self._tag(documents, key.question)
        return tuple(self._page(document, key.question) for document in documents)

    def _page(self, document: Document, question: str) -> Page:
        page = self._pages.get(document.event)
        if page is None or page.document != document:
            page = Page(document, self.life, self.lexicon, self._known, self._own, {}, self.areas)
            self._pages[document.event] = page
        tags = page.tags
        assert isinstance(tags, dict)
        tags[question] = self._tags.get((question, document.event), ())
        return page

    def _tag(self, documents: Sequence[Document], question: str) -> None:
        if self.tagger is None:
            return
        asked = [d for d in documents if (question, d.event) not in self._tags]
        found = self.tagger.tag([(question, document) for document in asked])
        for document, spans in zip(asked, found, strict=True):
            self._tags[question, document.event] = spans

    def _learn(self, key: TextKey) -> None:
        """Reads what other records hold of a key, once."""
        if key.name in self._known or not key.held_by:
            return
        values = _held(key.held_by, self.graph)
        entries = [Entry(key.name, value, (fold(value),)) for value in values if len(value) >= _SHORTEST]
        if key.lexicon_keys:
            named = [
                (value, cue.value)
                for value in values
                for cue in self.lexicon.cues(value, key.lexicon_keys)
                if not cue.weak
            ]
            self._own[key.name] = tuple(dict.fromkeys(named))
        self._known[key.name] = Lexicon(tuple(entries))


def open_texts(graph: Graph, tagger: Tagger | None = None, lexicon: Lexicon | None = None) -> Texts:
    """What reading the texts of a graph needs."""
    texts = Texts(graph, lexicon or load_lexicon(), load_life(graph), load_text_keys(graph), tagger)
    texts.areas = _areas(graph)
    return texts


def _held(properties: Sequence[str], graph: Graph) -> list[str]:
    nodes = " ".join(str(NamedNode(iri)) for iri in properties)
    rows = graph.select(
        f"SELECT DISTINCT ?v WHERE {{ VALUES ?p {{ {nodes} }} ?e ?p ?v FILTER(isLiteral(?v)) }} ORDER BY ?v"
    )
    return [
        value.value.split(",")[0].strip() if EV + "location" in properties else value.value
        for (value,) in rows
        if value is not None
    ]


def _areas(graph: Graph) -> frozenset[str]:
    """Folded names that stand after a comma in locations: "Casa do Rosário, Porto" shows that Porto is a town."""
    rows = graph.select("SELECT DISTINCT ?v WHERE { ?e ev:location ?v }")
    tails = {fold(part.strip()) for (v,) in rows if v is not None for part in v.value.split(",")[1:]}
    return frozenset(tail for tail in tails if tail and not any(sign.isdigit() for sign in tail))
