"""Events for other programs: each event a row, each value in its column."""

from __future__ import annotations

import gzip
from datetime import datetime
from pathlib import Path

import duckdb
import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.admin.exporting import export_store
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.errors import UsageError
from reqap_kg.store.generations import open_graph
from reqap_kg.store.rdf import parse_nquads

NOW = datetime(2025, 1, 1, 12)
STREAMS = """[
 {"ts": "2024-05-01T10:03:00Z", "ms_played": 180000, "master_metadata_track_name": "Tide \\"live\\"",
  "master_metadata_album_artist_name": "Ode", "spotify_track_uri": "u:1", "plays, odd": 3},
 {"ts": "2024-05-02T10:03:00Z", "ms_played": 90500, "master_metadata_track_name": "Ebb",
  "master_metadata_album_artist_name": "Ode", "spotify_track_uri": "u:2", "plays, odd": "many"}
]"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    (folder / "s.json").write_text(STREAMS, encoding="utf-8")
    (folder / "n.md").write_text("---\ndate: 2024-06-01\ntags: [a, b]\n---\n# Tap\n\nLeaks.\n", encoding="utf-8")
    for file in ("s.json", "n.md"):
        ingest([folder / file], folder / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), NOW))
    return folder / "store"


def test_a_table_has_a_row_for_each_event(store: Path, tmp_path: Path) -> None:
    found = export_store(store, tmp_path / "life.parquet", Settings())
    assert (found.rows, found.what) == (3, "event")
    table = duckdb.sql(f"SELECT * FROM '{tmp_path / 'life.parquet'}' ORDER BY start")
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.fetchall()]
    assert [row["kinds"] for row in rows] == [["music stream"], ["music stream"], ["note"]]
    first, second, note = rows
    assert (first["song"], first["artist"], first["duration"]) == ('Tide "live"', "Ode", 180.0)
    assert first["start"] == datetime(2024, 5, 1, 12, 0)
    assert second["duration"] == 90.5
    assert note["song"] is None
    odd = next(name for name in table.columns if name.startswith("plays"))
    assert (first[odd], second[odd]) in {("3", "many"), ("3.0", "many")}


def test_quads_are_those_of_the_store(store: Path, tmp_path: Path) -> None:
    plain = export_store(store, tmp_path / "life.nq", Settings())
    export_store(store, tmp_path / "life.nq.gz", Settings())
    text = (tmp_path / "life.nq").read_text(encoding="utf-8")
    assert gzip.decompress((tmp_path / "life.nq.gz").read_bytes()).decode() == text
    with open_graph(store) as graph:
        assert len({str(quad) for quad in parse_nquads(text)}) == plain.rows == graph.count()


def test_what_cannot_be_written_is_told(store: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.parquet"):
        export_store(store, tmp_path / "life.xml", Settings())
    (tmp_path / "life.nq").write_text("mine")
    with pytest.raises(UsageError, match="there already"):
        export_store(store, tmp_path / "life.nq", Settings())
    assert [path.name for path in tmp_path.iterdir()] == ["life.nq"]
