"""What is looked up once an answer is shown, a piece at a time, so that the next question need not wait for it: other
readings of the question, ways to go on, what was left out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar

from ....engine.answers.answer import Answer, Evidence
from ....engine.answers.evidence import attributes_table, evidence
from ....engine.answers.formats import shortly
from ....engine.answers.left_out import left_out
from ....engine.answers.sentence import source_in_words
from ....engine.asking.going_on import MOST, WayOn, ways_on
from ....engine.asking.planned import Planned
from ....engine.knowledge import KnowledgeGraph
from ....errors import NotUnderstood, ReqapError
from ....operators.nodes import Extract, Filter
from ....operators.syntax.printing import format_tree
from ....store.rdf import Literal
from ....store.words import key_words
from .asked import Asked, Link
from .kept import Kept

T = TypeVar("T")
Do = Callable[[Callable[[KnowledgeGraph], T]], Awaitable[T]]
"""Has one piece of work done."""
_TOP: Final = 4
_LEAST: Final = 0.15
_NEAR: Final = 0.3
"""How likely another reading is at least, and how likely beside the first one."""
_MOST_READINGS: Final = 2
_MOST_LOOKED_AT: Final = 100
MOST_SHOWN: Final = 8
"""Events that are shown of those that were left out."""
_LONGEST_RESULT: Final = 40
_SKIPPED: Final = """SELECT ?name ?reason (SUM(?n) AS ?count) { VALUES ?name { %s }
  ?source a ev:Source ; rdfs:label ?name ; ev:skippedRecord ?record .
  ?record ev:reason ?reason ; ev:count ?n } GROUP BY ?name ?reason ORDER BY ?name DESC(?count)"""


@dataclass(frozen=True)
class TurnedDown:
    """How many events a condition turned down, why, and the first of them."""

    reason: str
    size: int
    events: tuple[Evidence, ...]


@dataclass(frozen=True)
class Skipped:
    """Records of a source that no event was made of, and why."""

    source: str
    reason: str
    count: int


async def other_readings(kept: Kept, asked: Asked, do: Do[list[Planned]], ask: Do[Answer]) -> tuple[Link, ...]:
    """What else the question may mean, as links with what that would answer; nothing where the answer is sure: then no
    other reading is near, and to look for one may have texts read."""
    if not kept.answer.doubt:
        return ()
    if "readings" not in kept.later:
        plans = await do(lambda known: _plans(kept, known))
        found: list[Link] = []
        told = {_result(kept.answer)}
        for plan in plans[:_MOST_READINGS]:
            with suppress(ReqapError):
                answer = await ask(lambda known, plan=plan: known.ask_plan(kept.turn.resolved, plan, now=kept.at))
                result = _result(answer)
                if answer.values and answer.missing is None and result not in told:
                    told.add(result)
                    words = " ".join(filter(None, shortly(plan.node, plan.form.column, answer.locale)))
                    found.append(Link(words, asked.with_tree(plan.tree).address(), result))
        kept.later["readings"] = tuple(found)
    return kept.later["readings"]


def _plans(kept: Kept, known: KnowledgeGraph) -> list[Planned]:
    """The other plans that are likely enough."""
    try:
        plans = known.plans(kept.turn.resolved, now=kept.at, top=_TOP)
    except NotUnderstood:
        return []
    likely = [plan for plan in plans if plan.tree != kept.answer.plan and plan.also is None]
    best = max((plan.probability for plan in plans), default=0.0)
    return [plan for plan in likely if plan.probability >= max(_LEAST, _NEAR * best)]


def _result(answer: Answer) -> str:
    """What an answer says in a word or two."""
    if answer.answer_type in ("events", "table") or len(answer.values) > 1:
        return f"{len(answer.listed):,}"
    said = answer.listed[0] if answer.listed else ""
    return said if len(said) <= _LONGEST_RESULT else f"{said[: _LONGEST_RESULT - 1]}…"


async def ways_to_go_on(kept: Kept, asked: Asked, do: Do[Link | None], look: Do[frozenset[str]]) -> tuple[Link, ...]:
    """Ways to go on that have an answer, as links; each is tried by itself."""
    if "ways" not in kept.later:
        found: list[Link] = []
        recorded = await look(lambda known: _recorded(kept, known))
        for way in ways_on(kept.answer, kept.tree, recorded) if kept.tree is not None else ():
            if len(found) < MOST:
                link = await do(lambda known, way=way: _way(kept, asked, way, known))
                found += [link] if link is not None else []
        kept.later["ways"] = tuple(found)
    return kept.later["ways"]


def _recorded(kept: Kept, known: KnowledgeGraph) -> frozenset[str]:
    """What each of an answer's events has as a record; of many, of the first of them."""
    table = attributes_table(known.graph, kept.answer.events[:_MOST_LOOKED_AT], kept.vocabulary)
    columns = zip(table.columns, zip(*table.rows, strict=True), strict=False)
    return frozenset(key_words(name) for name, values in columns if None not in values)


def _way(kept: Kept, asked: Asked, way: WayOn, known: KnowledgeGraph) -> Link | None:
    tree = format_tree(way.tree)
    lists = isinstance(way.tree, Filter | Extract)  # whether there are any is known by their number
    try:
        answer = known.run(f"APPLY(l={tree}, fct=len)" if lists else tree, now=kept.at, most_events=0)
    except ReqapError:  # these events have no such measure
        return None
    is_same = answer.answer_type == kept.answer.answer_type and answer.values == kept.answer.values
    if not answer.values or answer.missing is not None or is_same:
        return None
    there = asked.next(way.question) if way.question else asked.next(way.label, tree)
    return Link(way.label, there.address(), _result(answer))


def turned_down(kept: Kept, known: KnowledgeGraph) -> tuple[tuple[TurnedDown, ...], tuple[Skipped, ...]]:
    """What the conditions of the tree left out, and records of the same sources that could not be taken."""
    if "left out" not in kept.later:
        found: list[TurnedDown] = []
        if kept.tree is not None and kept.answer.also is None:
            with suppress(ReqapError):
                events = lru_cache(lambda node: known.events_of(format_tree(node), now=kept.at))
                for one in left_out(kept.tree, events, kept.answer.locale):
                    first = evidence(known.graph, one.events[:MOST_SHOWN])
                    found.append(TurnedDown(one.reason, len(one.events), first))
        kept.later["left out"] = tuple(found), _skipped(kept, known)
    return kept.later["left out"]


def _skipped(kept: Kept, known: KnowledgeGraph) -> tuple[Skipped, ...]:
    sources = dict.fromkeys(event.source for part in kept.answer.each for event in part.events if event.source)
    rows = known.graph.select(_SKIPPED % " ".join(str(Literal(name)) for name in sources)) if sources else ()
    return tuple(
        Skipped(source_in_words(name.value), reason.value, int(float(count.value)))
        for name, reason, count in rows
        if name is not None and reason is not None and count is not None
    )
