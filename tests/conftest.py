"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples in every run, so that what passes once passes everywhere; HYPOTHESIS_PROFILE=search finds new ones.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The development data beside the checkout; tests that need it are skipped where it is not."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no development data at {folder}")
    return folder


@pytest.fixture(autouse=True)
def _nothing_is_read_ahead(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imports of tests read no texts ahead, which takes seconds and a model, unless the test is marked `model`."""
    if request.node.get_closest_marker("model") is None:
        monkeypatch.setattr("reqap_kg.engine.knowledge.KnowledgeGraph.read_ahead", lambda self, *, now: None)
