"""Exports with a value of an unforeseen type, size, name or encoding in one place, by the structure of their format."""

from __future__ import annotations

import ast
import csv
import inspect
import io
import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

from damaged_exports import EXPORTS

from reqap_kg.sources.registry import format_named

EDGES = (
    "0001-01-01", "9999-12-31", "0000-00-00", "2024-02-30", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
    "9999-12-31T23:59:59Z", "0001-01-01T00:00:00", "9999-12-31 23:59:59 -1200", "00010101T000000Z", "99991231T235959",
    "00010101", "99991231", "Fri Dec 31 23:59:59 +0000 9999", "Mon Jan 01 00:00:00 +1400 0001",
    "Fri, 31 Dec 9999 23:59:59 -1400", "Mon, 01 Jan 0001 00:00:00 +1400", "31/12/9999", "1/1/1", "24:00", "00:00",
    "23:59:59", "01:00", "P9999999999Y", "-P99999999D", "PT1H", "FREQ=SECONDLY", "2024-01-01T10:00:00+23:59:59",
)  # fmt: skip
"""Dates, times and spans at the ends of the calendar, in the forms that exports have."""
TEXTS = (
    "", " ", "x", "\0", "\ud800", "\udfff", "\u202e", "\u2028", "é", "-", "-0", "5", "1e999", "9" * 400, "٣", "²",
    "NaN", "9" * 5000, "Infinity", "<b>", "&#1114112;", "&#xD800;", "../../etc/passwd", "Europe", "Europe/Rome",
    "A/" * 300, "http://[", "urn:", "%", "{}", "a@b.test", ",", ";", ":", "=", '"', "\\", "true", "a b", "A" * 5000,
)  # fmt: skip
NUMBERS = (
    0, -1, 5, 1.5, -0.0, 1e308, -1e308, 1e-320, 2**31, 2**63, -(2**63), 10**30, -(10**30), 10**400, -(10**400),
    253402300799, 253402300800, -62135596800, -62135596801, 4102444799, 253402300799999, 253402300799999999,
    1709283600, 99991231, 10101,
)  # fmt: skip
LITERALS = tuple(
    f"literal:{text}"
    for text in ("1e999", "-1e999", "1e-999", "-0", "1E400", "1.00000000000000000001", "9" * 30 + ".5", "1e5", "0.5e1")
)
"""Numbers that JSON can say and Python's own writer of it does not."""
OTHERS: tuple[Any, ...] = (
    None, True, False, [], {}, ["x"], [None], [[]], [["x"]], [1], [{"x": [1]}], [{}], {"a": 1}, {"name": ["x"]},
    {"": None}, {"name": {"name": 5}}, ["a", 1, None, {"text": ["b"]}],
)  # fmt: skip
_WORD = re.compile(r"[A-Za-z_@][\w:.@-]{0,40}( [A-Z]\w+){0,2}")
_DATE = re.compile(
    r"\d{4}(?P<s>[-/]?)\d\d(?P=s)\d\d|\d{1,2}/\d{1,2}/\d{2,4}|\d{1,2}:\d\d(:\d\d)?|[+-]\d\d:?\d\d|\d{4,}"
)
Document = list[Any] | dict[str, Any]


@cache
def words(name: str) -> tuple[str, ...]:
    """The names that the reader and the map of a format know: keys, columns, properties, elements, values."""
    form = format_named(name)
    assert form is not None
    module = sys.modules[form.read.__module__]
    package = [held for key, held in sys.modules.items() if module.__package__ == key.rpartition(".")[0]]
    near = [module, *(held for held in package if not (module.__package__ or "").endswith("sources"))]
    texts = [inspect.getsource(held) for held in near if getattr(held, "__file__", None)]
    nodes = [node for text in texts for node in ast.walk(ast.parse(text))]
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
    found = [node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in told]
    known = [part for value in found if isinstance(value, str) and len(value) < 200 for part in (value, *value.split())]
    turtle = files("reqap_kg.mappings").joinpath(form.map_file).read_text(encoding="utf-8")
    known += re.findall(r'rml:reference "([^"]+)"', turtle)
    return tuple(sorted({word for word in known if _WORD.fullmatch(word)}))


def odd(luck: random.Random) -> Any:
    """Any JSON value that nobody expects."""
    return deepcopy(luck.choice(luck.choice((EDGES, TEXTS, NUMBERS, LITERALS, OTHERS, OTHERS))))


def odd_text(luck: random.Random) -> str:
    value = odd(luck)
    return value.removeprefix("literal:") if isinstance(value, str) else json.dumps(value)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with a key or an index of it."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


