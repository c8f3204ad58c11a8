"""Hostile exports: each import ends in seconds with a report, no traceback, no signal; the store unchanged or whole."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.store.generations import current

from . import hostile_entries, hostile_notes
from .hostile_archives import ARCHIVES, NOTE, PATHS, Maker
from .hostile_texts import TEXTS

_ = (hostile_entries, hostile_notes)  # which add their attacks to TEXTS
SECONDS = 10
MEMORY = 2 * 2**30
NOW = ("--now", "2025-01-01T00:00:00")


class Server:
    """The child that runs imports (import_server.py), and a store to copy."""

    def __init__(self, folder: Path) -> None:
        self._server = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("import_server.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._store = folder / "store"
        (folder / "good.md").write_bytes(NOTE)
        assert (
            self.run(folder, ["ingest", str(folder / "good.md"), "--store", str(self._store), "--no-index", *NOW])[
                "code"
            ]
            == 0
        )

    def run(self, folder: Path, arguments: list[str], seconds: int = 0, memory: int = 0) -> dict[str, Any]:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        task = {"folder": str(folder), "arguments": arguments, "seconds": seconds, "bytes": memory}
        self._server.stdin.write(json.dumps(task) + "\n")
        self._server.stdin.flush()
        return json.loads(self._server.stdout.readline())

    def attack(self, folder: Path, path: Path, *more: str) -> dict[str, Any]:
        """Imports `path` under limits into a store of its own, and asserts what holds of every import."""
        store = folder / "store"
        shutil.copytree(self._store, store)
        before = current(store)
        given = ["ingest", str(path), "--store", str(store), "--no-index", "--json", *NOW, *more]
        told = self.run(folder, given, SECONDS, MEMORY)
        said = told["out"] + told["err"]
        shown = f"{told['code']}, {told['seconds']:.1f} s, {told['mib']} MiB: {said[-1500:]}"
        assert told["code"] in (0, 1, 2), shown
        assert "Traceback" not in said, shown
        if told["code"]:
            assert current(store) == before, shown
            assert path.name.encode("utf-8", "replace").decode() in said, shown
        else:
            standing = self.run(folder, ["status", "--store", str(store), "--json"])
            assert standing["code"] == 0, standing
            assert "markdown" in [source["name"] for source in json.loads(standing["out"])["sources"]]
        return told

    def close(self) -> None:
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.close()


SHORT = frozenset(
    (
        "many_small_bombs", "wide_nested_zips", "quoted_overlap", "chained_long_names", "slow_pax", "fifo",
        "deep_brackets", "huge_numbers", "xml_attributes", "deep_multiparts", "yaml_merges", "chat_blanks",
    )
)  # fmt: skip
"""What is drawn in the short form: one of each kind that once ran for minutes or ended the process."""


@pytest.mark.sampled(10)
@pytest.mark.smoke
@pytest.mark.parametrize("make", [*ARCHIVES, *PATHS, *TEXTS], ids=lambda make: make.__name__)
def test_hostile_export(server: Server, make: Maker, tmp_path: Path, full_attack: bool) -> None:
    if not full_attack and make.__name__ not in SHORT:
        pytest.skip("drawn with --attacks full")
    (tmp_path / "in").mkdir()
    server.attack(tmp_path, make(tmp_path / "in"))
