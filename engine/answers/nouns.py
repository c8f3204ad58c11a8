"""What the events of an answer are called: "songs", "running workouts", "events"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...operators.nodes import Extract, Filter, Map, Node, Retrieve, Unnest
from ...operators.resolution import ClassMatch, Constraint, RetrieveMatch
from ...store.vocabulary import Vocabulary
from ...store.words import normalise
from ...texts.words import plural


@dataclass(frozen=True)
class Called:
    """A noun for one and for several."""

    one: str
    many: str

    def counted(self, number: int) -> str:
        """For so many: "run" of 1, else "runs"."""
        return self.one if number == 1 else self.many


EVENTS = Called("event", "events")


def source_of(tree: Node) -> Retrieve | None:
    """The RETRIEVE whose events are the rows of a tree, one row an event; None where rows are pairs or groups."""
    while isinstance(tree, Extract | Filter | Map | Unnest):
        tree = tree.input
    return tree if isinstance(tree, Retrieve) else None


def topmost(classes: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """Those of the classes that are subclasses of none of the others."""
    return [one for one in classes if not any(one != other and vocabulary.is_a(one, other) for other in classes)]


def events_called(query: str, match: RetrieveMatch | None, vocabulary: Vocabulary) -> tuple[Called, tuple[str, ...]]:
    """The noun for the events that a query means, in the words of the question where these are one of its class, and
    what else it limits them to."""
    if not isinstance(match, ClassMatch):
        return EVENTS, (f"for “{query}”",)
    if not match.constraints:
        named = (label for held in vocabulary.classes_named(query) for label in held.labels)
        one = next((label for label in named if normalise(label) == normalise(query)), None)
        if one is not None:
            return Called(one, query if query.endswith("s") and query != one else plural(one)), ()
    tops = topmost(match.classes, vocabulary)
    if len(tops) != 1 or tops[0] not in vocabulary.classes:
        return EVENTS, (f"for “{query}”",)
    held = vocabulary.classes[tops[0]]
    kinds = [one.values[0] for one in match.constraints if one.property == held.kind_property]
    kind = f"{kinds[0]} " if kinds else ""
    own = _own_noun(query, kinds[0], held.kind_property, vocabulary) if kinds else None
    others = tuple(_limit(one, vocabulary) for one in match.constraints if one.property != held.kind_property)
    return own or Called(f"{kind}{held.label}", f"{kind}{plural(held.label)}"), others


def _own_noun(query: str, kind: str, prop: str | None, vocabulary: Vocabulary) -> Called | None:
    """The question's own noun for events of a kind, in the plural: "runs" for those of the kind running."""
    for word in query.split():
        labels = [
            label for held in vocabulary.concepts_named(word) if held.property in (None, prop) for label in held.labels
        ]
        one = next((label for label in labels if normalise(label) == normalise(word) and word == plural(label)), None)
        if one is not None and kind in labels:
            return Called(one, word)
    return None


def _limit(constraint: Constraint, vocabulary: Vocabulary) -> str:
    return f"{vocabulary.property_label(constraint.property) or ''} “{constraint.values[0]}”"
