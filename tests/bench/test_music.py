"""The generator of catalogues of music."""

from __future__ import annotations

import csv
from importlib.resources import files
from pathlib import Path

from reqap_kg.bench.music.generate import SHARING_IT, write_catalogue

SHIPPED = Path(str(files("reqap_kg.examples"))) / "music" / "data"


def test_the_example_is_what_it_writes(tmp_path: Path) -> None:
    write_catalogue(tmp_path, 1500, 7)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in SHIPPED.iterdir())
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (SHIPPED / path.name).read_bytes(), path.name


def test_another_seed_gives_another_catalogue_that_holds_together(tmp_path: Path) -> None:
    albums = write_catalogue(tmp_path, 3000, 11)
    artists, released, lands, styles = (
        list(csv.DictReader((tmp_path / f"{name}.csv").open(encoding="utf-8")))
        for name in ("artists", "albums", "countries", "genres")
    )
    assert (len(artists), len(released)) == (3000, albums)
    assert sum(int(row["albums"]) for row in artists) == albums
    assert {row["country"] for row in artists} <= {row["id"] for row in lands}
    assert {row["genre"] for row in artists} <= {row["id"] for row in styles}
    assert len({row["id"] for row in released}) == albums
    sharing = sum(row["born"].endswith("-05-30") for row in artists)
    assert SHARING_IT / 2 < sharing < SHARING_IT * 2
    assert all(row["born"] < row["died"] for row in artists if row["died"])
    assert not any(row["gender"] or row["born"] for row in artists if row["background"] == "group or band")
