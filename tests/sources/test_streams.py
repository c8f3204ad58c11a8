"""JSON and CSV as streams: limits, broken parts, constant memory."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterable
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.config import Limits
from reqap_kg.errors import HostileInput, SourceError
from reqap_kg.sources.base import BadRecord
from reqap_kg.sources.json.jsonstream import Element, Piece, json_document, json_elements, json_lines, pieces, value_of
from reqap_kg.sources.tables import Row, csv_rows

LIMITS = Limits()


class Generated:
    """A file whose bytes are made while they are read."""

    path = "made"

    def __init__(self, first: bytes, part: bytes, times: int, last: bytes) -> None:
        self._parts = (first, part, times, last)
        self.size = len(first) + len(part) * times + len(last)

    def head(self, size: int = 65536) -> bytes:
        first, part, times, _ = self._parts
        return (first + part * min(times, size // len(part) + 1))[:size]

    def open(self) -> Any:
        first, part, times, last = self._parts

        class Stream(io.RawIOBase):
            left = times
            rest = first

            def readable(self) -> bool:
                return True

            def readinto(self, buffer: Any) -> int:
                while len(self.rest) < len(buffer) and self.left:
                    count = min(self.left, len(buffer) // len(part) + 1)
                    self.left -= count
                    self.rest += part * count + (last if not self.left else b"")
                given, self.rest = self.rest[: len(buffer)], self.rest[len(buffer) :]
                buffer[: len(given)] = given
                return len(given)

        return io.BufferedReader(Stream())


def values_of(found: Iterable[Element | BadRecord]) -> list[Any]:
    """The values of elements, none of which is bad."""
    found = list(found)
    assert not any(isinstance(item, BadRecord) for item in found), found
    return [item.value for item in found if isinstance(item, Element)]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(json_values, max_size=6))
def test_elements_are_what_a_parser_of_the_whole_gives(values: list[Any]) -> None:
    class File:
        path = "x"
        size = 0

        def open(self) -> Any:
            return io.BytesIO(json.dumps(values).encode())

        def head(self, size: int = 65536) -> bytes:
            return self.open().read(size)

    assert values_of(json_elements(File(), LIMITS)) == json.loads(json.dumps(values))


def test_one_object_is_one_element(make_file: Any) -> None:
    assert values_of(json_elements(make_file('{"a": [1, {"b": null}]}'), LIMITS)) == [{"a": [1, {"b": None}]}]
    assert json_document(make_file('﻿{"a": 1}'), LIMITS) == {"a": 1}
    with pytest.raises(SourceError, match="expected one JSON object"):
        json_document(make_file("[]"), LIMITS)


NO_JSON = ('[{"a": 1}, {"a"', "[1}", "[1", "[1] x", "", "tru", '{"a": "\xff"}', "{", "9" * 5_000)


@pytest.mark.parametrize("text", NO_JSON)
def test_malformed_text_is_one_error(make_file: Any, text: str) -> None:
    with pytest.raises(SourceError):
        list(json_elements(make_file(text.encode("latin-1")), LIMITS))


BAD_ELEMENTS = ('"\xff"', "2 3", "nul", "", "9" * 5_000, "[" * 300 + "]" * 300, '{"a": 1]', '"\\ud800"', '"a\nb"')


@pytest.mark.parametrize("bad", BAD_ELEMENTS)
def test_an_element_that_is_no_json_costs_itself(make_file: Any, bad: str) -> None:
    text = f'[{{"a": 1}}, {bad}, {{"b": "]"}}]'.encode("latin-1")
    first, between, last = json_elements(make_file(text), LIMITS)
    assert isinstance(between, BadRecord)
    assert between.where == "element 2"
    assert values_of((first, last)) == [{"a": 1}, {"b": "]"}]
    if bad.strip() and "\n" not in bad:
        lines = b'{"a": 1}\n' + bad.encode("latin-1") + b'\n{"b": "]"}\n'
        first, between, last = json_lines(make_file(lines), LIMITS)
        assert isinstance(between, BadRecord)
        assert values_of((first, last)) == [{"a": 1}, {"b": "]"}]


@given(st.lists(json_values, max_size=6), st.data())
def test_elements_are_the_same_in_whatever_parts_they_come(values: list[Any], draw: Any) -> None:
    text = json.dumps(values, indent=draw.draw(st.sampled_from([None, 1])))[1:].encode() + b" rest"
    ends = sorted(draw.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    parts = [text[a:b] for a, b in zip([0, *ends], [*ends, len(text)], strict=True)]
    *found, rest = pieces(parts)
    assert [value_of(piece.text) for piece in found if isinstance(piece, Piece)] == values
    assert isinstance(rest, bytes)
    assert b" rest".startswith(rest)


def test_numbers_that_are_none_are_values(make_file: Any) -> None:
    """Python's json writes them; what reads the value says that it is none."""
    values = values_of(json_elements(make_file('[{"a": NaN}, {"a": -Infinity}]'), LIMITS))
    assert str(values) == "[{'a': nan}, {'a': -inf}]"


