"""Export files as attackers make them, by format: each function writes one into a folder and gives its path."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

MIB = 2**20
Maker = Callable[[Path], Path]
TEXTS: list[Maker] = []
_EVENT = {"source": "note", "start_date": "2024-01-01"}


def _file(name: str) -> Callable[[Callable[[], str | bytes]], Maker]:
    """Registers what gives a file's content as an attack."""

    def register(content: Callable[[], str | bytes]) -> Maker:
        def make(path: Path) -> Path:
            data = content()
            (path / name).write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
            return path / name

        make.__name__ = content.__name__
        TEXTS.append(make)
        return make

    return register


# ---------------------------------------------------------------- JSON


@_file("deep.json")
def deep_json() -> str:
    return json.dumps([_EVENT])[:-2] + ', "x": ' + "[" * 200_000 + "]" * 200_000 + "}]"


@_file("deep.jsonl")
def deep_lines() -> str:
    return json.dumps(_EVENT)[:-1] + ', "x": ' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}\n"


@_file("deep.json")
def deep_at_once() -> str:
    return '{"a":' * 2_000_000


@_file("deep.json")
def deep_brackets() -> str:
    return "[" * 5_000_000


@_file("tweets.js")
def deep_tweets() -> str:
    return 'window.YTD.tweets.part0 = [{"tweet": {"created_at": "x", "x": ' + "[" * 1_000_000


@_file("outbox.json")
def deep_outbox() -> str:
    item = {"type": "Create", "actor": "a", "object": {"published": "2024-01-01T00:00:00Z"}}
    return json.dumps({"orderedItems": [item]})[:-4] + ', "x": ' + "[" * 1_000_000


@_file("numbers.json")
def huge_numbers() -> str:
    return json.dumps([_EVENT])[:-2] + ', "n": ' + "9" * 1_000_000 + "}]"


@_file("numbers.jsonl")
def huge_numbers_in_lines() -> str:
    return (json.dumps(_EVENT)[:-1] + ', "n": 1e999999999, "m": ' + "9" * 400_000 + "}\n") * 20


@_file("fraction.json")
def huge_fraction() -> str:
    return json.dumps([_EVENT])[:-2] + ', "n": 0.' + "9" * 1_000_000 + "}]"


@_file("twice.json")
def duplicate_keys() -> str:
    return json.dumps([_EVENT])[:-2] + ', "a": 1' * 300_000 + "}]"


@_file("keys.json")
def million_keys() -> str:
    return json.dumps([_EVENT])[:-2] + "".join(f', "k{number}": 1' for number in range(1_000_000)) + "}]"


@_file("keys.jsonl")
def keys_that_are_data() -> str:
    return "".join(json.dumps(_EVENT | {f"k{row}x{at}": at for at in range(500)}) + "\n" for row in range(1500))


@_file("flat.json")
def flattened_keys() -> str:
    return json.dumps([_EVENT])[:-2] + ', "a": ' + '{"' + "k" * 4000 + '": ' + "[1" + ",1" * 200_000 + "]}}]"


@_file("long.json")
def long_key() -> str:
    return json.dumps([_EVENT])[:-2] + ', "' + "k" * (8 * MIB) + '": 1}]'


@_file("surrogates.jsonl")
def lone_surrogates() -> str:
    return '{"source": "note", "start_date": "2024-01-01", "text": "\\ud800 x \\udfff", "\\udc00": 1}\n' * 50


@_file("surrogates.json")
def surrogates_in_list() -> str:
    return '[{"source": "note", "start_date": "2024-01-01", "text": "\\ud800 x \\udfff", "\\udc00": 1}]'


@_file("nan.json")
def not_numbers() -> str:
    return '[{"source": "note", "start_date": "2024-01-01", "a": NaN, "b": -Infinity}]'


@_file("bom.jsonl")
def bom_twice() -> bytes:
    return b"\xef\xbb\xbf\xef\xbb\xbf" + json.dumps(_EVENT).encode() + b"\n"


@_file("wide.json")
def utf_16() -> bytes:
    return json.dumps([_EVENT] * 3).encode("utf-16")


@_file("wide.json")
def utf_32() -> bytes:
    return json.dumps([_EVENT] * 3).encode("utf-32")


@_file("blanks.json")
def blanks() -> str:
    return " " * (64 * MIB)


@_file("open.json")
def open_string() -> str:
    return '[{"source": "' + "a" * (40 * MIB)


