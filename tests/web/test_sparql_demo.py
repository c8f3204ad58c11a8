"""rq:matches in queries of clients, over the demo life with its models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sparql_endpoint import served
from starlette.testclient import TestClient

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def client(demo_store: Path) -> Iterator[TestClient]:
    """A client of the demo life."""
    with served(demo_store) as made:
        yield made


def _rows(client: TestClient, query: str) -> list[str]:
    found = client.post("/sparql", data={"query": query}, headers={"Accept": "text/csv"})
    assert found.status_code == 200, found.text
    return found.text.split()[1:]


def test_a_phrase_that_names_a_class_means_its_events(client):
    meant = _rows(client, 'SELECT DISTINCT ?e { ?e a ?c FILTER(rq:matches(?e, "my workouts")) } ORDER BY ?e')
    assert meant == _rows(client, "SELECT DISTINCT ?e { ?e a ev:Workout } ORDER BY ?e")
    assert meant


def test_a_recorded_value_is_extracted(client):
    run = 'FILTER(rq:matches(?e, "my runs"))'
    asked = f'SELECT DISTINCT ?e ?km {{ ?e a ev:Workout {run} BIND(rq:extract(?e, "distance", "float") AS ?km) }}'
    found = [row.split(",") for row in _rows(client, asked)]
    assert found
    assert all(float(km) > 0 for _, km in found)
    assert len(found) < len(_rows(client, "SELECT DISTINCT ?e { ?e a ev:Workout }"))
