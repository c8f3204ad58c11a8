"""`rules explain`: which rules made a question's tree, which almost fired, and what was missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...operators.syntax.text import format_tree
from ...planner.authoring.almost import Almost, almost_fired, missing_parts
from ...planner.patterns.patterns import CompiledPattern
from ...planner.search.plan import Investigation
from ...planner.search.trace import Asked, Outcome, Trial


@dataclass(frozen=True)
class Fired:
    """A rule that led to a tree, with the pieces it built."""

    rule: str
    label: str
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class ExplainedQuestion:
    """What was tried on one question or sub-question."""

    question: str
    depth: int
    core: str
    filters: tuple[str, ...]
    fired: tuple[Fired, ...]
    almost: tuple[Almost, ...]


@dataclass(frozen=True)
class Explanation:
    """All of it, with the tree that came out or what was not understood."""

    question: str
    told: tuple[ExplainedQuestion, ...]
    tree: str = ""
    steps: tuple[tuple[str, str], ...] = ()
    failure: str = ""

    def as_json(self) -> dict[str, Any]:
        """The object of `rules explain --json`."""
        return {
            "question": self.question,
            "plan": self.tree or None,
            "failure": self.failure or None,
            "steps": [{"rule": rule, "question": asked} for rule, asked in self.steps],
            "asked": [_told_json(told) for told in self.told],
        }


def explain(found: Investigation) -> Explanation:
    """What an investigation tells an author."""
    almost = almost_fired(found)
    told: dict[str, ExplainedQuestion] = {}
    for asked in found.asked:
        if asked.question not in told or (asked.found and not told[asked.question].fired):
            here = tuple(a for a in almost if a.question == asked.question and (a.close or not found.plans))
            told[asked.question] = _told(asked, here)
    best = found.plans[0] if found.plans else None
    steps = tuple((_local(step.rule), step.question) for step in best.steps) if best else ()
    tree = format_tree(best.tree) if best else ""
    return Explanation(found.question, tuple(told.values()), tree, steps, str(found.failure or ""))


def explain_one(found: Investigation, name: str) -> Iterator[str]:
    """All that is to be said of one rule or pattern, by its local name."""
    rule = next((rule for rule in found.rulebook.rules if _local(rule.iri) == name), None)
    pattern = next((c for c in found.rulebook.patterns if c.pattern.name == name), None)
    for asked in found.asked:
        if rule is not None:
            trial = asked.trial(rule.iri)
            if trial is not None:
                yield f"“{asked.question}”: {trial.outcome}"
                yield from (f"  {line}" for line in _lines_of(trial, asked, found))
        if pattern is not None:
            yield from (f"“{asked.question}”: {line}" for line in _pattern_lines(pattern, asked))


def _lines_of(trial: Trial, asked: Asked, found: Investigation) -> Iterator[str]:
    for piece in trial.pieces:
        yield f"built {format_tree(piece.tree)}"
    for refusal in trial.refusals:
        yield refusal.reason
    if trial.outcome == Outcome.NO_SOLUTION:
        yield from map(str, missing_parts(trial.rule, asked, found.knowledge))
    if trial.outcome == Outcome.WAITS:
        for compiled in found.rulebook.patterns:
            if compiled.pattern.iri in trial.rule.triggers:
                yield from _pattern_lines(compiled, asked)


def _pattern_lines(pattern: CompiledPattern, asked: Asked) -> Iterator[str]:
    reading = asked.reading
    parts = (*reading.annotations, *(f.annotation for f in (*reading.filters, *reading.asides)))
    matched = [a for a in parts if a.pattern == pattern.pattern.iri]
    for annotation in matched:
        values = ", ".join(f"?{name} = “{term.value}”" for name, term in sorted(annotation.variables.items()))
        yield f"{pattern.pattern.name} matched, with {values or 'no variables'}"
    if not matched:
        yield f"{pattern.pattern.name} does not match"


def _told(asked: Asked, almost: tuple[Almost, ...]) -> ExplainedQuestion:
    fired = tuple(
        Fired(_local(t.rule.iri), t.rule.label, tuple(format_tree(piece.tree) for piece in t.pieces))
        for t in asked.trials
        if t.outcome == Outcome.FIRED
    )
    moved = tuple(f.words for f in (*asked.reading.filters, *asked.reading.asides))
    return ExplainedQuestion(asked.question, asked.depth, asked.reading.core.text, moved, fired, almost)


def _told_json(told: ExplainedQuestion) -> dict[str, Any]:
    return {
        "question": told.question,
        "depth": told.depth,
        "core": told.core,
        "filters": list(told.filters),
        "fired": [{"rule": f.rule, "label": f.label, "pieces": list(f.pieces)} for f in told.fired],
        "almost": [
            {"rule": _local(a.rule.iri), "label": a.rule.label, "missing": list(a.reasons)} for a in told.almost
        ],
    }


def _local(iri: str) -> str:
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]