@_file("backslashes.json")
def backslashes() -> str:
    return '[{"source": "note", "start_date": "2024-01-01", "text": "' + "\\\\" * (8 * MIB) + '"}]'


@_file("escapes.json")
def date_texts() -> str:
    return json.dumps([{"source": "note", "start_date": "2" * 200_000, "date": "-" * 200_000, "time": ":" * 200_000}])


@_file("times.json")
def time_keys() -> str:
    return json.dumps([{"start_date" + " " * number: "2024-01-01" for number in range(1500)}])


@_file("many.jsonl")
def empty_lines() -> str:
    return json.dumps(_EVENT) + "\n" * (20 * MIB)


@_file("broken.jsonl")
def broken_lines() -> str:
    return json.dumps(_EVENT) + "\n" + json.dumps(_EVENT) + "\n" + "{\n" * 300_000


@_file("chat.json")
def chat_of_senders() -> str:
    told = [{"from": f"a{n}", "text": "b", "date": "2024-03-01T09:00:00", "chat": f"c{n}"} for n in range(5000)]
    return json.dumps({"messages": told})


@_file("chat.json")
def chat_of_parts() -> str:
    part = [{"text": "x"}] * 200_000
    return json.dumps({"messages": [{"from": "a", "text": part, "date": "2024-03-01T09:00:00", "to": ["b"] * 1000}]})


@_file("conversations.json")
def chatgpt_chain() -> str:
    nodes = {
        f"n{n}": {"parent": f"n{n - 1}" if n else None, "children": [f"n{n + 1}"], "message": None}
        for n in range(50_000)
    }
    return json.dumps([{"title": "a", "create_time": 1.7e9, "mapping": nodes, "current_node": "n49999"}])


@_file("conversations.json")
def chatgpt_loop() -> str:
    node = {"message": {"author": {"role": "user"}, "create_time": 1.7e9, "content": {"parts": ["a"]}}}
    nodes = {"a": {"parent": "b", "children": ["b"], **node}, "b": {"parent": "a", "children": ["a"], **node}}
    return json.dumps([{"title": "a", "create_time": 1.7e9, "mapping": nodes, "current_node": "b"}])


@_file("profile.json")
def profile_of_names() -> str:
    friends = [{"name": f"B{n}", "relation": "x" * 50} for n in range(50_000)]
    return json.dumps({"name": "A", "friends": friends, "nicknames": {f"C{n}": ["x"] * 5 for n in range(20_000)}})


@_file("outbox.json")
def outbox_of_tags() -> str:
    tags = [{"type": "Hashtag", "name": f"#{n}"} for n in range(100_000)]
    post = {"id": "o", "type": "Note", "published": "2024-01-01T00:00:00Z", "content": "<p>" * 60_000, "tag": tags}
    return json.dumps({"orderedItems": [{"id": "a", "type": "Create", "actor": "m", "object": post}]})


@_file("tweets.js")
def tweet_of_links() -> str:
    urls = [{"url": f"http://t.co/{n}", "expanded_url": "x" * 100} for n in range(20_000)]
    text = "http://t.co/1 " * 20_000
    told = {"id_str": "1", "created_at": "Sat Mar 02 09:15:00 +0000 2024", "full_text": text}
    return "window.YTD.tweets.part0 = " + json.dumps([{"tweet": told | {"entities": {"urls": urls}}}])


# ---------------------------------------------------------------- CSV

_AMAZON = "Website,Order ID,Order Date,Currency,Unit Price,Total Owed,ASIN,Quantity,Order Status,Product Name\n"


@_file("orders.csv")
def long_csv_line() -> str:
    return _AMAZON + "A,1-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed," + "x" * (100 * MIB) + "\n"


@_file("orders.csv")
def open_quote() -> str:
    row = "A,1-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed,Twine\n"
    return _AMAZON + 'A,1-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed,"Twine\n' + row * 4000


@_file("orders.csv")
def open_quotes_everywhere() -> str:
    return _AMAZON + 'A,1-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed,"Twine\n' * 4000


@_file("orders.csv")
def nul_in_csv() -> str:
    return _AMAZON + "A,1\0-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed,Twine\n" * 20


@_file("orders.csv")
def commas() -> str:
    return _AMAZON + "," * (20 * MIB)


@_file("columns.csv")
def many_columns() -> str:
    return ",".join(f"date{n}" for n in range(3000)) + "\n" + (",".join(["2024-01-01"] * 3000) + "\n") * 500


