"""How a tree is computed: for every operator its rows, its time, and what of it stood in the graph already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from time import perf_counter
from typing import Any

from ..operators.derived import original
from ..operators.expressions import Expression
from ..operators.nodes import Node, Qud, Retrieve, children
from ..operators.resolution import DerivedMatch
from ..operators.syntax.printing import format_expression, format_tree
from .computed import Place
from .materialise import Materialiser


@dataclass(frozen=True)
class Explained:
    """One operator: what it says, how many rows (groups, values) it gives, and the milliseconds of it and all below.

    `how` says where the result comes from: a query, a computation beside it, or a derivation of before.
    """

    operator: str
    arguments: str
    rows: int
    ms: float
    how: str
    below: tuple[Explained, ...] = ()

    def lines(self, prefix: str = "", branch: str = "") -> Iterator[tuple[str, int, float, str]]:
        """The tree as lines of text, with rows, milliseconds and origin."""
        yield (
            f"{prefix}{branch}{self.operator}{' ' if self.arguments else ''}{self.arguments}",
            self.rows,
            self.ms,
            self.how,
        )
        deeper = prefix + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
        for number, part in enumerate(self.below, start=1):
            yield from part.lines(deeper, "└─ " if number == len(self.below) else "├─ ")

    def as_json(self) -> dict[str, Any]:
        """The tree as JSON."""
        return {
            "operator": self.operator,
            "arguments": self.arguments,
            "rows": self.rows,
            "ms": self.ms,
            "how": self.how,
            "below": [part.as_json() for part in self.below],
        }


def explained(tree: Node, place: Place, folder: Path | None) -> Explained:
    """Runs every part of a tree by itself and says what it gave. Raises TreeTypeError, TooLarge."""
    below = tuple(explained(part, place, folder) for part in children(tree))
    if isinstance(tree, Qud):
        return Explained("QUD", tree.question, 0, 0.0, "open", below)
    begin = perf_counter()
    materialiser = Materialiser.of(tree, place, folder)
    _, query = materialiser.prepared()
    rows = len(place.graph.select(query.sparql))
    ms = round((perf_counter() - begin) * 1000, 1)
    return Explained(_name(tree), _arguments(tree), rows, ms, _how(tree, place, materialiser), below)


def _how(tree: Node, place: Place, materialiser: Materialiser) -> str:
    if isinstance(tree, Retrieve):
        match = dict(place.resolution.retrieves)[tree.query]
        return f"derivation {match.activity}" if isinstance(match, DerivedMatch) else "query"
    own = [part for part in materialiser.parts if part.tree == original(tree)]
    if not own:
        return "query"
    return f"reused {own[0].graph}" if own[0].reused else f"computed, written to {own[0].graph}"


def _name(tree: Node) -> str:
    return format_tree(original(tree)).partition("(")[0] or type(tree).__name__


def _arguments(tree: Node) -> str:
    """What an operator says besides its inputs."""
    found = list[str]()
    for field in fields(tree):  # type: ignore[arg-type]
        value = getattr(tree, field.name)
        if isinstance(value, Expression):
            found.append(format_expression(value))
        elif isinstance(value, str):
            found.append(repr(value) if field.name == "query" else value)
        elif isinstance(value, tuple):
            found.append(", ".join(str(item) for item in value))
    return "; ".join(found)
