"""What answers a benchmark's questions: our system, and the baselines, behind one interface.

A system is a callable: a `Question` in, a `Response` out. It is opened over one life's store by a function
`(known, life) -> System`; `SYSTEMS` says where these functions are. It is shown the question and nothing of the gold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from traceback import extract_tb
from typing import Any, Final

from ..engine.answers.answer import Answer
from ..engine.knowledge import KnowledgeGraph
from ..errors import NotUnderstood, ReqapError, UsageError
from ..execution.explain import Explained
from ..operators.nodes import Node, Retrieve, children
from ..operators.syntax.text import read_tree
from .suites.base import Life, Question

FAILURES: Final = (
    ReqapError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""What a question may fail with while the run goes on: everything but what ends a process."""
MOST_KEPT: Final = 20_000
"""Events of a RETRIEVE that a trace names, where events are traced."""


@dataclass(frozen=True)
class Response:
    """`answer`: values best first (for events their ids), empty where the system declines; `reason` says why it did.

    `ms` are milliseconds by stage (plan, retrieve, extract, sparql, and whatever a system has); `more` is anything else
    for the trace: the plan, warnings.
    """

    answer: tuple[Any, ...]
    reason: str = ""
    ms: Mapping[str, float] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)


System = Callable[[Question], Response]
Opener = Callable[[KnowledgeGraph, Life, "Tracing"], System]


@dataclass(frozen=True)
class Tracing:
    """What is noted besides the answer: `operators` runs every operator by itself for its time, `events` names the
    events that RETRIEVE found and that the answer rests on (for the error analysis)."""

    operators: bool = False
    events: bool = False


SYSTEMS: Final[Mapping[str, str]] = {
    "reqap": ".systems:open_reqap",
    "rag": "reqap_kg.bench.baselines.rag:open_rag",
    "sql": "reqap_kg.bench.baselines.sql:open_sql",
    "conversation": ".conversation:open_conversation",
    "dialogue": ".conversation:open_dialogue",
    "shown": "reqap_kg.bench.census:open_shown",
}
"""Module and function of each system."""


def opener_of(name: str) -> Opener:
    """The function that opens a system over a life. Raises UsageError for a name that is none."""
    if name not in SYSTEMS:
        raise UsageError(f"there is no system {name!r}; there are {', '.join(SYSTEMS)}")
    module, _, function = SYSTEMS[name].partition(":")
    try:
        return getattr(import_module(module, __package__), function)
    except ModuleNotFoundError as missing:
        raise UsageError(f"the system {name!r} needs {missing.name}, which is not installed") from missing


def open_reqap(known: KnowledgeGraph, life: Life, tracing: Tracing) -> System:  # noqa: ARG001 - as systems are opened
    """Our system: plan, RETRIEVE, EXTRACT, SPARQL."""

    def answer(question: Question) -> Response:
        return _asked(known, question, tracing)

    return answer


def _asked(known: KnowledgeGraph, question: Question, tracing: Tracing) -> Response:
    begin = perf_counter()
    try:
        found = known.ask(question.text, now=question.now, most_events=MOST_KEPT if tracing.events else 0)
    except NotUnderstood as bad:
        return declined(bad)
    wall = round((perf_counter() - begin) * 1000, 1)
    more = noted(found) | {"type": found.answer_type, "unit": found.unit} | _traced(known, found, question, tracing)
    values = () if found.answer_type == "none" else found.values
    reason = "" if values else "; ".join(found.warnings) or "nothing in the data matches"
    return Response(values, reason, {**found.timings_ms, "wall": wall}, more)


def declined(bad: NotUnderstood, **more: object) -> Response:
    """The response to a question that is not understood, with the words in the way."""
    return Response((), reason=f"not understood: {bad}", more={"words": list(bad.words), **more})


def noted(found: Answer) -> dict[str, Any]:
    """What the trace of every answer has."""
    return {
        "plan": found.plan,
        "planner": found.planner,
        "score": found.score,
        "probability": found.probability,
        "doubt": list(found.doubt),
        "basis": found.basis,
        "warnings": list(found.warnings),
    }


def _traced(known: KnowledgeGraph, found: Answer, question: Question, tracing: Tracing) -> dict[str, Any]:
    """What is noted besides the answer, which a failure in noting it does not touch."""
    beside: dict[str, Any] = {}
    try:
        if tracing.operators:
            explained = known.ask(question.text, now=question.now, most_events=0, explain=True).explained
            beside["operators"] = list(_operators(explained)) if explained is not None else []
        if tracing.events:
            beside |= _events(known, found, question)
    except FAILURES as bad:
        beside["untraced"] = f"{type(bad).__name__}: {bad}"
    return beside


def _operators(explained: Explained) -> Iterator[tuple[str, float, int]]:
    """(operator, its own milliseconds, rows) of a tree; an operator's time has that of those below in it."""
    below = sum(part.ms for part in explained.below)
    yield explained.operator, round(max(0.0, explained.ms - below), 1), explained.rows
    for part in explained.below:
        yield from _operators(part)


def _events(known: KnowledgeGraph, found: Answer, question: Question) -> dict[str, Any]:
    """What each RETRIEVE of the tree found, and what the answer rests on, by the sources' own ids."""
    retrieved = {
        query: [hit.event.source_id for hit in known.retrieve(query, now=question.now).hits[:MOST_KEPT]]
        for query in dict.fromkeys(queries_of(read_tree(found.plan).node))
    }
    behind = [(event.source_id, event.type) for event in found.events]
    return {"retrieved": retrieved, "behind": behind}


def queries_of(tree: Node) -> Iterator[str]:
    """The queries of a tree's RETRIEVEs."""
    if isinstance(tree, Retrieve):
        yield tree.query
    for part in children(tree):
        yield from queries_of(part)


def _where(bad: BaseException) -> str:
    """The innermost place of a failure, for whoever looks for its cause."""
    frames = extract_tb(bad.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def answered(system: System, question: Question) -> Response:
    """A system's response, with the processor time it took as `cpu` and its wall-clock time as `wall` where it says
    none; a failure is a response, too."""
    begin, used = perf_counter(), process_time()
    try:
        found = system(question)
    except FAILURES as bad:
        found = Response((), reason=f"failed: {type(bad).__name__}: {bad}", more={"failed": True, "where": _where(bad)})
    wall = round((perf_counter() - begin) * 1000, 1)
    cpu = round((process_time() - used) * 1000, 1)
    return Response(found.answer, found.reason, {"wall": wall, **found.ms, "cpu": cpu}, found.more)
