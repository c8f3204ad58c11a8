"""Texts that several test files build: calendars and mails."""

from __future__ import annotations

NOW = "2024-06-01T12:00:00"
BERLIN_BY_HAND = """BEGIN:VTIMEZONE
TZID:Office
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE"""


def event(*lines: str) -> str:
    has = {line.split(":")[0].split(";")[0] for line in lines}
    own = [line for key, line in (("UID", "UID:u1"), ("SUMMARY", "SUMMARY:Choir")) if key not in has]
    return "\n".join(["BEGIN:VEVENT", *own, *(line for line in lines if line), "END:VEVENT"])


def ics(*parts: str) -> str:
    return "\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *parts, "END:VCALENDAR", ""])


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
