"""Mails from mbox and eml: splitting, headers, dates, bodies."""

from __future__ import annotations

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
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.config import Limits
from reqap_kg.sources.mail import FORMAT
from reqap_kg.sources.mail_headers import addresses, decode_words, parse_date
from reqap_kg.sources.mbox import envelope_date, split_mbox

ENVELOPE = "From MAILER-DAEMON Tue Mar 05 08:00:00 2024\n"


def eml(*headers: str, body: str = "Hello") -> str:
    own = {line.split(":")[0] for line in headers}
    basic = {
        "From": "Ann Lee <ann@a.test>",
        "To": "Bo <bo@b.test>",
        "Subject": "Figs",
        "Date": "Mon, 04 Mar 2024 18:30:00 +0100",
        "Message-ID": "<1@a.test>",
    }
    lines = [*headers, *(f"{name}: {value}" for name, value in basic.items() if name not in own)]
    return "\n".join(lines) + f"\n\n{body}\n"


def mbox(*messages: str) -> str:
    return "\n".join(ENVELOPE + message for message in messages)


# ---------------------------------------------------------------- messages


def test_a_mail_has_its_people_subject_time_and_text(read: Any) -> None:
    record = read(FORMAT, eml("Cc: Cy <cy@c.test>, dee@d.test", "X-Mailer: Quill 2")).only
    assert (record["_sender"], record["_senderAddress"]) == (["Ann Lee"], ["ann@a.test"])
    assert (record["_recipient"], record["_recipientAddress"]) == (["Bo"], ["bo@b.test"])
    assert (record["_copy"], record["_copyAddress"]) == (["Cy", "dee@d.test"], ["cy@c.test", "dee@d.test"])
    assert (record["Subject"], record["_text"], record["_id"]) == ("Figs", "Hello", "1@a.test")
    assert (record["_start"], record["_instant"]) == ("2024-03-04T17:30:00Z", "2024-03-04T18:30:00+01:00")
    assert record["_certainty"] == "stated"
    assert record["X-Mailer"] == "Quill 2", "headers that nobody names are kept"


def test_what_the_owner_sent_counts_by_the_clock_where_it_was_written(read: Any) -> None:
    for owner in ("ann  LEE", "ANN@a.test"):
        record = read(FORMAT, eml(), owner_names=(owner,)).only
        assert (record["_direction"], record["_start"]) == ("sent", "2024-03-04T18:30:00+01:00")
    record = read(FORMAT, eml(), owner_names=("Bo",)).only
    assert (record["_direction"], record["_start"]) == ("received", "2024-03-04T17:30:00Z")
    assert read(FORMAT, eml()).only["_direction"] is None


def test_gmails_labels_tell_direction_and_drafts(read: Any) -> None:
    record = read(FORMAT, eml('X-Gmail-Labels: Sent,=?UTF-8?Q?Fam=C3=ADlia?=,"a, b"', "X-GM-THRID: 77")).only
    assert record["_labels"] == ["Sent", "Família", "a, b"]
    assert (record["_direction"], record["_thread"]) == ("sent", "77")
    outcome = read(FORMAT, eml("X-Gmail-Labels: Drafts"))
    assert outcome.records == []
    assert outcome.reasons == ["a draft that was not sent"]


def test_threads_go_back_to_the_first_mail(read: Any) -> None:
    record = read(FORMAT, eml("References: <a@x>\n <b@x>", "In-Reply-To: <b@x>")).only
    assert (record["_thread"], record["_inReplyTo"]) == ("a@x", "b@x")
    assert read(FORMAT, eml()).only["_thread"] == "1@a.test", "a first mail begins its own thread"
    assert read(FORMAT, eml("In-Reply-To: <z@x>")).only["_thread"] == "z@x"


def test_without_message_id_the_identifier_is_stable(read: Any) -> None:
    text = eml("Message-ID: ")
    assert read(FORMAT, text).only["_id"] == read(FORMAT, mbox(text)).only["_id"]
    assert read(FORMAT, text).only["_id"] != read(FORMAT, eml("Message-ID: ", body="other")).only["_id"]


def test_the_same_message_twice_is_one(read: Any) -> None:
    outcome = read(FORMAT, mbox(eml(), eml(), eml("Message-ID: <2@a.test>")))
    assert [record["_id"] for record in outcome.records] == ["1@a.test", "2@a.test"]
    assert outcome.reasons == ["the same message again"]
    assert outcome.bad[0].where == "message 2 (line 10)"


def test_mails_that_were_deleted_in_thunderbird_are_kept_out(read: Any) -> None:
    assert read(FORMAT, eml("X-Mozilla-Status: 0009")).reasons == ["deleted in the mail program"]
    assert read(FORMAT, eml("X-Mozilla-Status: 0001")).only["Subject"] == "Figs"


# ---------------------------------------------------------------- dates


