"""Rules that loop, explode, never end or reach outside are stopped, and the error names the rule."""

from time import perf_counter, process_time

import pytest

from reqap_kg.config import PlanningLimits
from reqap_kg.errors import RuleError
from reqap_kg.operators.syntax.text import format_tree
from reqap_kg.planner.rules.rulebook import load_rulebook, shipped_documents
from reqap_kg.planner.search.plan import Planner, investigate, plan
from reqap_kg.store.graph import MemoryGraph

from .conftest import NOW

PREFIXES = """
@prefix ex: <https://example.org/garden#> .
@prefix pg: <https://w3id.org/reqap-kg/parse#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
ex:frame a pg:Pattern ; pg:kind pg:Frame ; pg:extract "^ frobnicate <x: _*> $" .
"""
SHORT = PlanningLimits(rule_seconds=0.3, seconds=2)


def rule(name: str, construct: str, extra: str = "") -> str:
    return f'ex:{name} a sh:SPARQLRule ; sh:order 1 ; pg:trigger ex:frame ; sh:construct """{construct}""" {extra} .\n'


@pytest.fixture
def asked(vocabulary):
    def _asked(rules: str, question: str = "frobnicate", limits: PlanningLimits | None = None):
        book = load_rulebook([*shipped_documents(), ("mine.ttl", PREFIXES + rules)])
        return plan(question, graph=MemoryGraph(), vocabulary=vocabulary, now=NOW, rulebook=book, limits=limits)

    return _asked


GROWS = rule(
    "grows",
    "CONSTRUCT { [] a qud:Qud, pg:Question ; qud:question ?more } "
    "WHERE { $this pg:core ?core BIND(CONCAT(?core, ' again') AS ?more) }",
)


def test_a_rule_that_asks_ever_longer_questions_is_named(asked):
    with pytest.raises(RuleError, match=r"garden#grows loops: .*“frobnicate again” → “frobnicate again again”"):
        asked(GROWS)


def test_rules_that_ask_each_other_are_named(asked):
    swap = "CONSTRUCT {{ [] a qud:Qud, pg:Question ; qud:question '{}' }} WHERE {{ $this pg:core '{}' }}"
    rules = rule("one", swap.format("frobnicate b", "frobnicate a")) + rule(
        "two", swap.format("frobnicate a", "frobnicate b")
    )
    with pytest.raises(RuleError, match=r"garden#two loops: it asks “frobnicate a” again"):
        asked(rules, "frobnicate a")


def test_a_loop_beside_a_way_out_does_no_harm(asked):
    again = rule("again", "CONSTRUCT { [] a qud:Qud, pg:Question ; qud:question ?core } WHERE { $this pg:core ?core }")
    out = rule("out", "CONSTRUCT { [] a qud:Retrieve ; qud:query 'things' } WHERE { $this a pg:Question }")
    assert format_tree(asked(again + out).tree) == 'RETRIEVE(query="things")'


def test_a_rule_with_a_million_solutions_is_stopped(asked):
    rules = rule(
        "explodes",
        "CONSTRUCT { [] a qud:Retrieve ; qud:query ?q } "
        "WHERE { $this a pg:Question . ?a ?b ?c . ?d ?e ?f . BIND(CONCAT(STR(?c), ' ', STR(?f)) AS ?q) }",
    )
    patient = PlanningLimits(rule_seconds=60, seconds=60)  # the number stops it, however busy the machine is
    began = process_time()
    with pytest.raises(
        RuleError, match=r"garden#explodes explodes: of “frobnicate” it builds more than 200,000 triples"
    ):
        asked(rules, limits=patient)
    assert process_time() - began < 10


def test_a_rule_with_more_pieces_than_the_limit_is_stopped(asked):
    rules = rule(
        "many",
        "CONSTRUCT { [] a qud:Retrieve ; qud:query ?q } "
        "WHERE { $this a pg:Question . ?c a pg:EventProperty ; rdfs:label ?q }",
    )
    assert asked(rules)
    with pytest.raises(RuleError, match=r"garden#many explodes: .* \d+ pieces or more, where 20 is the limit"):
        asked(rules, limits=PlanningLimits(solutions=20))


