"""Markdown notes: front matter, dates, diaries, tags, lists."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.config import Limits
from reqap_kg.errors import HostileInput
from reqap_kg.sources.notes.markdown import FORMAT
from reqap_kg.sources.notes.notedates import date_at_start, date_in

ALIASES = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in pairwise("abcdefgh")
)
"""Nine values that are nine values each, and so on: half a billion in 500 characters."""


def front(*lines: str, body: str = "Some words.") -> str:
    return "\n".join(["---", *lines, "---", "", body])


def test_front_matter_gives_keys_title_tags_and_date(read: Any) -> None:
    text = front("title: Plum jam", "date: 2024-09-14", "tags: [kitchen, plums]", "rating: 4", "done: true")
    record = read(FORMAT, text).only
    assert (record["_title"], record["_text"]) == ("Plum jam", "Some words.")
    assert (record["_time"], record["_precision"], record["_certainty"]) == ("2024-09-14", "day", "stated")
    assert record["_tags"] == ["kitchen", "plums"]
    assert (record["rating"], record["done"], record["date"]) == (4, True, "2024-09-14")


@pytest.mark.parametrize(
    ("lines", "time", "precision"),
    [
        (["date: 2024-09-14T18:30:00+02:00"], "2024-09-14T18:30:00+02:00", "minute"),
        (["date: 2024-09-14 18:30:12Z"], "2024-09-14T18:30:12Z", "second"),
        (["created: 2024-09-14 18:30"], "2024-09-14T18:30:00", "minute"),
        (["Date Created: 'Saturday, 14 September 2024'"], "2024-09-14", "day"),
        (["date: 2024-09-14", "time: 18:30"], "2024-09-14T18:30:00", "minute"),
        (["date: 2024-09-14", "time: '6:30 pm'"], "2024-09-14T18:30:00", "minute"),
        (["created_at: 1726331412"], "2024-09-14T16:30:12Z", "second"),
        (["created_at: 1726331412000"], "2024-09-14T16:30:12Z", "second"),
        (["date: {{date}}", "created: 2024-09-14"], "2024-09-14", "day"),
    ],
)
def test_dates_of_front_matter(read: Any, lines: list[str], time: str, precision: str) -> None:
    record = read(FORMAT, front(*lines)).only
    assert (record["_time"], record["_precision"], record["_certainty"]) == (time, precision, "stated")


def test_toml_front_matter(read: Any) -> None:
    record = read(FORMAT, "+++\ntitle = 'Jam'\ndate = 2024-09-14T10:00:00Z\ntags = ['a']\n+++\nText").only
    assert (record["_title"], record["_time"], record["_tags"]) == ("Jam", "2024-09-14T10:00:00Z", ["a"])


@pytest.mark.parametrize(
    ("body", "time"),
    [
        ("# 2024-09-14\n\nJam day.", "2024-09-14"),
        ("# Saturday, 14 September 2024\n\nJam day.", "2024-09-14"),
        ("# Jam (September 14th, 2024)\n\nx", "2024-09-14"),
        ("14 September 2024\n=================\n\nx", "2024-09-14"),
        ("**Date:** 2024-09-14\n\n# Jam\n", "2024-09-14"),
        ("2024-09-14\n\nJam **day**.", "2024-09-14"),
        ("# 14.09.2024 18:05\n\nx", "2024-09-14T18:05:00"),
        ("# 14 septembre 2024\n\nx", "2024-09-14"),
    ],
)
def test_a_date_heads_the_note(read: Any, body: str, time: str) -> None:
    record = read(FORMAT, body).only
    assert (record["_time"], record["_certainty"]) == (time, "stated")


@pytest.mark.parametrize(
    ("path", "time"),
    [
        ("notes/2024-09-14 Jam.md", "2024-09-14"),
        ("notes/20240914-jam.md", "2024-09-14"),
        ("notes/2024_09_14.md", "2024-09-14"),
        ("a.zip!diary/2024-09-14.md", "2024-09-14"),
    ],
)
def test_the_files_name_is_the_last_resort_and_an_assumption(read: Any, path: str, time: str) -> None:
    record = read(FORMAT, "# Jam\n\nPlums.", path=path).only
    assert (record["_time"], record["_precision"], record["_certainty"]) == (time, "day", "assumed")
    assert read(FORMAT, "# 2023-01-05\n\nPlums.", path=path).only["_time"] == "2023-01-05"


def test_a_note_without_a_date_is_kept_without_time(read: Any) -> None:
    outcome = read(FORMAT, "# Jam\n\nIn 3/4/2024 or 12/2024, who knows.", path="jam.md")
    assert "_time" not in outcome.only
    assert outcome.only["_title"] == "Jam"
    assert outcome.bad == []


def test_a_diary_is_one_note_per_dated_section(read: Any) -> None:
    text = "# Diary\n\nPreface here.\n\n## 2024-03-01\nRain. #sea\n\n### Later\nSun.\n\n## 2024-03-02 Market\n- figs\n"
    preface, first, second = read(FORMAT, text).records
    assert preface["_text"] == "# Diary\n\nPreface here."
    assert "_time" not in preface
    assert (first["_time"], first["_title"], first["_tags"]) == ("2024-03-01", "2024-03-01", ["sea"])
    assert "### Later" in first["_text"]
    assert (second["_time"], second["_title"], second["_items"]) == ("2024-03-02", "Market", ["figs"])
    assert len({preface["_id"], first["_id"], second["_id"]}) == 3


def test_a_diary_without_preface_has_only_its_days(read: Any) -> None:
    records = read(FORMAT, "# Diary\n\n## 2024-03-01\nRain.\n\n## 2024-03-02\nSun.").records
    assert [record["_time"] for record in records] == ["2024-03-01", "2024-03-02"]


def test_tags_and_lists_outside_code(read: Any) -> None:
    text = (
        "# Plan #1\n\nGo #travel/porto and #2024trip, not #42 or C#sharp or [x](#anchor) or `#code`.\n"
        "http://a.test/#frag\n\n- [x] book\n- [ ] pack\n1. one\n\n```\n#not\n- not\n```\n"
    )
    record = read(FORMAT, text).only
    assert record["_tags"] == ["travel/porto", "2024trip"]
    assert record["_items"] == ["book", "pack", "one"]
    assert record["_itemsDone"] == ["book"]


def test_a_rule_at_the_top_is_no_front_matter(read: Any) -> None:
    record = read(FORMAT, "---\njust words\n---\nmore").only
    assert record["_text"] == "---\njust words\n---\nmore"


def test_front_matter_that_is_no_yaml_is_read_line_by_line_and_reported(read: Any) -> None:
    outcome = read(FORMAT, front("title: Jam: the return", "date: 2024-09-14", "x: [unclosed"))
    assert outcome.only["_title"] == "Jam: the return"
    assert outcome.only["_time"] == "2024-09-14"
    assert outcome.reasons == ["front matter that is no YAML"]


def test_identifiers_are_stable_and_the_notes_own_where_it_has_one(read: Any) -> None:
    again = [read(FORMAT, "# A\n\ntext", path=path).only["_id"] for path in ("a.md", "b/c.md")]
    assert again[0] == again[1], "a note that is moved stays the same"
    assert read(FORMAT, front("id: note-7")).only["_id"] == "note-7"
    assert read(FORMAT, front("_id: evil")).only["_id"] != "evil"


@pytest.mark.parametrize(
    "block",
    [
        ALIASES,
        "a: " + "[" * 30_000,
        "- " * 20_000 + "x",
        "a: " + "9" * 60_000,
        "a: 2024-99-99",
        "? {a: b}\n: c",
        "a: !!python/object/apply:os.system ['true']",
        "x" * 100_000,
    ],
)
def test_hostile_front_matter_loses_nothing_else(read: Any, block: str) -> None:
    record = read(FORMAT, f"---\n{block}\n---\n\n# Jam\n\nPlums.").only
    assert record["_text"].endswith("# Jam\n\nPlums.")


def test_limits_and_empty_files(read: Any) -> None:
    with pytest.raises(HostileInput, match="larger"):
        read(FORMAT, "# a\n" + "x" * 2000, limits=Limits(record_bytes=1000))
    assert read(FORMAT, "\n \n").reasons == ["an empty note"]


@pytest.mark.parametrize(
    ("content", "path", "least"),
    [
        (front("title: x"), "x.bin", 0.8),
        ("# Heading\n\ntext", "x.bin", 0.7),
        ("Some **bold** text with [a link](https://a.test).", "x", 0.6),
        ("- figs\n- rye\n", "x", 0.3),
        ("Only words.", "words.md", 0.2),
    ],
)
def test_markdown_is_recognised_by_its_marks(make_file: Any, content: str, path: str, least: float) -> None:
    assert FORMAT.recognise(make_file(content, path)) == least


@pytest.mark.parametrize(
    "content",
    [
        "Only words.",
        "a,b,c\n1,**2**,3\n4,5,6\n",
        '{"a": "# b"}',
        "BEGIN:VCALENDAR\nDESCRIPTION:# x\n",
        "From a@b Mon Jan  1 00:00:00 2024\nSubject: x\n\n# Hi\n- a\n- b",
        "[01/02/24, 10:00:01] Ann: - a\n[01/02/24, 10:00:02] Bo: **b**\n[01/02/24, 10:00:03] Ann: c\n",
        "Title\n- Your Highlight\n==========\nTitle\n- Your Note\n==========\n",
        "# comment\n@prefix ev: <x> .\n",
        "<html><body># x</body></html>",
        "window.YTD.like.part0 = [ ]",
        "\x00\x01# x",
        "",
    ],
)
def test_other_texts_are_not(make_file: Any, content: str) -> None:
    assert FORMAT.recognise(make_file(content, "x.txt")) == 0.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fri, 1 March 2024 at 7:05 pm", "2024-03-01T19:05:00"),
        ("March 1st, 2024", "2024-03-01"),
        ("1. März 2024", "2024-03-01"),
        ("13/02/2024", "2024-02-13"),
        ("02/13/2024", "2024-02-13"),
        ("05/05/2024", "2024-05-05"),
        ("2024-02-30", None),
        ("03/04/2024", None),
        ("2024-13-01", None),
        ("1234-5678-90", None),
        ("March 2024", None),
        ("call 555-2024-01-02", None),
    ],
)
def test_dates_as_people_write_them(text: str, expected: str | None) -> None:
    found = date_at_start(text)
    assert (found.iso if found else None) == expected


def test_a_date_inside_a_heading() -> None:
    found = date_in("Notes from 1 March 2024, late")
    assert found is not None
    assert found.iso == "2024-03-01"


@pytest.mark.shared_data
def test_the_samples(read: Any, make_file: Any, shared_data: Path) -> None:
    folder = shared_data / "export-samples/markdown"
    tags = read(FORMAT, folder / "tags.md").only
    assert tags["_tags"] == ["travel", "planning/2026", "todo", "wishlist"]
    assert read(FORMAT, folder / "lists.md").only["_items"] == ["Bread", "Sourdough", "Milk", "Also"]
    for path in folder.iterdir():
        assert FORMAT.recognise(make_file(path.read_bytes(), "renamed.bin")) > 0.5


# ---------------------------------------------------------------- the map


def test_the_map_of_notes(mapped: Any) -> None:
    text = front(
        "title: Jam", "date: 2024-09-14T18:30:00Z", "tags: [plums]", "mood: calm", body="- [x] stir\n- [ ] wait"
    )
    event = mapped(FORMAT, text).only
    assert event["a"] == ["ev:Note"]
    assert event["ev:title"] == event["rdfs:label"] == ["Jam"]
    assert (event["ev:start"], event["ev:startInstant"]) == (["2024-09-14T19:30:00"], ["2024-09-14T18:30:00Z"])
    assert (event["ev:timePrecision"], event["ev:timeCertainty"]) == (["minute"], ["stated"])
    assert (event["ev:listItem"], event["ev:listItemDone"]) == (["stir", "wait"], ["stir"])
    assert (event["ev:tag"], event["key:mood"], event["ev:day"]) == (["plums"], ["calm"], ["2024-09-14"])


def test_the_map_of_notes_with_a_day_or_without(mapped: Any) -> None:
    event = mapped(FORMAT, "# 2024-09-14\n\nJam.").only
    assert (event["ev:start"], event["ev:timePrecision"]) == (["2024-09-14T00:00:00"], ["day"])
    assert "ev:startInstant" not in event
    assert "ev:start" not in mapped(FORMAT, "# Jam").only
