"""Kindle's clippings."""

from __future__ import annotations

from typing import Any

import pytest

from reqap_kg.sources.detect import detect
from reqap_kg.sources.media.kindle import FORMAT
from reqap_kg.sources.media.kindle_dates import added_on, kind_of, page_of, place_of

ADDED = "Added on Thursday, March 7, 2024 8:42:10 PM"


def clip(
    text: str = "Hedges are walls that grow.",
    meta: str = f"Your Highlight on page 12 | Location 512-514 | {ADDED}",
    book: str = "The Quiet Orchard (Fen Press Classics) (Brandt, Ida)",
) -> str:
    return f"\ufeff{book}\r\n- {meta}\r\n\r\n{text}\r\n==========\r\n"


def test_it_is_told_by_its_lines(make_file: Any) -> None:
    assert detect(make_file(clip())) is FORMAT
    assert FORMAT.recognise(make_file("A list\n- one | two\n\nmore\n")) == 0


def test_a_highlight(mapped: Any) -> None:
    event = mapped(FORMAT, clip()).only
    assert event["a"] == ["ev:Highlight"]
    assert event["ev:text"] == ["Hedges are walls that grow."]
    assert (event["ev:bookTitle"], event["ev:author"]) == (["The Quiet Orchard (Fen Press Classics)"], ["Ida Brandt"])
    assert (event["ev:page"], event["ev:placeInBook"]) == (["12"], ["512-514"])
    assert (event["ev:start"], event["ev:timeCertainty"]) == (["2024-03-07T20:42:10"], ["assumed"])
    assert "ev:startInstant" not in event


def test_notes_are_notes_and_bookmarks_say_nothing(read: Any) -> None:
    note = clip("Ask Per.", f"Your Note on Location 514 | {ADDED}")
    mark = clip("", f"Your Bookmark on Location 600 | {ADDED}")
    outcome = read(FORMAT, note + mark + mark)
    assert [(record["_class"], record["_text"]) for record in outcome.records] == [("Note", "Ask Per.")]
    assert [(bad.reason, bad.count) for bad in outcome.bad] == [("a bookmark: it says nothing", 2)]


def test_of_a_highlight_that_was_made_longer_the_newest_is_read(read: Any) -> None:
    longer = clip("Hedges are walls that grow. And sing.", f"Your Highlight on Location 512-515 | {ADDED}")
    first = clip(meta=f"Your Highlight on Location 512-514 | {ADDED}")
    outcome = read(FORMAT, first + clip("Else.", f"Your Highlight on Location 512-513 | {ADDED}") + longer)
    assert [record["_text"] for record in outcome.records] == ["Else.", "Hedges are walls that grow. And sing."]
    assert outcome.reasons == ["changed later: the newest version is read"]


@pytest.mark.parametrize(
    ("meta", "kind", "added"),
    [
        ("Your Highlight on page 3 | Added on Monday, 1 January 2018 10:30:00", "highlight", "2018-01-01T10:30:00"),
        (
            "Ihre Markierung auf Seite 3 | Hinzugefügt am Dienstag, 5. März 2024 um 08:05:01",
            "highlight",
            "2024-03-05T08:05:01",
        ),
        ("Votre note à l’emplacement 5 | Ajouté le lundi 1 août 2022 21:30:00", "note", "2022-08-01T21:30:00"),
        (
            "La subrayado en la página 3 | Añadido el martes, 5 de marzo de 2024 8:05:01",
            "highlight",
            "2024-03-05T08:05:01",
        ),
        (
            "La tua evidenziazione a pagina 3 | Aggiunto in data martedì 5 marzo 2024 08:05:01",
            "highlight",
            "2024-03-05T08:05:01",
        ),
        (
            "Seu destaque na página 3 | Adicionado: terça-feira, 5 de março de 2024 08:05:01",
            "highlight",
            "2024-03-05T08:05:01",
        ),
        ("Uw markering op pagina 3 | Toegevoegd op dinsdag 5 maart 2024 08:05:01", "highlight", "2024-03-05T08:05:01"),
        ("Ваша заметка | Добавлено: вторник, 5 марта 2024 г. в 8:05:01", "note", "2024-03-05T08:05:01"),
        ("您在位置 #34-36的标注 | 添加于 2024年3月5日星期二 下午8:05:01", "highlight", "2024-03-05T20:05:01"),
        ("25ページ|位置No. 37のメモ |作成日: 2024年3月5日火曜日 8:05:01", "note", "2024-03-05T08:05:01"),
        ("Your Bookmark on page 3 | Added on Friday, March 1, 2024, 12:05 AM", "bookmark", "2024-03-01T00:05:00"),
    ],
)
def test_the_languages_of_the_device(meta: str, kind: str, added: str) -> None:
    what, _, when = meta.rpartition("|")
    assert (kind_of(what), added_on(when)) == (kind, added)


def test_places_and_pages() -> None:
    assert place_of("Ihre Markierung bei Position 512-514 ") == "512-514"
    assert (page_of("25ページ"), page_of("Seite 12"), page_of("Location 12")) == (25, 12, None)
    assert added_on("Added on the 40th of March") is None


def test_a_date_that_cannot_be_read_costs_the_date_only(read: Any) -> None:
    outcome = read(FORMAT, clip(meta="Your Highlight on page 3 | lisätty joskus"))
    assert "_start" not in outcome.only
    assert [(bad.key, "no date" in bad.reason) for bad in outcome.bad] == [("date", True)]


def test_what_is_cut_or_broken_has_a_reason(read: Any) -> None:
    outcome = read(
        FORMAT, (clip() + "no meta\nx\n==========\n").encode() + clip("\x80").encode("latin-1", "ignore") + b"A\n- x"
    )
    assert len(outcome.records) == 2
    assert outcome.reasons == ["no line that says what was marked and when", "the file is cut off in this clipping"]
    bad = read(FORMAT, clip().encode() * 600 + b"A (B)\n- Your Highlight on page 1 | x\n\n\xff\xfe\n==========\n")
    assert "bytes that are no text in the file's encoding" in bad.reasons


def test_the_same_clipping_has_the_same_id_in_a_longer_file(read: Any) -> None:
    ids = {record["_id"] for record in read(FORMAT, clip()).records}
    assert ids < {record["_id"] for record in read(FORMAT, clip("Else.", book="B (C)") + clip()).records}
