"""Success at k of questions about the census statistics: QUASL's Table I in its own words, and other questions.

    python -m reqap_kg.bench.census [--misses]

A candidate is right where it shows the dimensions and measures that the question is about, as
examples/census/entities.ttl has them, and nothing besides but what the question names or the planner says that it
proposed. It is exact where it shows just these.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import as_file, files
from pathlib import Path
from time import perf_counter

from ..config import Settings
from ..engine.asking.planned import Planned
from ..engine.authoring.domain import load_domain
from ..engine.importing.ingest_domain import ingest_domain
from ..engine.importing.loading import IngestOptions
from ..engine.importing.report import Silent
from ..engine.knowledge import KnowledgeGraph
from ..errors import NotUnderstood
from ..evaluation.suites.base import Life
from ..evaluation.suites.base import Question as Asking
from ..evaluation.systems import Response, System, Tracing, declined, noted
from ..operators.nodes import Aggregate, Extract, GroupBy, Map, Node, Retrieve, Unnest, walk
from ..operators.syntax.text import read_tree
from ..planner.annotation.parse_graph import attribute_key
from ..store.graph import MemoryGraph
from ..store.rdf import NamedNode, Quad, parse_turtle
from ..store.vocabulary import Vocabulary
from .table import Figure

NOW = datetime(2012, 6, 1, 12)
MOST = 10
"""Candidates looked at."""
NAMESPACE = "https://w3id.org/reqap-kg/example/census#"
PROPOSED = "proposed"
"""How notes of proposals begin."""
_QUESTIONS = f"""PREFIX census: <{NAMESPACE}>
SELECT ?suite ?number ?asked (GROUP_CONCAT(DISTINCT STR(?shows)) AS ?all) (GROUP_CONCAT(DISTINCT STR(?may)) AS ?more)
WHERE {{
  ?q census:asked ?asked ; census:suite ?suite ; census:number ?number ; census:shows ?shows .
  OPTIONAL {{ ?q census:mayShow ?may }}
}} GROUP BY ?suite ?number ?asked ORDER BY ?suite ?number"""


@dataclass(frozen=True)
class Question:
    """A question, the terms that its answer must show, and those that it may show too."""

    suite: str
    text: str
    shows: frozenset[str]
    may_show: frozenset[str]


@dataclass(frozen=True)
class Asked:
    """A question with what its candidates show, best first, and the place of the first right and of the first exact
    one, from 1; none where there is none among them."""

    question: Question
    shown: tuple[frozenset[str], ...]
    right: int | None
    exact: int | None
    milliseconds: float
    trees: tuple[str, ...] = ()


def questions(turtle: str) -> tuple[Question, ...]:
    """The questions of a document, in order."""
    graph = MemoryGraph(
        Quad(q.subject, q.predicate, q.object, NamedNode("urn:questions")) for q in parse_turtle(turtle)
    )
    rows = graph.select(_QUESTIONS)
    texts = [[cell.value if cell is not None else "" for cell in row] for row in rows]
    return tuple(Question(suite, asked, _terms(all_), _terms(more)) for suite, _, asked, all_, more in texts)


def _terms(iris: str) -> frozenset[str]:
    return frozenset(iris.split())


def shown_by(tree: Node, vocabulary: Vocabulary) -> frozenset[str]:
    """The dimensions and measures (IRIs) that a tree's answer shows."""
    nodes = list(walk(tree))
    grouped = {name for node in nodes if isinstance(node, GroupBy) for name in node.names}
    folded = {node.name for node in nodes if isinstance(node, Map | Aggregate)}
    names = grouped | folded
    if not names:
        listed = [node.name for node in nodes if isinstance(node, Unnest)]
        names = set(listed) or {name for node in nodes if isinstance(node, Extract) for name in node.names}
    classes = {
        info.iri for node in nodes if isinstance(node, Retrieve) for info in vocabulary.classes_named(node.query)
    }
    return frozenset(
        prop.iri
        for prop in vocabulary.properties.values()
        if attribute_key(prop.label) in names and not classes.isdisjoint(prop.domain)
    )


