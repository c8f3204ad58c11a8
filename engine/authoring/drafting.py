"""`rules new`: drafts of a rule tried out until one plans its example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ...errors import ReqapError, UsageError
from ...operators.nodes import Node, Qud, walk
from ...operators.syntax.text import format_tree, parse_tree
from ...planner.annotation.annotations import known_terms
from ...planner.annotation.parse_graph import attribute_key
from ...planner.authoring.draft import Draft, Example, drafts
from ...planner.authoring.draft_words import Slot, Words
from ...planner.patterns.functions import Clock
from ...planner.patterns.limits import BoundedGraph
from ...planner.patterns.patterns import Matcher
from ...planner.rules.rulebook import RuleBook, load_rulebook
from ...planner.search.plan import Investigation, Planner
from ..knowledge import KnowledgeGraph
from .authoring import Workshop

_PATH = "the draft"


@dataclass(frozen=True)
class Drafted:
    """The draft that plans its example, and what questions with other values in it become."""

    draft: Draft
    variants: tuple[tuple[str, str], ...]


def draft_rule(
    question: str, tree: str, now: datetime, workshop: Workshop, known: KnowledgeGraph | None, name: str | None = None
) -> Drafted:
    """The most general draft by which the question becomes the tree.

    Raises TreeSyntaxError for a tree that is none, UsageError where the question becomes this tree already, or where no
    draft makes it.
    """
    wanted = parse_tree(tree)
    if any(isinstance(node, Qud) for node in walk(wanted)):
        raise UsageError("the tree has open leaves (QUD); give the whole tree")
    planner = _planner(workshop.rulebook, workshop, known)
    found = planner.investigate(question, now=now)
    if found.plans and found.plans[0].tree == wanted:
        by = found.plans[0].steps[0].rule.rsplit("#", 1)[-1]
        raise UsageError(f"the question becomes this tree already, by the rule {by}")
    example = Example(question, wanted, now, found, lambda: _words(found, now, workshop), _types(workshop).get)
    reasons: list[str] = []
    for draft in drafts(example, name):
        got = _plan(draft, question, now, workshop, known)
        if got == wanted:
            return Drafted(draft, tuple(_variants(draft, example, now, workshop, known)))
        reasons.append(got if isinstance(got, str) else f"it gives {format_tree(got)}")
    raise UsageError(f"no rule could be drafted that gives this tree; the last one tried: {reasons[-1]}")


def _planner(book: RuleBook, workshop: Workshop, known: KnowledgeGraph | None) -> Planner:
    return workshop.planner(book) if known is None else known.planner_with(book)


def _plan(draft: Draft, question: str, now: datetime, workshop: Workshop, known: KnowledgeGraph | None) -> Node | str:
    """The tree that the question becomes with the draft, or why it becomes none."""
    try:
        book = load_rulebook([*workshop.others, *workshop.ontology, *workshop.own, (_PATH, draft.turtle)])
        return _planner(book, workshop, known).plan(question, now=now).tree
    except ReqapError as bad:
        return str(bad)


def _words(found: Investigation, now: datetime, workshop: Workshop) -> Words:
    reading = found.asked[0].reading
    matcher = Matcher(BoundedGraph(found.knowledge), Clock(now))
    known = known_terms(a for a in reading.annotations if a.pattern is None)
    matches = matcher.run([c for c in found.rulebook.patterns if "Frame" not in c.pattern.kinds], reading.core, known)
    keys = {iri: attribute_key(prop.label) for iri, prop in workshop.vocabulary.properties.items()}
    stop = found.rulebook.stop_words | frozenset(workshop.vocabulary.function_words)
    return Words(reading, matches, found.rulebook.functions, stop, keys)


def _types(workshop: Workshop) -> dict[str, str]:
    """The type that each key is extracted as, by the vocabulary."""
    rows = workshop.knowledge.select("SELECT ?key ?type { ?p pg:key ?key ; pg:extractType ?type }")
    return {key.value: kind.value for key, kind in rows if key is not None and kind is not None}


_OTHERS = ("green tea", "thunderstorms")


def _variants(
    draft: Draft, example: Example, now: datetime, workshop: Workshop, known: KnowledgeGraph | None
) -> Sequence[tuple[str, str]]:
    """Questions with other words or numbers in the slots, and their trees."""
    found: list[tuple[str, str]] = []
    core = example.found.asked[0].reading.core
    for slot in draft.slots:
        old = core.words(slot.first, slot.last)
        new = _other_property(old, workshop) if slot.extract.startswith("{@") else _other(slot, old)
        if new is not None and old in example.question:
            question = example.question.replace(old, new)
            got = _plan(draft, question, now, workshop, known)
            found.append((question, got if isinstance(got, str) else format_tree(got)))
    return found


def _other(slot: Slot, old: str) -> str | None:
    if old.isdigit():
        return str(int(old) + 2)
    new = next(word for word in _OTHERS if word != old)
    if slot.name.startswith("e"):  # what was done begins with its verb
        return f"{old.split()[0]} {new}"
    return new if slot.extract.startswith("_") else None


def _other_property(old: str, workshop: Workshop) -> str | None:
    """Another attribute of the same events that is read in the same way."""
    vocabulary = workshop.vocabulary
    for prop in vocabulary.properties_named(old):
        for other in vocabulary.properties.values():
            alike = other.range == prop.range and other.unit == prop.unit and not other.internal
            if alike and other.iri != prop.iri and set(other.domain) & set(prop.domain):
                return other.label
    return None
