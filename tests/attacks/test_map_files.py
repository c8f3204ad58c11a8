"""Files that a user's map reads: what is wrong with one record costs that record and no other."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.config import Limits
from reqap_kg.errors import DataError, MappingError
from reqap_kg.mappings.rml import load_map
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


_XML = "<r><e id='1'><!-- said --><?do it?><n>chough</n><p>(</p></e><e id='2'><n>kestrel</n><p>k</p></e></r>"
_XPATHS = (
    *("re:test(n, p)", "re:match(n, concat(p, 'a'), 'g')", "re:match(n, '.', 'g')", "re:replace(n, p, 'g', '\\\\9')"),
    *(
        "namespace::*",
        "comment()",
        "processing-instruction()",
        "n\\u0001",
        "'\\u0000'",
        "1 div 0",
        "(",
        "n | 'x'",
        "@*",
    ),
    *("node()", "count(//*)", "true()", "q:n", "re:nothing(n)", "string-length(n) * 1e308 * 1e308", "id('1')"),
)
_JSONPATHS = (
    *(
        "$[?@.a == 1e400]",
        "$[?length(@.a) == 1e400]",
        f"$[?@.a == {'9' * 5_000}]",
        f"$[{'9' * 5_000}]",
        "$[?@.a == -1e400]",
    ),
    *(
        "$[1e2]",
        "$['a",
        "$..*",
        "$[?@.a > 1e-400]",
        "$[?match(@.a, '(')]",
        "$[?search(@.a, @.b)]",
        "$[::0]",
        "$[\\u0001]",
    ),
)


@pytest.mark.parametrize("reference", _XPATHS)
def test_an_xpath_gives_values_notes_or_an_error_with_its_place(reference: str, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(_XML, encoding="utf-8")
    formulation = """[ a rml:XPathReferenceFormulation ; rml:namespace [ rml:namespacePrefix "re" ;
    rml:namespaceURL "http://exslt.org/regular-expressions" ] ]"""
    _mapped(tmp_path, "a.xml", formulation, "/r/e", "@id", reference, 2)


@pytest.mark.smoke
@pytest.mark.parametrize("reference", _JSONPATHS, ids=range(len(_JSONPATHS)))
def test_a_jsonpath_gives_values_notes_or_an_error_with_its_place(reference: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"id": 1, "a": "x", "b": "("}, {"id": 2, "a": 5}]', encoding="utf-8")
    _mapped(tmp_path, "a.json", "rml:JSONPath", "$[*]", "id", reference, 2)


@pytest.mark.parametrize(("prefix", "url"), [("", "u:x"), ("q", "a\\u0001"), ("q", ""), ("1", "u:x"), ("xml", "u:x")])
def test_a_wrong_namespace_is_an_error_of_the_map(prefix: str, url: str, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(_XML, encoding="utf-8")
    formulation = f"""[ a rml:XPathReferenceFormulation ; rml:namespace [ rml:namespacePrefix "{prefix}" ;
    rml:namespaceURL "{url}" ] ]"""
    _mapped(tmp_path, "a.xml", formulation, "/r/e", "@id", "n", 2)


def _mapped(folder: Path, file: str, formulation: str, iterator: str, own: str, reference: str, records: int) -> None:
    """Maps two records by a reference that may be wrong: either both are read, or an error says what is wrong."""
    turtle = f"""
    @prefix rml: <http://w3id.org/rml/> .
    <#A> a rml:TriplesMap ;
     rml:logicalSource [ rml:source "{file}" ; rml:iterator "{iterator}" ; rml:referenceFormulation {formulation} ] ;
     rml:subjectMap [ rml:template "https://example.org/{{{own}}}" ; rml:class <#C> ] ;
     rml:predicateObjectMap [ rml:predicate <#p> ; rml:objectMap [ rml:reference \"\"\"{reference}\"\"\" ] ] .
    """
    found: list[object] = []
    told = ""
    try:
        compiled = load_map(turtle, path="m.ttl", base_iri="https://example.org/m", home_zone=ZoneInfo("UTC"))
        found = list(compiled.map_sources(folder, graph=None, working_dir=folder, strict=False))
    except (MappingError, DataError) as bad:
        told = str(bad)
    assert len(told) < 1_000
    text = "".join(one for one in found if isinstance(one, str))
    assert told or text.count("#type>") == records
