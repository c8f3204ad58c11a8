"""Fixtures for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import settings

from reqap_kg.cli.running import run

if "PYTEST_XDIST_WORKER" in os.environ:
    # Workers share the processors: threads of each for all of them would wait for one another most of the time.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

DEMO = Path(__file__).resolve().parents[1] / "examples" / "demo" / "exports"

# The same examples in every run, so that what passes once passes everywhere; HYPOTHESIS_PROFILE=search finds new ones.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Attacks are drawn in small numbers by default; `make attack` draws them all."""
    parser.addoption("--attacks", choices=("short", "full"), default="short", help="how many attacks are drawn")


_LONG = ("test_documents.py", "test_full_disk.py", "test_dialogues.py", "test_retrieve_gold.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take minutes go first: at the end they would keep one worker busy while others wait."""
    items.sort(key=lambda item: item.path.name not in _LONG)


@pytest.fixture(scope="session")
def full_attack(pytestconfig: pytest.Config) -> bool:
    """Whether attacks run in their full numbers."""
    return pytestconfig.getoption("--attacks") == "full"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The development data beside the checkout; tests that need it are skipped where it is not."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no development data at {folder}")
    return folder


@pytest.fixture(autouse=True, scope="session")
def _nothing_is_read_ahead() -> Iterator[None]:
    """Imports on the command line read no texts ahead, which takes seconds and a model; fixtures' imports neither."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reqap_kg.engine.knowledge.KnowledgeGraph.read_ahead", lambda self, *, now: None)
        yield


@pytest.fixture(scope="session")
def imported_demo(tmp_path_factory: pytest.TempPathFactory, _nothing_is_read_ahead: None) -> Path:
    """The demo life, imported once as a user does it. Questions write derivations: they are put to a `demo_store`."""
    store = tmp_path_factory.mktemp("demo") / "store"
    assert run(["ingest", str(DEMO), "--store", str(store), "--now", "2025-03-01T12:00:00"]) == 0
    return store


@pytest.fixture(scope="module")
def demo_store(imported_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the demo life that is a module's own."""
    return Path(copytree(imported_demo, tmp_path_factory.mktemp("demo") / "store"))
