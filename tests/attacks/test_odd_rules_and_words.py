"""Rule files, domains, questions and tables with values that no author means."""

from __future__ import annotations

from datetime import datetime

import pytest

from reqap_kg.cli.common import time_of
from reqap_kg.cli.printing.layout import plain_table
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import DomainError, RuleError, UsageError
from reqap_kg.ontology.namespaces import PREFIXES
from reqap_kg.planner.patterns.extraction import MAX_COPIES, parse_extraction
from reqap_kg.planner.patterns.tokens import tokenise
from reqap_kg.planner.rules.rulebook import load_rulebook
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import parse_turtle
from reqap_kg.store.vocabulary import load_vocabulary

NOW = datetime(2025, 3, 1, 12)


@pytest.mark.parametrize("nested", [2, 5, 20, 40])
def test_repeats_inside_repeats_are_counted(nested: int) -> None:
    source = "(" * nested + "foo" + "){1,999}" * nested
    with pytest.raises(RuleError, match="repeats"):
        parse_extraction(source)
    assert parse_extraction(f"(foo bar){{1,{MAX_COPIES // 2}}}")


def test_a_token_has_no_thousands_of_signs() -> None:
    with pytest.raises(RuleError, match="count of signs"):
        parse_extraction("/((a{1,65000}){1,65000})*b/")


@pytest.mark.parametrize("said", ["high", "NaN", "inf", "-1", "1e999", ""])
def test_a_confidence_is_a_number(said: str) -> None:
    prefixes = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
    pattern = f'{prefixes} <urn:p> a pg:Pattern ; pg:kind pg:Noise ; pg:extract "foo" ; pg:confidence "{said}" .'
    with pytest.raises(RuleError, match="pg:confidence"):
        load_rulebook([("own.ttl", pattern)])


@pytest.mark.parametrize("said", ["about 41", "NaN", "inf"])
def test_a_unit_is_converted_by_a_number(said: str) -> None:
    prefixes = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
    unit = f'{prefixes} <urn:u> a qudt:Unit ; qudt:conversionMultiplier "{said}" .'
    with pytest.raises(DomainError, match="conversionMultiplier"):
        load_vocabulary(MemoryGraph(parse_turtle(unit)))


@pytest.mark.parametrize("given", ["0001-01-01T00:00:00", "9999-12-31T23:59:59", "1899-12-31T00:00:00"])
def test_one_asks_in_years_that_people_live_in(given: str) -> None:
    with pytest.raises(UsageError, match="year"):
        time_of(given)


@pytest.mark.parametrize("said", ["²⁰²⁴", "٢٠٢٤", "２０２４"])
def test_a_year_is_a_year_in_any_digits(said: str, demo_store) -> None:
    assert [token.lower for token in tokenise(f"runs in {said}").tokens] == ["runs", "in", "2024"]
    with KnowledgeGraph.open(demo_store) as known:
        asked = [known.ask(f"How many runs did I do in {year}?", now=NOW).values for year in (said, "2024")]
        known.ask(f"How many runs did I do in the last {said[0]} weeks?", now=NOW)
    assert asked[0] == asked[1]


def test_one_long_cell_does_not_widen_every_row() -> None:
    rows = [("a", "b"), ("x" * 1_000_000, "y"), *[("short", "cell")] * 1000]
    assert len(plain_table(rows)) < 3_000_000