def test_a_rule_that_searches_without_end_is_stopped(asked):
    rules = rule(
        "endless",
        "CONSTRUCT { [] a qud:Retrieve ; qud:query 'x' } WHERE { $this a pg:Question . ?a ?b ?c . ?d ?e ?f "
        "FILTER(CONCAT(STR(?a), STR(?d)) = 'no') }",
    )
    began = perf_counter()
    with pytest.raises(RuleError, match=r"garden#endless ran longer than 0.3 s on “frobnicate”"):
        asked(rules, limits=SHORT)
    assert perf_counter() - began < 5


def test_a_pattern_that_computes_without_end_is_stopped(asked):
    pattern = (
        'ex:slow a pg:Pattern ; pg:kind pg:Filter ; pg:extract "some day" ; pg:output "x" ; '
        "pg:compute \"?a ?b ?c . ?d ?e ?f FILTER(CONCAT(STR(?a), STR(?d)) = 'x') "
        'BIND(1 AS ?x)" .'
    )
    with pytest.raises(RuleError, match=r"pattern slow was stopped"):
        asked(pattern, "how many songs some day", limits=SHORT)


def test_a_rule_that_asks_too_many_questions_is_named(asked):
    rules = rule(
        "asks",
        "CONSTRUCT { [] a qud:Qud, pg:Question ; qud:question ?q } "
        "WHERE { $this a pg:Question . ?c a pg:EventProperty ; rdfs:label ?l BIND(CONCAT('zork ', ?l) AS ?q) }",
    )
    with pytest.raises(RuleError, match=r"garden#asks asked .* sub-questions"):
        asked(rules, limits=PlanningLimits(questions=10))


def test_a_planner_goes_on_after_a_rule_was_stopped(vocabulary):
    rules = rule(
        "endless",
        "CONSTRUCT { [] a qud:Retrieve ; qud:query 'x' } WHERE { $this a pg:Question . ?a ?b ?c . ?d ?e ?f "
        "FILTER(CONCAT(STR(?a), STR(?d)) = 'no') }",
    )
    book = load_rulebook([*shipped_documents(), ("mine.ttl", PREFIXES + rules)])
    planner = Planner(MemoryGraph(), vocabulary, book, limits=SHORT)
    with pytest.raises(RuleError, match="endless"):
        planner.plan("frobnicate", now=NOW)
    assert "songs I played" in format_tree(planner.plan("how many songs did I play", now=NOW).tree)


def test_an_investigation_tells_the_failure(vocabulary):
    book = load_rulebook([*shipped_documents(), ("mine.ttl", PREFIXES + GROWS)])
    found = investigate("frobnicate", graph=MemoryGraph(), vocabulary=vocabulary, now=NOW, rulebook=book)
    assert isinstance(found.failure, RuleError)
    assert found.plans == ()
    assert len(found.asked) > 20


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("SERVICE <http://example.org/> { ?a ?b ?c }", "SERVICE would reach the network"),
        ("SERVICE SILENT ?where { ?a ?b ?c }", "SERVICE would reach the network"),
        ("\\\\u0053ERVICE <http://example.org/> { ?a ?b ?c }", "SERVICE would reach the network"),
    ],
)
def test_a_rule_may_not_reach_the_network(asked, where, message):
    with pytest.raises(RuleError, match=f"garden#far.*{message}"):
        asked(rule("far", f"CONSTRUCT {{ }} WHERE {{ $this a pg:Question . {where} }}"))


@pytest.mark.parametrize("source", ["FROM <http://example.org/data>", "FROM NAMED <file:///etc/passwd>"])
def test_a_rule_may_not_name_data_of_its_own(asked, source):
    with pytest.raises(RuleError, match=r"garden#far.*FROM"):
        asked(rule("far", f"CONSTRUCT {{ }} {source} WHERE {{ $this a pg:Question }}"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("update", ["LOAD <file:///etc/passwd>", "DELETE WHERE { ?a ?b ?c }", "CLEAR ALL"])
def test_a_rule_may_not_write_or_load(asked, update):
    with pytest.raises(RuleError, match=r"garden#far"):
        asked(rule("far", f"{update} # $this"))


def test_a_pattern_may_not_reach_the_network(asked):
    pattern = (
        'ex:far a pg:Pattern ; pg:kind pg:Filter ; pg:extract "some day" ; pg:output "x" ; '
        'pg:compute "SERVICE <http://example.org/> { ?x ?b ?c }" .'
    )
    with pytest.raises(RuleError, match=r"pattern .*far.*SERVICE"):
        asked(pattern)
