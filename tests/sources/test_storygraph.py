"""StoryGraph's library."""

from __future__ import annotations

from typing import Any

import pytest

from reqap_kg.sources.detect import detect
from reqap_kg.sources.media.storygraph import FORMAT

COLUMNS = (
    "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,"
    "Star Rating,Review,Tags,Owned?\n"
)
ORCHARD = (
    'The Quiet Orchard,"Ida Brandt, Per Holm",,9780000000011,paperback,read,2023/02/01,2023/03/05,'
    '"2021/01/02-2021/02/03, 2023/03/01-2023/03/05",2,4.25,<div>Calm.<br>Long.</div>,"fen, calm",No\n'
)
PLANNED = "Later,Nia Odell,,,digital,to-read,2023/12/01,,,0,,,,No\n"


def test_it_is_told_by_its_columns(make_file: Any) -> None:
    assert detect(make_file(COLUMNS + ORCHARD)) is FORMAT


def test_each_reading_is_an_event(mapped: Any) -> None:
    events = mapped(FORMAT, COLUMNS + ORCHARD).by("ev:start")
    assert list(events) == ["2021-02-03T00:00:00", "2023-03-05T00:00:00"]
    event = events["2023-03-05T00:00:00"]
    assert (event["a"], event["ev:bookTitle"]) == (["ev:BookReading"], ["The Quiet Orchard"])
    assert sorted(event["ev:author"]) == ["Ida Brandt", "Per Holm"]
    assert (event["ev:begunOn"], event["ev:rating"]) == (["2023-03-01"], ["4.25"])
    assert event["ev:review"] == ["Calm.\nLong."]
    assert event["key:Format"] == ["paperback"]


def test_plans_are_no_readings(read: Any) -> None:
    outcome = read(FORMAT, COLUMNS + PLANNED + ORCHARD)
    assert [record["_bookTitle"] for record in outcome.records] == ["The Quiet Orchard"] * 2
    assert outcome.reasons == ["to-read: not a book that was read"]


@pytest.mark.parametrize(
    ("dates", "days"),
    [
        ("2023/03/05", [(None, "2023-03-05")]),
        ("2023-03-05", [(None, "2023-03-05")]),
        ("-2023/03/05", [(None, "2023-03-05")]),
        ("2023/04/01-2023/03/05", [(None, "2023-03-05")]),
        ("", [(None, None)]),
    ],
)
def test_dates_of_reading(read: Any, dates: str, days: list[Any]) -> None:
    row = f"Fern,Ann,,,,read,2023/01/01,,{dates},1,0,,,No\n"
    records = read(FORMAT, COLUMNS + row).records
    assert [(record.get("_begunOn"), record.get("_start")) for record in records] == days


@pytest.mark.parametrize("value", ["", "never", "9" * 300, "-1", "2024/13/45", "nan", "\u2028", "<b", "-" * 200])
def test_any_value_in_any_cell(mapped: Any, value: str) -> None:
    cells = [
        "Fern",
        "Ann",
        "",
        "1",
        "paper",
        "read",
        "2023/02/01",
        "2023/03/05",
        "2023/03/05",
        "2",
        "4.25",
        "Calm.",
        "fen",
        "No",
    ]
    for at in range(len(cells)):
        found = mapped(FORMAT, COLUMNS + ",".join([*cells[:at], value, *cells[at + 1 :]]) + "\n" + PLANNED)
        assert len(found.events) + sum(bad.count for bad in found.bad if bad.key is None) == 2