@_file("wide.csv")
def utf_16_csv() -> bytes:
    return (_AMAZON + "A,1-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed,Twine\n").encode("utf-16")


@_file("history.csv")
def netflix_titles() -> str:
    return "Title,Date\n" + ('"' + "A: Season 1: " * 20_000 + '",1/2/24\n') * 20


@_file("history.csv")
def netflix_dates() -> str:
    return "Title,Date\n" + ("A," + "1/" * 50_000 + "\n") * 20


@_file("activity.csv")
def netflix_durations() -> str:
    head = "Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Country\n"
    return head + ("A,2024-01-01 10:00:00," + ":".join(["1"] * 50_000) + ",,Film,,TV,IE\n") * 20


# ---------------------------------------------------------------- XML


def _health(inside: str, attributes: str = "", doctype: str = "") -> str:
    return f'<?xml version="1.0"?>{doctype}<HealthData {attributes}><ExportDate value="x"/>{inside}</HealthData>'


_WORKOUT = '<Workout workoutActivityType="R" startDate="2024-07-01 18:00:00 +0100" endDate="2024-07-01 18:20:00 +0100"'


@_file("export.xml")
def xml_attributes() -> str:
    return _health(_WORKOUT + "".join(f' a{n}="{n}"' for n in range(400_000)) + "/>")


@_file("export.xml")
def xml_root_attributes() -> str:
    return _health(_WORKOUT + "/>", "".join(f'a{n}="{n}" ' for n in range(400_000)))


@_file("export.xml")
def xml_metadata() -> str:
    return _health(
        _WORKOUT + ">" + "".join(f'<MetadataEntry key="k{n}" value="v"/>' for n in range(200_000)) + "</Workout>"
    )


@_file("export.xml")
def xml_statistics() -> str:
    entry = "".join(f'<WorkoutStatistics type="T{n}" sum="0"/>' for n in range(200_000))
    return _health(_WORKOUT + ">" + entry + "</Workout>")


@_file("export.xml")
def xml_depth() -> str:
    return _health(_WORKOUT + ">" + "<a>" * 500_000)


@_file("export.xml")
def xml_namespaces() -> str:
    return _health(_WORKOUT + "".join(f' xmlns:n{n}="u{n}"' for n in range(100_000)) + "/>")


@_file("export.xml")
def xml_nested_namespaces() -> str:
    return _health(_WORKOUT + ">" + "".join(f'<n{n}:a xmlns:n{n}="u">' for n in range(150)) * 200)


@_file("export.xml")
def xml_text() -> str:
    return _health(_WORKOUT + ">" + "x" * (60 * MIB) + "</Workout>")


@_file("export.xml")
def xml_comments() -> str:
    return _health("<!--" + "-" * (30 * MIB) + "-->")


@_file("export.xml")
def xml_entities() -> str:
    entities = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    return _health("&l11;", 'a="&l11;"', f'<!DOCTYPE HealthData [<!ENTITY l0 "lol">{entities}]>')


@_file("export.xml")
def xml_entities_utf_16() -> bytes:
    entities = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    return _health("&l11;", 'a="&l11;"', f'<!DOCTYPE HealthData [<!ENTITY l0 "lol">{entities}]>').encode("utf-16")


@_file("export.xml")
def xml_external_entity() -> str:
    return _health(_WORKOUT + ' x="&e;"/>', "", '<!DOCTYPE HealthData [<!ENTITY e SYSTEM "file:///etc/passwd">]>')


@_file("export.xml")
def xml_many_types() -> str:
    return _health("".join(f'<Record type="T{n}"/>' for n in range(150_000)))


@_file("export.xml")
def xml_tags() -> str:
    return _health("".join(f"<T{n}/>" for n in range(150_000)))


@_file("export.xml")
def xml_quantities() -> str:
    entry = f'<MetadataEntry key="HKAverageSpeed" value="{"1" * 200_000}"/>'
    return _health(
        _WORKOUT + f' device="{"<" * 300_000}"' + ' startDate2="' + " " * 300_000 + '">' + entry + "</Workout>"
    )


# ---------------------------------------------------------------- calendars


def _calendar(lines: str) -> str:
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{lines}END:VCALENDAR\r\n"


def _entry(lines: str, uid: str = "a") -> str:
    return f"BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTART:20240101T100000Z\r\n{lines}END:VEVENT\r\n"


@_file("a.ics")
def recurrence_every_second() -> str:
    return _calendar("".join(_entry("RRULE:FREQ=SECONDLY\r\n", f"u{n}") for n in range(200)))


