"""What stands in the profile answers, and gives the query that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.engine.knowledge import KnowledgeGraph

NOW = datetime(2025, 3, 1, 12)
PEOPLE = """SELECT ?name ?city ?since WHERE { ?who a ev:Person ; foaf:name ?name
  OPTIONAL { ?who ev:city ?city } OPTIONAL { ?who ev:knownSince ?since } } ORDER BY ?name"""
JOBS = "SELECT ?company ?since WHERE { ?job a ev:Job ; ev:company ?company ; ev:since ?since } ORDER BY ?since"


@pytest.fixture(scope="module")
def known(demo_store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(demo_store) as opened:
        yield opened


def rows(known: KnowledgeGraph, query: str) -> list[list[str]]:
    return [[term.value if term else "" for term in row] for row in known.graph.select(query)]


def test_where_somebody_lives(known: KnowledgeGraph) -> None:
    asked = [(name, city) for name, city, _ in rows(known, PEOPLE) if city]
    for name, city in asked[:3]:
        found = known.ask(f"Which city does {name} live in?", now=NOW)
        assert found.values == (city,)
        assert found.events[0].type == "Person"
        assert found.sparql
    assert asked


def test_since_when_somebody_is_known(known: KnowledgeGraph) -> None:
    asked = [(name, since) for name, _, since in rows(known, PEOPLE) if since]
    for name, since in asked[:2]:
        assert known.ask(f"Since when do I know {name}?", now=NOW).values == (since[:10],)


def test_when_a_job_began_and_which_was_first(known: KnowledgeGraph) -> None:
    jobs = rows(known, JOBS)
    assert jobs
    for company, since in jobs[-1:]:
        assert known.ask(f"When did I start at {company}?", now=NOW).values == (since[:10],)
    assert known.ask("Where do I work?", now=NOW).values == (jobs[-1][0],)


@pytest.mark.parametrize("query", ["profile of people Nobody", "profile of zeppelins", "profile of jobs Pixar"])
def test_what_the_profile_does_not_have_is_not_made_up(known: KnowledgeGraph, query: str) -> None:
    assert all(hit.event.type != "Person" for hit in known.retrieve(query, now=NOW).hits)
