"""Trees over a small life whose answers are worked out by hand."""

# ruff: noqa: E501 (trees stand as they are written)

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest

from reqap_kg.errors import TreeTypeError
from reqap_kg.execution.run import Result, run
from reqap_kg.ontology.namespaces import DATA, EV
from reqap_kg.operators.resolution import AttributeMatch, ClassMatch, Constraint, DerivedMatch, Resolution
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import NamedNode, Quad, parse_turtle

NOW = datetime(2024, 3, 10, 12, 0)
LIFE = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix d: <https://w3id.org/reqap-kg/data/x/> . @prefix act: <urn:activity:> .
d:m1 a ev:MusicStream ; ev:start "2024-03-01T10:00:00"^^xsd:dateTime ; ev:end "2024-03-01T10:04:00"^^xsd:dateTime ;
  ev:songName "Dancing Queen" ; ev:artist "ABBA", "Cher" ; ev:duration 240.0 .
d:m2 a ev:MusicStream ; ev:start "2024-03-01T11:00:00"^^xsd:dateTime ; ev:end "2024-03-01T11:04:00"^^xsd:dateTime ;
  ev:songName "Waterloo" ; ev:artist "ABBA" ; ev:duration 200.5 .
d:m3 a ev:MusicStream ; ev:start "2024-03-02T11:00:00"^^xsd:dateTime ; ev:end "2024-03-02T11:04:00"^^xsd:dateTime ;
  ev:songName "Believe" ; ev:artist "Cher" .
d:w1 a ev:Workout ; ev:start "2024-03-01T09:30:00"^^xsd:dateTime ; ev:end "2024-03-01T10:30:00"^^xsd:dateTime ;
  ev:workoutType "Running" ; ev:distance 10.5 .
d:w2 a ev:Workout ; ev:start "2024-03-03T00:00:00"^^xsd:dateTime ; ev:timePrecision "day" ;
  ev:workoutType "Swimming" ; ev:distance 1 .
d:w3 a ev:Workout ; ev:start "2024-03-05T18:00:00"^^xsd:dateTime ; ev:workoutType "running" ; ev:distance "far" .
d:p1 a ev:Purchase ; ev:start "2024-03-03T12:00:00"^^xsd:dateTime ; ev:product "Book" ; ev:price 10.5 ; ev:currency "EUR" .
d:p2 a ev:Purchase ; ev:start "2023-03-03T12:00:00"^^xsd:dateTime ; ev:product "Cup" ; ev:price 4.5 ; ev:currency "EUR" .
d:p3 a ev:Purchase ; ev:start "2022-01-09T12:00:00"^^xsd:dateTime ; ev:product "Tea" ; ev:price 7 ; ev:currency "USD" .
d:c1 a ev:CalendarEntry ; ev:start "2024-02-28T19:00:00"^^xsd:dateTime ; ev:end "2024-02-28T22:00:00"^^xsd:dateTime ;
  ev:participant "Robert Lund", "Mum" ; ev:location "Phoenix Park" .
d:c2 a ev:CalendarEntry ; ev:start "2024-02-29T08:00:00"^^xsd:dateTime ; ev:end "2024-02-29T09:00:00"^^xsd:dateTime ;
  ev:participant "Dad" ; ev:location "Home" ; ev:retrievedBy act:dad .
