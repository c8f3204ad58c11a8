"""The functions of fn:, by the examples of their documentation, by properties, and inside maps."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.mappings.rml import FUNCTIONS
from reqap_kg.mappings.rml.functions.types import Unconvertible
from reqap_kg.mappings.rml.nquads import text_of

HOME = ZoneInfo("Europe/Dublin")
CASES = [(function, example) for function in FUNCTIONS.values() for example in function.examples]


def call(name: str, **inputs):
    function = FUNCTIONS[name]
    arguments = [inputs.get(parameter) for parameter in function.parameter_names]
    return function.run(*([HOME] if function.zoned else []), *arguments)


@pytest.mark.parametrize(("function", "example"), CASES, ids=[f"{f.name}-{at}" for at, (f, _) in enumerate(CASES)])
def test_examples(function, example) -> None:
    found = call(function.name, **dict(example.inputs))
    if isinstance(found, datetime) and isinstance(example.output, str):
        found = text_of(found)
    assert found == example.output


def test_every_function_has_examples() -> None:
    assert all(function.examples for function in FUNCTIONS.values())


@pytest.mark.parametrize(
    ("value", "more", "expected"),
    [
        ("2024-01-05T10:00:00Z", {}, "2024-01-05T10:00:00"),
        ("2024-07-05T10:00:00+00:00", {}, "2024-07-05T11:00:00"),
        ("2024-07-05T10:00:00.250Z", {}, "2024-07-05T11:00:00.25"),
        ("2024-07-05T10:00:00-05:00", {}, "2024-07-05T10:00:00"),
        ("2024-07-05 10:00:00 UTC", {}, "2024-07-05T11:00:00"),
        ("2024-07-05T10:00:00[America/New_York]", {}, "2024-07-05T10:00:00"),
        ("2024-07-05 10:00:00 America/New_York", {}, "2024-07-05T10:00:00"),
        ("20240705T100000Z", {}, "2024-07-05T11:00:00"),
        ("2024/07/05 10:00", {}, "2024-07-05T10:00:00"),
        ("2024-07-05 10:00", {"zone": "America/New_York"}, "2024-07-05T10:00:00"),
        ("2024-07-05 10:00", {"zone": "home"}, "2024-07-05T10:00:00"),
        ("1720173600", {"pattern": "epoch-s"}, "2024-07-05T11:00:00"),
        (1720173600000000, {"pattern": "epoch-us"}, "2024-07-05T11:00:00"),
        (1720173600.5, {"pattern": "epoch-s"}, "2024-07-05T11:00:00.5"),
        ("Fri Jul 05 10:00:00 +0000 2024", {"pattern": "%a %b %d %H:%M:%S %z %Y"}, "2024-07-05T11:00:00"),
        ("05.07.2024", {"pattern": "%m/%d/%y|%d.%m.%Y"}, "2024-07-05T00:00:00"),
        ("2024-07-05", {"format": "%Y-%m-%d"}, "2024-07-05T00:00:00"),
        ("2024-07-05", {"pattern": "%d.%m.%Y|iso"}, "2024-07-05T00:00:00"),
        (" 2024-07-05T10:00:00 ", {}, "2024-07-05T10:00:00"),
        ("Fri, 05 Jul 2024 10:00:00 GMT", {}, "2024-07-05T11:00:00"),
        ("Fri, 05 Jul 2024 10:00:00 -0400 (EDT)", {}, "2024-07-05T10:00:00"),
        (date(2024, 7, 5), {}, "2024-07-05T00:00:00"),
    ],
)
def test_wall_clock(value, more, expected) -> None:
    assert text_of(call("wallClock", value=value, **more)) == expected


@pytest.mark.parametrize(
    "value",
    ["", "soon", "2024-13-01", "2024-02-30T10:00:00", 17, True, [], "x" * 1000, "12:30", "9999-12-31T23:59:59Z9"],
)
def test_what_is_no_time(value) -> None:
    with pytest.raises(Unconvertible):
        call("wallClock", value=value)


@pytest.mark.parametrize(
    ("value", "pattern"), [("x", "epoch-s"), (1e30, "epoch-ms"), ("1", "%Y-%m-%d"), ("nan", "epoch-s")]
)
def test_what_is_not_of_the_pattern(value, pattern) -> None:
    with pytest.raises(Unconvertible):
        call("wallClock", value=value, pattern=pattern)


@given(st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2100, 1, 1)))
def test_utc_and_epoch_agree(moment) -> None:
    moment = moment.replace(microsecond=0)
    seconds = int((moment - datetime(1970, 1, 1)).total_seconds())
    assert call("wallClock", value=moment.isoformat() + "Z") == call("wallClock", value=seconds, pattern="epoch-s")


@given(st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2050, 1, 1)), st.integers(-(10**7), 10**7))
def test_seconds_added_can_be_taken_away(moment, seconds) -> None:
    there = call("plusSeconds", value=moment, seconds=seconds)
    assert call("plusSeconds", value=there, seconds=-seconds) == moment


@given(st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2050, 1, 1)), st.integers(0, 500 * 86400))
def test_days_are_consecutive_and_touched(start, seconds) -> None:
    end = start + timedelta(seconds=seconds)
    found = call("days", start=start, end=end)
    assert found[0] == start.date()
    assert [b - a for a, b in pairwise(found)] == [timedelta(days=1)] * (len(found) - 1)
    assert len(found) <= 366
    assert found[-1] <= end.date()


def test_days_of_a_reversed_interval() -> None:
    assert call("days", start="2024-06-02", end="2024-06-01") == [date(2024, 6, 2)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1,219.49", "1219.49"),
        ("1.219,49", "1219.49"),
        ("1 219,49 €", "1219.49"),
        ("1'219.49", "1219.49"),
        ("1,219", "1219"),
        ("12,5", "12.5"),
        ("1.219", "1.219"),
        ("1.219.000", "1219000"),
        ("'-14.39'", "-14.39"),
        ("-€5.00", "-5"),
        ("€-5.00", "-5"),
        ("−3", "-3"),
        ("(12.50)", "-12.5"),
        ("$1,000,000.00", "1000000"),
        ("USD 5", "5"),
        ("50%", "50"),
        ("12.4 km", "12.4"),
        ("1e3", "1000"),
        (".5", "0.5"),
        ("+7", "7"),
        (7, "7"),
        (2.5, "2.5"),
        (True, "1"),
        ("12.00\u00a0kr", "12"),
        ("EUR19.50", "19.5"),
    ],
)
def test_numbers(value, expected) -> None:
    assert call("number", value=value) == Decimal(expected)


@pytest.mark.parametrize("value", ["", "-", "--", "N/A", "Not Available", "null", "None", float("nan"), float("inf")])
def test_texts_that_stand_for_nothing(value) -> None:
    assert call("number", value=value) is None


@pytest.mark.parametrize("value", ["cheap", "1 - 2", "5 of 10", "1.2.3,4,5", "3)", "EUR"])
def test_what_is_no_number(value) -> None:
    with pytest.raises(Unconvertible):
        call("number", value=value)


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2))
def test_numbers_with_marks(value) -> None:
    english = f"{value:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert call("number", value=english) == value
    assert call("number", value=german + " EUR") == value


@given(
    st.sampled_from(["m", "km", "mi", "yd", "ft"]),
    st.sampled_from(["m", "km", "mi", "yd", "ft"]),
    st.integers(1, 10**5),
)
def test_conversion_there_and_back(unit, to, amount) -> None:
    there = call("convert", value=amount, unit=unit, to=to)
    back = call("convert", value=there, unit=to, to=unit)
    assert abs(back - amount) < Decimal("0.0001")


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        ("5.2", "mi", "km", "8.3685888"),
        (1, "Cal", "kJ", "4.184"),
        (500, "cal", "kcal", "0.5"),
        (90, "min", "h", "1.5"),
        (1, "kg", "lb", "2.2046226218"),
        (36, "km/h", "m/s", "10"),
    ],
)
def test_conversions(value, unit, to, expected) -> None:
    assert call("convert", value=value, unit=unit, to=to) == Decimal(expected)


@pytest.mark.parametrize(("unit", "to"), [("mi", "kg"), ("furlong", "km"), ("km", "mils")])
def test_conversions_that_make_no_sense(unit, to) -> None:
    with pytest.raises(Unconvertible):
        call("convert", value=1, unit=unit, to=to)


@given(st.integers(0, 10**6))
def test_clock_forms_of_durations(total) -> None:
    clock = f"{total // 3600}:{total % 3600 // 60:02}:{total % 60:02}"
    iso = f"PT{total // 3600}H{total % 3600 // 60}M{total % 60}S"
    words = f"{total // 3600} hours, {total % 3600 // 60} min and {total % 60} sec"
    assert {call("seconds", value=text) for text in (clock, iso, words, total, str(total))} == {Decimal(total)}


@pytest.mark.parametrize(
    ("value", "expected"),
    [("2:05", "125"), ("-0:30", "-30"), ("1:02:03.5", "3723.5"), ("P1DT2H", "93600"), ("90s", "90"), ("1,5 h", "5400")],
)
def test_durations(value, expected) -> None:
    assert call("seconds", value=value) == Decimal(expected)


@pytest.mark.parametrize("value", ["", "long", "P", "PT", "5 parsecs", "1:2:3:4"])
def test_what_is_no_duration(value) -> None:
    with pytest.raises(Unconvertible):
        call("seconds", value=value)


def test_a_regular_expression_has_a_time_limit() -> None:
    with pytest.raises(Unconvertible, match="too long"):
        call("group", value="a" * 60 + "!", pattern=r"^(a|aa)+$", group=1)


@pytest.mark.parametrize(("pattern", "group"), [("(", 1), ("(a)", 2), ("(a)", "name")])
def test_regular_expressions_that_are_wrong(pattern, group) -> None:
    with pytest.raises(Unconvertible):
        call("group", value="a", pattern=pattern, group=group)


@given(st.text(max_size=300), st.integers(2, 100))
def test_truncated_text_is_short_enough(text, length) -> None:
    assert len(call("truncate", value=text, length=length) or "") <= length


class TestInMaps:
    def test_nested_calls_and_many_values(self, kit) -> None:
        start = kit.call("wallClock", ("value", 'rml:reference "at"'), ("zone", 'rml:constant "UTC"'))
        end = kit.call(
            "plusSeconds", ("value", start), ("seconds", kit.call("seconds", ("value", 'rml:reference "len"')))
        )
        days = kit.call("days", ("start", start), ("end", end))
        turtle = kit.stream(kit.pair("ex:p", days))
        record = {"_id": "1", "at": "2024-06-01T22:30:00", "len": "1:00:00"}
        day = "^^<http://www.w3.org/2001/XMLSchema#date>"
        assert kit.objects(turtle, record) == [f'"2024-06-01"{day}', f'"2024-06-02"{day}']

    def test_the_order_of_the_map_counts(self, kit) -> None:
        inputs = [("value", f'rml:reference "{key}"') for key in "cab"]
        joined = kit.call("concat", *inputs, ("separator", 'rml:constant "-"'))
        record = {"_id": "1", "a": "A", "b": ["B1", "B2"], "c": "C"}
        assert kit.objects(kit.stream(kit.pair("ex:p", joined)), record) == ['"C-A-B1-B2"']
        chosen = kit.call("first", *inputs)
        assert kit.objects(kit.stream(kit.pair("ex:p", chosen)), {"_id": "1", "c": "", "b": 2, "a": None}) == [
            '"2"^^<http://www.w3.org/2001/XMLSchema#integer>'
        ]

    def test_every_value_of_a_list_is_converted(self, kit) -> None:
        turtle = kit.stream(kit.pair("ex:p", kit.call("lower", ("value", 'rml:reference "x"'))))
        assert kit.objects(turtle, {"_id": "1", "x": ["A", "B"]}) == ['"a"', '"b"']

    def test_a_required_input_without_value_gives_nothing(self, kit) -> None:
        turtle = kit.stream(
            kit.pair("ex:p", kit.call("plusSeconds", ("value", 'rml:reference "x"'), ("seconds", 'rml:reference "y"')))
        )
        assert kit.objects(turtle, {"_id": "1", "x": "2024-06-01"}) == []

    def test_templates_and_stated_datatypes(self, kit) -> None:
        number = kit.call("number", ("value", 'rml:template "{x}.{y}"'))
        turtle = kit.stream(kit.pair("ex:p", number + " ; rml:datatype xsd:double"))
        assert kit.objects(turtle, {"_id": "1", "x": 3, "y": 5}) == ['"3.5"^^<http://www.w3.org/2001/XMLSchema#double>']

    def test_as_subject_graph_and_language(self, kit) -> None:
        low = kit.call("lower", ("value", 'rml:reference "_id"'))
        turtle = kit.stream(kit.pair("ex:p", f'rml:reference "x" ; rml:languageMap [ {low} ]'), subject=low)
        lines, _ = kit.run(turtle, {"_id": "EN", "x": "a"})
        assert lines == {'<https://example.org/en> <https://example.org/p> "a"@en'}

    def test_long_forms(self, kit) -> None:
        call = (
            "rml:functionExecution [ rml:functionMap [ rml:constant fn:lower ] ;"
            ' rml:input [ rml:parameterMap [ rml:constant fn:value ] ; rml:inputValueMap [ rml:reference "x" ] ] ]'
        )
        assert kit.objects(kit.stream(kit.pair("ex:p", call)), {"_id": "1", "x": "A"}) == ['"a"']