def test_utf_16_says_what_to_do(make_file: Any) -> None:
    with pytest.raises(SourceError, match="save it as UTF-8"):
        list(json_elements(make_file("[1]".encode("utf-16")), LIMITS))


def test_big_numbers_do_not_refuse_a_file(make_file: Any) -> None:
    values = values_of(json_elements(make_file("[123456789012345678901234567890, 0.1, 5]"), LIMITS))
    assert values == [123456789012345678901234567890, 0.1, 5]


@pytest.mark.parametrize("first", [b'["', b'{"a": "'])
def test_a_single_giant_line_is_refused_without_reading_it_whole(first: bytes) -> None:
    file = Generated(first, b"x" * 1000, 200_000, b'"]')
    tracemalloc.start()
    try:
        with pytest.raises(HostileInput, match="larger than"):
            list(json_elements(file, Limits(record_bytes=2**20)))
        with pytest.raises(HostileInput, match="longer than"):
            list(json_lines(file, Limits(record_bytes=2**20)))
        assert tracemalloc.get_traced_memory()[1] < 30 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.long
def test_long_files_are_read_in_constant_memory() -> None:
    row = json.dumps({"ts": "2024-01-01T00:00:00Z", "ms_played": 1000, "name": "x" * 500}).encode()
    as_json = Generated(b"[" + row, b"," + row, 40_000, b"]")
    as_lines = Generated(b"", row + b"\n", 40_000, b"")
    as_csv = Generated(b"a,b\n", b'x,"' + b"y" * 500 + b'"\n', 40_000, b"")
    tracemalloc.start()
    try:
        assert sum(1 for _ in json_elements(as_json, LIMITS)) == 40_001
        assert sum(1 for _ in json_lines(as_lines, LIMITS)) == 40_000
        assert sum(1 for _ in csv_rows(as_csv, LIMITS)) == 40_000
        assert tracemalloc.get_traced_memory()[1] < 5 * 2**20
    finally:
        tracemalloc.stop()


def rows(make_file: Any, text: str | bytes) -> tuple[list[list[str]], list[str]]:
    found = list(csv_rows(make_file(text), LIMITS))
    good = [list(item.cells.values()) for item in found if isinstance(item, Row)]
    return good, [item.where for item in found if isinstance(item, BadRecord)]


def test_rows_with_quotes_line_ends_and_other_delimiters(make_file: Any) -> None:
    assert rows(make_file, 'a,b\n1,"x\n""y"""\r\n\n2,z\n') == ([["1", 'x\n"y"'], ["2", "z"]], [])
    assert rows(make_file, "a;b\n1;x\n") == ([["1", "x"]], [])
    assert rows(make_file, "a, long;b\n1;x\n2;y, z\n") == ([["1", "x"], ["2", "y, z"]], [])
    assert rows(make_file, "a\tb\t\n1\tx\t\n2\ty\n") == ([["1", "x"], ["2", "y"]], [])
    assert rows(make_file, "a,b\n1,ü\n".encode("cp1252")) == ([["1", "ü"]], [])
    assert rows(make_file, "a,b\n1,ü\n".encode("utf-16")) == ([["1", "ü"]], [])
    assert rows(make_file, 'a,b\n21" screen,x\n') == ([['21" screen', "x"]], [])


def test_a_broken_row_costs_that_row_only(make_file: Any) -> None:
    text = 'a,b\n1,x\n2,"never closed\n3,y\n4\n5,z\n'
    good, bad = rows(make_file, text)
    assert [row[0] for row in good if row[0] != "2"] == ["1", "3", "5"]
    assert "line 5" in bad


def test_of_columns_with_the_same_name_the_last_holds(make_file: Any) -> None:
    [row] = csv_rows(make_file("a,b,a\n1,2,3\n"), LIMITS)
    assert isinstance(row, Row)
    assert row.cells == {"a": "3", "b": "2"}


def test_a_long_cell_is_a_cell(make_file: Any) -> None:
    assert rows(make_file, "a,b\nx," + "y" * 200_000 + "\n1,2\n") == ([["x", "y" * 200_000], ["1", "2"]], [])


def test_quotes_that_never_close_cost_no_more_than_other_rows(make_file: Any) -> None:
    """Each looks for its end in fewer lines than the one before."""
    text = "title,date\n" + 'a","1/2/24\n' * 20_000
    begin = process_time()
    good, bad = rows(make_file, text)
    assert (len(good), len(bad)) in ((20_000, 0), (0, 20_000))
    assert process_time() - begin < 2.0
