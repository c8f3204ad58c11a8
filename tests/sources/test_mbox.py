"""Mails: mailboxes, recognition, hostile input, samples, the map."""

from __future__ import annotations

import base64
import io
import json
import mailbox
import tracemalloc
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from builders import ENVELOPE, eml, mbox
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.config import Limits
from reqap_kg.sources.mails.mail import FORMAT
from reqap_kg.sources.mails.mbox import split_mbox

# ---------------------------------------------------------------- mbox


def test_quoted_from_lines_are_unquoted_and_sentences_do_not_separate(read: Any) -> None:
    body = "First.\n\nFrom here it is far.\n>From the start\n>>From twice\n> From a quote"
    outcome = read(FORMAT, mbox(eml(body=body), eml("Message-ID: <2@a.test>")))
    assert len(outcome.records) == 2
    assert outcome.records[0]["_text"] == (
        "First.\n\nFrom here it is far.\nFrom the start\n>From twice\n> From a quote"
    )


PATCH = "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\n"


def test_a_patch_in_a_mail_is_no_mail_of_its_own(read: Any) -> None:
    patch = PATCH + "From: Bo <b@y.test>\nDate: Mon, 4 Mar 2024 09:00:00 +0100\nSubject: [PATCH] sums\n\n---\n"
    outcome = read(FORMAT, mbox(eml(body=f"See:\n\n{patch}"), eml("Message-ID: <2@a.test>")))
    assert [record["_id"] for record in outcome.records] == ["1@a.test", "2@a.test"]
    assert "[PATCH] sums" in outcome.records[0]["_text"]


def test_a_file_of_patches_is_a_mail_for_each(read: Any) -> None:
    found = read(FORMAT, "".join(PATCH + eml(f"Message-ID: <{number}@a.test>") + "\n" for number in (1, 2)))
    assert len(found.records) == 2


def test_a_dated_line_that_no_header_follows_goes_on_with_the_mail(read: Any) -> None:
    body = "He wrote\n\nFrom bo Mon Jan 1 10:00:00 2024\nwhich is the first line of the file."
    outcome = read(FORMAT, mbox(eml(body=body), eml("Message-ID: <2@a.test>")))
    assert len(outcome.records) == 2
    assert outcome.records[0]["_text"].endswith("of the file.")


def test_separators_without_dates_need_a_blank_line_before(read: Any) -> None:
    text = "From ann\n" + eml(body="x\nFrom y") + "\nFrom bo\n" + eml("Message-ID: <2@a.test>")
    assert [record["_text"] for record in read(FORMAT, text).records] == ["x\nFrom y", "Hello"]


def test_windows_line_ends_and_a_byte_order_mark(read: Any) -> None:
    text = "\ufeff" + mbox(eml(), eml("Message-ID: <2@a.test>", body="a\n\nb")).replace("\n", "\r\n")
    assert [record["_text"] for record in read(FORMAT, text).records] == ["Hello", "a\n\nb"]


def test_a_message_beyond_the_limit_keeps_its_beginning(read: Any) -> None:
    long = eml("Message-ID: <2@a.test>", body="words\n" + "x" * 70 + "\n" * 5000)
    outcome = read(FORMAT, mbox(eml(), long, eml("Message-ID: <3@a.test>")), limits=Limits(record_bytes=2000))
    assert [record["_id"] for record in outcome.records] == ["1@a.test", "2@a.test", "3@a.test"]
    assert outcome.records[1]["_text"].startswith("words\nxxx")
    assert outcome.reasons == ["longer than 2000 bytes: what follows was left out"]


def test_memory_is_that_of_one_message() -> None:
    class Endless(io.RawIOBase):
        def __init__(self) -> None:
            self._lines = self._make()

        def _make(self) -> Iterator[bytes]:
            for number in range(60):
                yield f"{ENVELOPE}Message-ID: <{number}@x>\n\n".encode()
                yield from [b"x" * 79 + b"\n"] * 1000

        def readline(self, size: int | None = -1) -> bytes:
            piece = next(self._lines, b"")
            head, sep, rest = piece.partition(b"\n")
            if rest:
                following = self._lines
                self._lines = iter([rest, *[]])
                lines = [rest]
                self._lines = (line for source in (lines, following) for line in source)
            return head + sep

    tracemalloc.start()
    count = sum(1 for _ in split_mbox(Endless(), 10**6))  # type: ignore[arg-type]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 60
    assert peak < 1_000_000, "5 MB of mails pass through"