"""
ATTRIBUTES = {
    "date": AttributeMatch((EV + "start",)),
    "start_time": AttributeMatch((EV + "start",)),
    "start_datetime": AttributeMatch((EV + "start",)),
    "end_datetime": AttributeMatch((EV + "end",)),
    "song": AttributeMatch((EV + "songName",)),
    "artists": AttributeMatch((EV + "artist",), multiple=True),
    "artist": AttributeMatch((EV + "artist",), multiple=True),
    "seconds": AttributeMatch((EV + "duration",), unit="s"),
    "km": AttributeMatch((EV + "distance",), unit="km"),
    "price": AttributeMatch((EV + "price",), unit_property=EV + "currency"),
    "product": AttributeMatch((EV + "product",)),
    "kind": AttributeMatch((EV + "workoutType",)),
    "participants": AttributeMatch((EV + "participant",), multiple=True),
    "location": AttributeMatch((EV + "location",)),
}
QUERIES = {
    "music": ClassMatch((EV + "MusicStream",)),
    "workouts": ClassMatch((EV + "Workout",)),
    "runs": ClassMatch((EV + "Workout",), (Constraint(EV + "workoutType", ("RUNNING", "jog")),)),
    "purchases": ClassMatch((EV + "Purchase",)),
    "meetings": ClassMatch((EV + "CalendarEntry", EV + "Meeting")),
    "with dad": DerivedMatch("urn:activity:dad"),
    "sleep": ClassMatch((EV + "Sleep",)),
}
RESOLUTION = Resolution(
    tuple(QUERIES.items()), tuple(((query, key), match) for query in QUERIES for key, match in ATTRIBUTES.items())
)
MUSIC = 'EXTRACT(l=RETRIEVE(query="music"), attr_names=["date", "artists", "song"], attr_types=[date, list, str])'
WORKOUTS = 'EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["km", "kind"], attr_types=[float, str])'
PRICES = 'EXTRACT(l=RETRIEVE(query="purchases"), attr_names=["price", "date"], attr_types=[float, date])'
SLEEP = 'EXTRACT(l=RETRIEVE(query="sleep"), attr_names=["km", "date"], attr_types=[float, date])'


@pytest.fixture(scope="module")
def graph() -> MemoryGraph:
    return MemoryGraph(parse_turtle(LIFE))


def ask(graph: MemoryGraph, tree: str) -> Result:
    return run(parse_tree(tree), graph=graph, resolution=RESOLUTION, now=NOW)


def events(result: Result) -> list[str]:
    return sorted(event.removeprefix(DATA + "x/") for event in result.events)


def test_an_extract_above_takes_nothing_from_a_condition_below(graph: MemoryGraph) -> None:
    longer = 'FILTER(l=RETRIEVE(query="music"), filter=lambda attr: attr["end_datetime"] > attr["start_datetime"])'
    for name in ("start_datetime", "end_datetime"):
        extract = f'EXTRACT(l={longer}, attr_names=["{name}"], attr_types=[datetime.fromisoformat])'
        march = f'FILTER(l={extract}, filter=lambda attr: attr["{name}"].day == 1)'
        assert ask(graph, f"APPLY(l={march}, fct=len)").answer == (2,)


@pytest.mark.parametrize(
    ("function", "answer"),
    [
        ("lambda l: len(l) / (365 / 7)", 3 / (365 / 7)),
        ("lambda l: len(l) * 100000 / (365 / 7)", 300000 / (365 / 7)),
        ("lambda l: (len(l) / 7) * (len(l) / 11) * 1000000", 9 / 77 * 1e6),
        ("lambda l: 100000000 / (len(l) / 7)", 1e8 / (3 / 7)),
        ("lambda l: 0 / (len(l) / 7)", 0),
    ],
)
def test_numbers_of_many_places_are_computed_with(graph: MemoryGraph, function: str, answer: float) -> None:
    found = ask(graph, f'APPLY(l=RETRIEVE(query="music"), fct={function})').answer
    assert found == (pytest.approx(answer, rel=1e-12),)


def test_a_bound_of_many_places_bounds(graph: MemoryGraph) -> None:
    tree = f'APPLY(l=FILTER(l={PRICES}, filter=lambda attr: attr["price"] > 365 / 73 + 1 / 3), fct=len)'
    assert ask(graph, tree).answer == (2,)
    assert ask(graph, 'APPLY(l=RETRIEVE(query="music"), fct=lambda l: 5 / (len(l) - 3))').answer == ()


@pytest.mark.parametrize(
    ("tree", "answer", "kind", "behind"),
    [
        # The paper's examples (Tables 14 and 15), over this life.
        (
            f'SUM(l=FILTER(l={PRICES}, filter=lambda attr: attr["date"].year == 2024 and attr["date"].month == 3), '
            'attr_name="price")',
            (10.5,),
            "number",
            ["p1"],
        ),
        (
            'MIN(l=FILTER(l=RETRIEVE(query="music"), filter=lambda attr: attr["start_datetime"] >= '
            'MIN(l=RETRIEVE(query="runs"), attr_name="end_datetime").result), attr_name="start_datetime")',
            (datetime(2024, 3, 1, 11),),
            "datetime",
            ["m2"],
        ),
        (
            'EXTRACT(l=JOIN(l1=RETRIEVE(query="music"), l2=RETRIEVE(query="workouts"), condition="i1.start_date >= '
            'i2.start_date and i1.start_date <= i2.end_date"), attr_names=["song"], attr_types=[str])',
            ("Dancing Queen", "Waterloo"),
            "text",
            ["m1", "m2", "w1"],
        ),
        (
            'ARGMIN(l=EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["start_time", "kind"], '
            'attr_types=[time.fromisoformat, str]), arg_attr_name="start_time", val_attr_name="kind")',
            ("Running",),
            "text",
            ["w1"],
        ),
        (
            f"SUM(l=FILTER(l={PRICES}, filter=lambda attr: attr['date'] >= (date.today() - relativedelta(months=13))), "
            'attr_name="price")',
            (15.0,),
            "number",
            ["p1", "p2"],
        ),
        (
            f'ARGMAX(l=MAP(l=GROUP_BY(l={MUSIC}, attr_names=["date"]), fct=len, res_name="num_songs"), '
            'arg_attr_name="num_songs", val_attr_name="date")',
            (date(2024, 3, 1),),
            "date",
            ["m1", "m2"],
        ),
        (
            'APPLY(l=FILTER(l=JOIN(l1=RETRIEVE(query="music"), l2=RETRIEVE(query="runs"), condition="i1.start_datetime '
            '<= i2.end_datetime and i2.start_datetime <= i1.end_datetime"), '
            'filter=lambda attr: attr["start_time"].hour >= 10 and attr["start_time"].hour < 24), fct=len)',
            (1,),
            "number",
            ["m1", "w1"],
        ),
        (
            f'ARGMAX(l=MAP(l=GROUP_BY(l=UNNEST(l={MUSIC}, nested_attr_name="artists", unnested_attr_name="artist"), '
            'attr_names=["artist"]), fct=len, res_name="count"), arg_attr_name="count", val_attr_name="artist")',
            ("ABBA", "Cher"),  # a tie: both are the answer
            "text",
            ["m1", "m2", "m3"],
        ),
        (
            'APPLY(l=FILTER(l=EXTRACT(l=FILTER(l=EXTRACT(l=RETRIEVE(query="meetings"), attr_names=["participants"], '
            'attr_types=[list]), filter=lambda attr: any("robert" in p.lower() for p in attr["participants"])), '
            'attr_names=["location"], attr_types=[str]), filter=lambda attr: "park" in attr["location"].lower()), fct=len)',
            (1,),
            "number",
            ["c1"],
        ),
        (
            f'APPLY(l=FILTER(l={MUSIC}, filter=lambda e: e["start_datetime"] in APPLY(l=JOIN(l1=RETRIEVE(query="music"), '
            'l2=RETRIEVE(query="runs"), condition="i2.start_datetime <= i1.start_datetime and i1.start_datetime < '
            'i2.end_datetime"), fct=lambda events: set(e["start_datetime"] for e in events)).result), fct=len)',
            (1,),
            "number",
            ["m1"],
        ),
        # Other shapes.
        ('APPLY(l=RETRIEVE(query="with dad"), fct=len)', (1,), "number", ["c2"]),
        (f'MAX(l={WORKOUTS}, attr_name="km")', (10.5,), "number", ["w1"]),
        (f'AVG(l={WORKOUTS}, attr_name="km")', (5.75,), "number", ["w1", "w2"]),
        (
            f'MAP(l=GROUP_BY(l={WORKOUTS}, attr_names=["start_date"]), fct=lambda g: sum(e["km"] for e in g), res_name="r")',
            (10.5, 1.0, 0.0),
            "number",
            ["w1", "w2", "w3"],
        ),
        (
            f'APPLY(l={MUSIC}, fct=lambda l: sorted(l, key=lambda e: e["song"])[0]["song"])',
            ("Believe",),
            "text",
            ["m3"],
        ),
        (f'APPLY(l={MUSIC}, fct=lambda l: l[-1]["song"])', ("Believe",), "text", ["m3"]),
        (
            f'APPLY(l={PRICES}, fct=lambda l: max(l, key=lambda e: e["start_datetime"])["price"] - l[0]["price"])',
            (3.5,),  # two items picked from one list
            "number",
            ["p1", "p2", "p3"],
        ),
        (f'APPLY(l={MUSIC}, fct=lambda l: len(set(e["date"] for e in l)))', (2,), "number", ["m1", "m2", "m3"]),
        (
            f'ARGMAX(l=MAP(l=GROUP_BY(l=MAP(l={MUSIC}, fct=lambda e: e["date"].weekday(), res_name="w"), attr_names=["w"]), '
            'fct=len, res_name="n"), arg_attr_name="n", val_attr_name="w")',
            (4,),
            "weekday",
            ["m1", "m2"],
        ),
        (f'APPLY(l={PRICES}, fct=lambda l: set(e["date"].month for e in l))', (1, 3), "month", ["p1", "p2", "p3"]),
        (
            'APPLY(l=RETRIEVE(query="music"), fct=lambda l: max(e["end_datetime"] for e in l) - '
            'min(e["start_datetime"] for e in l))',
            (timedelta(days=1, hours=1, minutes=4),),
            "duration",
            ["m1", "m2", "m3"],
        ),
        (
            'APPLY(l=RETRIEVE(query="music"), fct=lambda l: any(e["start_time"].hour > 10 for e in l))',
            (True,),
            "boolean",
            ["m2", "m3"],
        ),
        ('MIN(l=RETRIEVE(query="workouts"), attr_name="start_time")', (time(9, 30),), "time", ["w1"]),
        (
            'RETRIEVE(query="runs", l=FILTER(l=RETRIEVE(query="workouts"), filter=lambda e: e["start_date"].day < 5))',
            (),
            "events",
            ["w1"],
        ),
    ],
)
def test_answers_and_what_is_behind_them(
    graph: MemoryGraph, tree: str, answer: tuple[object, ...], kind: str, behind: list[str]
) -> None:
    result = ask(graph, tree)
    assert result.answer == answer
    assert result.answer_type == kind
    assert events(result) == behind
    assert result.matched


def test_units_come_from_the_ontology_or_from_the_events(graph: MemoryGraph) -> None:
    assert ask(graph, f'MAX(l={WORKOUTS}, attr_name="km")').unit == "km"
    recent = f'FILTER(l={PRICES}, filter=lambda e: e["date"].year > 2022)'
    assert ask(graph, f'SUM(l={recent}, attr_name="price")').unit == "EUR"
    mixed = ask(graph, f'SUM(l={PRICES}, attr_name="price")')
    assert mixed.unit is None
    assert mixed.warnings == ("the amounts are in different units: EUR, USD",)


@pytest.mark.parametrize("operator", ["MIN", "MAX", "AVG"])
def test_over_nothing_there_is_no_least_greatest_or_mean(graph: MemoryGraph, operator: str) -> None:
    result = ask(graph, f'{operator}(l={SLEEP}, attr_name="km")')
    assert (result.answer, result.answer_type, result.matched) == ((), "none", False)


def test_over_nothing_there_is_no_winner(graph: MemoryGraph) -> None:
    result = ask(graph, f'ARGMAX(l={SLEEP}, arg_attr_name="km", val_attr_name="date")')
    assert (result.answer, result.answer_type, result.matched) == ((), "none", False)


@pytest.mark.parametrize("tree", [f"APPLY(l={SLEEP}, fct=len)", f'SUM(l={SLEEP}, attr_name="km")'])
def test_counting_and_summing_nothing_is_0_and_says_so(graph: MemoryGraph, tree: str) -> None:
    result = ask(graph, tree)
    assert result.answer == (0,)
    assert not result.matched
    assert result.warnings == ("nothing matched: the 0 means that there was nothing to count or to add up",)


def test_a_sum_that_is_really_0_says_nothing(graph: MemoryGraph) -> None:
    result = ask(graph, f'APPLY(l={WORKOUTS}, fct=lambda l: sum(e["km"] - e["km"] for e in l))')
    assert result.answer == (0.0,)
    assert result.warnings == ()


def test_rows_are_in_order_of_time_with_their_lists(graph: MemoryGraph) -> None:
    result = ask(graph, MUSIC)
    assert result.columns == ("date", "artists", "song")
    assert result.rows[0] == (date(2024, 3, 1), ("ABBA", "Cher"), "Dancing Queen")
    assert [row[2] for row in result.rows] == ["Dancing Queen", "Waterloo", "Believe"]
    assert result.answer_type == "events"
    assert [event[-2:] for event in result.events] == ["m1", "m2", "m3"]


def test_an_event_counts_once_however_often_it_is_said() -> None:
    quads = list(parse_turtle(LIFE))
    again = [Quad(q.subject, q.predicate, q.object, NamedNode("urn:second")) for q in quads]
    twice = MemoryGraph([*quads, *again])
    assert ask(twice, 'APPLY(l=RETRIEVE(query="music"), fct=len)').answer == (3,)
    assert ask(twice, f'SUM(l={WORKOUTS}, attr_name="km")').answer == (11.5,)
    first = 'EXTRACT(l=RETRIEVE(query="music"), attr_names=["artist"], attr_types=[str])'
    assert ask(twice, f"APPLY(l={first}, fct=len)").answer == (3,)  # m1 has two artists, and is one event
    unnested = f'APPLY(l=UNNEST(l={MUSIC}, nested_attr_name="artists"), fct=len)'
    assert ask(twice, unnested).answer == (4,)


def test_an_attribute_named_after_a_join_of_both_sides(graph: MemoryGraph) -> None:
    one = 'EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["date", "kind"], attr_types=[date, str])'
    tree = (
        f'FILTER(l=JOIN(l1={one}, l2={one}, condition="i1.date < i2.date"), filter=lambda e: e["kind_2"] == "running")'
    )
    result = ask(graph, tree)
    assert result.columns == ("date", "kind", "date_2", "kind_2")
    assert [row[1] for row in result.rows] == ["Running", "Swimming"]


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ('APPLY(l=QUD("runs"), fct=len)', "the question 'runs' is still open"),
        ('APPLY(l=RETRIEVE(query="naps"), fct=len)', "RETRIEVE of 'naps' was not resolved"),
        ('SUM(l=EXTRACT(l=RETRIEVE(query="runs"), attr_names=["mood"], attr_types=[int]), attr_name="mood")', "EXTRACT of 'mood' was not resolved"),
        (f'SUM(l={WORKOUTS}, attr_name="kms")', "nothing gives an attribute 'kms'; did you mean 'km'?"),
        (f'FILTER(l={WORKOUTS}, filter=lambda e: e["kms"] > 3)', "did you mean 'km'?"),
        (f'FILTER(l={WORKOUTS}, filter=lambda e: e["kind"] > 3)', "a str cannot be compared with an int, in `e[\"kind\"] > 3`"),
        (f'FILTER(l={WORKOUTS}, filter=lambda e: e["km"].year == 3)', "a float has no .year"),
        (f'FILTER(l={MUSIC}, filter=lambda e: e["date"] > "yesterday")', "a date cannot be compared with a str"),
        (f'SUM(l={WORKOUTS}, attr_name="kind")', "a str cannot be summed up"),
        (f'GROUP_BY(l={MUSIC}, attr_names=["artists"])', "'artists' is a list; UNNEST it first"),
        (f'UNNEST(l={MUSIC}, nested_attr_name="song")', "'song' is a str, not a list"),
        (f'FILTER(l=SUM(l={WORKOUTS}, attr_name="km"), filter=lambda e: e["km"] > 3)', "FILTER works on events, groups or values, and there is one value"),
        (f'SUM(l=GROUP_BY(l={WORKOUTS}, attr_names=["kind"]), attr_name="km")', "SUM works on events, and there are groups"),
        (f"MAP(l={WORKOUTS}, fct=len, res_name='n')", "MAP of len needs groups"),
        (f'EXTRACT(l=MAP(l=GROUP_BY(l={WORKOUTS}, attr_names=["kind"]), fct=len, res_name="n"), attr_names=["km"], attr_types=[float])', "EXTRACT works on events, which are gone"),
    ],
)  # fmt: skip
def test_trees_that_make_no_sense_say_why(graph: MemoryGraph, tree: str, message: str) -> None:
    with pytest.raises(TreeTypeError) as caught:
        ask(graph, tree)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("tree", "rows"),
    [
        (f'FILTER(l={PRICES}, filter=lambda e: e["date"] + relativedelta(months=1) > date(2023, 4, 2))', 2),
        (f'MAP(l=GROUP_BY(l={WORKOUTS}, attr_names=["kind"]), fct=lambda g: 3, res_name="n")', 3),
        (f"APPLY(l={WORKOUTS}, fct=lambda l: l[1:-1])", 1),
        (f'FILTER(l={WORKOUTS}, filter=lambda e: e["km"] > 1 / 0)', 0),
    ],
)
def test_what_no_query_says_is_computed_beside_it(graph: MemoryGraph, tree: str, rows: int) -> None:
    assert len(ask(graph, tree).rows) == rows


def test_of_a_filter_by_the_pairs_of_a_join_only_the_pairs_are_computed_beside_the_query(graph: MemoryGraph) -> None:
    found = ask(
        graph,
        f'APPLY(l=FILTER(l={MUSIC}, filter=lambda e: e["start_datetime"] in APPLY(l=JOIN(l1=RETRIEVE(query="music"), '
        'l2=RETRIEVE(query="workouts"), condition="i2.start_datetime <= i1.start_datetime and i1.start_datetime < '
        'i2.end_datetime"), fct=lambda events: set(e["start_datetime"] for e in events)).result), fct=len)',
    )
    assert [type(part.tree).__name__ for part in found.parts] == ["Join"]
