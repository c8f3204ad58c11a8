"""`rules check`: every fault is told with line, column and the nearest right name; what is right passes."""

from __future__ import annotations

import pytest

from reqap_kg.planner.authoring.checks import check_documents
from reqap_kg.planner.authoring.findings import Severity
from reqap_kg.planner.rules.rulebook import shipped_documents

PREFIXES = """@prefix pg: <https://w3id.org/reqap-kg/parse#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ex: <https://example.org/garden#> .
@prefix ev: <https://w3id.org/reqap-kg/event#> .
"""
LINES = 3
RIGHT = '''
ex:harvested a pg:Pattern ; rdfs:label "how rich was the harvest of" ; pg:kind pg:Frame ;
  pg:extract "^ how rich was (my | the) harvest of <x: _+> $" .
ex:harvest a sh:SPARQLRule ; rdfs:label "weight of a harvest" ; sh:order 5 ; pg:trigger ex:harvested ;
  sh:construct """
CONSTRUCT { [] a qud:Sum ; qud:name "weight" ; pg:answerType "number" ;
  qud:input [ a qud:Extract ; qud:names ("weight") ; qud:types ("float") ;
    qud:input [ a qud:Qud ; qud:question ?events ] ] }
WHERE {
  $this a pg:Question ; pg:filters ?filters ; pg:annotation ?a .
  ?a pg:pattern ex:harvested ; var:x ?x .
  BIND(CONCAT(?x, " harvested", ?filters) AS ?events)
}""" .
'''


@pytest.fixture(scope="module")
def checked():
    shipped = shipped_documents()

    def check(turtle: str):
        return check_documents([("my.ttl", PREFIXES + turtle)], shipped)

    return check


def test_what_is_right_is_not_complained_of(checked):
    assert checked(RIGHT) == []


@pytest.mark.long
def test_the_shipped_patterns_and_rules_have_no_errors():
    found = check_documents(shipped_documents(), ())
    assert [str(f) for f in found if f.severity == Severity.ERROR] == []


