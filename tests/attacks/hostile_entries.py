"""Calendars and mails as attackers make them, added to the attacks of hostile_texts."""

from __future__ import annotations

import random
import re

from .hostile_texts import MIB, attack

# ---------------------------------------------------------------- calendars


def _calendar(lines: str) -> str:
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{lines}END:VCALENDAR\r\n"


def _entry(lines: str, uid: str = "a") -> str:
    return f"BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTART:20240101T100000Z\r\n{lines}END:VEVENT\r\n"


@attack("a.ics")
def recurrence_every_second() -> str:
    return _calendar("".join(_entry("RRULE:FREQ=SECONDLY\r\n", f"u{n}") for n in range(200)))


@attack("a.ics")
def recurrence_never() -> str:
    return _calendar("".join(_entry("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\r\n", f"u{n}") for n in range(300)))


@attack("a.ics")
def recurrence_of_lists() -> str:
    seconds = ",".join(map(str, range(60)))
    hours = ",".join(map(str, range(24)))
    rule = f"RRULE:FREQ=DAILY;BYHOUR={hours};BYMINUTE={seconds};BYSECOND={seconds}\r\n"
    return _calendar("".join(_entry(rule, f"u{n}") for n in range(50)))


@attack("a.ics")
def many_rules() -> str:
    return _calendar(_entry("RRULE:FREQ=DAILY\r\n" * 300))


@attack("a.ics")
def many_daily_series() -> str:
    rule = "RRULE:FREQ=HOURLY\r\n"
    return _calendar("".join(_entry(rule, f"u{n}").replace("20240101", "19700101") for n in range(300)))


@attack("a.ics")
def rdates() -> str:
    dates = ",".join(f"20{n % 100:02}{n % 12 + 1:02}{n % 28 + 1:02}T{n % 24:02}0000Z" for n in range(300_000))
    return _calendar(_entry(f"RDATE:{dates}\r\n"))


@attack("a.ics")
def exdates() -> str:
    dates = "".join(f"EXDATE:20240{n % 9 + 1}{n % 28 + 1:02}T100000Z\r\n" for n in range(50_000))
    return _calendar(_entry("RRULE:FREQ=DAILY\r\n" + dates))


@attack("a.ics")
def folding() -> str:
    return _calendar(_entry("SUMMARY:a\r\n" + " b\r\n" * 1_500_000))


@attack("a.ics")
def folded_everywhere() -> str:
    told = "SUMMARY:Dentist\r\nDESCRIPTION:" + "some words " * 9 + "\r\n"
    entries = "".join(_entry(told, f"u{n}") for n in range(2000))
    return "\r\n".join("\r\n ".join(re.findall("..?.?", line)) for line in _calendar(entries).splitlines()) + "\r\n"


@attack("a.ics")
def unfolded_rest() -> str:
    return _calendar(_entry("SUMMARY:a\r\nDESCRIPTION:b\r\n" + "zz\r\n" * 600_000))


@attack("a.ics")
def nested_components() -> str:
    return _calendar("BEGIN:VEVENT\r\n" + "BEGIN:VALARM\r\n" * 100_000)


@attack("a.ics")
def attendees() -> str:
    people = "".join(f'ATTENDEE;CN="A {n}";PARTSTAT=ACCEPTED:mailto:a{n}@b.test\r\n' for n in range(50_000))
    return _calendar(_entry(people))


@attack("a.ics")
def overrides() -> str:
    more = "".join(
        _entry(f"RECURRENCE-ID:2024{n % 12 + 1:02}{n % 28 + 1:02}T1000{n % 60:02}Z\r\n") for n in range(5000)
    )
    return _calendar(_entry("RRULE:FREQ=DAILY\r\n") + more)


@attack("a.ics")
def zones() -> str:
    zone = "BEGIN:VTIMEZONE\r\nTZID:Z{n}\r\nBEGIN:STANDARD\r\nDTSTART:16010101T000000\r\nRRULE:FREQ=YEARLY\r\n"
    zone += "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    entry = "BEGIN:VEVENT\r\nUID:u{n}\r\nDTSTART;TZID=Z{n}:20240101T100000\r\nEND:VEVENT\r\n"
    return _calendar("".join((zone + entry).replace("{n}", str(n)) for n in range(2000)))