@_file("a.ics")
def recurrence_never() -> str:
    return _calendar("".join(_entry("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\r\n", f"u{n}") for n in range(300)))


@_file("a.ics")
def recurrence_of_lists() -> str:
    seconds = ",".join(map(str, range(60)))
    hours = ",".join(map(str, range(24)))
    rule = f"RRULE:FREQ=DAILY;BYHOUR={hours};BYMINUTE={seconds};BYSECOND={seconds}\r\n"
    return _calendar("".join(_entry(rule, f"u{n}") for n in range(50)))


@_file("a.ics")
def many_rules() -> str:
    return _calendar(_entry("RRULE:FREQ=DAILY\r\n" * 300))


@_file("a.ics")
def many_daily_series() -> str:
    rule = "RRULE:FREQ=HOURLY\r\n"
    return _calendar("".join(_entry(rule, f"u{n}").replace("20240101", "19700101") for n in range(300)))


@_file("a.ics")
def rdates() -> str:
    dates = ",".join(f"20{n % 100:02}{n % 12 + 1:02}{n % 28 + 1:02}T{n % 24:02}0000Z" for n in range(300_000))
    return _calendar(_entry(f"RDATE:{dates}\r\n"))


@_file("a.ics")
def exdates() -> str:
    dates = "".join(f"EXDATE:20240{n % 9 + 1}{n % 28 + 1:02}T100000Z\r\n" for n in range(50_000))
    return _calendar(_entry("RRULE:FREQ=DAILY\r\n" + dates))


@_file("a.ics")
def folding() -> str:
    return _calendar(_entry("SUMMARY:a\r\n" + " b\r\n" * 1_500_000))


@_file("a.ics")
def unfolded_rest() -> str:
    return _calendar(_entry("SUMMARY:a\r\nDESCRIPTION:b\r\n" + "not a property\r\n" * 300_000))


@_file("a.ics")
def nested_components() -> str:
    return _calendar("BEGIN:VEVENT\r\n" + "BEGIN:VALARM\r\n" * 100_000)


@_file("a.ics")
def attendees() -> str:
    people = "".join(f'ATTENDEE;CN="A {n}";PARTSTAT=ACCEPTED:mailto:a{n}@b.test\r\n' for n in range(50_000))
    return _calendar(_entry(people))


@_file("a.ics")
def overrides() -> str:
    more = "".join(
        _entry(f"RECURRENCE-ID:2024{n % 12 + 1:02}{n % 28 + 1:02}T1000{n % 60:02}Z\r\n") for n in range(5000)
    )
    return _calendar(_entry("RRULE:FREQ=DAILY\r\n") + more)


@_file("a.ics")
def zones() -> str:
    zone = "BEGIN:VTIMEZONE\r\nTZID:Z{n}\r\nBEGIN:STANDARD\r\nDTSTART:16010101T000000\r\nRRULE:FREQ=YEARLY\r\n"
    zone += "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    entry = "BEGIN:VEVENT\r\nUID:u{n}\r\nDTSTART;TZID=Z{n}:20240101T100000\r\nEND:VEVENT\r\n"
    return _calendar("".join((zone + entry).replace("{n}", str(n)) for n in range(2000)))


@_file("a.ics")
def odd_dates() -> str:
    days = ("00010101T000000Z", "99991231T235959Z", "20240230T000000Z", "202400101T000000Z", "-10000101T000000")
    return _calendar("".join(f"BEGIN:VEVENT\r\nUID:u{d}\r\nDTSTART:{d}\r\nEND:VEVENT\r\n" for d in days))


@_file("a.ics")
def long_parameters() -> str:
    return _calendar(_entry('ATTENDEE;CN="' + "a" * MIB + '":mailto:a\r\n' + "X" + ";A=b" * 200_000 + ":c\r\n"))


@_file("a.ics")
def quotes_in_calendar() -> str:
    return _calendar(_entry("SUMMARY" + ';X="' * 100_000 + ":a\r\n" + "DESCRIPTION:" + "<" * 300_000 + "\r\n"))


# ---------------------------------------------------------------- mail

_FROM = "From a@b.test Mon Jan 01 10:00:00 2024\n"
_HEAD = "From: a@b.test\nTo: b@c.test\nDate: Mon, 01 Jan 2024 10:00:00 +0100\nMessage-ID: <1@b.test>\nSubject: Hi\n"


