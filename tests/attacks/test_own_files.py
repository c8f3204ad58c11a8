"""What reqap-kg wrote itself is no export, and an import takes no more time than it may."""

from __future__ import annotations

import shutil
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from stored_life import import_life

from reqap_kg.config import Limits, Settings
from reqap_kg.engine.ingest import IngestOptions, ingest
from reqap_kg.engine.journal import Journal
from reqap_kg.store.folder import MARKER

NOW = datetime(2025, 1, 1)
NOTE = "---\ndate: 2024-05-01\n---\n# Shopping\nbread\n"


def options(limits: Limits | None = None) -> IngestOptions:
    return IngestOptions(Settings(limits=limits or Limits()), NOW, "Europe/Dublin")


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("life")
    return import_life(root / "exports", root / "store")


def zipped(folder: Path, target: Path) -> Path:
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return target


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("older", [False, True])
def test_a_folder_that_holds_a_store(packed: bool, older: bool, life: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    store = shutil.copytree(life, folder / "deep" / "store")
    Journal(store).add("me", "How many runs did I do?", NOW)
    (folder / "note.md").write_text(NOTE)
    (folder / "deep" / "more.md").write_text(NOTE.replace("bread", "milk"))
    if older and not packed:
        (store / MARKER).unlink()
    given = zipped(folder, tmp_path / "mine.zip") if packed else folder
    report = ingest([given], tmp_path / "store", options())
    assert [(source.name, source.events) for source in report.sources] == [("markdown", 2)]
    (refused,) = report.refused
    assert "store of reqap-kg" in refused.reason
    assert refused.path.endswith("store")


def test_time_that_is_up_ends_the_reading(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(3000):
        (tmp_path / "in" / f"{number:04d}.md").write_text(NOTE.replace("bread", f"bread {number}"))
    given = zipped(tmp_path / "in", tmp_path / "in.zip")
    for path in (tmp_path / "in", given):
        report = ingest([path], tmp_path / f"store-{path.suffix}", options(Limits(import_seconds=1.5)))
        (source,) = report.sources
        assert 0 < source.events == len(source.files) < 3000
        assert source.events == source.records
        assert all("limits.import_seconds" in refused.reason for refused in report.refused)
        assert 1 <= len(report.refused) <= 2