@given(st.lists(st.text(alphabet="Fro m>\nab:1", max_size=60), max_size=4))
def test_no_line_is_lost_between_separators(bodies: list[str]) -> None:
    data = "".join(ENVELOPE + "A: b\n\n" + body.replace("\r", "") + "\n" for body in bodies).encode()
    found = list(split_mbox(io.BytesIO(data), 10**6))
    assert len(found) == len(bodies)
    for raw, body in zip(found, bodies, strict=True):
        assert raw.data.count(b"\n") == body.count("\n") + 3


# ---------------------------------------------------------------- recognition and hostile input


@pytest.mark.parametrize(
    ("content", "known"),
    [
        (mbox(eml()), True),
        ("From ann\nSubject: x\n\nHi", True),
        (eml(), True),
        ("Return-Path: <a@b>\nReceived: x\n by y\n\nHi", True),
        ("300\n" + eml(), True),
        ("From here on it is plain text\n\nwords", False),
        ("From: Ann\nThis is a letter", False),
        ("Subject: a note\nDate: 2024\n\nwords", False),
        ("title: x\nauthor: y\n\nz", False),
        ('{"From": "a"}', False),
        ("", False),
    ],
)
def test_recognition(make_file: Any, content: str, known: bool) -> None:
    assert (FORMAT.recognise(make_file(content)) > 0) is known


def test_apple_mails_files_end_after_their_length(read: Any) -> None:
    message = eml(body="Hello")
    assert read(FORMAT, f"{len(message.encode())}\n{message}<?xml version='1.0'?><plist/>").only["_text"] == "Hello"


@pytest.mark.parametrize(
    "hostile",
    [
        "Content-Type: multipart/mixed; boundary=a\n\n" + "--a\nContent-Type: multipart/mixed; boundary=a\n\n" * 3000,
        "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(2000)),
        "From: " + "(" * 50_000 + "\n\nx",
        "To: " + "a@b.test, " * 20_000 + "\n\nx",
        "Subject: " + "=?utf-8?q?" * 20_000 + "\n\nx",
        "Content-Type: text/plain; " + "".join(f"name*{n}*=x;" for n in range(3000)) + "\n\nx",
        "Content-Type: text/plain; charset=punycode\n\n" + "a-" * 100_000,
        "Content-Type: multipart/mixed\n\nno boundary",
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n%%%%",
        "Content-Disposition: attachment; filename*=x'y\n\nx",
        "\x00\x01\x02: x\n\n\x00",
    ],
)
def test_hostile_messages_do_not_lose_the_next_one(read: Any, hostile: str) -> None:
    outcome = read(FORMAT, mbox(hostile, eml()))
    assert outcome.records[-1]["_id"] == "1@a.test"
    assert len(outcome.records) + sum(record.count for record in outcome.bad) >= 2


# ---------------------------------------------------------------- samples


@pytest.mark.shared_data
def test_the_samples_split_as_the_standard_library_splits_them(read: Any, shared_data: Path) -> None:
    for path in sorted((shared_data / "export-samples/mail").glob("*.mbox")):
        expected = len(mailbox.mbox(path, create=False))
        assert len(read(FORMAT, path).records) == expected, path.name


@pytest.mark.shared_data
def test_the_samples(read: Any, shared_data: Path) -> None:
    folder = shared_data / "export-samples/mail"
    record = read(FORMAT, folder / "testRFC822-multipart").only
    assert (record["_attachments"], record["_sender"]) == (["logo.gif"], ["DigitalPebble"])
    assert "funky HTML code" in record["_text"]
    assert read(FORMAT, folder / "testRFC822_base64").only["_text"].endswith("voilà!")
    assert read(FORMAT, folder / "testRFC822_quoted").only["_text"].startswith("Düsseldorf")
    assert read(FORMAT, folder / "single_mail.mbox").only["_text"].startswith("Então talvez resolva")
    complex_mail = read(FORMAT, folder / "testMBOX_complex.mbox").only
    assert (complex_mail["_sender"], complex_mail["_recipient"]) == (["Some Person"], [])
    assert complex_mail["_text"].startswith("Dear Some Person,")