def _changed(old: str, new: str) -> str:
    assert old in RIGHT
    return RIGHT.replace(old, new)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("turtle", "line", "column", "message", "nearest"),
    [
        (RIGHT.replace(";\n  pg:extract", "\n  pg:extract"), 3, 3, "A dot is expected", None),
        (_changed("(my | the)", "(my | the"), 3, 30, "is not closed", None),
        (_changed("harvest of <x: _+>", "harvest of {numbr}"), 3, 53, "{numbr} is no pattern", "number"),
        (_changed("harvest of <x: _+>", "harvest of {x=@Propperty}"), 3, 55, "annotated as Propperty", "Property"),
        (_changed("how rich", "How-rich"), 3, 17, "no word of a question reads “how-rich”", "“how rich”"),
        (_changed("how rich", "how /Rich/"), 3, 22, "/Rich/ has capitals", None),
        (_changed("harvest of <x", "~harvested of <x"), 3, 41, "is no stem", "~harvest"),
        (_changed("how rich was", "café rich was"), 3, 17, "“café”", "“cafe”"),
        (_changed("pg:extract", "pg:extracts"), 2, 14, "has no pg:extract", None),
        (_changed("pg:extract", "pg:extrct"), 3, 3, "there is no pg:extrct", "pg:extract"),
        (_changed("pg:kind pg:Frame", "pg:kind pg:Farme"), 2, 80, "no rule asks for the kind pg:Farme", "pg:Frame"),
        (_changed("qud:Sum", "qud:Summ"), 6, 18, "there is no qud:Summ", "qud:Sum"),
        (_changed("pg:filters ?filters", "pg:filter ?filters"), 10, 25, "there is no pg:filter", "pg:filters"),
        (_changed("CONCAT(?x,", "fn:pst(?x,"), 12, 8, "there is no function fn:pst", "fn:past"),
        (_changed("CONCAT(?x,", "CONCAT(?y,"), 12, 15, "an expression reads ?y, which nothing binds", None),
        (_changed("qud:question ?events", "qud:question ?event"), 8, 42, "the template tells ?event", "?events"),
        (_changed("var:x ?x", "var:c ?x"), 11, 32, "harvested give no ?c", None),
        (_changed("ex:harvested ; var", "ex:harvestd ; var"), 11, 17, "there is no", "ex:harvested"),
        (_changed("BIND(CONCAT", "BIND(1 AS ?unused) BIND(CONCAT"), 12, 13, "?unused is computed and not used", None),
        (_changed("?a pg:pattern", "?a pg:words ?w ; pg:pattern"), 11, 15, "?w is used once", None),
        (_changed("BIND(CONCAT(", "BIND(CONCAT(("), 12, 1, "not SPARQL", None),
        (_changed("pg:filters ?filters ; ", "").replace(", ?filters", ""), 5, 19, "does not read pg:filters", None),
        (_changed("pg:trigger ex:harvested", "pg:trigger ex:harvstd"), 4, 89, "no pattern gives", "ex:harvested"),
        (_changed("how rich was", "<zebra: how> rich was"), 3, 17, "nothing reads the group zebra", None),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(checked, turtle, line, column, message, nearest):
    found = [f for f in checked(turtle) if message in f.message]
    assert found, [str(f) for f in checked(turtle)]
    assert found[0].place is not None
    assert found[0].place.path == "my.ttl"
    assert found[0].place.line == LINES + line
    if column > 1:
        assert found[0].place.column == column
    assert found[0].nearest == nearest


SEASON = '''ex:season a pg:Pattern ; rdfs:label "the growing season" ; pg:kind pg:Filter, pg:TimeRange ;
  pg:extract "in the growing season of {y=yearNumber}" ; pg:output "begin", "end", "note" ;
  pg:compute """
    BIND(fn:date(?y, 4, 1) AS ?begin)
    BIND(fn:date(?y, 9, 30) AS ?end)
    BIND("" AS ?note)""" .
'''


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("old", "new", "line", "message", "nearest"),
    [
        ("AS ?end)", "AS ?ende)", 3, "nothing computes the output ?end", None),
        ("fn:date(?y, 4", "fn:date(?yr, 4", 4, "nothing gives ?yr", "?y"),
        ('BIND("" AS', 'BIND("" AS', 0, "", None),
        ("fn:date(?y, 9, 30)", "fn:date(?y, 9 30)", 5, "not SPARQL", None),
    ],
)  # fmt: skip
def test_transformations_are_checked(checked, old, new, line, message, nearest):
    found = checked(SEASON.replace(old, new))
    if not message:
        assert found == []
        return
    told = [f for f in found if message in f.message]
    assert told, [str(f) for f in found]
    assert told[0].place is not None
    assert told[0].place.line == LINES + line
    if nearest:
        assert told[0].nearest == nearest


def test_all_faults_are_told_not_only_the_first(checked):
    turtle = RIGHT.replace("(my | the)", "(my | the") + SEASON.replace("fn:date(?y, 9, 30)", "fn:date(?y, 9 30)")
    assert len(checked(turtle)) == 2


def test_the_domains_own_terms_are_known_and_misspelt_ones_are_not(checked):
    turtle = RIGHT + 'ex:weight a ev:Thing ; rdfs:label "weight" . ex:bean ex:wieght 3 .'
    told = [f for f in checked(turtle) if "ex" in f.message or "garden#" in f.message]
    assert any(f.nearest == "ex:weight" for f in told)


@pytest.mark.parametrize(
    "where",
    [
        "SERVICE <http://example.org/> { ?s ?p ?o }",
        "{ SELECT * WHERE { SERVICE SILENT <http://example.org/> { ?s ?p ?o } } }",
    ],
)
def test_a_rule_that_reaches_out_is_refused_where_it_does(checked, where):
    found = checked(RIGHT.replace("WHERE {\n", "WHERE {\n  " + where + "\n"))
    assert any("network" in f.message and f.severity == Severity.ERROR for f in found)
