"""Values that no query can read as they stand are read once, as a derivation, and answer like any others."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest
from resolving import resolve

from reqap_kg.errors import TreeTypeError
from reqap_kg.execution.derivations.derive import list_derivations
from reqap_kg.execution.derivations.values_written import original_property
from reqap_kg.execution.run import run
from reqap_kg.extraction.extract import Resolved, resolve_attribute
from reqap_kg.ontology.namespaces import DERIVED, EV, KEY
from reqap_kg.operators.nodes import AttributeType as T
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.retrieval.retrieve import resolve_retrieve
from reqap_kg.store.vocabulary import key_label

HEAD = """@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix key: <https://w3id.org/reqap-kg/key/> .
@prefix d: <https://w3id.org/reqap-kg/data/t/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix g: <https://w3id.org/reqap-kg/graph/source/> .
"""
NOW = datetime(2025, 1, 1)
TYPES = {
    T.DATE: "date.fromisoformat", T.TIME: "time.fromisoformat", T.DATETIME: "datetime.fromisoformat", T.INT: "int",
    T.FLOAT: "float", T.BOOL: "bool", T.DURATION: "timedelta", T.STR: "str",
}  # fmt: skip


@pytest.fixture
def workouts(context_of):
    """A context of workouts, each with the Turtle given for it."""

    def make(*parts: str, source: str = "g:a"):
        lines = [f"d:w{n:03} a ev:Workout ; ev:source {source} ; {part} ." for n, part in enumerate(parts)]
        return context_of(HEAD + "\n".join(lines))

    return make


def resolved(context, key, kind):
    """What the key of workouts is read as."""
    outcome = resolve_attribute("workouts", resolve_retrieve("workouts", context).match, key, kind, context)
    assert isinstance(outcome, Resolved)
    return outcome


def values(context, key, kind, above="{}"):
    """The values of the key as the compiled query answers them, in the order of the events."""
    text = f'EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["{key}"], attr_types=[{TYPES[kind]}])'
    tree = parse_tree(above.format(text))
    found = resolve(tree, context)
    return [row[0] for row in run(tree, graph=context.graph, resolution=found.resolution, now=NOW).rows]


def derived(context):
    """The texts of the derivations that stand in the graph."""
    return [found.query for found in list_derivations(context.graph)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("kind", "texts", "expected"),
    [
        (T.DATE, ["14.03.2022", "March 15, 2022", "2022-03-16"], [date(2022, 3, day) for day in (14, 15, 16)]),
        (T.DATE, ["3/4/22", "14/3/22"], [date(2022, 4, 3), date(2022, 3, 14)]),
        (T.DATE, ["1647291930", "1647378330"], [date(2022, 3, 14), date(2022, 3, 15)]),
        (T.DATETIME, ["3/14/22 9:05 PM", "14 Mar 2022 21:05:30"], [datetime(2022, 3, 14, 21, 5, s) for s in (0, 30)]),
        (T.TIME, ["9:05 PM", "7:00", "07:30:15"], [time(21, 5), time(7), time(7, 30, 15)]),
        (T.TIME, ["09:05 PM", "10:05 AM"], [time(21, 5), time(10, 5)]),
        (T.DURATION, ["1:30:00", "45:10", "PT2H"], [timedelta(seconds=s) for s in (5400, 2710, 7200)]),
        (T.DURATION, ["126 min", "1 h 30 min", "90"], [timedelta(seconds=s) for s in (7560, 5400, 90)]),
        (T.FLOAT, ["1.234,50 €", "5,99 €"], [1234.5, 5.99]),
        (T.FLOAT, ["1,200", "12"], [1200, 12]),
        (T.FLOAT, ["PT1H", "PT30M"], [3600, 1800]),
        (T.INT, ["1,200 steps", "12 steps"], [1200, 12]),
        (T.INT, ["12%", "7 %"], [12, 7]),
        (T.BOOL, ["Yes", "no", "true"], [True, False, True]),
    ],
)
def test_values_are_read_across_the_ways_that_exports_write_them(workouts, kind, texts, expected):
    context = workouts(*(f'key:thing "{text}"' for text in texts))
    assert sorted(values(context, "thing", kind), key=str) == sorted(expected, key=str)
    match = resolved(context, "thing", kind).match
    assert match.properties[0].startswith(DERIVED)
    assert len(derived(context)) == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (T.DATE, ['"2022-03-14"', '"2022-03-14T21:05:00"^^xsd:dateTime', '"2022-03-14"^^xsd:date']),
        (T.TIME, ['"21:05"', '"21:05:30"', '"2022-03-14T21:05:00"']),
        (T.DATETIME, ['"2022-03-14T21:05:00"', '"2022-03-14T21:05:00+01:00"', '"2022-03-14"']),
        (T.FLOAT, ["5", "5.5", "5.5e0", '"5.5"', '"-7"']),
        (T.DURATION, ["90", '"90"']),
        (T.BOOL, ["true", "1", '"false"']),
        (T.STR, ['"3/4/22"', "5"]),
    ],
)
def test_what_a_query_reads_as_it_stands_is_left_alone(workouts, kind, texts):
    context = workouts(*(f"key:thing {text}" for text in texts))
    assert resolved(context, "thing", kind).match.properties == (KEY + "thing",)
    assert derived(context) == []
    assert None not in values(context, "thing", kind)


def test_filters_compare_what_was_read(workouts):
    context = workouts('key:thing "9:05 PM"', 'key:thing "11:30 AM"', 'key:thing "12:15 AM"')
    above = 'FILTER(l={}, filter=lambda attr: attr["thing"] >= time(21, 0))'
    assert values(context, "thing", T.TIME, above) == [time(21, 5)]
    assert values(context, "thing", T.TIME, 'MIN(l={}, attr_name="thing")') == [time(0, 15)]


def test_a_derivation_is_made_once_and_again_for_another_generation(workouts):
    context = workouts('key:thing "9:05 PM"', 'key:thing "n/a"')
    first = resolved(context, "thing", T.TIME)
    written = len(context.graph.triples())
    assert resolved(context, "thing", T.TIME) == first
    assert len(context.graph.triples()) == written
    (found,) = list_derivations(context.graph)
    assert (found.operator, found.model, found.results) == ("EXTRACT", "values", 1)
    assert found.query == f"<{KEY}thing> as time"


def test_what_was_read_leads_back_to_the_property_it_was_read_from(workouts):
    context = workouts('key:thing "9:05 PM"')
    (prop,) = resolved(context, "thing", T.TIME).match.properties
    assert original_property(prop, context.graph) == KEY + "thing"
    assert original_property(EV + "start", context.graph) == EV + "start"


def test_what_cannot_be_read_is_counted_and_kept_out(workouts):
    context = workouts('key:thing "9:05 PM"', 'key:thing "n/a"', 'key:thing "late"', 'key:other "x"')
    outcome = resolved(context, "thing", T.TIME)
    assert outcome.warnings == ("2 of 3 values of 'thing' are no time, e.g. 'n/a'",)
    assert values(context, "thing", T.TIME) == [time(21, 5), None, None, None]
    assert resolved(context, "thing", T.TIME).warnings == outcome.warnings


def test_each_source_has_its_own_conventions_and_borrows_what_it_does_not_show(context_of):
    context = context_of(
        HEAD
        + """d:a1 a ev:Workout ; ev:source g:a ; key:thing "3/4/22" . d:a2 a ev:Workout ; ev:source g:a ; key:thing
        "14/3/22" . d:b1 a ev:Workout ; ev:source g:b ; key:thing "3/4/22" . d:b2 a ev:Workout ; ev:source g:b ;
        key:thing "3/15/22" ."""
    )
    found = sorted(str(value) for value in values(context, "thing", T.DATE))
    assert found == ["2022-03-04", "2022-03-14", "2022-03-15", "2022-04-03"]


def test_durations_of_xsd_count_in_seconds(workouts):
    context = workouts('key:thing "PT45M"^^xsd:dayTimeDuration', 'key:thing "P1DT1H"^^xsd:duration', "key:thing 30")
    assert values(context, "thing", T.DURATION) == [timedelta(minutes=45), timedelta(hours=25), timedelta(seconds=30)]


@pytest.mark.parametrize(
    ("unit", "seconds"), [("unit:MIN", 90), ("unit:HR", 5400), ("unit:MilliSEC", 0.0015), ("unit:SEC", 1.5)]
)
def test_a_duration_comes_out_in_seconds_whatever_the_unit_of_the_ontology(context_of, unit, seconds):
    context = context_of(
        f"""{HEAD} @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix qudt: <http://qudt.org/schema/qudt/> .
        @prefix unit: <http://qudt.org/vocab/unit/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        ev:rest a owl:DatatypeProperty ; rdfs:label "rest" ; rdfs:domain ev:Workout ; rdfs:range xsd:decimal ;
          qudt:unit {unit} .
        d:w1 a ev:Workout ; ev:rest 1.5 ."""
    )
    assert values(context, "rest", T.DURATION) == [timedelta(seconds=seconds)]
    assert values(context, "rest", T.FLOAT) == [1.5]


# ---------------------------------------------------------------- units
@pytest.mark.parametrize("key", ["weight_unit", "weightUnit", "weight_units", "unit_of_weight"])
def test_units_beside_the_values_convert_to_the_commonest(workouts, key):
    context = workouts(
        f'key:weight 80 ; key:{key} "kg"', f'key:weight 100 ; key:{key} "lb"', f'key:weight 81 ; key:{key} "kg"'
    )
    match = resolved(context, "weight", T.FLOAT).match
    assert (match.unit, match.unit_property) == ("kg", None)
    assert values(context, "weight", T.FLOAT) == [80, pytest.approx(45.359237), 81]


def test_units_beside_the_values_that_are_all_the_same_are_only_told(workouts):
    context = workouts('key:weight 80 ; key:weight_unit "kg"', 'key:weight 81 ; key:weight_unit "kg"')
    match = resolved(context, "weight", T.FLOAT).match
    assert (match.properties, match.unit) == ((KEY + "weight",), "kg")


def test_a_value_without_a_unit_is_taken_as_the_commonest_and_that_is_told(workouts):
    context = workouts('key:weight 80 ; key:weight_unit "kg"', "key:weight 81")
    outcome = resolved(context, "weight", T.FLOAT)
    assert outcome.match.unit == "kg"
    assert outcome.warnings == ("1 of 2 values of 'weight' states no unit and is taken as kg",)


def test_units_in_the_values_convert_as_well(workouts):
    context = workouts('key:length "5 km"', 'key:length "800 m"', 'key:length "1 mile"', 'key:length "3 km"')
    assert resolved(context, "length", T.FLOAT).match.unit == "km"
    assert values(context, "length", T.FLOAT) == [5, 0.8, pytest.approx(1.609344), 3]


def test_a_general_unit_belongs_to_a_value(workouts):
    context = workouts('key:value 70 ; key:unit "kg" ; key:laps 3', 'key:value 150 ; key:unit "lb" ; key:laps 4')
    assert resolved(context, "value", T.FLOAT).match.unit in ("kg", "lb")
    assert resolved(context, "laps", T.INT).match.unit is None


def test_temperatures_convert_though_their_zeros_differ(workouts):
    context = workouts('key:air "20 °C"', 'key:air "50°F"', 'key:air "21 C"')
    assert resolved(context, "air", T.FLOAT).match.unit == "°C"
    assert values(context, "air", T.FLOAT) == [20, 10, 21]


@pytest.mark.parametrize(
    ("texts", "expected", "unit"),
    [
        (["250 g", "1.5 kg", "300 g"], [250, 1500, 300], "g"),
        (["5 in", "1 ft", "3 in"], [5, 12, 3], "inch"),
        (["2 l", "500 ml", "1 L"], [2, 0.5, 1], "litre"),
        (["300 kcal", "418.4 kJ", "100 Cal"], [300, 100, 100], "kcal"),
        (["10 km/h", "5 m/s", "9 km/hr"], [10, 18, 9], "km/h"),
        (["12 st", "70 kg", "80 kg"], [pytest.approx(76.2035), 70, 80], "kg"),
        (["90 s", "2 Minuten", "3 min"], [1.5, 2, 3], "min"),
    ],
)
def test_quantities_of_one_kind_convert(workouts, texts, expected, unit):
    context = workouts(*(f'key:thing "{text}"' for text in texts))
    assert resolved(context, "thing", T.FLOAT).match.unit == unit
    assert values(context, "thing", T.FLOAT) == [pytest.approx(value) for value in expected]


def test_currencies_never_convert_and_are_told_apart(workouts):
    context = workouts('key:cost "5,99 €"', 'key:cost "$3.50"')
    outcome = resolved(context, "cost", T.FLOAT)
    assert outcome.match.unit is None
    tree = parse_tree(
        'SUM(l=EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["cost"], attr_types=[float]), attr_name="cost")'
    )
    found = run(tree, graph=context.graph, resolution=resolve(tree, context).resolution, now=NOW)
    assert found.answer == (9.49,)
    assert "the amounts are in different units: EUR, USD" in found.warnings


def test_one_currency_is_the_unit(workouts):
    context = workouts('key:cost "5,99 €"', 'key:cost "3,50 EUR"')
    assert resolved(context, "cost", T.FLOAT).match.unit == "EUR"
    beside = workouts('key:cost 5 ; key:cost_currency "EUR"', 'key:cost 6 ; key:cost_currency "USD"')
    match = resolved(beside, "cost", T.FLOAT).match
    assert (match.properties, match.unit, match.unit_property) == ((KEY + "cost",), None, KEY + "cost_currency")


def test_the_unit_of_the_ontology_wins_and_other_quantities_are_no_values(workouts):
    context = workouts('ev:distance "3 mi"', "ev:distance 5.0", 'ev:distance "300 kcal"')
    outcome = resolved(context, "distance", T.FLOAT)
    assert outcome.match.unit == "km"
    assert outcome.warnings == ("1 of 3 values of 'distance' is no number, e.g. '300 kcal'",)
    assert values(context, "distance", T.FLOAT) == [pytest.approx(4.828032), 5.0, None]


@pytest.mark.parametrize(
    ("key", "kind", "value", "expected", "unit"),
    [
        ("rest_min", T.DURATION, "5", timedelta(minutes=5), "s"),
        ("ms_rested", T.DURATION, "2000", timedelta(seconds=2), "s"),
        ("restSeconds", T.DURATION, "90", timedelta(seconds=90), "s"),
        ("climb_m", T.FLOAT, "90", 90, None),
        ("climb_km", T.FLOAT, "90", 90, "km"),
        ("pulse_min", T.FLOAT, "90", 90, None),
        ("Distance%20%28m%29", T.FLOAT, "90", 90, "m"),
        ("Elapsed%20Time%20%28seconds%29", T.DURATION, "90", timedelta(seconds=90), "s"),
        ("Rest%20%5Bmin%5D", T.DURATION, "2", timedelta(minutes=2), "s"),
    ],
)
def test_a_keys_name_may_tell_the_unit(workouts, key, kind, value, expected, unit):
    context = workouts(f"<{KEY}{key}> {value}")
    words = key_label(KEY + key)
    assert words
    assert resolved(context, words, kind).match.unit == unit
    assert values(context, words, kind) == [expected]


def test_typed_numbers_are_never_read_by_the_conventions_of_texts(workouts):
    context = workouts("key:thing 1.200", 'key:thing "3,5"')
    assert values(context, "thing", T.FLOAT) == [1.2, 3.5]


def test_the_moments_of_events_are_left_alone(workouts):
    context = workouts('ev:start "2024-01-02T07:00:00"^^xsd:dateTime')
    assert resolved(context, "start_date", T.DATE).match.properties == (EV + "start",)


# ---------------------------------------------------------------- one unit for what is added or compared
def over_two(context, condition, keys=("distance", "climb"), kind="float"):
    """How many of the workouts the condition over two attributes holds for."""
    names = ", ".join(f'"{key}"' for key in keys)
    tree = parse_tree(
        f'FILTER(l=EXTRACT(l=RETRIEVE(query="workouts"), attr_names=[{names}], attr_types=[{kind}, {kind}]), '
        f"filter=lambda attr: {condition})"
    )
    found = resolve(tree, context)
    return len(run(tree, graph=context.graph, resolution=found.resolution, now=NOW).rows)


def test_attributes_in_different_units_are_compared_and_added_in_one(workouts):
    context = workouts("ev:distance 1.5 ; ev:elevationGain 1600", "ev:distance 5.0 ; ev:elevationGain 80")
    assert over_two(context, 'attr["distance"] < attr["climb"]') == 1
    assert over_two(context, 'attr["distance"] + attr["climb"] > 5.05') == 1
    assert over_two(context, 'max(attr["distance"], attr["climb"]) < 2') == 1
    assert over_two(context, 'attr["distance"] > 1 and attr["climb"] > 100') == 1  # each in its own unit


def test_quantities_of_different_kinds_are_refused(workouts):
    context = workouts("ev:distance 1.5 ; ev:energy 300")
    with pytest.raises(TreeTypeError, match=r"'distance' is in km and 'energy' in kcal"):
        over_two(context, 'attr["distance"] + attr["energy"] > 5', ("distance", "energy"))
    assert over_two(context, 'attr["energy"] / attr["distance"] > 100', ("distance", "energy")) == 1


def test_two_currencies_are_refused(workouts):
    context = workouts('key:fee "5 €" ; key:tip "1 $"')
    with pytest.raises(TreeTypeError, match=r"EUR .* USD"):
        over_two(context, 'attr["fee"] > attr["tip"]', ("fee", "tip"))


def test_a_key_asked_as_two_types_is_read_as_what_both_are_made_of(workouts):
    context = workouts('key:thing "3/14/22 9:05 PM"')
    tree = parse_tree(
        'FILTER(l=EXTRACT(l=EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["thing"], '
        'attr_types=[date.fromisoformat]), attr_names=["thing"], attr_types=[datetime.fromisoformat]), '
        'filter=lambda attr: attr["thing"].hour == 21)'
    )
    found = resolve(tree, context)
    assert derived(context) == [f"<{KEY}thing> as datetime"]
    assert len(run(tree, graph=context.graph, resolution=found.resolution, now=NOW).rows) == 1
