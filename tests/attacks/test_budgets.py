"""Every element of a format again and again costs its reader time in proportion, at most ten seconds a MiB; and what
odd words, long texts and odd phrases cost a question is bounded."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from time import process_time
from zoneinfo import ZoneInfo

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.conversation.conversation import asked
from reqap_kg.engine.conversation.turns import Turn, followed
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.sources.base import BadRecord, ReadContext
from reqap_kg.sources.files import DiskFile
from reqap_kg.sources.registry import formats

FROM = "From a@b.test Mon Jan 01 10:00:00 2024\n"
HEAD = "From: a@b.test\nTo: b@c.test\nDate: Mon, 01 Jan 2024 10:00:00 +0100\nMessage-ID: <1@b.test>\nSubject: Hi\n"
ENTRY = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20240101T100000Z\r\n"
ENDED = "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
ORDERS = "Website,Order ID,Order Date,Currency,Unit Price,Total Owed,ASIN,Quantity,Order Status,Product Name\n"
CHAT = "[25/12/2023, 21:05:10] Ann: a\n"
SHORT, LONG, TIMES = 2**17, 2**20, 4
"""Sizes of files, and how many times as long as the other one is."""
SECONDS_PER_MIB = 10.0
LITTLE = 0.25
"""Seconds at the larger size that show no growth worth a second look."""
STEEPEST = 1.6
"""Power of the size by which time may grow: two is quadratic, and a busy machine makes one to half as much more."""

Text = Callable[[int], str]


def repeated(before: str, piece: str, after: str = "") -> Text:
    """A file of a size, made of a piece again and again."""
    return lambda size: before + piece * (size // len(piece.encode())) + after


def _mails() -> Iterator[tuple[str, Text]]:
    pieces = ("<@a,@b:c@d>,", "@a,", "a@b,", "<", "(", '"', "=?utf-8?q?a?= ", "=?utf-8?b?YQ==?= ", "=?", "a\n ", ";a=b")
    for name in ("From", "To", "Subject", "Date", "References", "Received", "Keywords", "X-A", "Content-Type"):
        for piece in pieces:
            lines = f"{name}: {piece * (6_000 // len(piece))}\n"
            yield f"{name} {piece!r}", repeated(FROM + HEAD, lines, "\nx\n")
    yield "many headers", lambda size: FROM + HEAD + "".join(f"To: <a{n}@b.c>\n" for n in range(size // 16)) + "\nx\n"
    for kind, body in (
        ("multipart/mixed; boundary=b", "--b\n\nx\n"), ("multipart/alternative; boundary=b", "--b\n\nx\n"),
        ("multipart/mixed; boundary=b", "--b\nContent-Type: multipart/mixed; boundary=b\n\n"),
        ("message/rfc822", "Content-Type: message/rfc822\n\n"),
        ("text/plain; format=flowed", "a \n"), ("text/plain; format=flowed; delsp=yes", "a \n"),
        ("text/plain; format=flowed", "> a \n"), ("text/plain; charset=x-a", "é\n"), ("text/plain", "a b\n"),
        ("text/plain\nContent-Transfer-Encoding: x-a", "abc d\n"),
        ("text/plain\nContent-Transfer-Encoding: base64", "YWFh\n"),
        ("text/plain\nContent-Transfer-Encoding: quoted-printable", "=C3=A9=\n"),
    ):  # fmt: skip
        yield f"{kind} {body!r}", repeated(f"{FROM}{HEAD}Content-Type: {kind}\n\n", body)
    for piece in (
        "<p>", "<div>", "<br>", "<br>\n- ", "<hr>", "<li>", "<ul><li>", "<td>", "<pre>", "</p>", "<b>", "<a href=x>",
        "<b style='display:block'>x</b>", "<p style='display:none'>", "<p style=' '>", "<p hidden>", "<p class='a b'>",
        "<!--", "<!-- -->", "<![CDATA[", "<?", "<", "<a b=", "<style>", "<style>x</style>", "<script>", "<svg>",
        "<x-y a:b=c>", "&nbsp;", "&nbsp; ", "&", "&lt;", "&#65;", "&#", " ", " x", "\n", "\t", "\u00a0", "\u200b", "é",
    ):  # fmt: skip
        yield f"html {piece!r}", repeated(f"{FROM}{HEAD}Content-Type: text/html\n\n", piece)


def _calendars() -> Iterator[tuple[str, Text]]:
    for line in (
        "SUMMARY:a", "SUMMARY:a\r\n b\r\n c", "X-A:", "X;A=b:c", "ATTENDEE;CN=\"a\":mailto:a@b.c", "CATEGORIES:a,b",
        "EXDATE:20240105T100000Z", "RDATE:20240105T100000Z", "COMMENT:a\\, b", "zz", "BEGIN:VALARM\r\nEND:VALARM",
        "BEGIN:VALARM", "RRULE:FREQ=DAILY", "ATTACH:a", " b", "\tb",
    ):  # fmt: skip
        yield f"{line!r}", repeated(ENTRY, f"{line}\r\n", ENDED)
    for before, piece in (
        ("SUMMARY:", "a"), ("SUMMARY:", "\\n"), ("SUMMARY:", "\\,"), ("SUMMARY;X=", '"'), ("SUMMARY", ";A=b"),
        ("CATEGORIES:", "a,"), ("EXDATE:", "20240105T100000Z,"), ("RDATE:", "20240105T100000Z,"), ("DURATION:P", "1D"),
        ("RRULE:FREQ=DAILY;BYHOUR=", "1,"), ("RRULE:FREQ=DAILY", ";COUNT=5"), ("RRULE:FREQ=YEARLY;BYDAY=", "1MO,"),
        ("DESCRIPTION:", "<p>"), ("ATTENDEE", ';X="a"'), ("DTEND;TZID=", "a"),
    ):  # fmt: skip
        yield f"{before}{piece!r}…", repeated(ENTRY + before, piece, ENDED)


CASES: dict[str, tuple[str, str, Text]] = {
    **{f"mail {name}": ("mail", "a.mbox", text) for name, text in _mails()},
    **{f"calendar {name}": ("icalendar", "a.ics", text) for name, text in _calendars()},
    **{
        f"orders {piece!r}": ("amazon-orders", "a.csv", repeated(ORDERS, piece))
        for piece in ('"\n', '"a\n', '""\n', 'a"b\n', ',"\n', '"",\n', 'a,"b\n', '",\n', '"\na,b\n')
    },
    "orders an open quote": ("amazon-orders", "a.csv", repeated(ORDERS + 'A,"b\n', "a\n")),
    **{
        f"chat {piece!r}": ("whatsapp", "_chat.txt", repeated(CHAT, piece))
        for piece in ("x\n", "\n", "[", CHAT, "[25/12/2023, 21:05:10] ", "\u200e", "<attached: ", ": ")
    },
    **{
        f"note {piece!r}": ("markdown", "a.md", repeated("# A\n2024-05-01\n", piece))
        for piece in ("# a\n", "## 2024-01-01\nx\n", "- a\n", "[a](b)", "#tag ", "`", "> a\n", "|a|b|\n", "---\n", "**")
    },
}


def _seconds(name: str, file: str, text: str, folder: Path) -> float:
    (folder / file).write_bytes(text.encode())
    form = next(one for one in formats() if one.name == name)
    begun = process_time()
    for _ in form.read(DiskFile(folder / file, file, len(text)), ReadContext(ZoneInfo("UTC"), "2025-01-01T00:00:00")):
        pass
    return process_time() - begun


def check(case: str, large: int, folder: Path) -> None:
    """Fails where a reader takes more than linear time for a case, or too long."""
    name, file, text = CASES[case]
    many = _seconds(name, file, text(large), folder)
    if many < LITTLE:
        return
    assert many < SECONDS_PER_MIB * large / 2**20
    few = min(_seconds(name, file, text(large // TIMES), folder) for _ in range(2))
    many = min(many, _seconds(name, file, text(large), folder))
    assert math.log(many / few) / math.log(TIMES) < STEEPEST, f"{few:.2f} s, then {many:.2f} s"


@pytest.mark.parametrize("case", CASES)
def test_a_reader_takes_time_in_proportion(case: str, tmp_path: Path, full_attack: bool) -> None:
    check(case, LONG if full_attack else SHORT, tmp_path)


@pytest.mark.smoke
@pytest.mark.parametrize("case", ["mail text/plain; format=flowed 'a \\n'", "mail many headers"])
def test_some_that_were_slow_take_time_in_proportion(case: str, tmp_path: Path) -> None:
    check(case, LONG, tmp_path)


@pytest.mark.smoke
@pytest.mark.parametrize(
    "header",
    [
        "".join(f"To: a{n}@b.test\n" for n in range(1_500)),
        f"To: {'@a,' * 20_000}\n" * 9,
        f"To: {', '.join(f'a{n}@b.test' for n in range(5_000))}\n",
    ],
    ids=["many people", "many characters", "one long header"],
)
def test_people_that_are_left_out_of_a_mail_are_told(header: str, tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_text(FROM + HEAD + header + "\nx\n")
    form = next(one for one in formats() if one.name == "mail")
    file, context = DiskFile(tmp_path / "a.mbox", "a.mbox", 0), ReadContext(ZoneInfo("UTC"), "2025-01-01T00:00:00")
    mail, *told = form.read(file, context)
    assert isinstance(mail, dict)
    assert len(mail["_recipient"]) <= 1_000
    assert [note.key for note in told if isinstance(note, BadRecord) and "left out" in note.reason] == ["To"]


NOW = datetime(2025, 3, 1, 12)
BEGUN = ("How many runs did I do in 2024?", "And in 2023?")
QUESTION_SECONDS = 30.0
"""Far more than any takes alone on a slow core (4 s), and far less than minutes."""
ODD = (
    "b" * 50, "ab" * 25, "run" * 17, "and " + "a" * 50, "xyz" * 16, "before " * 100, "2023 " * 100, "in " * 100,
    "with Leila " * 60, "the one before and " * 25, "that one " * 55, "{" * 900, "\\" * 900, "“" * 900, "1" * 50,
)  # fmt: skip
PHRASES = (
    "{}" * 400,
    "\\n" * 400,
    "%s{0}\\x00" * 90,
    "a{b}\\c " * 100,
    "[a](b)" * 150,
    "\\d+(a|b)* " * 90,
    ".,;:" * 200,
)


@pytest.fixture(scope="module")
def known(read_demo_store: Path) -> Iterator[tuple[KnowledgeGraph, tuple[Turn, ...]]]:
    with KnowledgeGraph.open(read_demo_store, Settings()) as opened:
        turns: tuple[Turn, ...] = ()
        for question in BEGUN:
            turns = followed(turns, asked(opened, question, turns, now=NOW))
        yield opened, turns


@pytest.mark.model
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd[:20])
def test_an_odd_follow_up_ends_in_time(known: tuple[KnowledgeGraph, tuple[Turn, ...]], odd: str) -> None:
    graph, turns = known
    begun = process_time()
    turn = asked(graph, odd, turns, now=NOW)
    assert process_time() - begun < QUESTION_SECONDS
    assert (turn.answer is None) != (turn.failure is None)


@pytest.mark.model
@pytest.mark.parametrize("phrase", PHRASES, ids=lambda phrase: phrase[:20])
def test_an_odd_phrase_is_searched_in_time(known: tuple[KnowledgeGraph, tuple[Turn, ...]], phrase: str) -> None:
    begun = process_time()
    known[0].retrieve(phrase, now=NOW)
    assert process_time() - begun < QUESTION_SECONDS
