"""What was tried while a question was planned: who asks why a rule did not fire finds it here.

Every reading of every sub-question is an `Asked`, with one `Trial` for each rule of the book. Its node is in the
knowledge graph of the investigation, so that parts of a rule's WHERE can be run against it, `$this` being the node.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from ...store.rdf import NamedNode
from ..annotation.reading import Reading
from ..rules.fragments import Fragment
from ..rules.rulebook import Rule, RuleBook


class Outcome(StrEnum):
    """What became of a rule on one reading."""

    WAITS = "none of its triggers was recognised"
    NOT_REACHED = "rules of a lower order had read the question already"
    NO_SOLUTION = "its WHERE has no solution"
    REFUSED = "it constructed pieces, and none of them became a whole tree"
    FIRED = "it led to a whole tree"


@dataclass(frozen=True)
class Refusal:
    """A piece, or a tree made of it, that was dropped, and why."""

    reason: str
    tree: str = ""
    """The tree in text form where there was one."""


@dataclass
class Trial:
    """One rule on one reading: its solutions, the pieces they built (without repetition), and what became of these."""

    rule: Rule
    outcome: Outcome
    solutions: int = 0
    pieces: tuple[Fragment, ...] = ()
    refusals: list[Refusal] = field(default_factory=list)
    trees: int = 0
    """Whole trees that its pieces led to."""


@dataclass
class Asked:
    """One reading of a question or sub-question, `depth` rules below the question that the user asked.

    `node` is `$this` of the rules; `rank` counts the readings of the same words, 0 for the likeliest; `words` are
    those that were in the way where nothing was found.
    """

    question: str
    whole: bool
    node: NamedNode
    depth: int
    rank: int
    reading: Reading
    trials: list[Trial] = field(default_factory=list)
    found: int = 0
    words: tuple[str, ...] = ()

    def trial(self, rule: str) -> Trial | None:
        """The trial of the rule with this IRI."""
        return next((trial for trial in self.trials if trial.rule.iri == rule), None)


@dataclass
class Trace:
    """Collects what is asked and tried; planning without one costs nothing more."""

    asked: list[Asked] = field(default_factory=list)

    def waiting(self, asked: Asked, rules: Iterable[Rule]) -> None:
        """Notes the rules of the book that were not run on a reading."""
        tried = {trial.rule.iri: trial for trial in asked.trials}
        present = triggers_of(asked.reading)
        for rule in rules:
            if rule.iri not in tried:
                waits = bool(rule.triggers) and not rule.triggers & present
                tried[rule.iri] = Trial(rule, Outcome.WAITS if waits else Outcome.NOT_REACHED)
        asked.trials = [tried[rule.iri] for rule in rules]


def triggers_of(reading: Reading) -> set[str]:
    """IRIs of the kinds and patterns that were annotated in a reading: what rules may wait for."""
    present: set[str] = set()
    moved = (part.annotation for part in (*reading.filters, *reading.asides))
    for annotation in (*reading.annotations, *moved):
        present.update(RuleBook.term(kind) for kind in annotation.kinds)
        if annotation.pattern:
            present.add(annotation.pattern)
    return present
