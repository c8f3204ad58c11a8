"""Conditions that compare with the answer of another tree, over very many events: the other tree is answered first.

    FILTER(l=…, filter=lambda attr: attr["session"] == MAX(…).result)

In one query, a store compares the answer with the value of every event. Where there are many events, the answer is put
in the place of the tree that gives it, so that the query looks up the events that have it; a note says which answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from ...operators.conditions import conjunction, operands
from ...operators.expressions import Answer, Attribute, Comparison, Expression, Literal
from ...operators.nodes import Extract, Filter, Node, Retrieve, walk
from ...operators.resolution import ClassMatch
from ...operators.syntax.text import format_tree
from ...store.index.statistics import Statistics
from ..computed import Place
from ..run import run_at

MANY: Final = 5_000
"""Events of a RETRIEVE from which on the answer is looked up."""
Known = dict[tuple[str, str], str | int | None]
"""Answers by tree, and by the time of asking where the tree names it; None: not one number or text."""


def with_answers(
    tree: Node, place: Place, held: Statistics, known: Known, folder: Path | None = None
) -> tuple[Node, dict[str, str]]:
    """The tree with answers instead of the trees that give them, which are told with their answers.

    `known` is what was answered before of the same generation, and grows.
    """
    if not any(isinstance(node, Filter) and _reads_many(node, place, held) for node in walk(tree)):
        return tree, {}
    ahead = _Ahead(place, folder, known)
    return ahead.of(tree), ahead.told


def _reads_many(node: Filter, place: Place, held: Statistics) -> bool:
    """Whether a condition with an answer is put to very many events."""
    if not any(_compared(part) for part in operands(node.condition.body)):
        return False
    matches = dict(place.resolution.retrieves)
    found = (matches.get(below.query) for below in walk(node.input) if isinstance(below, Retrieve))
    classes = {iri for match in found if isinstance(match, ClassMatch) for iri in match.classes}
    return sum(held.classes[iri].events for iri in classes if iri in held.classes) >= MANY


def _compared(part: Expression) -> Node | None:
    """The tree that an attribute is compared with."""
    if isinstance(part, Comparison) and part.operators == ("==",) and isinstance(part.left, Attribute):
        other = part.rights[0]
        return other.tree if isinstance(other, Answer) else None
    return None


@dataclass
class _Ahead:
    place: Place
    folder: Path | None
    known: Known
    told: dict[str, str] = field(default_factory=dict[str, str])

    def of(self, node: Node) -> Node:
        """The node and the rows below it with answers."""
        if isinstance(node, Extract):
            return replace(node, input=self.of(node.input))
        if not isinstance(node, Filter):
            return node
        condition = node.condition
        body = conjunction(tuple(self._looked_up(part) for part in operands(condition.body))) or condition.body
        return replace(node, input=self.of(node.input), condition=replace(condition, body=body))

    def _looked_up(self, part: Expression) -> Expression:
        """A comparison with the answer itself, where it is one number or text."""
        tree = _compared(part)
        if tree is None or not isinstance(part, Comparison):
            return part
        text = format_tree(tree)
        key = (text, self.place.moment(text))
        if key not in self.known:
            self.known[key] = self._answer(tree)
        value = self.known[key]
        if value is None:
            return part
        self.told[text] = str(value)
        return replace(part, rights=(Literal(value),))

    def _answer(self, tree: Node) -> str | int | None:
        answer = run_at(tree, self.place, self.folder, most_events=0).answer
        value = answer[0] if len(answer) == 1 else None
        return value if isinstance(value, str | int) and not isinstance(value, bool) else None
