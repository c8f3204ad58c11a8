"""Which format a file has, and what a refusal says."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from reqap_kg.config import Limits
from reqap_kg.errors import SourceError, UnknownFormat
from reqap_kg.sources.base import BadRecord, ReadContext
from reqap_kg.sources.detect import describe, detect
from reqap_kg.sources.files import walk
from reqap_kg.sources.registry import format_named, formats

ROOT = Path(__file__).parents[2]
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 100


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ('[{"ts": "2024-01-01T00:00:00Z", "ms_played": 5, "spotify_track_uri": "x"}]', "spotify-extended"),
        ('[{"endTime": "2024-01-01 00:00", "msPlayed": 5, "trackName": "x"}]', "spotify-account"),
        ("Profile Name,Start Time,Duration,Title\nA,2024-01-01 00:00:00,0:01:00,B\n", "netflix-activity"),
        ("Title,Date\nA,1/1/24\n", "netflix-history"),
        ("Order ID,Order Date,Product Name,Total Owed\n1,2024-01-01T00:00:00Z,A,1\n", "amazon-orders"),
        ('<?xml version="1.0"?>\n<HealthData locale="en">\n</HealthData>', "apple-health"),
        ('{"source": "mail", "timestamp": "2024-01-01T00:00:00"}\n' * 3, "key-value"),
        ('{"name": "Robin", "friends": [], "pets": []}', "profile"),
        ('{"locations": [{"latitudeE7": 1, "longitudeE7": 1, "timestampMs": "1"}]}', "google-location"),
        ("date;payee;amount\n1.1.2024;A;-1,00\n", "bank-csv"),
    ],
)
def test_formats_are_recognised_by_content_whatever_the_name(make_file: Any, content: str, name: str) -> None:
    for path in ("x", "calendar.ics", "photo.jpg"):
        assert detect(make_file(content, path=path)).name == name


@pytest.mark.parametrize(
    ("content", "told", "media"),
    [
        (b"", "an empty file", False),
        (b" \n\n", "a file of blanks", False),
        (PNG, "an image (PNG)", True),
        (b"\xff\xd8\xff\xe0" + b"\0" * 50, "an image (JPEG)", True),
        (b"\0\0\0\x20ftypisom" + b"\0" * 50, "a video or sound (MP4)", True),
        (b"ID3\x04" + b"\0" * 50, "a sound", True),
        (b'<?xml version="1.0"?>\n<svg xmlns="x"/>', "an image (SVG)", True),
        (b"%PDF-1.7\n%\xe2\xe3", "a PDF document", False),
        (b"SQLite format 3\0" + b"\0" * 50, "an SQLite database", False),
        (bytes(range(256)) * 4, "binary data", False),
        (b"<!DOCTYPE html>\n<html><body>hi</body></html>", "an HTML page", False),
        (b'<?xml version="1.0"?><!-- a --><gpx version="1.1"></gpx>', "a GPX track", False),
        (b'<?xml version="1.0"?><zoo></zoo>', "XML with the root element zoo", False),
        (b'{"a": 1, "b": [1, 2]}', "a JSON object with the keys a, b", False),
        (b'[{"c": 1, "d": [1, 2', "a JSON list of objects with the keys c, d", False),
        (b"[1, 2]", "a JSON list without keys", False),
        (b'{"a": oops', "text that begins like JSON but is none", False),
        (b"h\xf6he;ort\n1;k\xf6ln\n", "CSV with the columns h\xf6he, ort", False),
        (b"ts,ms_played,x\n1,2,3\n", "Spotify's extended streaming history, as CSV", False),
        (b'<!DOCTYPE html>\n<html><body><div class="from_name">Ann</div>', "a chat of Telegram as HTML", False),
        (b"Just a few words, and more.", "plain text", False),
        (b'[{"title": "T", "create_time": 1, "mapping": {}}]', "ChatGPT conversations", False),
    ],
)
def test_what_a_file_looks_like(make_file: Any, content: bytes, told: str, media: bool) -> None:
    found = describe(make_file(content))
    assert told in found.text
    assert found.media is media


def test_a_refusal_names_the_file_and_what_it_looks_like(make_file: Any) -> None:
    with pytest.raises(UnknownFormat, match=r"export/x\.json: .*JSON object with the keys q"):
        detect(make_file('{"q": 1}', path="export/x.json"))


def test_binary_data_with_a_text_name_is_refused_plainly(make_file: Any) -> None:
    with pytest.raises(UnknownFormat, match=r"binary data, although its name ends in \.ics"):
        detect(make_file(os.urandom(5000), path="export/calendar.ics"))


def test_formats_have_distinct_names_and_their_maps() -> None:
    names = [form.name for form in formats()]
    assert len(set(names)) == len(names)
    folder = Path(__file__).resolve().parents[2] / "mappings"
    assert [form.map_file for form in formats() if not (folder / form.map_file).is_file()] == []
    assert format_named("key-value") in formats()
    assert format_named("nothing") is None


@pytest.mark.parametrize("cut", [0, 1, 7, 64, 500])
def test_no_beginning_of_a_file_makes_a_recogniser_fail(make_file: Any, cut: int) -> None:
    texts: list[bytes] = [
        json.dumps([{"ts": "2024-01-01T00:00:00Z", "ms_played": 5, "ü": "é"}] * 20, ensure_ascii=False).encode(),
        b"[" * 600,
        b'{"a":' * 600,
        b'"' * 600,
        b"<" * 600,
        b"BEGIN:" * 100,
        b"From " * 200,
        b"\xff\xfe" + "Title,Date\n".encode("utf-16-le") * 50,
        b"a,b\n" + b'"' * 600,
        bytes(range(256)) * 3,
    ]
    for text in texts:
        for form in formats():
            assert 0 <= form.recognise(make_file(text[:cut])) <= 1
        assert describe(make_file(text[:cut])).text


def test_media_in_a_zip_are_told_from_data(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("photo.jpg", PNG)
        archive.writestr("history.csv", "Title,Date\nA,1/1/24\n")
    found = [file for file in walk(tmp_path / "a.zip", Limits()) if not isinstance(file, BadRecord)]
    assert [describe(file).media for file in found] == [True, False]
    assert detect(found[1]).name == "netflix-history"


@pytest.mark.shared_data
def test_every_sample_export_is_read_or_refused_with_a_reason(shared_data: Path) -> None:
    context = ReadContext(home_zone=ZoneInfo("Europe/Dublin"), now="2025-11-01T12:00:00")
    read: dict[str, set[str]] = {}
    refusals: list[tuple[str, str]] = []
    for file in walk(shared_data / "export-samples", Limits()):
        assert not isinstance(file, BadRecord), file
        folder = Path(file.path).parent.name
        try:
            form = detect(file)
            for _ in form.read(file, context):
                pass
        except SourceError as bad:
            refusals.append((file.path, str(bad)))
            continue
        read.setdefault(folder, set()).add(form.name)
    assert [pair for pair in refusals if not pair[1].startswith(pair[0] + ": ")] == []
    expected = {
        "spotify": {"spotify-extended", "spotify-account"},
        "netflix": {"netflix-activity", "netflix-history"},
        "amazon": {"amazon-orders"},
        "google_takeout": {"google-activity", "google-location", "google-timeline"},
        "location_csv": {"positions-csv"},
        "bank": {"bank-csv", "ofx"},
        "apple_health": {"apple-health", "gpx"},
        "strava": {"strava"},
        "garmin": {"garmin-activities"},
        "gpx": {"gpx"},
        "tcx": {"tcx", "google-fit"},
        "google_fit": {"google-fit"},
        "fit": {"fit"},
        "youtube": {"google-activity"},
        "lastfm": {"lastfm"},
        "books": {"goodreads"},
        "kindle": {"kindle"},
    }
    assert {folder: read.get(folder) for folder in expected} == expected
    elsewhere = set().union(*(names for folder, names in read.items() if folder not in expected))
    mine = {"profile", "key-value", *(name for names in expected.values() for name in names)}
    assert not elsewhere & mine


def test_the_documentation_tells_of_every_format() -> None:
    rows = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8").splitlines()
    named = [row.split("`")[1] for row in rows if row.startswith("| `")]
    assert sorted(named) == sorted(form.name for form in formats())
