"""Scores as section VII of QUASL defines them, their weights from the settings, and what competes with what."""

import math

import pytest
from pydantic import ValidationError

from reqap_kg.config import Ranking, Settings
from reqap_kg.errors import RuleError
from reqap_kg.operators.syntax.text import format_tree, parse_tree
from reqap_kg.planner.rules.rulebook import RuleBook, load_rulebook, shipped_documents
from reqap_kg.planner.search.plan import Plan, investigate, plans
from reqap_kg.planner.search.score import Evidence
from reqap_kg.planner.search.trace import Outcome
from reqap_kg.store.graph import MemoryGraph

from .conftest import NOW

PREFIXES = """
@prefix ex: <https://example.org/garden#> .
@prefix pg: <https://w3id.org/reqap-kg/parse#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
ex:frame a pg:Pattern ; pg:kind pg:Frame ; pg:extract "^ frobnicate <x: _*> $" .
"""
SIMPLE = "[] a qud:Retrieve ; qud:query 'simple'"
COMPLEX = (
    "[] a qud:Apply ; qud:function 'len' ; qud:input "
    "[ a qud:Filter ; qud:condition 'lambda attr: attr[\"start_date\"].year == 2024' ; qud:input "
    "[ a qud:Extract ; qud:names ('start_date') ; qud:types ('date') ; qud:input "
    "[ a qud:Retrieve ; qud:query 'complex' ] ] ]"
)


def rule(name: str, head: str, where: str = "$this a pg:Question") -> str:
    construct = f"CONSTRUCT {{ {head} }} WHERE {{ {where} }}"
    return f'ex:{name} a sh:SPARQLRule ; sh:order 1 ; pg:trigger ex:frame ; sh:construct """{construct}""" .\n'


def book_of(rules: str) -> RuleBook:
    return load_rulebook([*shipped_documents(), ("mine.ttl", PREFIXES + rules)])


@pytest.fixture
def ranked(vocabulary):
    def _ranked(rules: str, question: str = "frobnicate", ranking: Ranking | None = None) -> list[Plan]:
        given = {"graph": MemoryGraph(), "vocabulary": vocabulary, "rulebook": book_of(rules), "ranking": ranking}
        return list(plans(question, now=NOW, top=20, **given))

    return _ranked


def queries(found: list[Plan]) -> list[str]:
    return [format_tree(plan.tree).split('query="')[1].split('"')[0] for plan in found]


def test_parts_are_those_of_the_paper():
    tree = parse_tree(
        'SUM(l=EXTRACT(l=RETRIEVE(query="x"), attr_names=["a", "b"], attr_types=[int, int]), attr_name="a")'
    )
    upper = Evidence(matched=0.9, matches=1, sure=0.5, selectivities=(0.25,))
    lower = Evidence(matched=1.0, matches=2, sure=1.0, selectivities=(1.0,))
    parts = upper.joined([lower]).parts(tree, Ranking(confidence=1, complexity=1, selectivity=2))
    assert parts.confidence == pytest.approx(0.5 * 1.9 / 3)
    assert parts.complexity == pytest.approx(1 - math.exp(-4 / 8))
    assert parts.selectivity == pytest.approx((0.25 + 1) / 2)
    assert parts.total == pytest.approx((parts.confidence + parts.complexity + 2 * parts.selectivity) / 4)


def test_more_complex_trees_rank_higher(ranked):
    assert queries(ranked(rule("a", SIMPLE) + rule("b", COMPLEX))) == ["complex", "simple"]


def test_what_few_trees_were_built_from_ranks_higher(ranked):
    labels = "$this a pg:Question . ?p a pg:EventProperty ; rdfs:label ?l FILTER(?l IN ('artist', 'distance', 'price'))"
    many = rule("many", "[] a qud:Retrieve ; qud:query ?l", labels)
    found = ranked(many + rule("one", SIMPLE))
    assert queries(found)[0] == "simple"
    assert [plan.parts.selectivity for plan in found if plan.parts] == pytest.approx([1, 1 / 3, 1 / 3, 1 / 3])