def test_bad_dates_fall_back_and_are_reported(read: Any) -> None:
    hop = "Received: from x by y; Mon, 4 Mar 2024 10:00:00 -0500"
    outcome = read(FORMAT, eml("Date: yesterday", hop))
    assert (outcome.only["_start"], outcome.only["_certainty"]) == ("2024-03-04T15:00:00Z", "assumed")
    assert outcome.reasons == ["a date that is wrong or without zone: its time is assumed"]
    outcome = read(FORMAT, mbox(eml("Date: ")))
    assert (outcome.only["_start"], outcome.only["_certainty"]) == ("2024-03-05T08:00:00", "assumed")
    outcome = read(FORMAT, eml("Date: Mon, 04 Mar 2097 18:30:00 +0100", hop))
    assert outcome.only["_start"] == "2024-03-04T15:00:00Z", "a date after the import is no date"


def test_a_mail_without_any_date_is_kept_without_time_and_reported(read: Any) -> None:
    outcome = read(FORMAT, eml("Date: 99 Foo"))
    assert "_start" not in outcome.only
    assert outcome.reasons == ["no usable date: kept without a time"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tue, 9 Jun 2009 23:58:45 -0400", "2009-06-09T23:58:45-04:00"),
        ("9 Jun 09 23:58 GMT", "2009-06-09T23:58:00+00:00"),
        ("Tue, 09 Jun 2009 23:58:45 +0200 (CEST)", "2009-06-09T23:58:45+02:00"),
        ("Tue, 09 Jun 2009 23:58:45 -0000", "2009-06-09T23:58:45+00:00"),
        ("Tue, 09 Jun 2009 23:58:45", "2009-06-09T23:58:45"),
        ("2009-06-09T23:58:45+02:00", "2009-06-09T23:58:45+02:00"),
        ("Tue, 31 Feb 2009 23:58:45 +0000", None),
        ("Tue, 09 Jun 2009 23:58:45 +9999", None),
        ("Tue, 09 Jun 2009 23:58:45 CEST", "2009-06-09T23:58:45"),
        ("Tue, 09 Jun 2009 23:58:45 PDT", "2009-06-09T23:58:45-07:00"),
        ("Tue Jun  9 23:58:45 2009", "2009-06-09T23:58:45"),
        ("soon", None),
        ("", None),
    ],
)
def test_dates_of_headers(text: str, expected: str | None) -> None:
    moment = parse_date(text)
    assert (moment.isoformat() if moment else None) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("From a@b Mon Jun 01 10:00:00 2009", "2009-06-01T10:00:00"),
        ("From - Mon Jun  1 10:00:00 2009", "2009-06-01T10:00:00"),
        ("From 16@xxx Tue Mar 03 10:11:12 +0000 2020", "2020-03-03T10:11:12+00:00"),
        ("From a Mon Jun 01 10:00 2009 remote from x", "2009-06-01T10:00:00"),
        ("From a Mon Jux 01 10:00:00 2009", None),
        ("From a", None),
    ],
)
def test_dates_of_separators(line: str, expected: str | None) -> None:
    moment = envelope_date(line)
    assert (moment.isoformat() if moment else None) == expected


# ---------------------------------------------------------------- headers


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("=?utf-8?q?In=C3=AAs?= Duarte", "Inês Duarte"),
        ("=?UTF-8?B?w4k=?= =?utf-8?b?dMOp?=", "Été"),
        ("=?iso-8859-1?Q?a_b?= and =?nope?q?c=E9?=", "a b and cé"),
        ("=?utf-8?q?=E2=82?= =?utf-8?q?=AC5?=", "€5"),
        ("=?utf-8*en?q?x?=", "x"),
        ("plain = ? text", "plain = ? text"),
    ],
)
def test_encoded_words(raw: str, expected: str) -> None:
    assert decode_words(raw) == expected


def test_broken_base64_in_a_header_is_survived() -> None:
    assert decode_words("=?utf-8?b?w?= x").endswith(" x")


def test_headers_in_undeclared_character_sets(read: Any) -> None:
    for encoding in ("utf-8", "cp1252"):
        record = read(FORMAT, eml("Subject: Café für José", "From: José <j@x.test>").encode(encoding)).only
        assert (record["Subject"], record["_sender"]) == ("Café für José", ["José"])


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Ann <a@x.test>, b@y.test", [("Ann", "a@x.test"), ("b@y.test", "b@y.test")]),
        ('"Lee, Ann" <a@x.test>', [("Lee, Ann", "a@x.test")]),
        ("Lee, Ann <a@x.test>, Bo <b@y.test>", [("Lee, Ann", "a@x.test"), ("Bo", "b@y.test")]),
        ("'Ann' <a@x.test>", [("Ann", "a@x.test")]),
        ("=?utf-8?q?Z=C3=B3?= <z@x.test>", [("Zó", "z@x.test")]),
        ("Friends: a@x.test, b@y.test;", [("a@x.test", "a@x.test"), ("b@y.test", "b@y.test")]),
        ("undisclosed-recipients:;", []),
        ("a@x.test, A@X.TEST", [("a@x.test", "a@x.test")]),
        ("Ann", [("Ann", "")]),
        ("", []),
        ("(" * 5000 + "a@x.test", None),
    ],
)
def test_addresses(raw: str, expected: list[tuple[str, str]] | None) -> None:
    found = [(person.name, person.address) for person in addresses([raw])]
    assert expected is None or found == expected