@_file("deep.mbox")
def deep_multiparts() -> str:
    open_parts = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3000))
    return _FROM + _HEAD + open_parts + "\nx\n"


@_file("deep.eml")
def deep_forwarded() -> str:
    return _HEAD + "Content-Type: message/rfc822\n\n" * 20_000 + "x\n"


@_file("parts.mbox")
def thousand_parts() -> str:
    return _FROM + _HEAD + "Content-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nx\n" * 200_000


@_file("headers.mbox")
def header_bomb() -> str:
    return _FROM + _HEAD + "".join(f"X-{n}: y\n" for n in range(300_000)) + "\nx\n"


@_file("headers.mbox")
def same_header() -> str:
    return _FROM + _HEAD + "Received: from a by b; Mon, 01 Jan 2024 10:00:00 +0100\n" * 200_000 + "\nx\n"


@_file("folded.mbox")
def folded_header() -> str:
    return _FROM + _HEAD + "X-Long: a\n" + " b\n" * 1_000_000 + "\nx\n"


@_file("words.mbox")
def encoded_words() -> str:
    return _FROM + _HEAD.replace("Hi", "=?utf-8?q?=C3=A9?= " * 100_000) + "\nx\n"


@_file("words.mbox")
def broken_words() -> str:
    return _FROM + _HEAD.replace("Hi", "=?" * 500_000) + "\nx\n"


@_file("people.mbox")
def addresses() -> str:
    people = ", ".join(f'"A {n}" <a{n}@b.test>' for n in range(100_000))
    return _FROM + _HEAD.replace("b@c.test", people) + "\nx\n"


@_file("people.mbox")
def comments_in_addresses() -> str:
    return (_FROM + _HEAD.replace("b@c.test", "(" * 60_000 + '"' * 1000 + "<" * 3000) + "\nx\n\n") * 20


@_file("base64.mbox")
def base64_garbage() -> str:
    luck = random.Random(1)
    garbage = "".join(luck.choice("ABCabc+/=\n- ") for _ in range(MIB))
    return _FROM + _HEAD + "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + garbage


@_file("quoted.mbox")
def quoted_printable() -> str:
    return _FROM + _HEAD + "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + "=\n=3" * MIB


@_file("uu.mbox")
def uuencoded() -> str:
    return _FROM + _HEAD + "Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n" + "M" * (4 * MIB)


@_file("boundaries.mbox")
def long_boundary() -> str:
    return _FROM + _HEAD + f'Content-Type: multipart/mixed; boundary="{"=" * 100_000}"\n\n' + "--=====\n" * 100_000


@_file("parameters.mbox")
def many_parameters() -> str:
    more = "".join(f'; a*{n}="b"' for n in range(50_000))
    return _FROM + _HEAD + f"Content-Type: text/plain{more}\nContent-Disposition: attachment{more}\n\nx\n"


@_file("from.mbox")
def from_lines() -> str:
    return _FROM * 400_000


@_file("from.mbox")
def undated_from_lines() -> str:
    return "From a\nFrom: a@b.test\nMessage-ID: <a>\n\n" + "From b\n\n" * 300_000


@_file("from.mbox")
def long_from_line() -> str:
    return _FROM + _HEAD + "\n" + "From " + "Mon " * (4 * MIB) + "\n"


@_file("charset.mbox")
def charsets() -> str:
    return "".join(
        _FROM + _HEAD + f"Content-Type: text/plain; charset={name}\n\n+AAA-xn--é{'x' * 100_000}\n\n"
        for name in ("punycode", "idna", "utf-7", "hex", "zlib", "bz2", "unicode_escape", "utf-16", "undefined", "\x00")
    )


def _html(body: str) -> str:
    return _FROM + _HEAD + "Content-Type: text/html\n\n" + body + "\n"


@_file("html.mbox")
def deep_html() -> str:
    return _html("<div>" * 300_000)


@_file("html.mbox")
def deep_html_of_p() -> str:
    return _html("<p><b><a><i><font>" * 60_000)


@_file("html.mbox")
def deep_html_of_li() -> str:
    return _html("<li><ul><p><table><tr><td>" * 40_000)


@_file("html.mbox")
def html_attributes() -> str:
    return _html("<p " + "".join(f"a{n}=b " for n in range(200_000)) + ">x</p>")


@_file("html.mbox")
def html_open_tags() -> str:
    return _html("<" * MIB + "<a" * 300_000)


