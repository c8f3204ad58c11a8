"""Why there is no answer, in one sentence: the data has none of what was looked for, or nothing of the kind at all, or
the words were not understood. These three are never said for one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from ...extraction.coreference.merged_values import standing_for
from ...ontology.namespaces import EV
from ...operators.nodes import GroupBy, Node, Retrieve, Sum, walk
from ...operators.resolution import ClassMatch, Resolution, RetrieveMatch
from ...retrieval.retrieved import matched_events
from ...store.graph import Graph
from ...store.index.statistics import Statistics
from ...store.rdf import NamedNode
from ...store.vocabulary import Vocabulary
from .nouns import topmost

LONGEST_QUOTE: Final = 60
"""Letters of the user's words that a sentence repeats."""
MOST_LIMITS: Final = 2
"""Limits of a question that a sentence repeats."""
_SPAN = "SELECT (MIN(?t) AS ?first) (MAX(?t) AS ?last) WHERE { VALUES ?e { %s } ?e ev:start ?t }"
_MOST = 100_000
"""Events of which the span is looked up."""


class Reason(StrEnum):
    """Why an answer has no value."""

    NOT_UNDERSTOOD = "not_understood"
    ASKS_WHY = "asks_why"
    NO_SUCH_DATA = "no_such_data"
    NOTHING_MATCHES = "nothing_matches"


@dataclass(frozen=True)
class Missing:
    """Why there is no answer, the sentence that says so, and a nearby question that has one."""

    reason: Reason
    text: str
    offered: str | None = None


@dataclass(frozen=True)
class LookedFor:
    """What a tree looked for, and what it was resolved to; `rest` are the question's words that limit it."""

    tree: Node
    resolution: Resolution
    rest: Sequence[str] = ()


def why_nothing(
    looked: LookedFor, graph: Graph, vocabulary: Vocabulary, statistics: Statistics, *, unread: bool
) -> Missing:
    """Why a tree found nothing. `unread`: a search found nothing by words that may not have been understood."""
    matches = dict(looked.resolution.retrieves)
    queries = dict.fromkeys(node.query for node in walk(looked.tree) if isinstance(node, Retrieve))
    counted = {query: _held(matches[query], graph) for query in queries if query in matches}
    for query, events in counted.items():
        if not events:
            return _nothing_at_all(query, matches[query], vocabulary, statistics, unread=unread)
    if not counted:
        return Missing(Reason.NOTHING_MATCHES, "Nothing in your data matches.")
    query, events = next(iter(counted.items()))
    held = f"{len(events):,} {'event' if len(events) == 1 else 'events'}"
    is_grouped = any(isinstance(node, GroupBy) for node in walk(looked.tree))
    limits = "" if is_grouped else " ".join(f"“{quoted(words)}”" for words in looked.rest[:MOST_LIMITS])
    lacking = f"none {limits}" if limits else "none of them has what is asked for"
    told = f"Your data has {held} for “{quoted(query)}”{_span(events, graph)}, but {lacking}."
    return Missing(Reason.NOTHING_MATCHES, told)


def unknown_amount(tree: Node, resolution: Resolution, graph: Graph) -> bool:
    """Whether a sum of 0 is none: there are events, and no limit on them, but none says an amount."""
    if not isinstance(tree, Sum):
        return False
    matches = dict(resolution.retrieves)
    found = [node for node in walk(tree) if isinstance(node, Retrieve)]
    narrowed = any(type(node).__name__ in ("Filter", "Join") for node in walk(tree))
    return not narrowed and any(node.query in matches and _held(matches[node.query], graph) for node in found)


def quoted(words: str) -> str:
    """The user's own words on one line, cut where they are long, without what would end a sentence."""
    line = " ".join(words.replace("“", "").replace("”", "").split()).strip(" .?!,;:")
    return line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1].rstrip() + "…"


def _held(match: RetrieveMatch, graph: Graph) -> tuple[str, ...]:
    """The events of a match, each happening once."""
    standing = standing_for(match, graph)
    return tuple(dict.fromkeys(standing.get(hit.event, hit.event) for hit in matched_events(match, graph)))


def _nothing_at_all(
    query: str, match: RetrieveMatch, vocabulary: Vocabulary, statistics: Statistics, *, unread: bool
) -> Missing:
    said = f"“{quoted(query)}”"
    if isinstance(match, ClassMatch) and not any(iri in statistics.classes for iri in match.classes):
        tops = topmost(match.classes, vocabulary)
        kinds = " or ".join(vocabulary.classes[iri].label for iri in tops[:3] if iri in vocabulary.classes)
        return Missing(Reason.NO_SUCH_DATA, f"Your data has nothing of the kind {kinds or said}.")
    if unread:
        return Missing(Reason.NOT_UNDERSTOOD, f"I do not understand what {said} is.")
    return Missing(
        Reason.NOTHING_MATCHES, f"I looked for {said} in all of your data and found nothing that tells of it."
    )


def _span(events: Sequence[str], graph: Graph) -> str:
    """' from 2 March 2023 to 27 February 2025', as far as the events have times."""
    some = " ".join(str(NamedNode(iri)) for iri in events[:_MOST])
    rows = list(graph.select(_SPAN.replace("ev:start", str(NamedNode(EV + "start"))) % some))
    if not rows or rows[0][0] is None or rows[0][1] is None:
        return ""
    first, last = (_day(term.value) for term in rows[0] if term is not None)
    return f", on {first}" if first == last else f", from {first} to {last}"


def _day(value: str) -> str:
    moment = datetime.fromisoformat(value) if "T" in value else date.fromisoformat(value)
    return f"{moment.day} {moment:%B %Y}"
