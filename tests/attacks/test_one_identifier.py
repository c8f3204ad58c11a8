"""An identifier that two different records state makes no event with the times and words of both."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest
from damaged_exports import AMAZON
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.importing.report import IngestReport
from reqap_kg.sources.base import ReadContext, Tally, digest
from reqap_kg.sources.unique_identifiers import UniqueIdentifiers
from reqap_kg.store.generations import open_graph

OPTIONS = IngestOptions(Settings(), datetime(2025, 3, 1, 12), "UTC")
Content = tuple[int, str]
"""The day of a record, and its words."""
CONTENTS: tuple[Content, ...] = ((1, "Flight"), (8, "Spam"), (1, "Spam"), (8, "Flight"))
_SAID = "SELECT ?e ?what ?said { ?e ev:source ?x ; ?what ?said FILTER(?what IN (ev:start, ev:sender, rdfs:label)) }"


def mail(content: Content, number: int = 0) -> str:
    day, words = content
    return (
        f"Received: by hop{number}.test; Mon, 01 Jan 2024 10:00:0{number} +0000\nMessage-ID: <a@x>\n"
        f"From: {words} <{words}@x.test>\nTo: me@x.test\nDate: Mon, {day:02d} Jan 2024 10:00:00 +0000\n"
        f"Subject: {words}\n\nText of {words}.\n\n"
    )


def entry(content: Content, *more: str) -> str:
    day, words = content
    lines = ["UID:u1", f"DTSTART:202401{day:02d}T100000Z", f"SUMMARY:{words}", *more]
    return "\r\n".join(["BEGIN:VEVENT", *lines, "END:VEVENT", ""])


def calendar(*entries: str, name: str = "X-WR-CALNAME:Rhys") -> str:
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n{name}\r\n{''.join(entries)}END:VCALENDAR\r\n"


def mbox(contents: Sequence[Content]) -> str:
    return "".join(f"From x Mon Jan 01 10:00:00 2024\n{mail(content, n)}" for n, content in enumerate(contents))


def toot(content: Content) -> dict[str, object]:
    day, words = content
    post = {"id": "o/1", "type": "Note", "published": f"2024-01-{day:02d}T00:00:00Z", "content": words}
    return {"id": "a/1", "type": "Create", "actor": "me", "published": post["published"], "object": post}


def tweet(content: Content) -> dict[str, object]:
    day, words = content
    at = f"Mon Jan {day:02d} 09:15:00 +0000 2024"
    return {"tweet": {"id_str": "1", "created_at": at, "full_text": words, "entities": {"urls": []}}}


WRITTEN: dict[str, Callable[[Sequence[Content]], str]] = {
    "one.eml": lambda contents: mail(contents[0]),
    "mail.mbox": mbox,
    "outbox.json": lambda contents: json.dumps({"@context": "x", "orderedItems": [toot(one) for one in contents]}),
    "tweets.js": lambda contents: "window.YTD.tweets.part0 = " + json.dumps([tweet(one) for one in contents]),
    "list.json": lambda contents: json.dumps(
        [
            {"id": 1, "source": "mail", "sender": words, "subject": words, "date": f"2024-01-{day:02d}"}
            for day, words in contents[:1]
        ]
    ),
    "note.md": lambda contents: f"---\nid: 1\ntitle: {contents[0][1]}\ndate: 2024-01-{contents[0][0]:02d}\n---\nx\n",
    "mine.ics": lambda contents: calendar(*(entry(one) for one in contents[:1])),
}


def written(folder: Path, name: str, files: Sequence[Sequence[Content]]) -> None:
    for number, contents in enumerate(files):
        place = folder / f"{number}"
        place.mkdir()
        (place / name).write_text(WRITTEN[name](contents), encoding="utf-8", newline="")


def imported(folder: Path) -> IngestReport:
    return ingest([folder / "in"], folder / "store", OPTIONS)


def said(folder: Path) -> dict[str, dict[str, set[str]]]:
    """By event, what is said of it of each kind."""
    found: dict[str, dict[str, set[str]]] = {}
    with open_graph(folder / "store") as graph:
        for event, what, value in graph.select(_SAID):
            found.setdefault(str(event), {}).setdefault(str(what), set()).add(str(value))
    return found


def _read(name: str, contents: Sequence[Content]) -> Sequence[Content]:
    return contents if name in ("mail.mbox", "outbox.json", "tweets.js") else contents[:1]


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_one_event_says_one_thing(name: str) -> None:
    @settings(max_examples=3)
    @given(st.lists(st.lists(st.sampled_from(CONTENTS), min_size=1, max_size=3), min_size=1, max_size=3))
    def holds(files: list[list[Content]]) -> None:
        with TemporaryDirectory() as place:
            folder = Path(place)
            (folder / "in").mkdir()
            written(folder / "in", name, files)
            report = imported(folder)
            found = said(folder)
            assert all(len(values) == 1 for kinds in found.values() for values in kinds.values()), found
            different = {content for contents in files for content in _read(name, contents)}
            assert len(found) == len(different) == sum(source.events for source in report.sources)
            (told,) = report.sources
            apart = len(different) - 1
            assert any(f"{apart} record" in line and "own" in line for line in told.told) is (apart > 0)
            assert told.events + told.merged + told.skipped_count == told.records
            assert [source.state for source in imported(folder).sources] == ["unchanged"]
            assert said(folder) == found

    holds()


@pytest.mark.smoke
def test_the_same_mail_in_two_folders_is_one_however_it_was_filed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, more in (("a", "X-Gmail-Labels: Sent\n"), ("b", "X-Gmail-Labels: Inbox\n")):
        zoned = mail((1, "Flight")).replace("10:00:00 +0000\nSub", "12:00:00 +0200\nSub")
        (tmp_path / "in" / f"{name}.eml").write_text(more + zoned)
    report = imported(tmp_path)
    assert report.sources[0].reasons() == {"the same message again": 1}
    assert [len(values) for kinds in said(tmp_path).values() for values in kinds.values()] == [1, 1, 1]


OLDER, NEWER = (1, "Dentist"), (5, "Dentist, moved")
VERSIONS = {
    "sequence": ("SEQUENCE:0", "SEQUENCE:2"),
    "modified": ("LAST-MODIFIED:20240101T000000Z", "LAST-MODIFIED:20240102T000000Z"),
    "stamp": ("DTSTAMP:20240101T000000Z", "DTSTAMP:20240102T000000Z"),
}


@pytest.mark.parametrize("newest_first", [True, False])
@pytest.mark.parametrize("kind", sorted(VERSIONS))
def test_a_newer_export_of_a_calendar_stands_for_the_older(kind: str, newest_first: bool, tmp_path: Path) -> None:
    old, new = VERSIONS[kind]
    texts = [calendar(entry(OLDER, old)), calendar(entry(NEWER, new))]
    (tmp_path / "in").mkdir()
    for name, text in zip(("b", "a") if newest_first else ("a", "b"), texts, strict=True):
        (tmp_path / "in" / f"{name}.ics").write_text(text, newline="")
    report = imported(tmp_path)
    (only,) = said(tmp_path).values()
    assert any("moved" in label for values in only.values() for label in values)
    assert report.sources[0].reasons() == {"an older version of an entry": 1}


@pytest.mark.parametrize(
    "other",
    [
        calendar(entry(NEWER, "SEQUENCE:9"), name="X-WR-CALNAME:Rhys\r\nMETHOD:REQUEST"),
        calendar(entry(NEWER, "SEQUENCE:9")).replace("PRODID:x", "PRODID:y"),
        calendar(entry(NEWER)),
    ],
    ids=["an invitation", "of another program", "of no other version"],
)
def test_entries_of_which_none_is_the_newer_stay_apart(other: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "mine.ics").write_text(calendar(entry(OLDER)), newline="")
    (tmp_path / "in" / "other.ics").write_text(other, newline="")
    imported(tmp_path)
    found = said(tmp_path)
    assert len(found) == 2
    assert all(len(values) == 1 for kinds in found.values() for values in kinds.values())


def test_a_refused_file_takes_nobodys_place(tmp_path: Path) -> None:
    """What stood in a file that is refused in the end is no record that the next file repeats."""
    (tmp_path / "in").mkdir()
    keys = "".join(f"{name}: 1\n" for name in ("Reply-To", "Return-Path", "Delivered-To", "List-Id", "Keywords", "X-1"))
    (tmp_path / "in" / "a.eml").write_text(keys + mail((1, "Flight")))
    (tmp_path / "in" / "b.eml").write_text(mail((1, "Flight")))
    tight = OPTIONS.settings.limits.model_copy(update={"source_keys": 7})
    options = IngestOptions(OPTIONS.settings.model_copy(update={"limits": tight}), OPTIONS.now, "UTC")
    report = ingest([tmp_path / "in"], tmp_path / "store", options)
    assert [refused.path[-5:] for refused in report.refused] == ["a.eml"]
    assert len(said(tmp_path)) == 1


def test_orders_of_one_number(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "Retail.OrderHistory.1.csv").write_text(AMAZON)
    (tmp_path / "in" / "Retail.OrderHistory.2.csv").write_text(AMAZON.replace("2024-01-01", "2024-06-01"))
    imported(tmp_path)
    found = said(tmp_path)
    assert len(found) == 2
    assert all(len(values) == 1 for kinds in found.values() for values in kinds.values())


def test_nobody_takes_the_identifier_that_another_mail_will_have() -> None:
    """Whoever knows a mail knows the hash that keeps it apart from another of its Message-ID."""
    context = ReadContext(ZoneInfo("UTC"), "2025-03-01T12:00:00")
    apart = UniqueIdentifiers(Tally("a.mbox"), context, key="Message-ID", again="the same message again")
    records = [{"_id": "a@x"}, {"_id": f"a@x#{digest(('Flight',))}"}, {"_id": "a@x"}]
    kept = [
        apart.take(record, "here", words) for record, words in zip(records, ("Decoy", "Forged", "Flight"), strict=True)
    ]
    assert all(kept)
    assert len({record["_id"] for record in records}) == 3
