"""What derivations depend on, so that an import drops those whose sources changed and keeps the others.

A derivation reads some IRIs: classes and properties (it depends on the content of the sources that have events of the
class or narrower, or values of the property), other derivations, `ANY_TEXT` (the sources with events that may tell of
anything), `LEXICONS`. One that states nothing depends on the whole store. A source's content is the digest that its
catalog holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ...ontology.namespaces import ANY_TEXT, DERIVED, LEXICONS
from ...store.event_kinds import event_classes, types_in
from ...store.graph import Graph
from ...store.ontology_graph import Documents, vocabulary_digest
from ...store.rdf import NamedNode
from ...store.vocabulary import Vocabulary
from ...texts.lexicon.world import world_edition

METHOD = "6"
"""Changes when the same inputs may give another result."""
_SOURCES = "SELECT DISTINCT ?s ?digest { ?s a ev:Source OPTIONAL { ?s ev:contentDigest ?digest } } ORDER BY ?s ?digest"
_SHOWN = 32
"""Signs of a digest that name it; 128 bits."""


class Dependencies:
    """What can be depended on in one graph, as it is now: hashes of it, and the sources behind them.

    `state` names the whole store's content, `vocabulary_hash` and `lexicon_hash` the shipped ontology and the lexicons.
    Only as long as the graph's sources stay the same.
    """

    def __init__(
        self,
        graph: Graph,
        vocabulary: Vocabulary,
        *,
        state: str,
        vocabulary_hash: str = "",
        lexicon_hash: str = "",
        types: Iterable[str] | None = None,
        holders: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self.state = state
        self._found = holders
        self._types = types
        self._graph = graph
        self._vocabulary = vocabulary
        self._vocabulary_hash = vocabulary_hash
        self._lexicon_hash = lexicon_hash
        self._holders: dict[str, tuple[str, ...]] = {}

    def digest(self, reads: Sequence[str]) -> str:
        """Hash of the content of all that is read; the state of the whole store where nothing is stated."""
        if not reads:
            return self.state
        parts = [self._vocabulary_hash, *(f"{source} {self._contents[source]}" for source in self.sources(reads))]
        parts += sorted(iri for iri in set(reads) if iri.startswith(DERIVED))
        if LEXICONS in reads:
            parts.append(self._lexicon_hash)
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:_SHOWN]

    def sources(self, reads: Sequence[str]) -> tuple[str, ...]:
        """The sources whose content is read, in order; all of them where nothing is stated."""
        if not reads:
            return tuple(self._contents)
        named = {source for iri in reads if not iri.startswith(DERIVED) for source in self._having(iri)}
        return tuple(source for source in self._contents if source in named)

    @cached_property
    def _contents(self) -> dict[str, str]:
        """The digest of each source's content, by the IRI of its graph."""
        found: dict[str, str] = {}
        for source, digest in self._graph.select(_SOURCES):
            if source is not None:
                found[source.value] = digest.value if digest is not None else ""
        return found

    def _having(self, iri: str) -> tuple[str, ...]:
        """The sources that have an event of a class, or a value of a property."""
        if iri not in self._holders:
            kinds = self._telling if iri == ANY_TEXT else self._vocabulary.closed((iri,))
            self._holders[iri] = tuple(source for source in self._contents if self._has(source, kinds))
        return self._holders[iri]

    def _has(self, source: str, kinds: Iterable[str]) -> bool:
        if self._found is not None:
            return any(source in self._found.get(kind, ()) for kind in kinds)
        held = (f"{{ ?e a {kind} }} UNION {{ ?e {kind} ?v }}" for kind in map(NamedNode, kinds))
        return any(self._graph.ask(f"ASK {{ GRAPH {NamedNode(source)} {{ {pattern} }} }}") for pattern in held)

    @cached_property
    def _telling(self) -> tuple[str, ...]:
        """The graph's classes of events that do not say themselves what happened."""
        saying = {iri for iri, info in self._vocabulary.classes.items() if info.self_describing}
        types = self._types if self._types is not None else types_in(self._graph)
        return tuple(iri for iri in event_classes(types, self._vocabulary) if iri not in saying)


def state_of(generation: str, documents: Documents | None = None) -> str:
    """Names the content of a whole store: its generation, with the vocabulary that it is read by."""
    return f"{generation}-{vocabulary_digest(documents)[:16]}"


def dependencies(
    graph: Graph,
    vocabulary: Vocabulary,
    generation: str,
    lexicons: tuple[Path, ...] = (),
    documents: Documents | None = None,
    types: Iterable[str] | None = None,
    holders: Mapping[str, frozenset[str]] | None = None,
) -> Dependencies:
    """What derivations of a store's generation can depend on; `lexicons` are the user's own files, `documents` the
    ontology of its domain, `types` the classes that its sources have and `holders` which source has which (as the index
    says), where they are known already.

    Raises UsageError for a file that cannot be read.
    """
    return Dependencies(
        graph,
        vocabulary,
        state=state_of(generation, documents),
        vocabulary_hash=f"{METHOD} {vocabulary_digest(documents)}",
        lexicon_hash=lexicon_hash(lexicons),
        types=types,
        holders=holders,
    )


@cache
def _shipped_lexicons() -> str:
    found = hashlib.sha256()
    shipped = files("reqap_kg.ontology").joinpath("lexicons")
    for entry in sorted(shipped.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".ttl"):
            found.update(entry.name.encode() + b"\0" + entry.read_bytes())
    found.update(world_edition().encode())
    return found.hexdigest()


def lexicon_hash(extra: tuple[Path, ...] = ()) -> str:
    """SHA-256 of the shipped lexicons and the user's own. Raises UsageError for a file that cannot be read."""
    found = hashlib.sha256(_shipped_lexicons().encode())
    for path in extra:
        try:
            found.update(b"\0" + path.read_bytes())
        except OSError as bad:
            raise UsageError(f"cannot read the lexicon {path}: {bad.strerror}") from bad
    return found.hexdigest()


def fingerprint(value: Any) -> str:
    """Hash of a plain value (dataclasses, sequences, sets, texts, numbers), the same in every process."""
    return hashlib.sha256(_rendered(value).encode()).hexdigest()[:_SHOWN]


def _rendered(value: Any) -> str:
    """A text that is the same for equal values; sets and mappings in order, whatever order they are held in."""
    if is_dataclass(value) and not isinstance(value, type):
        held = ",".join(f"{f.name}={_rendered(getattr(value, f.name))}" for f in fields(value) if f.compare)
        return f"{type(value).__name__}({held})"
    if isinstance(value, dict):
        return "{" + ",".join(sorted(f"{_rendered(k)}:{_rendered(v)}" for k, v in value.items())) + "}"
    if isinstance(value, frozenset | set):
        return "{" + ",".join(sorted(map(_rendered, value))) + "}"
    if isinstance(value, tuple | list):
        return "[" + ",".join(map(_rendered, value)) + "]"
    return repr(value)
