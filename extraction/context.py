"""All that EXTRACT needs for reading texts: lexicon, profile, keys, what other records hold, and the reader's marks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from typing import Final

from ..execution.context import StoreContext
from ..models.encoder import EncoderFactory, Vectors
from ..models.reading.reader import Extractor
from ..models.reading.readers import Readers
from ..models.reading.verbalise import verbalise
from ..ontology.namespaces import EV
from ..store.cache_file import NoteCache
from ..store.graph import Graph
from ..store.index.vectors import VectorCache
from ..store.rdf import NamedNode
from ..store.words import fold
from ..texts.document import Document, Span
from ..texts.hints import hints
from ..texts.lexicon.lexicon import Lexicon, load_lexicon
from ..texts.lexicon.lexicon_file import Entry
from ..texts.people.mentions import Profile
from .documents import documents, text_events
from .keys import TextKey, TextKeys, load_text_keys
from .life import Life, load_life
from .page import Page
from .readers.gazetteer import Gazetteer, load_gazetteer

_OF_LIKINGS: Final = frozenset({"hobby", "workout type"})
"""Keys of concepts that people call as the profile calls what they like to do."""
TRUSTED: Final = 0.5
"""Score from which on the reader's marks count."""
_SHORTEST: Final = 4
"""Signs of the shortest value of other records that is looked for in texts."""


@dataclass(frozen=True, kw_only=True)
class ExtractContext(StoreContext):
    """The open store, and what reading its texts needs. Lexicon and profile are only made where texts are read; a
    structured question never loads them."""

    encoder_factory: EncoderFactory
    cache: VectorCache
    read_texts: bool = True
    """Whether EXTRACT reads values from texts, or only has the events' own keys."""
    readers: Readers | None = None
    """The classifiers, and the model of EXTRACT; None to search without."""
    lexicon_factory: Callable[[], Lexicon] = load_lexicon
    profile_factory: Callable[[], Profile] = Profile
    notes: NoteCache = field(default_factory=lambda: NoteCache(None))
    """What was read from texts, by content, across generations."""

    @property
    def lexicon(self) -> Lexicon:
        """What texts presuppose."""
        return self.lexicon_factory()

    @property
    def profile(self) -> Profile:
        """Whose life it is, and the people around."""
        return self.profile_factory()


@dataclass
class Texts:
    """What reading texts of one store needs; kept while the store is open."""

    graph: Graph
    lexicon: Lexicon
    life: Life
    keys: TextKeys
    tagger: Extractor | None = None
    notes: NoteCache = field(default_factory=lambda: NoteCache(None))
    encode: Callable[[Sequence[str]], Vectors | None] | None = None
    """Vectors of texts, where an encoder is there."""
    _known: dict[str, Lexicon] = field(default_factory=dict)
    _own: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    _everything: tuple[Document, ...] | None = None
    _pages: dict[str, Page] = field(default_factory=dict)

    @cached_property
    def gazetteer(self) -> Gazetteer:
        """Names of towns; read when the first text is."""
        return load_gazetteer(self.graph, self.lexicon, self.life.towns)

    def pages(self, documents: Sequence[Document], key: TextKey) -> tuple[Page, ...]:
        """The documents laid open for a key, with what other records hold of it."""
        self._learn(key)
        return tuple(self.page_of(document) for document in documents)

    def everything(self) -> tuple[Page, ...]:
        """All texts of the store."""
        if self._everything is None:
            self._everything = tuple(documents(text_events(self.graph), self.graph).values())
        return tuple(self.page_of(document) for document in self._everything)

    def page_of(self, document: Document) -> Page:
        """A document laid open, once."""
        page = self._pages.get(document.event)
        if page is None or page.document != document:
            page = Page(document, self.life, self.lexicon, self._known, self._own, {}, self.gazetteer)
            self._pages[document.event] = page
        return page

    def mark(self, pages: Sequence[Page], question: str) -> None:
        """Has the reader mark the words that answer a question, each text once; a reader that reads a text once for all
        keys marks those of all described keys with it, so that the next question need not wait."""
        if self.tagger is None:
            return
        documents = {page.document.event: self._hinted(page) for page in pages}
        lines = {event: _digest(verbalise(document).line) for event, document in documents.items()}
        known = self.notes.get(lines.values(), self._about(question))
        new = {lines[event]: document for event, document in documents.items() if lines[event] not in known}
        for asked, read in self._read(new, question).items():
            self.notes.put(read, self._about(asked))
            known |= read if asked == question else {}
        for page in pages:
            told = json.loads(known[lines[page.document.event]])
            page.tags[question] = tuple(s for s in (Span(*span) for span in told) if s.score >= TRUSTED)

    def _read(self, new: Mapping[str, Document], question: str) -> dict[str, dict[str, str]]:
        """What the reader marks in new documents, by question, by line."""
        if self.tagger is None or not new:
            return {}
        together = self.tagger.reads_once and any(key.question == question for key in self.keys.keys)
        asked = list(dict.fromkeys((question, *(key.question for key in self.keys.keys if together))))
        found = iter(self.tagger.tag([(one, document) for document in new.values() for one in asked]))
        read: dict[str, dict[str, str]] = {one: {} for one in asked}
        for line in new:
            for one in asked:
                read[one][line] = json.dumps([astuple(span) for span in next(found)])
        return read

    def _about(self, question: str) -> str:
        """What the notes of a question are kept under."""
        return f"{self.tagger.identity if self.tagger else ''} {question}"

    def precompute_tags(self, most: int) -> int:
        """Marks all texts for all described keys, if the reader reads a text once for them and there are no more texts
        than `most`; returns how many were marked."""
        keys = self.keys.keys
        pages = self.everything() if self.tagger is not None and self.tagger.reads_once and keys else ()
        if not 0 < len(pages) <= most:
            return 0
        self.mark(pages, keys[0].question)
        return len(pages)

    def _hinted(self, page: Page) -> Document:
        """The document with what lexicon and profile know about its words, as the reader was trained."""
        document = page.document
        return replace(document, hints=hints(document, self.lexicon, self.life.profile, page.mentions))

    def _learn(self, key: TextKey) -> None:
        """Reads what other records hold of a key, once."""
        if key.name in self._known or not (key.held_by or key.name in _OF_LIKINGS):
            return
        values = [*_held(key.held_by, self.graph), *(sorted(self.life.liked) if key.lexicon_keys else ())]
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


def open_texts(
    graph: Graph, lexicon: Lexicon | None = None, tagger: Extractor | None = None, notes: NoteCache | None = None
) -> Texts:
    """What reading the texts of a graph needs; `notes` keeps what the reader marks."""
    texts = Texts(graph, lexicon or load_lexicon(), load_life(graph), load_text_keys(graph), tagger)
    texts.notes = notes or NoteCache(None)
    return texts


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


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
