"""Goodreads' library."""

from __future__ import annotations

from typing import Any

import pytest

from reqap_kg.sources.detect import detect
from reqap_kg.sources.media.goodreads import FORMAT

COLUMNS = "Book Id,Title,Author,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Number of Pages,Date Read"
HEADER = f"{COLUMNS},Date Added,Bookshelves,Exclusive Shelf,My Review,Original Publication Year\n"
ORCHARD = (
    '11,The Quiet Orchard,Ida Brandt,"Per Holm, Nia Odell","=""0000000011""","=""9780000000011""",4,3.90,312,'
    '2023/03/05,2023/02/01,"gardening, calm",read,Long.,2010\n'
)
UNDATED = '12,Salt Roads,Nia Odell,,"=""""","=""""",0,3.10,,,2023/12/01,,read,,\n'
PLANNED = "13,Later,Nia Odell,,,,0,3.1,100,,2023/12/01,to-read,to-read,,\n"


def test_it_is_told_by_its_columns(make_file: Any) -> None:
    assert detect(make_file(HEADER + ORCHARD)) is FORMAT
    assert FORMAT.recognise(make_file("Title,Author\nA,B\n")) == 0


def test_a_book_that_was_read(mapped: Any) -> None:
    event = mapped(FORMAT, HEADER + ORCHARD).only
    assert event["a"] == ["ev:BookReading"]
    assert (event["ev:bookTitle"], event["ev:rating"]) == (["The Quiet Orchard"], ["4"])
    assert sorted(event["ev:author"]) == ["Ida Brandt", "Nia Odell", "Per Holm"]
    assert (event["ev:start"], event["ev:day"]) == (["2023-03-05T00:00:00"], ["2023-03-05"])
    assert (event["ev:timePrecision"], event["ev:timeCertainty"]) == (["day"], ["stated"])
    assert (event["ev:pageCount"], event["ev:releaseYear"]) == (["312"], ["2010"])
    assert (event["ev:isbn"], event["ev:review"]) == (["9780000000011"], ["Long."])
    assert sorted(event["ev:tag"]) == ["calm", "gardening"]
    assert event["key:Date%20Added"] == ["2023/02/01"]
    assert event["rdfs:label"] == ["The Quiet Orchard – Ida Brandt"]


def test_a_book_without_the_day_has_no_time_and_zero_stars_are_none(mapped: Any) -> None:
    event = mapped(FORMAT, HEADER + UNDATED).only
    assert "ev:start" not in event
    assert "ev:rating" not in event


def test_plans_are_no_readings(read: Any) -> None:
    outcome = read(FORMAT, HEADER + ORCHARD + PLANNED + PLANNED.replace("13,", "14,"))
    assert len(outcome.records) == 1
    assert [(bad.where, bad.reason, bad.count) for bad in outcome.bad] == [
        ("shelf to-read", "on the shelf to-read: not a book that was read", 2)
    ]


def test_the_id_is_that_of_the_book(read: Any) -> None:
    assert [record["_id"] for record in read(FORMAT, HEADER + UNDATED + ORCHARD).records] == ["book-12", "book-11"]


@pytest.mark.parametrize("value", ["", "never", "9" * 400, "-1", "1e999", "2023/13/45", '"=""x"', "\u2028", "nan"])
def test_any_value_in_any_cell(mapped: Any, value: str) -> None:
    cells = ORCHARD.replace('"Per Holm, Nia Odell"', "x").replace('"gardening, calm"', "y").split(",")
    for at in range(len(cells)):
        found = mapped(FORMAT, HEADER + ",".join([*cells[:at], value, *cells[at + 1 :]]) + "\n" + UNDATED)
        assert len(found.events) + sum(bad.count for bad in found.bad if bad.key is None) == 2