def _odd_json(document: Document, names: tuple[str, ...], luck: random.Random) -> None:
    """One oddity in one place: a value replaced, a key dropped, renamed or added, an element doubled or swapped."""
    places = list(_places(document))
    if not places:
        return
    held, key = luck.choice(places)
    kind = luck.randrange(8)
    if kind < 4:
        held[key] = odd(luck)
    elif kind == 4:
        del held[key]
    elif isinstance(held, list):
        other = luck.randrange(len(held))
        held[key] = deepcopy(held[other]) if kind == 5 else [held[key]]
    elif kind == 5:
        held[luck.choice(names)] = held.pop(key)
    else:
        held[luck.choice(names)] = odd(luck)


def _more(value: Any) -> Any:
    """A value whose lists of objects hold each several times."""
    if isinstance(value, dict):
        return {key: _more(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_more(inner) for _ in range(4 if any(isinstance(i, dict) for i in value) else 1) for inner in value]
    return value


def _json(text: str, names: tuple[str, ...], luck: random.Random) -> str:
    prefix = text[: re.search(r"[\[{]", text).start()]  # type: ignore[union-attr]
    try:
        documents = [json.loads(text[len(prefix) :])]
    except json.JSONDecodeError:
        documents = [json.loads(line) for line in text.splitlines()]
    if luck.random() < 0.7:  # a format is told by most of its records, so that an odd one is read as one of it
        documents = [_more(document) for document in documents] * (1 if len(documents) == 1 else 4)
        documents = [deepcopy(document) for document in documents]
    for _ in range(luck.choice((1, 1, 2, 4, 12))):
        _odd_json(luck.choice(documents), names, luck)
    made = prefix + "\n".join(json.dumps(document) for document in documents) + ("\n" if len(documents) > 1 else "")
    return re.sub(r'"literal:([^"]+)"', r"\1", made)


def _odd_xml(root: ElementTree.Element, names: tuple[str, ...], luck: random.Random) -> None:
    """One oddity: an attribute dropped, added or changed, an element dropped, doubled, renamed, added or moved."""
    parents = {child: parent for parent in root.iter() for child in parent}
    element = luck.choice(list(parents) or [root])
    kind = luck.randrange(9)
    known = [*names, *(key for each in root.iter() for key in each.attrib), *(each.tag for each in root.iter())]
    values = [*names, *(value for each in root.iter() for value in each.attrib.values())]
    if kind == 0 and element.attrib:
        del element.attrib[luck.choice(list(element.attrib))]
    elif kind == 1 and element.attrib:
        element.set(luck.choice(list(element.attrib)), luck.choice((odd_text(luck), luck.choice(values))))
    elif kind == 2 and element.attrib:
        key, held = luck.choice(list(element.attrib.items()))
        element.attrib = {key: luck.choice((held, *names))}
    elif kind == 3:
        element.set(luck.choice(known), luck.choice((odd_text(luck), luck.choice(values))))
    elif kind == 4 and element in parents:
        parents[element].remove(element)
    elif kind == 5 and element in parents:
        parents[element].append(deepcopy(element))
    elif kind == 6:
        element.tag = luck.choice(known)
    elif kind == 7:
        element.append(ElementTree.Element(luck.choice(known), {luck.choice(known): luck.choice(values)}))
    else:
        luck.choice(list(root.iter())).append(deepcopy(element))


def _xml(text: str, names: tuple[str, ...], luck: random.Random) -> str:
    root = ElementTree.fromstring(text)
    names = tuple(re.sub(r"[^\w.-]", "_", name) for name in names)
    for _ in range(luck.choice((0, 4))):
        root.extend(deepcopy(list(root.iter("Workout"))[:2]))
    for _ in range(luck.choice((1, 2, 8, 30))):
        _odd_xml(root, names, luck)
    made = ElementTree.tostring(root, encoding="unicode")
    # Halves of characters, and control characters but for one file of ten, so that not every file is refused as no XML.
    made = made if luck.randrange(10) == 0 else re.sub("[\0\ud800-\udfff]", "?", made)
    return '<?xml version="1.0"?>' + made


def _csv(text: str, names: tuple[str, ...], luck: random.Random) -> str:
    """Cells, rows and columns that are odd, missing, doubled or new."""
    rows = list(csv.reader(io.StringIO(text)))
    for _ in range(luck.choice((1, 1, 2, 4))):
        row = luck.choice(rows if luck.random() < 0.3 else rows[1:] or rows)
        at, kind = luck.randrange(len(row) or 1), luck.randrange(7)
        if kind < 3 and row:
            row[at] = odd_text(luck)
        elif kind == 3 and row:
            del row[at]
        elif kind == 4:
            row.insert(at, luck.choice((*names, odd_text(luck))))
        elif kind == 5:
            rows.append(list(row))
        elif row:
            for each in rows:
                del each[at : at + 1]
    out = io.StringIO()
    csv.writer(out, delimiter=luck.choice(",,,;\t")).writerows(rows)
    return out.getvalue()


def _odd_line(lines: list[str], names: tuple[str, ...], luck: random.Random) -> None:
    """One oddity: a line dropped, doubled, moved, joined; its name, a parameter or its value changed."""
    at, kind = luck.randrange(len(lines)), luck.randrange(10)
    line = lines[at]
    parts = re.split(r"([:;,= ])", line)
    if kind == 0 and len(lines) > 1:
        del lines[at]
    elif kind == 1:
        lines.insert(luck.randrange(len(lines)), line)
    elif kind == 2:
        other = luck.randrange(len(lines))
        lines[at], lines[other] = lines[other], line
    elif kind == 3:
        lines[at] = line.rstrip("\r") + (lines.pop(at + 1) if at + 1 < len(lines) else "")
    elif kind in (4, 5):
        parts[luck.randrange(0, len(parts), 2)] = luck.choice((odd_text(luck), luck.choice(names)))
        lines[at] = "".join(parts)
    elif kind == 6:
        start = luck.randrange(0, len(parts), 2)
        lines[at] = "".join(parts[:start] + parts[start + 2 :])
    elif kind == 7:
        extra = f"{luck.choice(';,= :')}{luck.choice(names)}{luck.choice('=:; ')}{odd_text(luck)}"
        parts.insert(luck.randrange(1, len(parts) + 1), extra)
        lines[at] = "".join(parts)
    elif kind == 8:
        mark = luck.choice((":", ": ", "=", ";VALUE=DATE:", ";TZID=x:", "\t", " - "))
        lines.insert(at, f"{luck.choice(names)}{mark}{odd_text(luck)}")
    else:
        lines[at] = luck.choice(" \t>-#") + line


def _lines(text: str, names: tuple[str, ...], luck: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(luck.choice((1, 1, 2, 4, 8))):
        _odd_line(lines, names or ("x",), luck)
    return "\n".join(lines)


def _times(text: str, names: tuple[str, ...], luck: random.Random) -> str:
    """Dates and clock times at the ends of the calendar, in their own form or in another."""
    del names

    def edge(found: re.Match[str]) -> str:
        if luck.random() < 0.5:
            return found[0]
        if luck.random() < 0.2:
            return luck.choice(EDGES)
        if re.match(r"[+-]", found[0]):
            return re.sub(r"\d\d", lambda _: luck.choice(("00", "14", "23", "59", "99")), found[0])
        if ":" in found[0]:
            return re.sub(r"\d+", lambda _: luck.choice(("00", "23", "59", "24")), found[0])
        last = luck.random() < 0.5
        numbers = {8: ("00010101", "99991231"), 4: ("0001", "9999"), 2: ("01", "12" if last else "31"), 1: ("1", "9")}
        return re.sub(r"\d+", lambda run: numbers.get(len(run[0]), ("1", "9" * len(run[0])))[last], found[0])

    return _DATE.sub(edge, text)


_SHAPES: dict[str, Callable[[str, tuple[str, ...], random.Random], str]] = {
    "apple-health": _xml,
    "netflix-activity": _csv,
    "netflix-history": _csv,
    "amazon-orders": _csv,
    "strava": _csv,
    "garmin-activities": _csv,
    "google-fit": _csv,
    "goodreads": _csv,
    "storygraph": _csv,
    "letterboxd": _csv,
    "apple-music": _csv,
    "kindle": _lines,
    "gpx": _xml,
    "tcx": _xml,
    "whatsapp": _lines,
    "icalendar": _lines,
    "mail": _lines,
    "markdown": _lines,
}
"""How a format is built; JSON where it is not said."""


def _bytes(text: str, luck: random.Random) -> bytes:
    """A text in an encoding, now and then another one than expected, cut off, or with halves of characters."""
    kind = luck.randrange(24)
    encoding = {0: "utf-16", 1: "utf-16-be", 2: "utf-8-sig", 3: "cp1252", 4: "utf-32", 5: "utf-7"}.get(kind, "utf-8")
    errors = "surrogatepass" if encoding.startswith("utf-") and encoding != "utf-7" else "replace"
    data = (b"\xfe\xff" if encoding == "utf-16-be" else b"") + text.encode(encoding, errors)
    if luck.randrange(6 if kind > 1 else 2) == 0:
        data = data[: luck.randrange(len(data) + 1)]
    if luck.randrange(8 if kind > 1 else 2) == 0:
        at = luck.randrange(len(data) + 1)
        data = data[:at] + luck.choice((b"\x00\xdc", b"\xdc\x00", b"\xd8", b"\xed\xa0\x80", b"\xff", b"\0")) + data[at:]
    return data


def odd_export(name: str, luck: random.Random) -> bytes:
    """The sample of a format with oddities."""
    text, names = EXPORTS[name], words(name)
    shape = _SHAPES.get(name, _json)
    strict = shape in (_json, _xml)  # where one stray byte has the whole file refused
    changes = [(shape,)] * (8 if strict else 2) + [(_times,), (shape, _times), (shape, _lines)]
    for change in luck.choice(changes):
        text = change(text, names, luck)
    return text.encode("utf-8", "surrogatepass") if strict and luck.random() < 0.8 else _bytes(text, luck)
