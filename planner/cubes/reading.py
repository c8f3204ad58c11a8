"""Reads a question as a cube query: each fact table in turn, the reading that leaves the fewest words over first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ...errors import NotUnderstood, TreeTypeError, UsageError
from ...operators.nodes import Node
from ...operators.syntax.text import parse_tree
from ..annotation.annotate import Annotator
from ..patterns.tokens import tokenise
from ..search.plan import AnswerForm, Planner
from .conditions import Conditions
from .cube import Cube, Dimension, Measure
from .heads import Head
from .pieces import Piece, pieces_of
from .query import CubeQuery, Metric
from .row import Row
from .trees import form_of, metrics, tree_of

Members = Callable[[Dimension], Sequence[str]]
"""Some members of a dimension."""


@dataclass(frozen=True)
class CubeReading:
    """A reading of a question: its query and tree, and the words that no part of them stands for."""

    query: CubeQuery
    tree: Node
    form: AnswerForm
    unread: tuple[str, ...]
    notes: tuple[str, ...]
    sure: float

    @property
    def whole(self) -> bool:
        """Whether every word is accounted for."""
        return not self.unread


@dataclass
class CubeReader:
    """Reads questions to the fact tables of one store."""

    planner: Planner
    cube: Cube
    members: Members
    rules_first: bool = False
    """Whether somebody has written rules for these questions, which say what is meant."""

    def pieces(self, question: str, now: datetime) -> tuple[Piece, ...]:
        """What the words of a question name."""
        annotator = self.planner.annotator(now)
        text, _ = annotator.corrected(tokenise(question))
        return pieces_of(text, annotator, self.cube)

    def readings(self, question: str, now: datetime) -> tuple[CubeReading, ...]:
        """Readings of a question, the one with the fewest words left over first; none where it names no fact table."""
        annotator = self.planner.annotator(now)
        text, corrections = annotator.corrected(tokenise(question))
        notes = tuple(correction.note for correction in corrections)
        pieces = pieces_of(text, annotator, self.cube)
        found = (_read(pieces, facts, annotator, self.cube, self.members, notes) for facts in self.cube.facts)
        ordered = sorted((one for one in found if one is not None), key=lambda one: (len(one.unread), -one.sure))
        return tuple(
            {one.tree: one for one in reversed(ordered)}[tree] for tree in dict.fromkeys(o.tree for o in ordered)
        )


def _read(
    pieces: Sequence[Piece], facts: str, annotator: Annotator, cube: Cube, members: Members, notes: tuple[str, ...]
) -> CubeReading | None:
    row = Row(pieces, cube, facts, members)
    conditions = Conditions(row, annotator.vocabulary, [], [])
    conditions.read()
    if conditions.refused:
        return None
    head = Head(row, conditions, annotator.book.forms)
    row.take(*row.deeds(facts))
    query = head.query()
    if query is None or any(_is_checked(metric) for value in query.values for metric in metrics(value)):
        return None
    try:
        tree = parse_tree(tree_of(query, cube))
    except (TreeTypeError, UsageError, NotUnderstood, KeyError, AssertionError):
        return None
    unread = tuple(dict.fromkeys((*row.unread, *head.unmet(query))))
    named = sum(row.names[at].sure for at in row.names if at in row.read)
    liked = max((one.preference for one in cube.measures.values() if facts in one.facts), default=0.0)
    own = {query.facts, *(metric.facts for value in query.values for metric in metrics(value))}
    told = (
        0.01 * liked
        - (0.3 if facts not in own else 0.0)
        + (0.5 if row.deeds(query.facts if query.shape != "absent" else facts) else 0.0)
    )
    return CubeReading(
        query, tree, form_of(query), unread, (*notes, *query.notes, *head.partly(query)), named + told + head.sure
    )


def _is_checked(metric: Metric) -> bool:
    """Whether a measure may not be taken together as it stands: rules know when to decline."""
    return isinstance(metric.attribute, Measure) and metric.attribute.checked
