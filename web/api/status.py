"""What the store holds, in numbers."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from ...engine.importing.catalog import read_catalog, span_of
from ...engine.knowledge import KnowledgeGraph


def held_by(known: KnowledgeGraph) -> dict[str, Any]:
    """Its sources, kinds of events, and the days between which they lie."""
    counts = known.index.statistics.classes
    kinds = {info.label: counts[info.iri].events for info in known.vocabulary.event_classes() if info.iri in counts}
    return {
        "version": version("reqap-kg"),
        "generation": known.graph.generation,
        "quads": known.graph.count(),
        "sources": [vars(entry) for entry in read_catalog(known.graph)],
        "kinds": dict(sorted(kinds.items(), key=lambda kind: (-kind[1], kind[0]))),
        "span": list(span) if (span := span_of(known.graph)) is not None else None,
    }
