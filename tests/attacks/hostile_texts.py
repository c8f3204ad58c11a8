"""Export files as attackers make them, by format: each function writes one into a folder and gives its path."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

MIB = 2**20
Maker = Callable[[Path], Path]
TEXTS: list[Maker] = []
_EVENT = {"source": "note", "start_date": "2024-01-01"}


def attack(name: str) -> Callable[[Callable[[], str | bytes]], Maker]:
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


@attack("deep.json")
def deep_json() -> str:
    return json.dumps([_EVENT])[:-2] + ', "x": ' + "[" * 200_000 + "]" * 200_000 + "}]"


@attack("deep.jsonl")
def deep_lines() -> str:
    return json.dumps(_EVENT)[:-1] + ', "x": ' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}\n"


@attack("deep.json")
def deep_at_once() -> str:
    return '{"a":' * 2_000_000


@attack("deep.json")
def deep_brackets() -> str:
    return "[" * 5_000_000


@attack("tweets.js")
def deep_tweets() -> str:
    return 'window.YTD.tweets.part0 = [{"tweet": {"created_at": "x", "x": ' + "[" * 1_000_000


@attack("outbox.json")
def deep_outbox() -> str:
    item = {"type": "Create", "actor": "a", "object": {"published": "2024-01-01T00:00:00Z"}}
    return json.dumps({"orderedItems": [item]})[:-4] + ', "x": ' + "[" * 1_000_000


@attack("numbers.json")
def huge_numbers() -> str:
    return json.dumps([_EVENT])[:-2] + ', "n": ' + "9" * 1_000_000 + "}]"


@attack("numbers.jsonl")
def huge_numbers_in_lines() -> str:
    return (json.dumps(_EVENT)[:-1] + ', "n": 1e999999999, "m": ' + "9" * 400_000 + "}\n") * 20


@attack("fraction.json")
def huge_fraction() -> str:
    return json.dumps([_EVENT])[:-2] + ', "n": 0.' + "9" * 1_000_000 + "}]"


@attack("twice.json")
def duplicate_keys() -> str:
    return json.dumps([_EVENT])[:-2] + ', "a": 1' * 300_000 + "}]"


@attack("keys.json")
def million_keys() -> str:
    return json.dumps([_EVENT])[:-2] + "".join(f', "k{number}": 1' for number in range(1_000_000)) + "}]"


@attack("keys.jsonl")
def keys_that_are_data() -> str:
    return "".join(json.dumps(_EVENT | {f"k{row}x{at}": at for at in range(500)}) + "\n" for row in range(1500))


@attack("flat.json")
def flattened_keys() -> str:
    return json.dumps([_EVENT])[:-2] + ', "a": ' + '{"' + "k" * 4000 + '": ' + "[1" + ",1" * 200_000 + "]}}]"


@attack("long.json")
def long_key() -> str:
    return json.dumps([_EVENT])[:-2] + ', "' + "k" * (8 * MIB) + '": 1}]'


@attack("surrogates.jsonl")
def lone_surrogates() -> str:
    return '{"source": "note", "start_date": "2024-01-01", "text": "\\ud800 x \\udfff", "\\udc00": 1}\n' * 50


@attack("surrogates.json")
def surrogates_in_list() -> str:
    return '[{"source": "note", "start_date": "2024-01-01", "text": "\\ud800 x \\udfff", "\\udc00": 1}]'


@attack("nan.json")
def not_numbers() -> str:
    return '[{"source": "note", "start_date": "2024-01-01", "a": NaN, "b": -Infinity}]'


@attack("bom.jsonl")
def bom_twice() -> bytes:
    return b"\xef\xbb\xbf\xef\xbb\xbf" + json.dumps(_EVENT).encode() + b"\n"


@attack("wide.json")
def utf_16() -> bytes:
    return json.dumps([_EVENT] * 3).encode("utf-16")


@attack("wide.json")
def utf_32() -> bytes:
    return json.dumps([_EVENT] * 3).encode("utf-32")


@attack("blanks.json")
def blanks() -> str:
    return " " * (64 * MIB)


@attack("open.json")
def open_string() -> str:
    return '[{"source": "' + "a" * (40 * MIB)


@attack("backslashes.json")
def backslashes() -> str:
    return '[{"source": "note", "start_date": "2024-01-01", "text": "' + "\\\\" * (8 * MIB) + '"}]'


@attack("escapes.json")
def date_texts() -> str:
    return json.dumps([{"source": "note", "start_date": "2" * 200_000, "date": "-" * 200_000, "time": ":" * 200_000}])


@attack("times.json")
def time_keys() -> str:
    return json.dumps([{"start_date" + " " * number: "2024-01-01" for number in range(1500)}])


@attack("many.jsonl")
def empty_lines() -> str:
    return json.dumps(_EVENT) + "\n" * (20 * MIB)


@attack("broken.jsonl")
def broken_lines() -> str:
    return json.dumps(_EVENT) + "\n" + json.dumps(_EVENT) + "\n" + "{\n" * 300_000


@attack("chat.json")
def chat_of_senders() -> str:
    told = [{"from": f"a{n}", "text": "b", "date": "2024-03-01T09:00:00", "chat": f"c{n}"} for n in range(5000)]
    return json.dumps({"messages": told})


@attack("chat.json")
def chat_of_parts() -> str:
    part = [{"text": "x"}] * 200_000
    return json.dumps({"messages": [{"from": "a", "text": part, "date": "2024-03-01T09:00:00", "to": ["b"] * 1000}]})


@attack("conversations.json")
def chatgpt_chain() -> str:
    nodes = {
        f"n{n}": {"parent": f"n{n - 1}" if n else None, "children": [f"n{n + 1}"], "message": None}
        for n in range(50_000)
    }
    return json.dumps([{"title": "a", "create_time": 1.7e9, "mapping": nodes, "current_node": "n49999"}])


@attack("conversations.json")
def chatgpt_loop() -> str:
    node = {"message": {"author": {"role": "user"}, "create_time": 1.7e9, "content": {"parts": ["a"]}}}
    nodes = {"a": {"parent": "b", "children": ["b"], **node}, "b": {"parent": "a", "children": ["a"], **node}}
    return json.dumps([{"title": "a", "create_time": 1.7e9, "mapping": nodes, "current_node": "b"}])


@attack("profile.json")
def profile_of_names() -> str:
    friends = [{"name": f"B{n}", "relation": "x" * 50} for n in range(50_000)]
    return json.dumps({"name": "A", "friends": friends, "nicknames": {f"C{n}": ["x"] * 5 for n in range(20_000)}})


@attack("outbox.json")
def outbox_of_tags() -> str:
    tags = [{"type": "Hashtag", "name": f"#{n}"} for n in range(100_000)]
    post = {"id": "o", "type": "Note", "published": "2024-01-01T00:00:00Z", "content": "<p>" * 60_000, "tag": tags}
    return json.dumps({"orderedItems": [{"id": "a", "type": "Create", "actor": "m", "object": post}]})


@attack("tweets.js")
def tweet_of_links() -> str:
    urls = [{"url": f"http://t.co/{n}", "expanded_url": "x" * 100} for n in range(20_000)]
    text = "http://t.co/1 " * 20_000
    told = {"id_str": "1", "created_at": "Sat Mar 02 09:15:00 +0000 2024", "full_text": text}
    return "window.YTD.tweets.part0 = " + json.dumps([{"tweet": told | {"entities": {"urls": urls}}}])


# ---------------------------------------------------------------- CSV

_AMAZON = "Website,Order ID,Order Date,Currency,Unit Price,Total Owed,ASIN,Quantity,Order Status,Product Name\n"


@attack("orders.csv")
def long_csv_line() -> str:
    return _AMAZON + "A,1-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed," + "x" * (100 * MIB) + "\n"


@attack("orders.csv")
def open_quote() -> str:
    row = "A,1-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed,Twine\n"
    return _AMAZON + 'A,1-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed,"Twine\n' + row * 4000


@attack("orders.csv")
def open_quotes_everywhere() -> str:
    return _AMAZON + 'A,1-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed,"Twine\n' * 4000


@attack("history.csv")
def open_quote_over_short_lines() -> str:
    return 'Title,Date\nA,1/2/24\n"B,1/2/24\n' + "a\n" * (MIB // 2)


@attack("orders.csv")
def nul_in_csv() -> str:
    return _AMAZON + "A,1\0-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed,Twine\n" * 20


@attack("orders.csv")
def commas() -> str:
    return _AMAZON + "," * (20 * MIB)


@attack("columns.csv")
def many_columns() -> str:
    return ",".join(f"date{n}" for n in range(3000)) + "\n" + (",".join(["2024-01-01"] * 3000) + "\n") * 500


@attack("wide.csv")
def utf_16_csv() -> bytes:
    return (_AMAZON + "A,1-2,2024-01-01T00:00:00Z,EUR,1.00,1.20,B1,2,Closed,Twine\n").encode("utf-16")


@attack("history.csv")
def netflix_titles() -> str:
    return "Title,Date\n" + ('"' + "A: Season 1: " * 20_000 + '",1/2/24\n') * 20


@attack("history.csv")
def netflix_dates() -> str:
    return "Title,Date\n" + ("A," + "1/" * 50_000 + "\n") * 20


@attack("activity.csv")
def netflix_durations() -> str:
    head = "Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Country\n"
    return head + ("A,2024-01-01 10:00:00," + ":".join(["1"] * 50_000) + ",,Film,,TV,IE\n") * 20


# ---------------------------------------------------------------- XML


def _health(inside: str, attributes: str = "", doctype: str = "") -> str:
    return f'<?xml version="1.0"?>{doctype}<HealthData {attributes}><ExportDate value="x"/>{inside}</HealthData>'


_WORKOUT = '<Workout workoutActivityType="R" startDate="2024-07-01 18:00:00 +0100" endDate="2024-07-01 18:20:00 +0100"'


@attack("export.xml")
def xml_attributes() -> str:
    return _health(_WORKOUT + "".join(f' a{n}="{n}"' for n in range(400_000)) + "/>")


@attack("export.xml")
def xml_root_attributes() -> str:
    return _health(_WORKOUT + "/>", "".join(f'a{n}="{n}" ' for n in range(400_000)))


@attack("export.xml")
def xml_metadata() -> str:
    return _health(
        _WORKOUT + ">" + "".join(f'<MetadataEntry key="k{n}" value="v"/>' for n in range(200_000)) + "</Workout>"
    )


@attack("export.xml")
def xml_statistics() -> str:
    entry = "".join(f'<WorkoutStatistics type="T{n}" sum="0"/>' for n in range(200_000))
    return _health(_WORKOUT + ">" + entry + "</Workout>")


@attack("export.xml")
def xml_depth() -> str:
    return _health(_WORKOUT + ">" + "<a>" * 500_000)


@attack("export.xml")
def xml_namespaces() -> str:
    return _health(_WORKOUT + "".join(f' xmlns:n{n}="u{n}"' for n in range(100_000)) + "/>")


@attack("export.xml")
def xml_nested_namespaces() -> str:
    return _health(_WORKOUT + ">" + "".join(f'<n{n}:a xmlns:n{n}="u">' for n in range(150)) * 200)


@attack("export.xml")
def xml_text() -> str:
    return _health(_WORKOUT + ">" + "x" * (60 * MIB) + "</Workout>")


@attack("export.xml")
def xml_comments() -> str:
    return _health("<!--" + "-" * (30 * MIB) + "-->")


@attack("export.xml")
def xml_entities() -> str:
    entities = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    return _health("&l11;", 'a="&l11;"', f'<!DOCTYPE HealthData [<!ENTITY l0 "lol">{entities}]>')


@attack("export.xml")
def xml_entities_utf_16() -> bytes:
    entities = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    return _health("&l11;", 'a="&l11;"', f'<!DOCTYPE HealthData [<!ENTITY l0 "lol">{entities}]>').encode("utf-16")


@attack("export.xml")
def xml_external_entity() -> str:
    return _health(_WORKOUT + ' x="&e;"/>', "", '<!DOCTYPE HealthData [<!ENTITY e SYSTEM "file:///etc/passwd">]>')


@attack("export.xml")
def xml_many_types() -> str:
    return _health("".join(f'<Record type="T{n}"/>' for n in range(150_000)))


@attack("export.xml")
def xml_tags() -> str:
    return _health("".join(f"<T{n}/>" for n in range(150_000)))


@attack("export.xml")
def xml_quantities() -> str:
    entry = f'<MetadataEntry key="HKAverageSpeed" value="{"1" * 200_000}"/>'
    return _health(
        _WORKOUT + f' device="{"<" * 300_000}"' + ' startDate2="' + " " * 300_000 + '">' + entry + "</Workout>"
    )
