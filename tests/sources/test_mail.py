"""Mails from mbox and eml: splitting, headers, dates, bodies."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from builders import eml, mbox

from reqap_kg.sources.mails.labels import _NAMES, _plain
from reqap_kg.sources.mails.mail import FORMAT
from reqap_kg.sources.mails.mail_headers import addresses, decode_words, parse_date
from reqap_kg.sources.mails.mbox import envelope_date

# ---------------------------------------------------------------- messages


def test_a_mail_has_its_people_subject_time_and_text(read: Any) -> None:
    record = read(FORMAT, eml("Cc: Cy <cy@c.test>, dee@d.test", "X-Mailer: Quill 2")).only
    assert (record["_sender"], record["_senderAddress"]) == (["Ann Lee"], ["ann@a.test"])
    assert (record["_recipient"], record["_recipientAddress"]) == (["Bo"], ["bo@b.test"])
    assert (record["_copy"], record["_copyAddress"]) == (["Cy", "dee@d.test"], ["cy@c.test", "dee@d.test"])
    assert (record["Subject"], record["_text"], record["_id"]) == ("Figs", "Hello", "1@a.test")
    assert (record["_start"], record["_instant"]) == ("2024-03-04T17:30:00Z", "2024-03-04T18:30:00+01:00")
    assert record["_certainty"] == "stated"
    assert record["header"] == ["X-Mailer: Quill 2"], "headers that nobody names are kept"


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


@pytest.mark.parametrize(
    ("labels", "direction"),
    [
        ("Posteingang,Geöffnet", "received"),
        ("Gesendet", "sent"),
        ("Entwürfe", None),
        ("Messages envoyés,Ouvert", "sent"),
        ("Brouillons", None),
        ("Recibidos,Importante", "received"),
        ("Borradores", None),
        ("Enviados", "sent"),
        ("Posta inviata", "sent"),
        ("Bozze", None),
        ("Postvak IN", "received"),
        ("Concepten", None),
        ("Wersje robocze", None),
        ("Odeslaná pošta", "sent"),
        ("Черновики", None),
        ("Отправленные", "sent"),
        ("Gelen Kutusu", "received"),
        ("Taslaklar", None),
        ("下書き", None),
        ("送信済み", "sent"),
        ("寄件備份", "sent"),
        ("收件箱", "received"),
        ("임시보관함", None),
        ("טיוטות", None),
        ("البريد الوارد", "received"),
        ("भेजे गए", "sent"),
        ("Thư nháp", None),
        ("Kotak Masuk", "received"),
        ("Utkast", None),
        ("[Gmail]/Gesendet", "sent"),
        ("\\Sent", "sent"),
    ],
)
def test_labels_in_the_accounts_language(read: Any, labels: str, direction: str | None) -> None:
    encoded = base64.b64encode(labels.encode()).decode()
    outcome = read(FORMAT, eml(f"X-Gmail-Labels: =?utf-8?B?{encoded}?="))
    assert [record["_direction"] for record in outcome.records] == ([direction] if direction else [])
    assert outcome.reasons == ([] if direction else ["a draft that was not sent"])


def test_no_name_of_a_label_means_two_things() -> None:
    names = [_plain(name) for names in _NAMES.values() for name in {_plain(name) for name in names.split("|")}]
    assert len(names) == len(set(names)) > 400


def test_labels_that_nobody_knows_are_told(read: Any) -> None:
    outcome = read(FORMAT, eml("X-Gmail-Labels: Qeqqa,Nuuk"))
    assert outcome.only["_direction"] is None
    assert outcome.reasons == ["labels that tell neither sent nor received: Qeqqa, Nuuk"]
    arrived = read(FORMAT, eml("X-Gmail-Labels: Qeqqa", "Delivered-To: bo@b.test"))
    assert (arrived.only["_direction"], arrived.bad) == ("received", [])


def test_folders_and_marks_of_mail_programs_tell_drafts_and_directions(read: Any) -> None:
    for path, direction in (("x/Gesendet.mbox", "sent"), ("x/Sent Messages.mbox/mbox", "sent"), ("INBOX", "received")):
        assert read(FORMAT, mbox(eml()), path=path).only["_direction"] == direction
    assert read(FORMAT, mbox(eml()), path="Takeout/Mail/Entwürfe.mbox").reasons == ["a draft that was not sent"]
    for mark in ("X-Mozilla-Draft-Info: internal/draft; vcard=0", "X-Uniform-Type-Identifier: com.apple.mail-draft"):
        assert read(FORMAT, eml(mark)).reasons == ["a draft that was not sent"]


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
        ("=?utf-8?Q?really=3F_yes?no?=", "really? yes?no"),
        ("=?utf-8?B?w4l0w6k=", "Été"),
        ("is 1 =?what?q? or", "is 1 =?what?q? or"),
        ("=?utf-8?Q?=41?==?utf-8?Q?b?=", "Ab"),
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
        ("=?iso-8859-1?Q?M=FCller=2C_Eva?= <e@x.test>", [("Müller, Eva", "e@x.test")]),
        ("=?utf-8?Q?Müller,_Eva?= <e@x.test>, b@y.test", [("Müller, Eva", "e@x.test"), ("b@y.test", "b@y.test")]),
        ("=?utf-8?Q?Team:_Eva_(work)?= <e@x.test>", [("Team: Eva (work)", "e@x.test")]),
        ('=?utf-8?Q?"Eva_Dr=C3=BC?= =?utf-8?Q?cker"_<e@x.test>?=', [("Eva Drücker", "e@x.test")]),
        ('=?utf-8?Q?"Eva=2C_M=C3=BCller"_<e@x.test>?=', [("Eva, Müller", "e@x.test")]),
        ("=?utf-8?Q?e@x.test?= <e@x.test>", [("e@x.test", "e@x.test")]),
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


CHINESE, KOREAN, THAI = "我的狗叫㎜", "펲시맨 똠방각하", "สวัสดี ครับ"


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("gb2312", "gb18030", CHINESE),
        ("GB_2312-80", "gbk", "朱镕基"),
        ("gbk", "gb18030", "㐀"),
        ("ks_c_5601-1987", "cp949", KOREAN),
        ("KS_C_5601", "cp949", KOREAN),
        ("euc-kr", "cp949", KOREAN),
        ("windows-874", "cp874", THAI),
        ("x-windows-874", "cp874", THAI),
        ("iso-8859-11", "cp874", f"“{THAI}”"),
        ("cp-850", "cp850", "Größe: 5 ½"),
        ("IBM850", "cp850", "Größe: 5 ½"),
        ("shift_jis", "cp932", "①㈱テスト"),
        ("x-sjis", "cp932", "①㈱テスト"),
        ("sjis-win", "cp932", "髙﨑"),
        ("windows-31j", "cp932", "髙﨑"),
        ("big5", "big5hkscs", "邨"),
        ("iso-8859-9", "cp1254", "“İstanbul”"),
        ("win-1251", "cp1251", "Привет"),
        ("hz-gb-2312", "hz", "狗"),
    ],
)
def test_labels_that_are_too_narrow_or_of_a_programs_own(read: Any, label: str, codec: str, text: str) -> None:
    encoded = base64.b64encode(text.encode(codec)).decode()
    lines = (f"Subject: =?{label}?B?{encoded}?=", f"Content-Type: text/plain; charset={label}")
    outcome = read(FORMAT, eml(*lines, "Content-Transfer-Encoding: base64", body=encoded))
    assert (outcome.only["Subject"], outcome.only["_text"]) == (text, text)
    assert not outcome.bad


def test_signs_that_windows_adds_to_japanese_sets(read: Any) -> None:
    for label, data in (("iso-2022-jp", b'\x1b$B-!$"\x1b(B!'), ("euc-jp", b"\xad\xa1\xa4\xa2!")):
        outcome = read(FORMAT, eml(f"Content-Type: text/plain; charset={label}", body="").encode() + data)
        assert outcome.only["_text"] == "①あ!"
        assert not outcome.bad


@pytest.mark.parametrize(
    ("label", "data", "text", "why"),
    [
        ("gb2312", b"\xc6\xd5\xff", "普�", "bytes that are no text in gb2312"),
        ("x-nobody", b"caf\xe9", "café", "bytes in the unknown character set x-nobody, read as Windows-1252"),
        ("utf-8", b"caf\xe9", "café", "bytes in no UTF-8, read as Windows-1252"),
        ("utf-8", "日本語".encode()[:-1], "日本�", "bytes that are no UTF-8"),
        ("x-nobody", b"cafe", "cafe", None),
    ],
)
def test_what_cannot_be_decoded_is_told(read: Any, label: str, data: bytes, text: str, why: str | None) -> None:
    encoded = base64.b64encode(data).decode()
    lines = (f"Subject: =?{label}?B?{encoded}?=", f"Content-Type: text/plain; charset={label}")
    outcome = read(FORMAT, eml(*lines, "Content-Transfer-Encoding: base64", body=encoded))
    assert (outcome.only["Subject"], outcome.only["_text"]) == (text, text)
    assert [(bad.key, bad.reason) for bad in outcome.bad] == ([("Subject", why), ("text", why)] if why else [])


def test_transfer_encodings(read: Any) -> None:
    quoted = eml(
        "Content-Transfer-Encoding: quoted-printable", "Content-Type: text/plain; charset=utf-8", body="caf=C3=A9 =\nx"
    )
    assert read(FORMAT, quoted).only["_text"] == "café x"
    base64 = eml("Content-Transfer-Encoding: base64", "Content-Type: text/plain; charset=utf-8", body="Y2Fmw6k")
    assert read(FORMAT, base64).only["_text"] == "café"