@attack("a.ics")
def zone_of_many_rules() -> str:
    rule = "BEGIN:DAYLIGHT\r\nDTSTART:{y}0301T020000\r\nRRULE:FREQ=YEARLY;BYDAY={d}SU;BYMONTH={m}\r\n"
    rule += "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\n"
    rules = "".join(
        rule.replace("{y}", str(1910 + n % 100)).replace("{d}", str(n % 4 + 1)).replace("{m}", str(n % 12 + 1))
        for n in range(12_000)
    )
    days = (f"2024{n % 12 + 1:02}{n % 28 + 1:02}T1000{n % 60:02}" for n in range(1500))
    more = "".join(f"BEGIN:VEVENT\r\nUID:u{d}\r\nDTSTART;TZID=Z:{d}\r\nEND:VEVENT\r\n" for d in days)
    return _calendar(f"BEGIN:VTIMEZONE\r\nTZID:Z\r\n{rules}END:VTIMEZONE\r\n{more}")


@attack("a.ics")
def rules_that_never_meet() -> str:
    rule = "RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=MO\r\n"  # from a Friday
    return _calendar("".join(_entry(rule, f"u{n}").replace("20240101", "20240301") for n in range(300)))


@attack("a.ics")
def odd_dates() -> str:
    days = ("00010101T000000Z", "99991231T235959Z", "20240230T000000Z", "202400101T000000Z", "-10000101T000000")
    return _calendar("".join(f"BEGIN:VEVENT\r\nUID:u{d}\r\nDTSTART:{d}\r\nEND:VEVENT\r\n" for d in days))


@attack("a.ics")
def long_parameters() -> str:
    return _calendar(_entry('ATTENDEE;CN="' + "a" * MIB + '":mailto:a\r\n' + "X" + ";A=b" * 200_000 + ":c\r\n"))


@attack("a.ics")
def quotes_in_calendar() -> str:
    return _calendar(_entry("SUMMARY" + ';X="' * 100_000 + ":a\r\n" + "DESCRIPTION:" + "<" * 300_000 + "\r\n"))


# ---------------------------------------------------------------- mail

_FROM = "From a@b.test Mon Jan 01 10:00:00 2024\n"
_HEAD = "From: a@b.test\nTo: b@c.test\nDate: Mon, 01 Jan 2024 10:00:00 +0100\nMessage-ID: <1@b.test>\nSubject: Hi\n"


@attack("deep.mbox")
def deep_multiparts() -> str:
    open_parts = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3000))
    return _FROM + _HEAD + open_parts + "\nx\n"


@attack("deep.eml")
def deep_forwarded() -> str:
    return _HEAD + "Content-Type: message/rfc822\n\n" * 20_000 + "x\n"


@attack("parts.mbox")
def thousand_parts() -> str:
    return _FROM + _HEAD + "Content-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nx\n" * 200_000


@attack("headers.mbox")
def header_bomb() -> str:
    return _FROM + _HEAD + "".join(f"X-{n}: y\n" for n in range(300_000)) + "\nx\n"


@attack("headers.mbox")
def same_header() -> str:
    return _FROM + _HEAD + "Received: from a by b; Mon, 01 Jan 2024 10:00:00 +0100\n" * 200_000 + "\nx\n"


@attack("folded.mbox")
def folded_header() -> str:
    return _FROM + _HEAD + "X-Long: a\n" + " b\n" * 1_000_000 + "\nx\n"


@attack("words.mbox")
def encoded_words() -> str:
    return _FROM + _HEAD.replace("Hi", "=?utf-8?q?=C3=A9?= " * 100_000) + "\nx\n"


@attack("words.mbox")
def broken_words() -> str:
    return _FROM + _HEAD.replace("Hi", "=?" * 500_000) + "\nx\n"


@attack("people.mbox")
def addresses() -> str:
    people = ", ".join(f'"A {n}" <a{n}@b.test>' for n in range(100_000))
    return _FROM + _HEAD.replace("b@c.test", people) + "\nx\n"


@attack("names.mbox")
def names_without_addresses() -> str:
    return _FROM + _HEAD + f"To: {'x,' * 32_000}\n" * 60 + "\nx\n"


@attack("routes.mbox")
def routes() -> str:
    return _FROM + _HEAD + f"To: {'<@a,@b:c@d>,' * 5_000}\n" * 80 + f"Cc: {'@a,' * 20_000}\n" * 80 + "\nx\n"


