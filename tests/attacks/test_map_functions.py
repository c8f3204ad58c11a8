"""Functions of maps on values that nobody foresaw: a value, nothing, or a note on that record; never an exception."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.errors import MappingError
from reqap_kg.mappings.rml import load_map
from reqap_kg.mappings.rml.functions.functions import FUNCTIONS
from reqap_kg.mappings.rml.functions.types import Unconvertible
from reqap_kg.mappings.rml.nquads import NATURAL_DECIMALS, is_lexical, text_of
from reqap_kg.ontology.namespaces import XSD

HOME = ZoneInfo("Europe/Dublin")
_MOST = 100_000
"""Characters that a small value may become."""
WILD: Any = [
    *(
        "",
        " ",
        "0",
        "-1",
        "²",
        "½",
        "NaN",
        "inf",
        "9e999999",
        "1e900000000",
        "-1e-900000000",
        "0e999999999",
        "9" * 5_000,
    ),
    *("(", "(a", "a{99999999999999999999}", "(?P<x>.)", "(.)", "*", "\\", "[", "|", "=", "a=b|c", "%", "%Y %Y", "%Q"),
    *("%Y-%m-%d", "epoch-s", "epoch-ms", "iso", "|" * 50, "km", "h", "mi", "parsec", "kcal", "s", "America", "UTC"),
    *("home", "Europe/Dublin", "\0", "\ud800", "a/../b", "x" * 3_000, "٣", "1,5", "(5)", "1e5", "PT9999999999H"),
    *("99999999999:00", "1 hr", "0001-01-01", "9999-12-31", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00"),
    *("24:00", "2024-06-01T10:00:00Z", "Sat, 01 Jun 2024 10:00:00 +9999", "TRUE", "Traditional"),
    *(0, 1, -1, 10**30, -(10**400), 1.5, -0.0, 1e308, 5e-324, float("inf"), float("nan"), True, False),
    *(Decimal("1E+400"), Decimal("-1E-400"), Decimal(0), Decimal("0E+9"), Decimal("1.5"), Decimal("-3")),
    *(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, tzinfo=UTC), date(1, 1, 1), date(9999, 12, 31), time(1, 2)),
    datetime(1, 1, 1, tzinfo=ZoneInfo("Asia/Tokyo")),
]
VALUES = (
    st.sampled_from(WILD)
    | st.text(max_size=20)
    | st.integers()
    | st.floats()
    | st.decimals(-(10**40), 10**40, allow_nan=False)
    | st.datetimes()
)


def _run(name: str, arguments: dict[str, Any], many: list[Any]) -> list[Any]:
    function = FUNCTIONS[name]
    given = [arguments.get(one) for one in (*function.required, *function.optional)]
    parts = [*([HOME] if function.zoned else []), *([many] if function.many else []), *given]
    try:
        found = function.run(*parts)
    except Unconvertible as bad:
        return [] if len(str(bad)) < 400 else [f"a long message: {bad}" * 100_000]
    return found if isinstance(found, list) else [] if found is None else [found]


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_function_gives_a_value_nothing_or_a_note(name: str, full_attack: bool) -> None:
    function = FUNCTIONS[name]
    required = {one: VALUES for one in function.required}
    optional = {one: VALUES | st.none() for one in function.optional}

    @settings(deadline=None, max_examples=5_000 if full_attack else 250, database=None)
    @given(st.fixed_dictionaries({**required, **optional}), st.lists(VALUES, min_size=1, max_size=3))
    def property_(arguments: dict[str, Any], many: list[Any]) -> None:
        results = _run(name, arguments, many)
        for value in results:
            told = [one for one in (*arguments.values(), *many) if one is value]
            if told:
                continue  # a value that only passes through
            assert len(text_of(value)) <= _MOST
            written = NATURAL_DECIMALS[type(value)](value)
            if isinstance(value, Decimal | date | time):
                kind = written.rpartition("#")[2].rstrip(">")
                assert is_lexical(text_of(value), XSD + kind), written

    property_()


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("function", "parameter", "constant"),
    [
        ("multiply", "by", '"abc"^^xsd:integer'),
        ("multiply", "by", '"NaN"^^xsd:decimal'),
        ("multiply", "by", f'"{"9" * 5_000}"^^xsd:integer'),
        ("multiply", "by", '"n/a"'),
        ("divide", "by", "0"),
        ("seconds", "unit", '"parsec"'),
        ("seconds", "unit", "5"),
        ("split", "separator", '""'),
        ("truncate", "length", '"long"'),
        ("group", "pattern", '"("'),
        ("case", "cases", '"a"'),
        ("wallClock", "zone", '"Nowhere/Else"'),
        ("wallClock", "zone", '"2024-02-30"^^xsd:date'),
    ],
)
def test_a_wrong_constant_is_told_with_its_place(function: str, parameter: str, constant: str) -> None:
    turtle = f"""
    @prefix rml: <http://w3id.org/rml/> . @prefix fn: <https://w3id.org/reqap-kg/function#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    <#A> a rml:TriplesMap ; rml:logicalSource [ rml:source "a.csv" ; rml:referenceFormulation rml:CSV ] ;
    rml:subjectMap [ rml:template "https://example.org/{{id}}" ] ;
    rml:predicateObjectMap [ rml:predicate <#p> ; rml:objectMap [ rml:functionExecution [ rml:function fn:{function} ;
    rml:input [ rml:parameter fn:value ; rml:inputValueMap [ rml:reference "id" ] ] ,
    [ rml:parameter fn:{parameter} ; rml:inputValue {constant} ] ] ] ] .
    """
    with pytest.raises(MappingError) as told:
        load_map(turtle, path="m.ttl", base_iri="https://example.org/m", home_zone=HOME)
    assert told.value.place is not None
    assert len(str(told.value)) < 1_000