# ---------------------------------------------------------------- bodies


def multipart(kind: str, *parts: tuple[str, str]) -> str:
    inner = "".join(f"--XX\n{headers}\n\n{body}\n" for headers, body in parts)
    return eml(f"Content-Type: multipart/{kind}; boundary=XX", body=f"{inner}--XX--")


def test_plain_text_is_preferred_to_html(read: Any) -> None:
    text = multipart(
        "alternative", ("Content-Type: text/plain", "plain words"), ("Content-Type: text/html", "<p>html</p>")
    )
    assert read(FORMAT, text).only["_text"] == "plain words"


def test_html_where_the_plain_part_is_a_stand_in(read: Any) -> None:
    for stand_in in ("", "Please use an HTML mail reader."):
        text = multipart(
            "alternative",
            ("Content-Type: text/plain", stand_in),
            ("Content-Type: text/html", "<p>Your table for <b>two</b> is booked for Tuesday evening.</p>"),
        )
        assert read(FORMAT, text).only["_text"] == "Your table for two is booked for Tuesday evening."


def test_attachments_are_named_and_their_content_left_out(read: Any) -> None:
    text = multipart(
        "mixed",
        ("Content-Type: text/plain", "see there"),
        ("Content-Type: application/pdf; name=a.pdf\nContent-Disposition: attachment", "JVBERi0="),
        ("Content-Disposition: attachment; filename*=utf-8''caf%C3%A9.txt", "secret text"),
        ('Content-Type: image/png; name="=?utf-8?q?b=C3=A9.png?="\nContent-Disposition: attachment', "x"),
        ("Content-Type: image/png; name=logo.png\nContent-ID: <1>", "x"),
        ("Content-Type: message/rfc822", "Subject: Forwarded\n\nold"),
        ("Content-Type: text/plain", "-- the list"),
    )
    record = read(FORMAT, text).only
    assert record["_text"] == "see there\n\n-- the list"
    assert record["_attachments"] == ["a.pdf", "café.txt", "bé.png", "Forwarded"]


@pytest.mark.parametrize(
    ("header", "body", "expected"),
    [
        ("text/plain; charset=utf-8", "café".encode(), "café"),
        ("text/plain; charset=us-ascii", "café".encode("cp1252"), "café"),
        ("text/plain; charset=no-such", "café".encode(), "café"),
        ("text/plain", b"a\r\nb\r\n", "a\nb"),
        ("text/plain; format=flowed", b"one \ntwo\n\nthree\n-- \nAnn", "one two\n\nthree\n--\nAnn"),
        ("text/html; charset=utf-8", "<p>x&nbsp;é</p>".encode(), "x é"),
        ("text/plain", b"<html><body><p>y</p></body></html>", "y"),
    ],
)
def test_bodies_in_all_character_sets(read: Any, header: str, body: bytes, expected: str) -> None:
    data = eml(f"Content-Type: {header}", "Content-Transfer-Encoding: 8bit", body="").encode() + body
    assert read(FORMAT, data).only["_text"] == expected


def test_transfer_encodings(read: Any) -> None:
    quoted = eml(
        "Content-Transfer-Encoding: quoted-printable", "Content-Type: text/plain; charset=utf-8", body="caf=C3=A9 =\nx"
    )
    assert read(FORMAT, quoted).only["_text"] == "café x"
    base64 = eml("Content-Transfer-Encoding: base64", "Content-Type: text/plain; charset=utf-8", body="Y2Fmw6k")
    assert read(FORMAT, base64).only["_text"] == "café"


# ---------------------------------------------------------------- mbox


def test_quoted_from_lines_are_unquoted_and_sentences_do_not_separate(read: Any) -> None:
    body = "First.\n\nFrom here it is far.\n>From the start\n>>From twice\n> From a quote"
    outcome = read(FORMAT, mbox(eml(body=body), eml("Message-ID: <2@a.test>")))
    assert len(outcome.records) == 2
    assert outcome.records[0]["_text"] == (
        "First.\n\nFrom here it is far.\nFrom the start\n>From twice\n> From a quote"
    )


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
    assert event["key:X-Mailer"] == ["Quill"]
    assert "key:Subject" not in event


def test_the_map_of_mails_without_date_or_subject(mapped: Any) -> None:
    event = mapped(FORMAT, eml("Date: soon", "Subject: ")).only
    assert "ev:start" not in event
    assert event["rdfs:label"] == ["Hello"]
    assert event["key:Date"] == ["soon"]
