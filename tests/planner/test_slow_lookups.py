"""A look-up that takes too long is left out, and the plan says so: it does not fail the question."""

from __future__ import annotations

from collections.abc import Mapping

from reqap_kg.errors import QueryTimeout
from reqap_kg.planner.search.plan import Planner
from reqap_kg.store.graph import MemoryGraph, Rows
from reqap_kg.store.rdf import Term
from reqap_kg.store.vocabulary import Vocabulary
from tests.planner.conftest import NOW

QUESTION = "How many steps did I take in 2023?"


class Large(MemoryGraph):
    """A graph so large that reading its texts takes too long."""

    def __init__(self) -> None:
        super().__init__(())
        self.read = 0

    def select(self, query: str, bindings: Mapping[str, Term] | None = None) -> Rows:
        if "REGEX(STR(?said)" in query:
            self.read += 1
            raise QueryTimeout("the query passed its limit of 2 s")
        return super().select(query, bindings)


def test_a_look_up_that_is_stopped_is_left_out_from_then_on(vocabulary: Vocabulary) -> None:
    graph = Large()
    planner = Planner(graph, vocabulary)
    plans = [planner.plan("How often did I go running in 2023?", now=NOW) for _ in range(2)]
    assert not plans[0].notes
    notes = [planner.plan("How many chat messages about steps were there?", now=NOW).notes for _ in range(2)]
    assert "nothingOfKind" in " ".join(notes[0])
    assert notes[0] == notes[1]
    assert graph.read == 1
