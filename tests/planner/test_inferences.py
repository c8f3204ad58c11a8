"""Rules that add to the parse graph, the words of a question, and trees that rules give as text."""

import pytest

from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.planner.rules.rulebook import load_rulebook, shipped_documents
from reqap_kg.planner.search.plan import Planner
from reqap_kg.store.graph import MemoryGraph

from .conftest import NOW

RULES = """
@prefix ex: <https://example.org/garden#> .
@prefix pg: <https://w3id.org/reqap-kg/parse#> .
@prefix qud: <https://w3id.org/reqap-kg/operator#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
ex:frame a pg:Pattern ; pg:kind pg:Frame ; pg:extract "^ frobnicate <x: _*> $" .
ex:counted a sh:SPARQLRule, pg:Inference ; sh:order 1 ; pg:trigger ex:frame ; sh:construct '''
  CONSTRUCT { $this ex:count ?n }
  WHERE { $this a pg:Question . { SELECT $this (COUNT(?w) AS ?n) WHERE { $this pg:word ?w } GROUP BY $this } }''' .
ex:built a sh:SPARQLRule ; sh:order 2 ; pg:trigger ex:frame ; sh:construct '''
  CONSTRUCT { [] a qud:Tree ; qud:text ?text ; pg:answerType "number" }
  WHERE { $this ex:count ?n .
    BIND(CONCAT('APPLY(l=RETRIEVE(query="songs"), fct=lambda l: len(l) + ', STR(?n), ')') AS ?text) }''' .
"""


@pytest.fixture
def planner(vocabulary):
    return Planner(MemoryGraph(), vocabulary, load_rulebook([*shipped_documents(), ("mine.ttl", RULES)]))


@pytest.mark.parametrize(("question", "words"), [("frobnicate", 1), ("frobnicate the gizmo and the widget", 3)])
def test_later_rules_see_what_was_inferred_of_their_question(planner, question: str, words: int):
    found = planner.plan(question, now=NOW)
    assert found.tree == parse_tree(f'APPLY(l=RETRIEVE(query="songs"), fct=lambda l: len(l) + {words})')
    assert [step.rule.rpartition("#")[2] for step in found.steps] == ["built"]


def test_inferences_do_not_stay_for_the_next_question(planner):
    first = planner.plan("frobnicate one two three", now=NOW)
    assert planner.plan("frobnicate", now=NOW).tree != first.tree
    assert planner.plan("frobnicate one two three", now=NOW).tree == first.tree


def test_an_inference_is_told_by_the_investigation(planner):
    (asked, *_) = planner.investigate("frobnicate gizmo", now=NOW).asked
    trial = next(trial for trial in asked.trials if trial.rule.iri.endswith("counted"))
    assert trial.solutions == 1
    assert trial.trees == 0
