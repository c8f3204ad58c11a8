"""Fixtures for all tests."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import demo_stores
import derived_life
import pytest
import warehouse
from hypothesis import settings

if "PYTEST_XDIST_WORKER" in os.environ:
    # Workers share the processors: threads of each for all of them would wait for one another most of the time.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

TESTS = Path(__file__).resolve().parent

# The same examples in every run, so that what passes once passes everywhere; HYPOTHESIS_PROFILE=search finds new ones.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("short", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # in a shell's background; what tests begin would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Attacks are drawn in small numbers by default; `make attack` draws them all."""
    parser.addoption("--attacks", choices=("short", "full"), default="short", help="how many attacks are drawn")


_BY_HAND = frozenset({"attacks", "bench", "training"})
"""Rooms whose tests run in `make test-all` only, but for those marked `smoke`."""
_ROOMS_LEFT_OUT = frozenset(TESTS / name for name in ("bench", "training"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Rooms without a single smoke are not even read where long tests are left out: they import what trains models."""
    is_left_out = collection_path in _ROOMS_LEFT_OUT and "not long" in str(config.getoption("markexpr"))
    return True if is_left_out else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what only `make test-all` runs as `long`, and puts tests that load torch first, so that one process has
    them: each takes its share from the front of the list, and what is left at the end from others. Documents go before
    all, as the README takes longest."""
    places: Counter[object] = Counter()
    for item in items:
        room = item.path.relative_to(TESTS).parts[0]
        sampled = item.get_closest_marker("sampled")
        of_function = (item.path, getattr(item, "originalname", item.name))
        left_out = sampled is not None and places[of_function] % sampled.args[0] != 0
        places[of_function] += 1
        if left_out or (room in _BY_HAND and item.get_closest_marker("smoke") is None):
            item.add_marker(pytest.mark.long)
    items.sort(key=lambda item: (item.path.name != "test_documents.py", item.get_closest_marker("model") is None))


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
def imported_demo() -> Path:
    """The demo life, imported as a user does it, no text read ahead. Questions write derivations: they are put to a
    `demo_store`."""
    return demo_stores.demo_store(read=False)


@pytest.fixture(scope="module")
def demo_store(imported_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the demo life that is a module's own."""
    return Path(copytree(imported_demo, tmp_path_factory.mktemp("demo") / "store"))


@pytest.fixture(scope="module")
def read_demo_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the demo life with its texts read ahead, as a user has it after `reqap-kg ingest`."""
    return Path(copytree(demo_stores.demo_store(read=True), tmp_path_factory.mktemp("demo") / "store"))


@pytest.fixture(scope="session")
def small_life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The life of `derived_life`, imported. Questions write derivations: they are put to copies."""
    folder = tmp_path_factory.mktemp("small-life")
    for name in derived_life.LIFE:
        derived_life.import_source(folder, name)
    return folder / "store"


@pytest.fixture(scope="session")
def imported_resorts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The resorts warehouse, imported; for copies, too."""
    return warehouse.store_of_resorts(tmp_path_factory.mktemp("resorts"))


@pytest.fixture(scope="module")
def resorts(imported_resorts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the resorts that is a module's own."""
    return Path(copytree(imported_resorts, tmp_path_factory.mktemp("resorts") / "store"))