def ask(known: KnowledgeGraph, question: Question) -> Asked:
    """Plans a question, and looks for the first candidate that is right."""
    began = perf_counter()
    try:
        plans = known.plans(question.text, now=NOW, top=MOST)
    except NotUnderstood:
        plans = ()
    taken = (perf_counter() - began) * 1000
    shown = tuple(shown_by(plan.node, known.vocabulary) for plan in plans)
    candidates = list(enumerate(zip(plans, shown, strict=True), 1))
    right = [at for at, (plan, found) in candidates if _is_right(question, plan, found, known.vocabulary)]
    exact = [at for at, found in enumerate(shown, 1) if found == question.shows]
    trees = tuple(plan.tree for plan in plans)
    return Asked(question, shown, min(right, default=None), min(exact, default=None), taken, trees)


def _is_right(question: Question, plan: Planned, shown: frozenset[str], vocabulary: Vocabulary) -> bool:
    return question.shows <= shown <= question.shows | question.may_show | _proposed(plan.notes, shown, vocabulary)


def _proposed(notes: Sequence[str], shown: frozenset[str], vocabulary: Vocabulary) -> frozenset[str]:
    """What of an answer its notes say to be proposed."""
    said = [note.lower() for note in notes if note.startswith(PROPOSED)]
    return frozenset(iri for iri in shown if any(vocabulary.properties[iri].label.lower() in note for note in said))


def open_shown(known: KnowledgeGraph, life: Life, tracing: Tracing) -> System:  # noqa: ARG001 - as systems are
    """Answers with the terms that the answer of a question shows, and which of them were proposed."""

    def answer(question: Asking) -> Response:
        try:
            found = known.ask(question.text, now=question.now, most_events=0)
        except NotUnderstood as bad:
            return declined(bad)
        shown = shown_by(read_tree(found.plan).node, known.vocabulary)
        told = {"shown": sorted(shown), "proposed": sorted(_proposed(found.notes, shown, known.vocabulary))}
        return Response((told,) if found.values else (), "", found.timings_ms, noted(found))

    return answer


@contextmanager
def opened() -> Iterator[tuple[KnowledgeGraph, tuple[Question, ...]]]:
    """A store with the census statistics, and the questions about them."""
    with as_file(files("reqap_kg.examples").joinpath("census")) as folder, tempfile.TemporaryDirectory() as scratch:
        settings, store = Settings(domain=folder), Path(scratch) / "store"
        ingest_domain(load_domain(folder), [], store, IngestOptions(settings, NOW), Silent())
        with KnowledgeGraph.open(store, settings) as known:
            yield known, questions((folder / "entities.ttl").read_text(encoding="utf-8"))


def measure() -> list[Figure]:
    """Success at 1 to 10, and the time of planning, for each suite."""
    with opened() as (known, asked):
        for question in asked[:3]:
            ask(known, question)
        found = [ask(known, question) for question in asked]
    return [figure for suite in sorted({q.suite for q in asked}) for figure in _figures(suite, found)]


def _figures(suite: str, found: Sequence[Asked]) -> Iterator[Figure]:
    of = [asked for asked in found if asked.question.suite == suite]
    count = len(of)
    yield Figure(f"{suite}: first candidate right", f"{success(of, 1)} of {count}")
    exact = sum(asked.exact == 1 for asked in of)
    yield Figure(f"{suite}: first candidate shows exactly what is wanted", f"{exact} of {count}")
    rates = ", ".join(f"{success(of, k) / count:.2f}" for k in range(1, MOST + 1))
    yield Figure(f"{suite}: success at k = 1 to {MOST}", rates)
    times = [asked.milliseconds for asked in of]
    yield Figure(f"{suite}: planning, median / worst", f"{statistics.median(times):.1f} ms / {max(times):.1f} ms")


def success(found: Sequence[Asked], k: int) -> int:
    """How many have a right candidate among the first k."""
    return sum(asked.right is not None and asked.right <= k for asked in found)


def _misses() -> None:
    with opened() as (known, asked):
        for question in asked:
            found = ask(known, question)
            if found.exact != 1:
                print(f"{question.suite}: {question.text} (right: {found.right}, exact: {found.exact})")
                print("   wanted", _names(question.shows))
                for shown, tree in list(zip(found.shown, found.trees, strict=True))[:3]:
                    print("   shown ", _names(shown), "  ", " ".join(tree.split())[-170:])


def _names(iris: frozenset[str]) -> str:
    return ", ".join(sorted(iri.removeprefix(NAMESPACE) for iri in iris))


if __name__ == "__main__":
    if "--misses" in sys.argv:
        _misses()
    else:
        for figure in measure():
            print(figure)
