"""Answers questions for the page, on the engine's thread: turn after turn, with what a page is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ....engine.answers.answer import TOLD, Answer, Evidence
from ....engine.answers.compared import sides_of
from ....engine.answers.telling import Sought, happenings
from ....engine.conversation.conversation import asked as asked_next
from ....engine.conversation.turns import Turn, answer_of, followed
from ....engine.knowledge import MOST_EVENTS, KnowledgeGraph
from ....errors import NotUnderstood, ReqapError
from ....operators.expressions import Node
from ....operators.syntax.printing import format_tree
from ....operators.syntax.text import read_tree
from ....store.graph import Graph
from ...holding import Held
from .asked import Asked, Said
from .kept import Answers, Happening, Kept

Tell = Callable[[str, str], None]
"""Hears how a question is read, before it is answered."""


@dataclass(frozen=True)
class Answering:
    """Gives answers over a store, those that it gave already from memory."""

    held: Held
    answers: Answers = field(default_factory=Answers)

    @property
    def state(self) -> str:
        """Names the data that answers are of; what is derived meanwhile changes none of them."""
        return self.held.state.rpartition("-")[0]

    def known(self, asked: Asked, now: datetime) -> Kept | None:
        """The answer where it was given already."""
        return self.answers.get(asked.chain, self.state, at=asked.at, now=now if asked.at is None else None)

    def answered(self, known: KnowledgeGraph, asked: Asked, now: datetime, tell: Tell | None = None) -> Kept:
        """The answer of what is asked `now`, or was at its own time. Raises what keeps it from having one, but for
        NotUnderstood, whose answer says why there is none."""
        found = self.known(asked, now)
        if found is not None:
            return found
        moment, turns = asked.at or now, self._before(known, asked, now)
        turn = _turn(known, asked.said, turns, moment, tell)
        kept = _kept(known, turn, turns, moment)
        self.answers.keep(asked.chain, self.state, kept)
        return kept

    def _before(self, known: KnowledgeGraph, asked: Asked, now: datetime) -> tuple[Turn, ...]:
        """The turns before, as they were answered whenever that was; those that are no longer known are asked again."""
        turns: tuple[Turn, ...] = ()
        chain = asked.after
        for place, said in enumerate(chain):
            found = self.answers.get(chain[: place + 1], self.state)
            turn = found.turn if found is not None else _turn(known, said, turns, now, None)
            if found is None and (turn.failure is None or isinstance(turn.failure, NotUnderstood)):
                self.answers.keep(chain[: place + 1], self.state, _kept(known, turn, turns, now))
            turns = followed(turns, turn)
        return turns


def _turn(known: KnowledgeGraph, said: Said, turns: Sequence[Turn], now: datetime, tell: Tell | None) -> Turn:
    """The next turn: a question that may lean on those before, or the tree that was given for it."""
    if said.tree is None:
        return asked_next(known, said.question, turns, now=now, most_events=MOST_EVENTS, tell=tell)
    question = said.question or said.tree
    try:
        answer = known.ask(question, now=now, tree=said.tree, most_events=MOST_EVENTS)
    except ReqapError as bad:
        return Turn(question, question, None, failure=bad)
    return Turn(question, question, answer)


def _kept(known: KnowledgeGraph, turn: Turn, turns: tuple[Turn, ...], now: datetime) -> Kept:
    answer = answer_of(turn, known, now)
    if answer is None:
        raise turn.failure or NotUnderstood("there is no answer", words=())
    tree = read_tree(answer.plan).node if answer.plan else None
    sides = _sides(known, answer, tree, now)
    if sides:
        answer = _with_events(answer, sides)
    trees = [read_tree(part.plan).node for part in answer.each if part.plan]
    found = [Sought.by(one, known.graph, known.sought) for one in trees]
    sought = found[0] if len(found) == 1 else _together(found)
    held = grouped(answer, sought, known.graph)
    return Kept(turn, turns, answer, now, tree, sought, held, known.vocabulary, sides)


def _sides(known: KnowledgeGraph, answer: Answer, tree: Node | None, now: datetime) -> tuple[Answer, ...]:
    """The answers that an answer compares, each with its number and its events; none where it compares nothing."""
    if tree is None or not answer.values or answer.also is not None:
        return ()
    try:
        return tuple(known.run(format_tree(one), now=now, most_events=MOST_EVENTS) for one in sides_of(tree))
    except ReqapError:  # a part that cannot be run by itself
        return ()


def _with_events(answer: Answer, sides: Sequence[Answer]) -> Answer:
    """The answer with the events of all that it compares behind it."""
    events = {event.iri: event for part in (answer, *sides) for event in part.events}
    in_time = sorted(events.values(), key=lambda event: (event.start or "", event.iri))
    more = any(part.more_events for part in (answer, *sides))
    return replace(answer, events=tuple(in_time), more_events=more)


def _together(found: Sequence[Sought]) -> Sought:
    """What several trees looked for."""
    return Sought(
        tuple(dict.fromkeys(query for one in found for query in one.queries)),
        tuple(dict.fromkeys(key for one in found for key in one.keys)),
        tuple(dict.fromkeys(group for one in found for group in one.words)),
        tuple(dict.fromkeys(name for one in found for name in one.activities)),
    )


def grouped(answer: Answer, sought: Sought, graph: Graph) -> tuple[Happening, ...]:
    """The events behind an answer, what tells of one happening together, in the order of their times."""
    events = {event.iri: event for part in answer.each for event in part.events}
    if not sought.activities or all(event.basis != TOLD for event in events.values()):
        return tuple(Happening(event, start=event.start) for event in events.values())
    found = happenings(list(events), sought, graph)
    others: dict[str, list[str]] = {}
    for iri in events:
        first = found.standing.get(iri, iri)
        others.setdefault(first if first in events else iri, []).append(iri)
    made = [
        Happening(events[first], tuple(events[iri] for iri in own if iri != first), _start(first, events, found.starts))
        for first, own in others.items()
    ]
    return tuple(sorted(made, key=lambda one: (one.start or "", one.event.iri)))


def _start(iri: str, events: dict[str, Evidence], starts: Mapping[str, str]) -> str | None:
    """When a happening took place: as the texts say, where their own time is another."""
    return starts.get(iri) or events[iri].start
