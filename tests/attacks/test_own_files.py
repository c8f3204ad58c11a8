"""What reqap-kg wrote itself is no export, and an import takes no more time than it may."""

from __future__ import annotations

import json
import shutil
import zipfile
from datetime import datetime
from itertools import count
from pathlib import Path

import pytest
from stored_life import import_life

from reqap_kg.config import Limits, Settings
from reqap_kg.engine.conversation.journal import Journal
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.errors import SourceError
from reqap_kg.store.folder import MARKER
from reqap_kg.texts import import_budget

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


@pytest.mark.smoke
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


def test_time_that_is_up_ends_the_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told by a clock that goes on a little whenever it is looked at, so that it is up in the midst of any machine's
    reading."""
    looked = count()
    monkeypatch.setattr(import_budget, "process_time", lambda: next(looked) / 1000)
    (tmp_path / "in").mkdir()
    for number in range(300):
        (tmp_path / "in" / f"{number:04d}.md").write_text(NOTE.replace("bread", f"bread {number}"))
    given = zipped(tmp_path / "in", tmp_path / "in.zip")
    for path in (tmp_path / "in", given):
        report = ingest([path], tmp_path / f"store-{path.suffix}", options(Limits(import_seconds=0.6)))
        (source,) = report.sources
        assert 0 < source.events == len(source.files) < 300
        assert source.events == source.records
        assert all("limits.import_seconds" in refused.reason for refused in report.refused)
        assert 1 <= len(report.refused) <= 2


def journal(folder: Path) -> list[str]:
    """Lines of a journal as a dialogue writes them."""
    told = Journal(folder)
    for number in range(6):
        told.add("me" if number % 2 == 0 else "reqap-kg", f"turn {number} of Zerbinetta, 2024-05-01", NOW)
    return told.path.read_text().splitlines()


def foreign(text: str) -> dict[str, object]:
    return {"sender": "Leila", "time": "2024-05-01T10:00:00", "text": text}


def wrapped(lines: list[str]) -> dict[str, str]:
    """A journal in every wrapping in which somebody may hand it in."""
    rows = [json.loads(line) for line in lines]
    mine = [foreign("bread"), foreign("milk")]
    return {
        "itself": "\n".join(lines),
        "a list": json.dumps(rows),
        "a list among others": json.dumps([mine[0], *rows, mine[1]]),
        "messages": json.dumps({"messages": rows}),
        "messages of a chat": json.dumps({"name": "x", "messages": [*mine, *rows]}),
        "chats": json.dumps([{"title": "x", "messages": rows}, {"title": "y", "messages": mine}]),
        "a foreign first line": "\n".join([json.dumps(mine[0]), *lines, json.dumps(mine[1])]),
        "prose before": "# My notes\n\nSome prose here.\n\n" + "\n".join(lines),
        "a quotation": "# My notes\n\n- one\n- two\n\n```\n" + "\n".join(lines) + "\n```\n",
        "events": json.dumps([{"source": "note", "start_date": "2024-05-01", **row} for row in rows]),
        "values of events": json.dumps([{"source": "note", "start_date": "2024-05-01", "turn": row} for row in rows]),
        "without sums": json.dumps([{key: row[key] for key in row if key != "sum"} for row in rows]),
        "indented": json.dumps(rows, indent=4),
    }


KINDS = sorted(wrapped([]))


@pytest.mark.parametrize("kind", KINDS)
def test_a_journal_in_any_wrapping_is_no_export(kind: str, tmp_path: Path) -> None:
    text = wrapped(journal(tmp_path))[kind]
    path = tmp_path / "given.json"
    path.write_text(text)
    if kind == "itself":
        with pytest.raises(SourceError, match="dialogues with reqap-kg"):
            ingest([path], tmp_path / "store", options())
        return
    report = ingest([path], tmp_path / "store", options())
    told = [(bad.reason, bad.count) for source in report.sources for bad in source.skipped]
    assert sum(count for reason, count in told if "dialogue with reqap-kg" in reason) == 6, (report, told)
    held = b"".join(found.read_bytes() for found in (tmp_path / "store").rglob("*") if found.is_file())
    assert b"Zerbinetta" not in held
    if "bread" in text:
        assert sum(source.events for source in report.sources) >= 2


@pytest.mark.parametrize("date", ["soon", "2024-02-30", "13", "2024", "[1, 2]", "3/4/2024", "0000-00-00"])
@pytest.mark.parametrize("key", ["date", "Date", "creation_date", "last modified"])
def test_a_date_of_a_note_that_is_none_is_told(key: str, date: str, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(f"---\n{key}: {date}\ntitle: Tea\n---\n# Tea\n\nGreen.\n")
    report = ingest([tmp_path / "note.md"], tmp_path / "store", options())
    (source,) = report.sources
    assert (source.records, source.events, source.skipped_count) == (1, 1, 0)
    assert f"1 record with a value that could not be read: {key}" in source.told


@pytest.mark.parametrize("date", ["2024-05-01", "", "1 May 2024", "2024-05-01T10:00:00Z"])
def test_a_date_of_a_note_that_is_one_is_not(date: str, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(f"---\ndate: {date}\ntitle: Tea\n---\n# Tea\n\nGreen.\n")
    (source,) = ingest([tmp_path / "note.md"], tmp_path / "store", options()).sources
    assert source.told == []
