"""`rules explain`: which rules fired, which almost did, what was missing."""

from __future__ import annotations

import pytest

from reqap_kg.engine.asking.explaining import explain, explain_one
from reqap_kg.planner.authoring.almost import almost_fired
from reqap_kg.planner.authoring.sparql_source import construct_parts, where_parts
from reqap_kg.planner.rules.rulebook import RULE_PREFIXES
from reqap_kg.planner.search.plan import investigate
from reqap_kg.store.graph import MemoryGraph

from .conftest import NOW


@pytest.fixture(scope="module")
def looked_into(vocabulary):
    def look(question: str):
        return investigate(question, graph=MemoryGraph(), vocabulary=vocabulary, now=NOW)

    return look


def _almost(found) -> dict[str, tuple[str, ...]]:
    return {one.rule.iri.rsplit("#", 1)[1]: one.reasons for one in almost_fired(found)}


def test_a_condition_that_does_not_hold_is_told_with_its_values(looked_into):
    missing = _almost(looked_into("how many artists did I run with"))["countDifferent"]
    assert any('FILTER(?fits != "no") does not hold' in reason and '?fits is "no"' in reason for reason in missing)


def test_a_triple_with_another_value_is_told_with_that_value(looked_into):
    missing = _almost(looked_into("what is the colour of my runs"))["listBare"]
    assert any('$this pg:unknown "" is not in the parse graph; there, it is "colour"' in reason for reason in missing)


def test_rules_that_fired_are_told_with_their_pieces(looked_into):
    told = explain(looked_into("How many songs did I stream last month?"))
    assert [(one.question, [f.rule for f in one.fired]) for one in told.told][:2] == [
        ("How many songs did I stream last month?", ["countEvents"]),
        ("songs I streamed, last month", ["filterDays"]),
    ]
    assert told.told[0].filters == ("last month",)
    assert told.told[0].fired[0].pieces == ('APPLY(l=QUD("songs I streamed, last month"), fct=len)',)
    assert told.tree.startswith("APPLY(l=FILTER(")
    assert not told.failure


def test_one_rule_or_pattern_can_be_asked_for(looked_into):
    found = looked_into("how many artists did I run with")
    assert any("?fits" in line for line in explain_one(found, "countDifferent"))
    assert any("howManyDays does not match" in line for line in explain_one(found, "countDays"))
    assert any("howMany matched, with" in line for line in explain_one(found, "howMany"))
    assert list(explain_one(found, "noSuchRule")) == []


def test_json_says_the_same(looked_into):
    told = explain(looked_into("how many artists did I run with")).as_json()
    assert told["steps"][0]["rule"] == "countEvents"
    assert any(one["rule"] == "countDifferent" for one in told["asked"][0]["almost"])


def test_the_parts_of_every_shipped_rule_make_the_rule_again(book):
    graph = MemoryGraph(functions=book.functions)
    for rule in book.rules:
        query = construct_parts(rule.construct)
        assert query is not None
        parts = where_parts(query)
        assert len(parts) > 1
        graph.select(f"{RULE_PREFIXES} SELECT * WHERE {{ {' '.join(part.text for part in parts)} }}")
