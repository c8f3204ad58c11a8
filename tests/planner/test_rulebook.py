"""Rule books: shipped documents and a user's own; what is wrong in them is told with its place."""

import json

import pytest

from reqap_kg.errors import NotUnderstood, RuleError
from reqap_kg.operators.syntax.text import format_tree
from reqap_kg.planner.patterns import extraction
from reqap_kg.planner.patterns.patterns import _trees
from reqap_kg.planner.rules.rulebook import check_rules, load_rulebook, shipped_documents
from reqap_kg.planner.search.plan import plan
from reqap_kg.store.graph import MemoryGraph

from .conftest import NOW

PREFIXES = """
@prefix pg: <https://w3id.org/reqap-kg/parse#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ex: <https://example.org/garden#> .
@prefix ev: <https://w3id.org/reqap-kg/event#> .
"""

GARDEN = (
    PREFIXES
    + """
ex:growingSeason a pg:Pattern ; rdfs:label "the growing season: April to September" ; pg:kind pg:Filter, pg:TimeRange ;
  pg:extract "in the growing season of {y=yearNumber}" ; pg:output "begin", "end", "note" ;
  pg:compute "BIND(fn:date(?y, 4, 1) AS ?begin) BIND(fn:date(?y, 9, 30) AS ?end) BIND('' AS ?note)" .
ex:harvested a pg:Pattern ; rdfs:label "how rich was the harvest of" ; pg:kind pg:Frame ;
  pg:extract "^ how rich was (my | the) harvest of <x: _+> $" .
ex:harvest a sh:SPARQLRule ; rdfs:label "weight of a harvest" ; sh:order 5 ; pg:trigger ex:harvested ;
  sh:construct \"\"\"
CONSTRUCT { [] a qud:Sum ; qud:name "weight" ; pg:answerType "number" ;
  qud:input [ a qud:Extract ; qud:names ("weight") ; qud:types ("float") ;
    qud:input [ a qud:Qud ; qud:question ?events ] ] }
WHERE {
  $this a pg:Question ; pg:filters ?filters ; pg:annotation ?a .
  ?a pg:pattern <https://example.org/garden#harvested> ; var:x ?x .
  BIND(CONCAT(?x, " harvested", ?filters) AS ?events)
}\"\"\" .
"""
)


def test_a_domain_needs_no_python(vocabulary):
    book = load_rulebook([*shipped_documents(), ("garden.ttl", GARDEN)])
    found = plan(
        "how rich was my harvest of beans in the growing season of 2024?",
        graph=MemoryGraph(),
        vocabulary=vocabulary,
        now=NOW,
        rulebook=book,
    )
    assert format_tree(found.tree) == (
        'SUM(l=EXTRACT(l=FILTER(l=EXTRACT(l=RETRIEVE(query="beans harvested"), attr_names=["start_date"], '
        'attr_types=[date.fromisoformat]), filter=lambda attr: attr["start_date"] >= date(2024, 4, 1) and '
        'attr["start_date"] <= date(2024, 9, 30)), attr_names=["weight"], attr_types=[float]), attr_name="weight")'
    )


def test_without_the_domain_it_is_not_understood(vocabulary):
    with pytest.raises(NotUnderstood):
        plan("how rich was my harvest of beans?", graph=MemoryGraph(), vocabulary=vocabulary, now=NOW)


@pytest.mark.parametrize(
    ("turtle", "message"),
    [
        ("ex:a a pg:Pattern .", "no pg:extract"),
        ('ex:a a pg:Pattern ; pg:extract "in (the" .', "not closed"),
        (
            'ex:a a pg:Pattern ; pg:extract "in {monthname}" . ex:monthName a pg:Pattern ; pg:extract "may" .',
            "did you mean monthName",
        ),
        ('ex:a a pg:Pattern ; pg:extract "{b}" . ex:b a pg:Pattern ; pg:extract "x {a}" .', "a → b → a"),
        (
            'ex:a a pg:Pattern ; pg:extract "x" . <http://example.org/other#a> a pg:Pattern ; pg:extract "y" .',
            "two patterns",
        ),
        ('ex:r a sh:SPARQLRule ; sh:construct "CONSTRUCT { ?a } WHERE {}" .', "not SPARQL"),
        ('ex:r a sh:SPARQLRule ; sh:construct "SELECT ?a WHERE { ?a ?b ?c }" .', "CONSTRUCT"),
        ("ex:r a sh:SPARQLRule .", "no sh:construct"),
        (
            'ex:r a sh:SPARQLRule ; pg:trigger ex:nothing ; sh:construct "CONSTRUCT {} WHERE {}" .',
            "which no pattern gives",
        ),
        ('ex:r a sh:SPARQLRule ; sh:construct "CONSTRUCT {} WHERE { SERVICE <http://x.org/> {} }" .', "SERVICE"),
        ('ex:r a sh:SPARQLRule ; sh:construct "CONSTRUCT {} WHERE { ?a ?b ?c }" .', "does not look at"),
        ('[] a pg:Pattern ; pg:extract "x" .', "no IRI"),
        ("ex:a a pg:Pattern ; ; ; pg:extract", "my.ttl"),
    ],
)
def test_what_is_wrong_is_told(turtle, message):
    with pytest.raises(RuleError, match=message):
        load_rulebook([("my.ttl", PREFIXES + turtle)])


