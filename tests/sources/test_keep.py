"""Google Keep notes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from reqap_kg.errors import SourceError
from reqap_kg.sources.notes.keep import FORMAT

CREATED = 1_700_000_000_123_000


def note(**keys: Any) -> str:
    return json.dumps(
        {
            "color": "DEFAULT",
            "isTrashed": False,
            "isPinned": True,
            "isArchived": False,
            "title": "Groceries",
            "userEditedTimestampUsec": CREATED + 5_000_000,
            "createdTimestampUsec": CREATED,
        }
        | keys
    )


def test_a_note_keeps_its_keys_and_its_time_of_creation(read: Any) -> None:
    record = read(FORMAT, note(textContent="Buy figs\r\n"), path="a.zip!Takeout/Keep/Groceries.json").only
    assert record["_text"] == "Buy figs"
    assert (record["_time"], record["_certainty"]) == (CREATED, "stated")
    assert record["_name"] == "Groceries"
    assert record["_id"] == f"Groceries-{CREATED}"
    assert record["color"] == "DEFAULT"
    assert record["isPinned"] is True


def test_a_checklist_is_items_and_text(read: Any) -> None:
    items = [{"text": "figs", "isChecked": True}, {"text": "rye", "isChecked": False}, {"text": " "}, "broken"]
    record = read(FORMAT, note(listContent=items)).only
    assert record["_items"] == ["figs", "rye"]
    assert record["_itemsDone"] == ["figs"]
    assert record["_text"] == "figs\nrye"


def test_newer_exports_with_html_only(read: Any) -> None:
    record = read(FORMAT, note(textContentHtml="<p>Rye &amp; figs</p><p>twice</p>")).only
    assert record["_text"] == "Rye & figs\n\ntwice"


def test_what_is_in_the_trash_is_kept_out_with_a_reason(read: Any) -> None:
    outcome = read(FORMAT, note(isTrashed=True, textContent="old"))
    assert outcome.records == []
    assert outcome.reasons == ["in the trash"]


def test_without_creation_the_last_edit_is_assumed(read: Any) -> None:
    record = read(FORMAT, note(textContent="x", createdTimestampUsec=0)).only
    assert (record["_time"], record["_certainty"]) == (CREATED + 5_000_000, "assumed")


@pytest.mark.parametrize("bad", [0, -5, "soon", None, True, 10**18, [1]])
def test_a_note_without_a_usable_time_is_kept_and_reported(read: Any, bad: Any) -> None:
    outcome = read(FORMAT, note(textContent="x", createdTimestampUsec=bad, userEditedTimestampUsec=bad))
    assert outcome.only["_time"] is None
    assert outcome.reasons == ["no usable time: kept without one"]


def test_an_empty_note_is_reported(read: Any) -> None:
    outcome = read(FORMAT, note(title="", textContent=""))
    assert outcome.records == []
    assert outcome.reasons == ["an empty note"]


@pytest.mark.parametrize(
    ("content", "score"),
    [
        (note(textContent="x"), 1.0),
        ('{"title": "a", "textContent": "b"}', 0.0),
        ('[{"isTrashed": false, "createdTimestampUsec": 1, "textContent": ""}]', 0.0),
        ("isTrashed createdTimestampUsec textContent isPinned", 0.0),
        ("", 0.0),
    ],
)
def test_it_is_recognised_by_its_keys(make_file: Any, content: str, score: float) -> None:
    assert FORMAT.recognise(make_file(content)) == score


@pytest.mark.parametrize("content", [note()[:-20], "[" * 100_000, '{"a":' * 100_000, "\xff", ""])
def test_broken_files_are_refused_as_a_whole(read: Any, content: str) -> None:
    with pytest.raises(SourceError):
        read(FORMAT, content)


@pytest.mark.shared_data
def test_the_samples(read: Any, make_file: Any, shared_data: Path) -> None:
    found = {path.stem: read(FORMAT, path) for path in (shared_data / "export-samples/google_keep").glob("*.json")}
    assert found["Deleted note"].reasons == ["in the trash"]
    assert len(found["Checklist note"].only["_items"]) == 5
    assert sum(len(outcome.records) for outcome in found.values()) == len(found) - 1


@pytest.mark.shared_data
@pytest.mark.parametrize(("persona", "zone"), [("p1", "Europe/Dublin"), ("p2", "America/Chicago")])
def test_the_personas_notes_agree_with_what_they_observed(
    read: Any, shared_data: Path, persona: str, zone: str
) -> None:
    folder = shared_data / "personas" / persona
    rows = [json.loads(line) for line in (folder / "observables.jsonl").read_text(encoding="utf-8").splitlines()]
    gold = {
        (row["title"], row["text"], row["start_date"], row["start_time"]) for row in rows if row["source"] == "note"
    }
    found = set()
    for path in (folder / "exports/Takeout/Keep").glob("*.json"):
        record = read(FORMAT, path).only
        moment = datetime.fromtimestamp(record["_time"] / 1e6, UTC).astimezone(ZoneInfo(zone))
        found.add((record["title"], record["_text"], f"{moment:%Y-%m-%d}", f"{moment:%H:%M:%S}"))
    assert found == gold


# ---------------------------------------------------------------- the map


def test_the_map_of_notes(mapped: Any) -> None:
    content = note(
        textContent="Buy #figs", labels=[{"name": "food"}, {"name": "home"}], annotations=[{"url": "https://a.test"}]
    )
    event = mapped(FORMAT, content, path="Keep/Groceries.json").only
    assert event["a"] == ["ev:Note"]
    assert (event["ev:title"], event["ev:text"], event["rdfs:label"]) == (["Groceries"], ["Buy #figs"], ["Groceries"])
    assert event["ev:start"] == ["2023-11-14T22:13:20.123"]
    assert event["ev:startInstant"] == ["2023-11-14T22:13:20.123Z"]
    assert event["ev:day"] == ["2023-11-14"]
    assert event["ev:tag"] == ["food", "home"]
    assert event["ev:url"] == ["https://a.test"]
    assert event["ev:sourceId"] == ["Groceries"]
    assert event["key:color"] == ["DEFAULT"]
    assert "key:textContent" not in event, "what ev:text says is not said again"


def test_the_map_of_checklists_and_of_notes_without_time(mapped: Any) -> None:
    event = mapped(FORMAT, note(listContent=[{"text": "figs", "isChecked": True}, {"text": "rye"}], title="")).only
    assert (event["ev:listItem"], event["ev:listItemDone"]) == (["figs", "rye"], ["figs"])
    assert event["rdfs:label"] == ["figs rye"]
    bare = mapped(FORMAT, note(textContent="x", createdTimestampUsec=0, userEditedTimestampUsec=0)).only
    assert not {"ev:start", "ev:day", "ev:timePrecision", "ev:timeCertainty"} & set(bare)
