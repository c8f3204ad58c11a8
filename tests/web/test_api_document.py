"""The OpenAPI document is one, says what the API does, and the API does what it says whatever is sent."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from starlette.routing import Route
from starlette.testclient import TestClient

from reqap_kg.config import Settings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.web.api.operations import OPERATIONS
from reqap_kg.web.api.routes import PATH, document, routes
from reqap_kg.web.holding import Held
from reqap_kg.web.http.access import Access
from reqap_kg.web.http.guarding import application

NOW = datetime(2025, 3, 1, 12)
TOKEN = "a-token-that-nobody-guesses"
RUNS = "How many runs did I do in 2024?"
TREE = 'APPLY(l=RETRIEVE(query="I ran"), fct=len)'
LOGGER = logging.getLogger("test.api")
_LEFT_OUT = ("positive_data_acceptance",)
"""A question that fits the schema may still be none that anybody understands."""


_SLOW = (HealthCheck.filter_too_much, HealthCheck.too_slow)
_SENT = [
    (f"{one.method} {one.path}", kind)
    for one in OPERATIONS
    for kind in GenerationMode
    if kind is GenerationMode.POSITIVE or not one.is_open  # of which nothing can be wrong
]


@pytest.fixture(scope="module")
def made(demo_store: Path) -> Iterator[Any]:
    with Held(demo_store, Settings()) as held:
        access = Access(TOKEN, frozenset({"testserver"}), requests_per_minute=10**6)
        yield application(held, access, routes(held, lambda: NOW, LOGGER), logger=LOGGER)


@pytest.fixture
def schema(made, monkeypatch) -> Any:
    """The document as a client reads it; questions are answered by one that is understood, which costs no model."""
    answered = KnowledgeGraph.ask
    planned = KnowledgeGraph.plans

    def ask(
        self: KnowledgeGraph, question: str, *, tree: str | None = None, context: object = None, **more: Any
    ) -> Any:
        return answered(self, tree or RUNS, tree=tree, **more)

    monkeypatch.setattr(KnowledgeGraph, "ask", ask)
    monkeypatch.setattr(KnowledgeGraph, "plans", lambda self, _, **more: planned(self, RUNS, **more))
    return schemathesis.openapi.from_asgi(PATH, made, headers={"Authorization": f"Bearer {TOKEN}"})


@pytest.mark.parametrize(("label", "kind"), _SENT)
def test_whatever_is_sent_is_answered_as_the_document_says(schema, label, kind):
    operations = {operation.label: operation for operation in (one.ok() for one in schema.get_all_operations())}
    excluded: list[Any] = [CHECKS.get_one(name) for name in _LEFT_OUT]

    @settings(max_examples=8, deadline=None, suppress_health_check=_SLOW)
    @given(case=operations[label].as_strategy(generation_mode=kind))
    def sent(case: schemathesis.Case) -> None:
        case.call_and_validate(headers={"Authorization": f"Bearer {TOKEN}"}, excluded_checks=excluded)

    sent()


def test_the_document_is_open_api(made):
    with TestClient(made) as client:
        told = client.get(PATH, headers={"Authorization": f"Bearer {TOKEN}"}).json()
    assert told == document()
    assert told["openapi"].startswith("3.1")
    for schema in told["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_every_route_is_described_and_every_description_has_a_route(made):
    served = {
        (route.path.replace(":path", ""), method)
        for route in made.routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }
    described = {(path, method.upper()) for path, held in document()["paths"].items() for method in held}
    assert served == described


def test_every_operation_says_how_it_fails():
    for held in document()["paths"].values():
        for operation in held.values():
            assert {"403", "408", "413", "414", "421", "429", "500", "503"} <= set(operation["responses"])
            assert ("401" in operation["responses"]) == ("security" not in operation)


def test_requests_are_closed_and_bounded():
    schemas = document()["components"]["schemas"]
    for operation in OPERATIONS:
        if operation.takes is None:
            continue
        schema = schemas[operation.takes.__name__]
        assert schema["additionalProperties"] is False
        if "question" in schema["properties"]:
            assert schema["properties"]["question"]["maxLength"] == 1_000
    (turns, _) = schemas["Ask"]["properties"]["context"]["anyOf"]
    assert turns["maxItems"] == 50


def test_only_health_is_open():
    assert [one.path for one in OPERATIONS if one.is_open] == ["/api/health"]
