"""From a model's sketch to a piece of tree: operators, leaves in the question's words, names kept whole."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pytest

from reqap_kg.operators.checking.checking import check_tree
from reqap_kg.operators.nodes import open_questions
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.planner.proposers.proposing import Open, Proposal
from reqap_kg.planner.proposers.sketch_trees import OPERATORS, Part, made
from reqap_kg.planner.proposers.sketching import Sketch, SketchProposer, number_in, with_prepositions
from reqap_kg.planner.search.plan import Planner
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.ontology_graph import ontology_quads
from reqap_kg.store.vocabulary import load_vocabulary
from reqap_kg.texts.tokens import pieces

NOW = datetime(2025, 3, 1, 12)


@pytest.fixture(scope="module")
def planner() -> Planner:
    graph = MemoryGraph(ontology_quads())
    return Planner(graph, load_vocabulary(graph), find_values=lambda phrase: [phrase] if phrase == "Zanzi Bar" else [])


def proposed(planner: Planner, question: str, kept: str, operator: str, key: str = "", measure: str = "") -> Proposal:
    """What is made of a question by a model that keeps these words."""
    wanted = kept.split()

    def sketcher(words: Sequence[str]) -> tuple[Sketch, ...]:
        return (Sketch(operator, key, measure, tuple(word in wanted for word in words), 0.9),)

    found = SketchProposer(planner, sketcher).propose(Open(question), now=NOW)
    assert found.proposals, found.refused
    return found.proposals[0]


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize(
    ("key", "measure"), [("artist", "distance"), ("month", "price"), ("song", "duration"), ("city", "days")]
)
def test_every_operator_makes_a_well_typed_tree_or_none(operator: str, key: str, measure: str) -> None:
    found = made(operator, Part('RETRIEVE(query="songs")', key, measure, 3))
    if found is not None:
        check_tree(parse_tree(found.tree))
    assert made(operator, Part('RETRIEVE(query="songs")')) is None or operator in {
        "count", "count_days", "when_last", "when_first", "list_events", "exists", "ago", "gap",
    }  # fmt: skip


def test_there_is_no_tree_for_what_is_no_operator() -> None:
    assert made("none", Part('RETRIEVE(query="songs")', "artist", "distance", 3)) is None


def test_the_leaf_is_in_the_words_of_the_question_with_its_filters(planner: Planner) -> None:
    found = proposed(planner, "running in 2023, pray tell the count", "running", "count")
    assert open_questions(found.tree) == ("running, in 2023",)
    assert found.form.type == "number"
    assert "count" in found.notes[-1]


def test_a_clause_becomes_a_statement(planner: Planner) -> None:
    found = proposed(planner, "wherefore did I go running", "go running", "count")
    assert open_questions(found.tree) == ("I went running",)


@pytest.mark.parametrize("question", ["songs total hrs", "songs total, in hours", "songs hours altogether"])
def test_the_unit_is_the_one_that_is_asked_for(planner: Planner, question: str) -> None:
    assert proposed(planner, question, "songs", "sum", "", "duration").form.unit == "h"


def test_a_missing_noun_comes_with_the_attribute(planner: Planner) -> None:
    found = proposed(planner, "whichever artist dominates", "", "most", "artist")
    assert open_questions(found.tree) == ("songs",)


def test_what_happened_besides_stands_behind(planner: Planner) -> None:
    found = proposed(planner, "while cooking, whose songs dominate", "while cooking songs", "most", "artist")
    assert open_questions(found.tree) == ("songs while cooking",)


def test_values_of_the_data_are_kept_whatever_the_model_says(planner: Planner) -> None:
    found = proposed(planner, "Zanzi Bar visits tally", "visits", "count")
    assert open_questions(found.tree) == ("Zanzi Bar visits",)


def test_words_that_only_name_events_are_left_to_others(planner: Planner) -> None:
    proposer = SketchProposer(planner, lambda words: (Sketch("count", "", "", (True,) * len(words), 1.0),))
    assert proposer.propose(Open("songs", whole=False), now=NOW).proposals == ()


def test_a_sketch_without_events_is_refused(planner: Planner) -> None:
    proposer = SketchProposer(planner, lambda words: (Sketch("count", "", "", (False,) * len(words), 1.0),))
    found = proposer.propose(Open("hello there"), now=NOW)
    assert (found.proposals, [refused.reason for refused in found.refused]) == ((), ["it names no events"])


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("runs 2023 count", "runs in 2023 count"),
        ("April 2024 songs", "in April 2024 songs"),
        ("runs in 2023", "runs in 2023"),
        ("June to August 2021", "June to August 2021"),
        ("on 2024-03-01", "on 2024-03-01"),
        ("October 9, 2020 walks", "October 9, 2020 walks"),
        ("this year's best song?", "best song, this year?"),
    ],
)
def test_bare_periods_get_their_preposition(question: str, read: str) -> None:
    assert " ".join(with_prepositions(question).split()) == read


@pytest.mark.parametrize(
    ("question", "number"), [("top five bands", 5), ("my 3 best", 3), ("one run", None), ("2024 runs", None)]
)
def test_numbers_that_a_question_names(question: str, number: int | None) -> None:
    assert number_in([piece.text for piece in pieces(question)]) == number