@attack("people.mbox")
def one_header_for_each_person() -> str:
    return _FROM + _HEAD + "".join(f"To: <@r{n},@s{n}:a{n}@b.test>\n" for n in range(150_000)) + "\nx\n"


@attack("flowed.mbox")
def flowed_lines() -> str:
    return _FROM + _HEAD + "Content-Type: text/plain; format=flowed; delsp=yes\n\n" + "a \n" * MIB


@attack("semicolons.mbox")
def content_type_of_semicolons() -> str:
    return _FROM + _HEAD + f"Content-Type: text/plain{';' * 3_000_000}\n\nx\n"


@attack("people.mbox")
def comments_in_addresses() -> str:
    return (_FROM + _HEAD.replace("b@c.test", "(" * 60_000 + '"' * 1000 + "<" * 3000) + "\nx\n\n") * 20


@attack("base64.mbox")
def base64_garbage() -> str:
    luck = random.Random(1)
    garbage = "".join(luck.choice("ABCabc+/=\n- ") for _ in range(MIB))
    return _FROM + _HEAD + "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + garbage


@attack("quoted.mbox")
def quoted_printable() -> str:
    return _FROM + _HEAD + "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + "=\n=3" * MIB


@attack("uu.mbox")
def uuencoded() -> str:
    return _FROM + _HEAD + "Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n" + "M" * (4 * MIB)


@attack("boundaries.mbox")
def long_boundary() -> str:
    return _FROM + _HEAD + f'Content-Type: multipart/mixed; boundary="{"=" * 100_000}"\n\n' + "--=====\n" * 100_000


@attack("parameters.mbox")
def many_parameters() -> str:
    more = "".join(f'; a*{n}="b"' for n in range(50_000))
    return _FROM + _HEAD + f"Content-Type: text/plain{more}\nContent-Disposition: attachment{more}\n\nx\n"


@attack("from.mbox")
def from_lines() -> str:
    return _FROM * 400_000


@attack("from.mbox")
def undated_from_lines() -> str:
    return "From a\nFrom: a@b.test\nMessage-ID: <a>\n\n" + "From b\n\n" * 300_000


@attack("from.mbox")
def long_from_line() -> str:
    return _FROM + _HEAD + "\n" + "From " + "Mon " * (4 * MIB) + "\n"


@attack("charset.mbox")
def charsets() -> str:
    return "".join(
        _FROM + _HEAD + f"Content-Type: text/plain; charset={name}\n\n+AAA-xn--é{'x' * 100_000}\n\n"
        for name in ("punycode", "idna", "utf-7", "hex", "zlib", "bz2", "unicode_escape", "utf-16", "undefined", "\x00")
    )


def _html(body: str) -> str:
    return _FROM + _HEAD + "Content-Type: text/html\n\n" + body + "\n"


@attack("html.mbox")
def deep_html() -> str:
    return _html("<div>" * 300_000)


@attack("html.mbox")
def deep_html_of_p() -> str:
    return _html("<p><b><a><i><font>" * 60_000)


@attack("html.mbox")
def deep_html_of_li() -> str:
    return _html("<li><ul><p><table><tr><td>" * 40_000)


@attack("html.mbox")
def html_attributes() -> str:
    return _html("<p " + "".join(f"a{n}=b " for n in range(200_000)) + ">x</p>")


@attack("html.mbox")
def html_open_tags() -> str:
    return _html("<" * MIB + "<a" * 300_000)


@attack("html.mbox")
def html_comment() -> str:
    return _html("<!--" * 400_000 + "<![CDATA[" * 10_000)


@attack("html.mbox")
def html_entities() -> str:
    return _html("&lt" * 300_000 + "&#" * 300_000 + "&#99999999999;" * 10_000)


@attack("html.mbox")
def html_blanks() -> str:
    return _html("<p>a" + "<br> \n" * 200_000 + " \t" * 300_000)


@attack("html.mbox")
def html_breaks() -> str:
    return _html("<br>" * 500_000)


@attack("html.mbox")
def html_hidden() -> str:
    return _html('<b style="display : block">x</b><p style="display:none">' * 35_000)


@attack("html.mbox")
def html_spaces() -> str:
    return _html("&nbsp; \u00a0\u200b\n" * 150_000)
