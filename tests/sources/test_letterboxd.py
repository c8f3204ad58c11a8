"""Letterboxd's files, each alone and together."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from reqap_kg.errors import SourceError
from reqap_kg.sources.base import BadRecord, ReadContext
from reqap_kg.sources.detect import detect
from reqap_kg.sources.media.letterboxd import FORMAT

DIARY = (
    "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n"
    '2024-03-02,The Gate,1961,https://boxd.it/1,4.5,Yes,"cinema, ann",2024-03-01\n'
    "2024-03-09,The Gate,1961,https://boxd.it/2,,,,2024-03-08\n"
)
REVIEWS = (
    "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date\n"
    "2024-03-02,The Gate,1961,https://boxd.it/1,4.5,Yes,Slow and fine.,,2024-03-01\n"
)
RATINGS = (
    "Date,Name,Year,Letterboxd URI,Rating\n2024-03-02,The Gate,1961,https://b/1,4\n2020-01-01,Fern,2001,https://b/2,2\n"
)
MARKED = "Date,Name,Year,Letterboxd URI\n2024-03-02,The Gate,1961,https://b/1\n2020-01-02,Fern,2001,https://b/2\n"
PLANS = "Date,Name,Year,Letterboxd URI\n2024-03-02,Later,2024,https://b/9\n"
FILES = {"diary": DIARY, "reviews": REVIEWS, "ratings": RATINGS, "watched": MARKED, "watchlist": PLANS}


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_told_by_its_columns(make_file: Any, name: str) -> None:
    assert detect(make_file(FILES[name])) is FORMAT


def test_a_viewing_of_the_diary(mapped: Any) -> None:
    events = mapped(FORMAT, DIARY, path="x/diary.csv").by("ev:start")
    assert list(events) == ["2024-03-01T00:00:00", "2024-03-08T00:00:00"]
    event = events["2024-03-01T00:00:00"]
    assert (event["a"], event["ev:movieTitle"]) == (["ev:MovieStream"], ["The Gate"])
    assert (event["ev:rating"], event["ev:rewatch"], event["ev:releaseYear"]) == (["4.5"], ["true"], ["1961"])
    assert sorted(event["ev:tag"]) == ["ann", "cinema"]
    assert (event["ev:timePrecision"], event["ev:timeCertainty"]) == (["day"], ["stated"])
    assert event["rdfs:label"] == ["The Gate (1961)"]


def together(make_file: Any, folder: str = "export") -> tuple[list[Any], list[BadRecord]]:
    files = [make_file(text, path=f"{folder}/{name}.csv") for name, text in FILES.items()]
    context = ReadContext(ZoneInfo("Europe/Dublin"), "2025-01-01T00:00:00")
    assert FORMAT.survey is not None
    for file in files:
        FORMAT.survey(file, context)
    found = [item for file in files for item in FORMAT.read(file, context)]
    kept = [item for item in found if not isinstance(item, BadRecord)]
    return kept, [item for item in found if isinstance(item, BadRecord)]


def test_a_viewing_that_is_in_several_files_counts_once(make_file: Any) -> None:
    records, bad = together(make_file)
    assert [(record["_movieTitle"], record.get("_rating")) for record in records] == [
        ("The Gate", 4.5),
        ("The Gate", 4.0),
        ("Fern", 2.0),
    ]
    assert records[0]["_review"] == "Slow and fine."
    assert (records[2]["_start"], records[2]["_certainty"]) == ("2020-01-02", "assumed")
    assert sorted(item.reason for item in bad if item.key is None) == [
        "its rating is with its viewing",
        "its viewing is in the diary",
        "its viewing is in the diary, and has the review",
        "on the watchlist: not watched by that",
    ]
    assert [item.key for item in bad if item.key] == ["Date"]


def test_a_rating_alone_is_a_viewing_whose_day_is_assumed(read: Any) -> None:
    outcome = read(FORMAT, RATINGS, path="ratings.csv")
    assert [record["_certainty"] for record in outcome.records] == ["assumed"] * 2
    assert outcome.reasons == ["the day on which the film was marked: it may have been watched before"]


def test_the_name_tells_files_with_the_same_columns(read: Any) -> None:
    assert len(read(FORMAT, MARKED, path="a.zip!watched.csv").records) == 2
    assert read(FORMAT, MARKED, path="a.zip!likes/films.csv").records == []
    assert read(FORMAT, MARKED, path="a/watchlist.csv").records == []
    assert read(FORMAT, DIARY, path="a/deleted/diary.csv").reasons == ["deleted on Letterboxd"]
    with pytest.raises(SourceError, match=r"watched\.csv or watchlist\.csv"):
        read(FORMAT, MARKED, path="films.csv")


def test_ids_stay_in_a_newer_export(read: Any) -> None:
    ids = {record["_id"] for record in read(FORMAT, DIARY, path="diary.csv").records}
    newer = DIARY.replace("4.5,Yes", "5,Yes") + "2025-01-01,Dock,2000,https://boxd.it/3,,,,2025-01-01\n"
    assert len(ids) == 2
    assert ids < {record["_id"] for record in read(FORMAT, newer, path="diary.csv").records}


@pytest.mark.parametrize("value", ["", "never", "9" * 300, "-1", "2024-13-45", "nan", "\u2028"])
def test_any_value_in_any_cell(mapped: Any, value: str) -> None:
    lines = DIARY.replace('"cinema, ann"', "cinema").splitlines()
    cells = lines[1].split(",")
    for at in range(len(cells)):
        text = "\n".join([lines[0], ",".join([*cells[:at], value, *cells[at + 1 :]]), lines[2], ""])
        found = mapped(FORMAT, text, path="diary.csv")
        assert len(found.events) + sum(bad.count for bad in found.bad if bad.key is None) == 2