@pytest.mark.shared_data
@pytest.mark.parametrize(("persona", "zone"), [("p1", "Europe/Dublin"), ("p2", "America/Chicago")])
def test_the_personas_mails_agree_with_what_they_observed(
    read: Any, shared_data: Path, persona: str, zone: str
) -> None:
    folder = shared_data / "personas" / persona
    rows = [json.loads(line) for line in (folder / "observables.jsonl").read_text(encoding="utf-8").splitlines()]
    gold = {str(row["id"]): row for row in rows if row["source"] == "mail"}
    name = json.loads((folder / "profile.json").read_text(encoding="utf-8"))["name"]
    outcome = read(FORMAT, folder / "exports/mail.mbox", owner_names=(name,), now="2026-11-22T00:00:00")
    assert len(outcome.records) == len(gold)
    assert outcome.bad == []
    for record in outcome.records:
        row = gold[record["_id"].removesuffix("@mail.example")]
        moment = datetime.fromisoformat(record["_start"])
        if moment.utcoffset() is not None and not moment.utcoffset():
            moment = moment.astimezone(ZoneInfo(zone))
        assert moment.replace(tzinfo=None).isoformat() == row["timestamp"]
        assert record["_sender"] == [row["sender"]]
        assert record["_recipient"] == [row["recipient"]]
        assert record["Subject"] == row["subject"]
        assert record["_text"].split() == row["text"].split()
        assert record["_direction"] == ("sent" if row["sender"] == name else "received")


# ---------------------------------------------------------------- the map


def test_the_map_of_mails(mapped: Any) -> None:
    event = mapped(FORMAT, eml("Cc: Cy <cy@c.test>", "X-Mailer: Quill", "X-Gmail-Labels: Home,Trips")).only
    assert event["a"] == ["ev:Mail"]
    assert event["ev:subject"] == event["rdfs:label"] == ["Figs"]
    assert (event["ev:sender"], event["ev:senderAddress"]) == (["Ann Lee"], ["ann@a.test"])
    assert (event["ev:recipient"], event["ev:copyRecipient"]) == (["Bo"], ["Cy"])
    assert event["ev:recipientAddress"] == ["bo@b.test", "cy@c.test"]
    assert (event["ev:start"], event["ev:startInstant"]) == (["2024-03-04T17:30:00"], ["2024-03-04T18:30:00+01:00"])
    assert (event["ev:text"], event["ev:tag"], event["ev:thread"]) == (["Hello"], ["Home", "Trips"], ["1@a.test"])
    assert event["key:header"] == ["X-Mailer: Quill"]
    assert "key:Subject" not in event


@pytest.mark.parametrize(
    ("labels", "tags", "others"),
    [
        ("Inbox,Opened,Category Updates,Trips", ["Trips"], ["Inbox", "Opened", "Category Updates"]),
        ("[Gmail]/Important,Starred", ["Starred"], ["[Gmail]/Important"]),
        ("Posteingang,Geöffnet,Haus", ["Haus"], ["Posteingang", "Geöffnet"]),
        ("Sent", None, ["Sent"]),
    ],
)
def test_only_labels_that_a_person_gave_are_tags(
    mapped: Any, labels: str, tags: list[str] | None, others: list[str]
) -> None:
    encoded = base64.b64encode(labels.encode()).decode()
    event = mapped(FORMAT, eml(f"X-Gmail-Labels: =?utf-8?B?{encoded}?=")).only
    assert event.get("ev:tag") == tags
    assert event["key:labels"] == others


def test_the_map_of_mails_without_date_or_subject(mapped: Any) -> None:
    event = mapped(FORMAT, eml("Date: soon", "Subject: ")).only
    assert "ev:start" not in event
    assert event["rdfs:label"] == ["Hello"]
    assert event["key:Date"] == ["soon"]


def test_a_header_that_is_called_as_an_attribute_is_none(mapped: Any) -> None:
    """Its name is the sender's: a question about runs must not find one in "Run: 5"."""
    event = mapped(FORMAT, eml("Run: 5")).only
    assert event["key:header"] == ["Run: 5"]
    assert not any("run" in name.lower() for name in event)
