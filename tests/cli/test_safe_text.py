"""Text from outside cannot steer a terminal, reorder a line or hide; formats with escapes lose nothing."""

from __future__ import annotations

import csv
import io
import json
import sys
import unicodedata

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.cli.printing.safe_text import csv_escaped, json_escaped, one_line, rdf_escaped, shown

SEEN_FORMATS = {0x0890, 0x0891, 0x08E2, 0x06DD, 0x070F, 0x110BD, 0x110CD, *range(0x0600, 0x0606)}
"""Signs of category Cf that a reader sees, such as the Arabic sign of a number."""
WALES = "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
ORDER = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
EVIL = st.text(
    st.one_of(
        st.characters(categories=["Cc", "Cf", "Zl", "Zp", "Cs"]),
        st.sampled_from("aé日م\u200d\ufe0f👩🏴\U000e0067\U000e007f"),
        st.characters(),
    )
)


def unsafe(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp", "Cs"} and ord(char) not in SEEN_FORMATS


def test_every_control_and_format_is_shown() -> None:
    kept = [hex(code) for code in range(sys.maxunicode + 1) if unsafe(chr(code)) and shown(chr(code)) == chr(code)]
    assert kept == ["0x9", "0xa"]


def test_every_other_character_stays() -> None:
    fillers = {0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0}
    changed = [
        code
        for code in range(sys.maxunicode + 1)
        if not unsafe(chr(code)) and unicodedata.category(chr(code)) != "Cn" and shown(chr(code)) != chr(code)
    ]
    marks = {code for code in changed if "VARIATION SELECTOR" in unicodedata.name(chr(code), "")}
    egyptian = set(range(0x13430, 0x13460))
    assert set(changed) - marks - egyptian <= fillers


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\x1b]0;owned\x07", "␛]0;owned␇"),
        ("\x9b2J", "<U+009B>2J"),
        ("\x7f", "␡"),
        ("txt.\u202eexe", "txt.<U+202E>exe"),
        ("pay\u200bpal", "pay<U+200B>pal"),
        ("a\rb", "a␍b"),
        ("caf\udce9.ics", "caf\\xe9.ics"),
        ("[red]x[/red]", "[red]x[/red]"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        (WALES, WALES),
        ("❤️", "❤️"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("a\u200db", "a<U+200D>b"),
        ("a\ufe01", "a<U+FE01>"),
        ("❤\ufe0f\ufe01", "❤<U+FE0F><U+FE01>"),
        ("\U000e0041", "<U+E0041>"),
    ],
)  # fmt: skip
def test_examples(text: str, said: str) -> None:
    assert shown(text) == said


@given(EVIL)
def test_nothing_steers(text: str) -> None:
    found = shown(text)
    assert not any(unicodedata.category(char) in {"Cc", "Zl", "Zp", "Cs"} and char not in "\n\t" for char in found)
    assert not any(unicodedata.bidirectional(char) in ORDER for char in found)
    assert "\n" not in one_line(text)
    assert shown(found) == found
    found.encode()


@given(st.recursive(EVIL, lambda inner: st.lists(inner) | st.dictionaries(EVIL, inner)))
def test_json_says_the_same(value: object) -> None:
    text = json_escaped(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == json.loads(json.dumps(value))
    assert not any(unsafe(char) and char not in "\n\t" for char in text)


@given(EVIL.filter(lambda text: not any(0xD800 <= ord(char) < 0xE000 for char in text)))
def test_rdf_says_the_same(text: str) -> None:
    quad = ox.Quad(ox.NamedNode("urn:a"), ox.NamedNode("urn:b"), ox.Literal(text))
    for form in (ox.RdfFormat.N_QUADS, ox.RdfFormat.TRIG):
        said = rdf_escaped((ox.serialize([quad], format=form) or b"").decode())
        assert not any(unsafe(char) and char not in "\n\t" for char in said)
        (read,) = ox.parse(said, format=form)
        assert read == quad


@given(st.lists(st.lists(EVIL, min_size=2, max_size=2), min_size=1))
def test_csv_has_no_formula(rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    read = list(csv.reader(io.StringIO(csv_escaped(out.getvalue()), newline="")))
    assert len(read) == len(rows)
    for cell in (cell for row in read for cell in row):
        assert not cell.startswith(("=", "@", "\t", "\r"))


@pytest.mark.parametrize("length", [131_071, 131_072, 131_073, 300_000])
def test_a_cell_of_any_length(length: int) -> None:
    before = csv.field_size_limit()
    assert csv_escaped(f"{'x' * length},y\r\n") == f"{'x' * length},y\r\n"
    assert csv_escaped(f'"{"," * length}"\r\n') == f'"{"," * length}"\r\n'
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("-5.2", "-5.2"),
        ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
        ("a;=1", '"a;=1"'),
    ],
)
def test_formulas(given_: str, said: str) -> None:
    assert csv_escaped(f"{given_}\r\n") == f"{said}\r\n"