def test_selectivity_is_by_the_part_of_the_where_that_a_rule_names(ranked):
    labels = (
        "$this a pg:Question . ?p a pg:EventProperty ; rdfs:label ?l FILTER(?l IN ('artist', 'distance', 'price')) "
        "BIND(IF(?l = 'artist', 'matched', 'proposed') AS ?part)"
    )
    found = ranked(rule("parted", "[] a qud:Retrieve ; qud:query ?l ; pg:subgraph ?part", labels))
    assert queries(found)[0] == "artist"
    assert [plan.parts.selectivity for plan in found if plan.parts] == pytest.approx([1, 1 / 2, 1 / 2])


def test_weights_are_settings(ranked):
    unsure = rule("a", SIMPLE) + rule("b", COMPLEX + " ; pg:confidence 0.5")
    assert queries(ranked(unsure)) == ["simple", "complex"]
    assert queries(ranked(unsure, ranking=Ranking(confidence=0, complexity=1, selectivity=0))) == ["complex", "simple"]


USES = (
    "[] a qud:Retrieve ; qud:query ?w ; pg:uses ?a",
    "$this a pg:Question ; pg:annotation ?a . ?a pg:words ?w ; a ?kind FILTER(?kind IN (pg:Property, pg:Class))",
)


def test_a_tree_rests_on_the_annotations_that_it_uses(ranked):
    found = ranked(rule("a", *USES), "frobnicate distance songs")
    assert set(queries(found)) == {"distance", "songs"}
    # one of "frobnicate", "distance" and "songs" is explained; a word that is not counts half
    assert {plan.parts.confidence for plan in found if plan.parts} <= {1 / 2, 0.9 / 2}
    assert len(found) == 2


def test_theta_weighs_kinds_of_matches(ranked):
    question = "frobnicate distance songs"
    assert queries(ranked(rule("a", *USES), question, Ranking(theta={"Class": 0.5})))[0] == "distance"
    assert queries(ranked(rule("a", *USES), question, Ranking(theta={"Property": 0.5})))[0] == "songs"


def test_theta_is_between_0_and_1():
    with pytest.raises(ValidationError, match="theta of Class"):
        Settings.model_validate({"ranking": {"theta": {"Class": 2}}})
    with pytest.raises(ValidationError, match="must have a weight"):
        Settings.model_validate({"ranking": {"confidence": 0, "complexity": 0, "selectivity": 0}})


def test_all_candidates_are_kept(ranked, vocabulary):
    each = rule("each", "[] a qud:Retrieve ; qud:query ?k", "$this a pg:Question . ?p a pg:EventProperty ; pg:key ?k")
    assert len(ranked(each)) == 20
    found = investigate("frobnicate", graph=MemoryGraph(), vocabulary=vocabulary, now=NOW, rulebook=book_of(each))
    assert len(found.plans) > 40


def test_a_piece_that_breaks_the_shapes_is_dropped_with_the_reason(ranked, vocabulary):
    rules = rule("broken", "[] a qud:Extract ; qud:input [ a qud:Retrieve ; qud:query 'x' ]") + rule("good", SIMPLE)
    assert queries(ranked(rules)) == ["simple"]
    found = investigate("frobnicate", graph=MemoryGraph(), vocabulary=vocabulary, now=NOW, rulebook=book_of(rules))
    trial = found.asked[0].trial("https://example.org/garden#broken")
    assert trial is not None
    assert trial.outcome is Outcome.REFUSED
    assert [refusal.reason for refusal in trial.refusals] == ["qud:Extract needs one qud:names, not 0"]


def test_an_ill_typed_tree_is_dropped_with_the_reason(ranked, vocabulary):
    summed = "[] a qud:Sum ; qud:name 'price' ; qud:input [ a qud:Retrieve ; qud:query 'unextracted' ]"
    rules = rule("ill", summed) + rule("good", SIMPLE)
    assert queries(ranked(rules)) == ["simple"]
    found = investigate("frobnicate", graph=MemoryGraph(), vocabulary=vocabulary, now=NOW, rulebook=book_of(rules))
    trial = found.asked[0].trial("https://example.org/garden#ill")
    assert trial is not None
    assert "price" in trial.refusals[0].reason
    assert "SUM" in trial.refusals[0].tree


def test_where_nothing_else_is_left_the_broken_rule_is_told(ranked):
    with pytest.raises(RuleError, match="garden#broken builds a tree that is none: qud:Retrieve needs one qud:query"):
        ranked(rule("broken", "[] a qud:Retrieve"))
