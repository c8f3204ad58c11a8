"""Referencing object maps: a hash index from join values to the subjects of the parent (RML-Core, Joins)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..nquads import text_of
from ..run_state import Run
from .terms import Terms
from .values import Values

Key = tuple[str, ...]


def keys_of(run: Run, values: list[Values], iteration: Any) -> list[Key]:
    """Every combination of the join values of an iteration; none when one of them is missing."""
    return list(run.combinations([[text_of(value) for value in getter(iteration)] for getter in values]))


@dataclass
class Join:
    """One referencing object map at work.

    Without conditions, `parents` are the parent's subjects on the child's own iteration. With them, the parent's
    iterations are added to the index first; while it is not `complete`, what asks is kept and answered by `flush`.
    """

    run: Run
    children: list[Values]
    parent_values: list[Values]
    parents: Terms
    complete: bool = False
    index: dict[Key, dict[str, None]] = field(default_factory=dict)
    waiting: list[tuple[list[str], list[str], list[Key]]] = field(default_factory=list)

    def add(self, iteration: Any) -> None:
        """Index one iteration of the parent."""
        subjects = self.parents(iteration)
        if subjects:
            for key in keys_of(self.run, self.parent_values, iteration):
                self.index.setdefault(key, {}).update(dict.fromkeys(subjects))

    def emit(self, iteration: Any, heads: list[str], tails: list[str], out: list[str]) -> None:
        """Append the lines of one iteration of the child, or keep them until the index is complete."""
        if not self.parent_values:
            terms = self.parents(iteration)
            out += [f"{head}{term}{tail}" for head in heads for term in terms for tail in tails]
            return
        keys = keys_of(self.run, self.children, iteration)
        if self.complete:
            out += self._lines(heads, tails, keys)
        elif keys:
            self.waiting.append((heads, tails, keys))

    def flush(self) -> Iterator[str]:
        """The lines that were kept, those of each iteration as one text; the index is complete now."""
        self.complete = True
        for heads, tails, keys in self.waiting:
            yield "".join(self._lines(heads, tails, keys))
        self.waiting.clear()

    def _lines(self, heads: list[str], tails: list[str], keys: list[Key]) -> list[str]:
        terms = dict.fromkeys(term for key in keys for term in self.index.get(key, ()))
        return [f"{head}{term}{tail}" for head in heads for term in terms for tail in tails]
