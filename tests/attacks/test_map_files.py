"""Files that a user's map reads: what is wrong with one record costs that record and no other."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.config import Limits
from reqap_kg.mappings.rml.files.csv_file import csv_iterations
from reqap_kg.mappings.rml.files.file_input import FileInput, Iteration
from reqap_kg.mappings.rml.nquads import is_lexical
from reqap_kg.ontology.namespaces import XSD
from reqap_kg.sources.base import BadRecord


@settings(deadline=None, max_examples=40)
@given(st.sets(st.integers(0, 60)), st.binary(min_size=1, max_size=3), st.booleans())
def test_a_row_that_is_no_text_is_a_bad_record_with_its_line(
    tmp_path_factory, broken: set[int], raw: bytes, quoted: bool
) -> None:
    junk = bytes(0x80 | byte for byte in raw)  # continuation bytes begin no character
    junk = b"\xff" + junk
    rows = [b'%d,"a%sb"' % (at, junk) if at in broken else b"%d,good" % at for at in range(61)]
    if not quoted:
        rows = [row.replace(b'"', b"") for row in rows]
    path: Path = tmp_path_factory.mktemp("rows") / "a.csv"
    path.write_bytes(b"id,what\n" + b"\n".join(rows) + b"\n")
    found = list(csv_iterations(FileInput(path, "a.csv", limits=Limits())))
    good = [one.value["id"] for one in found if isinstance(one, Iteration)]
    bad = [one.where for one in found if isinstance(one, BadRecord)]
    assert good == [str(at) for at in range(61) if at not in broken]
    assert bad == [f"line {at + 2}" for at in sorted(broken)]


@given(st.integers(-5, 12_000), st.integers(0, 14), st.integers(0, 33), st.integers(0, 25), st.integers(0, 99))
def test_times_that_are_none_are_no_literals(year: int, month: int, day: int, hour: int, offset: int) -> None:

    text = f"{'-' * (year < 0)}{abs(year):04d}-{month:02d}-{day:02d}T{hour:02d}:00:00+{offset:02d}:00"
    try:
        datetime(year, month, day, hour)
        is_there = offset <= 14
    except ValueError:
        is_there = False
    assert is_lexical(text, XSD + "dateTime") == is_there
    if hour == 0 and offset == 0:
        assert is_lexical(text[: text.index("T")], XSD + "date") == is_there