def test_a_transformation_that_is_no_sparql_names_its_pattern():
    turtle = (
        PREFIXES
        + 'ex:bad a pg:Pattern ; pg:kind pg:Filter ; pg:extract "some day" ; pg:output "x" ; pg:compute "BIND(" .'
    )
    with pytest.raises(RuleError, match="pattern bad: line 1, column 6"):
        load_rulebook([*shipped_documents(), ("bad.ttl", turtle)])


def test_a_rule_that_builds_no_tree_is_named(vocabulary):
    turtle = PREFIXES + (
        'ex:frame a pg:Pattern ; pg:kind pg:Frame ; pg:extract "^ frobnicate $" . '
        "ex:broken a sh:SPARQLRule ; sh:order 1 ; pg:trigger ex:frame ; "
        'sh:construct "CONSTRUCT { [] a qud:Sum } WHERE { $this a pg:Question }" .'
    )
    book = load_rulebook([*shipped_documents(), ("broken.ttl", turtle)])
    with pytest.raises(RuleError, match="broken"):
        plan("frobnicate", graph=MemoryGraph(), vocabulary=vocabulary, now=NOW, rulebook=book)


def test_a_rule_that_asks_the_same_again_ends(vocabulary):
    turtle = PREFIXES + (
        'ex:frame a pg:Pattern ; pg:kind pg:Frame ; pg:extract "^ frobnicate $" . '
        "ex:loop a sh:SPARQLRule ; sh:order 1 ; pg:trigger ex:frame ; "
        "sh:construct \"CONSTRUCT { [] a qud:Qud, pg:Question ; qud:question 'frobnicate' } "
        'WHERE { $this a pg:Question }" .'
    )
    book = load_rulebook([*shipped_documents(), ("loop.ttl", turtle)])
    with pytest.raises(RuleError, match="garden#loop loops: it asks “frobnicate” again"):
        plan("frobnicate", graph=MemoryGraph(), vocabulary=vocabulary, now=NOW, rulebook=book)


def test_every_shipped_pattern_and_rule_has_a_label(book):
    assert all(c.pattern.label != c.pattern.iri for c in book.patterns)
    assert all(rule.label != rule.iri for rule in book.rules)


@pytest.mark.parametrize("sets", [("personal",), ("warehouse",)])
def test_what_ships_is_right_as_it_is_not_checked_again(sets):
    check_rules(load_rulebook(shipped_documents(sets)))


def _of(book):
    """A rule book as far as it tells what a question may match."""
    return [
        (c.pattern, c.used, c.uses, c.listed, [(one.needs, one.source) for one in c.expressions]) for c in book.patterns
    ]


def test_a_kept_rule_book_is_the_same_and_reads_no_expression_before_it_is_needed(tmp_path, monkeypatch):
    documents = [*shipped_documents(), ("garden.ttl", GARDEN)]
    first = load_rulebook(documents, tmp_path)
    read = []
    real = extraction.parse_extraction
    monkeypatch.setattr(extraction, "parse_extraction", lambda *given: read.append(given) or real(*given))
    _trees.cache_clear()
    again = load_rulebook(documents, tmp_path)
    assert not read
    assert _of(again) == _of(first)
    assert read


@pytest.mark.parametrize(
    "damaged", ["", "[]", "{}", '{"key": 1}', "not json", '{"patterns": {"year": {"uses": 3}}}'], ids=range(6)
)
def test_a_damaged_or_foreign_file_of_summaries_is_written_anew(tmp_path, damaged):
    documents = [("garden.ttl", GARDEN.replace("{y=yearNumber}", "<y: /[0-9]{4}/>"))]
    file = tmp_path / "patterns.json"
    file.write_text(damaged)
    assert _of(load_rulebook(documents, tmp_path)) == _of(load_rulebook(documents))
    kept = json.loads(file.read_text())
    assert set(kept["patterns"]) == {"growingSeason", "harvested"}
    for odd in ({"uses": [1]}, {"needs": "x"}, {"listed": None}):
        changed = {name: {**told, **odd} for name, told in kept["patterns"].items()}
        file.write_text(json.dumps({**kept, "patterns": changed}))
        assert len(load_rulebook(documents, tmp_path).patterns) == 2


def test_other_documents_have_other_summaries(tmp_path):
    documents = [("garden.ttl", GARDEN.replace("{y=yearNumber}", "<y: /[0-9]{4}/>"))]
    load_rulebook(documents, tmp_path)
    changed = [("garden.ttl", documents[0][1].replace("the growing season", "the wet season"))]
    assert _of(load_rulebook(changed, tmp_path)) == _of(load_rulebook(changed))