@_file("html.mbox")
def html_comment() -> str:
    return _html("<!--" * 400_000 + "<![CDATA[" * 10_000)


@_file("html.mbox")
def html_entities() -> str:
    return _html("&lt" * 300_000 + "&#" * 300_000 + "&#99999999999;" * 10_000)


@_file("html.mbox")
def html_blanks() -> str:
    return _html("<p>a" + "<br> \n" * 200_000 + " \t" * 300_000)


# ---------------------------------------------------------------- notes


@_file("laughs.md")
def yaml_laughs() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    return "---\n" + "\n".join(lines) + "\n---\n# A\n"


@_file("merge.md")
def yaml_merges() -> str:
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 12)]
    return "---\n" + "\n".join(lines) + "\n---\n# A\n"


@_file("tags.md")
def yaml_tags() -> str:
    return (
        "---\nx: !!python/object/apply:os.system ['touch /tmp/owned']\ny: !!binary aaaa\ndate: 2024-01-01\n---\n# A\n"
    )


@_file("deep.md")
def yaml_depth() -> str:
    return "---\nx: " + "[" * 20_000 + "\n---\n# A\n"


@_file("loop.md")
def yaml_loop() -> str:
    return "---\nx: &a [*a]\ny: &b {z: *b}\n? [1, 2]\n: 3\n---\n# A\n"


@_file("keys.md")
def yaml_keys() -> str:
    return "---\n" + "".join(f"k{n}: {n}\n" for n in range(5000)) + "---\n# A\n"


@_file("numbers.md")
def yaml_numbers() -> str:
    return "---\nx: 0x" + "f" * 60_000 + "\ny: 1" + ":59" * 10_000 + "\n---\n# A\n"


@_file("dots.md")
def toml_depth() -> str:
    return "+++\n" + "a." * 20_000 + "b = 1\nc = " + "[" * 10_000 + "\n+++\n# A\n"


@_file("tags.md")
def many_tags() -> str:
    return "# A\n" + "#tag " * 200_000 + "`" * 200_000 + "[x](" * 100_000


@_file("headings.md")
def many_sections() -> str:
    return "".join(f"## 20{n % 90 + 10}-01-0{n % 9 + 1}\nx\n" for n in range(30_000))


@_file("hashes.md")
def heading_of_hashes() -> str:
    return "# a" + " #" * 500_000 + "b\n" + "# b" + " " * 500_000 + "c\n"


@_file("underlines.md")
def underlines() -> str:
    return "# A\n" + "a\n" + "-" * 2_000_000 + "x\n" + " - " * 300_000


@_file("date.md")
def dates_in_headings() -> str:
    return "# " + "2024-" * 100_000 + "\n" + "## " + "1 " * 100_000 + "January\n" + "date: " + "." * 100_000 + "x\n"


@_file("blank.md")
def note_of_blanks() -> str:
    return "# A\n" + " " * (8 * MIB) + "x\n" + "\n" * (8 * MIB)


# ---------------------------------------------------------------- chats as text

_LINE = "[25/12/2023, 21:05:10] Ann: "


@_file("_chat.txt")
def chat_blanks() -> str:
    return _LINE + "a\n" + _LINE + " " * MIB + "x\n" + _LINE + "\u200e" * MIB + "x\n"


@_file("_chat.txt")
def chat_quotes() -> str:
    return _LINE + "a\n" + "[25/12/2023, 21:05:10] " + "„" * MIB + "\n" + "[25/12/2023, 21:05:10] \u200e" + "“a" * MIB


@_file("_chat.txt")
def chat_files() -> str:
    return _LINE + "a\n" + _LINE + "\u200e<attached:" * 100_000 + "\n" + _LINE + "<" + "a " * 300_000 + "\n"


@_file("_chat.txt")
def chat_omitted() -> str:
    return (_LINE + "<" + "a" * 2000 + "\n") * 200


@_file("_chat.txt")
def chat_beginnings() -> str:
    return _LINE + "a\n" + "\u200e" * MIB + "\n" + "[" * MIB + "\n" + "1/" * MIB + "\n" + "1" * MIB + "\n"


@_file("_chat.txt")
def chat_senders() -> str:
    return "".join(f"[25/12/2023, 21:05:10] A{n}: b\n" for n in range(60_000))


@_file("_chat.txt")
def chat_encrypted_words() -> str:
    return _LINE + "a\n" + _LINE + "\u200e" + "crittograf" * 100_000 + "\n" + _LINE + "\u200e" + "created " * 100_000
