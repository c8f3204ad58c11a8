"""Checking trees before anything runs: what they give, what is refused and how it is said, and that no more is."""

from __future__ import annotations

import pytest
from drawing import drawn
from hypothesis import given, settings
from random_trees import trees

from reqap_kg.errors import TreeTypeError
from reqap_kg.operators.checking.checking import Shape, check_tree
from reqap_kg.operators.checking.types import Kind
from reqap_kg.operators.conditions import conjuncts
from reqap_kg.operators.expressions import Attribute, Call, Comparison, Lambda, Name
from reqap_kg.operators.nodes import Filter, Join, Node, Qud, Retrieve
from reqap_kg.operators.syntax.text import parse_condition, parse_tree

RUNS = 'EXTRACT(l=RETRIEVE(query="runs"), attr_names=["km", "name", "tags", "won", "day", "took"], '
RUNS += "attr_types=[float, str, list, bool, date, timedelta])"
MEALS = 'EXTRACT(l=RETRIEVE(query="meals"), attr_names=["name", "day"], attr_types=[str, date])'
GROUPS = f'GROUP_BY(l={RUNS}, attr_names=["name"])'
COUNTS = f'MAP(l={GROUPS}, fct=len, res_name="n")'


def filtered(condition: str, source: str = RUNS) -> str:
    return f"FILTER(l={source}, filter=lambda e: {condition})"


def joined(condition: str) -> str:
    return f"JOIN(l1={RUNS}, l2={MEALS}, condition='{condition}')"


@given(trees())
@settings(max_examples=drawn(150))
def test_no_well_typed_tree_is_refused(text: str) -> None:
    check_tree(parse_tree(text))


@pytest.mark.parametrize(
    ("text", "shape", "kind"),
    [
        (f"APPLY(l={RUNS}, fct=len)", Shape.ONE, Kind.INT),
        (f'SUM(l={RUNS}, attr_name="km")', Shape.ONE, Kind.FLOAT),
        (f'SUM(l={RUNS}, attr_name="won")', Shape.ONE, Kind.INT),
        (f'AVG(l={RUNS}, attr_name="took")', Shape.ONE, Kind.DURATION),
        (f'MAX(l={RUNS}, attr_name="day")', Shape.ONE, Kind.DATE),
        (f'ARGMAX(l={RUNS}, arg_attr_name="km", val_attr_name="tags")', Shape.VALUES, Kind.STR),
        (f'APPLY(l={RUNS}, fct=lambda l: set(e["day"].year for e in l))', Shape.VALUES, Kind.INT),
        (f'APPLY(l={RUNS}, fct=lambda l: sorted(l, key=lambda e: e["km"])[-1]["day"])', Shape.ONE, Kind.DATE),
        (f'APPLY(l={RUNS}, fct=lambda l: max(l, key=lambda e: (e["km"], e["day"]))["won"])', Shape.ONE, Kind.BOOL),
        (f"APPLY(l=APPLY(l={RUNS}, fct=len), fct=lambda n: n / 7)", Shape.ONE, Kind.FLOAT),
        (f'APPLY(l={GROUPS}, fct=lambda l: max(sum(e["km"] for e in g) for g in l))', Shape.ONE, Kind.FLOAT),
        ('QUD("how far?")', Shape.OPEN, Kind.ANY),
        ('MAX(l=QUD("runs"), attr_name="km")', Shape.ONE, Kind.ANY),
        ('APPLY(l=QUD("runs"), fct=len)', Shape.ONE, Kind.INT),
    ],
)
def test_what_a_value_is(text: str, shape: Shape, kind: Kind) -> None:
    found = check_tree(parse_tree(text))
    assert (found.shape, found.type.kind) == (shape, kind)


def test_what_rows_have() -> None:
    rows = check_tree(parse_tree(f'MAP(l={RUNS}, fct=lambda e: e["km"] > 3, res_name="long")'))
    assert (rows.shape, rows.open, rows.events) == (Shape.ROWS, False, True)
    assert rows.attributes["long"].kind is Kind.BOOL
    assert rows.attributes["tags"].kind is Kind.LIST
    assert rows.attributes["start_time"].kind is Kind.TIME
    counted = check_tree(parse_tree(COUNTS))
    assert {name: str(kind) for name, kind in counted.attributes.items()} == {"name": "str", "n": "int"}
    assert not counted.events
    unnested = check_tree(parse_tree(f'UNNEST(l={RUNS}, nested_attr_name="tags", unnested_attr_name="tag")'))
    assert unnested.attributes["tag"].kind is Kind.STR


def test_a_join_numbers_names() -> None:
    found = check_tree(parse_tree(joined("i1.name == i2.name")))
    assert {"name", "name_2", "day", "day_2", "start_date_2", "km"} <= found.attributes.keys()
    both = f'JOIN(l1={joined("i1.day == i2.day")}, l2={MEALS}, condition="i1.name_2 == i2.name and i1.day_2 < i2.day")'
    assert "name_3" in check_tree(parse_tree(both)).attributes


def test_an_open_question_may_be_anything() -> None:
    for text in (
        'MAP(l=QUD("songs by artist"), fct=len, res_name="n")',
        'FILTER(l=QUD("a"), filter=lambda e: e["x"].year == 2022 and e["y"] > 3)',
        'GROUP_BY(l=JOIN(l1=QUD("a"), l2=QUD("b"), condition="i1.x == i2.x"), attr_names=["x_2"])',
        f'FILTER(l={RUNS}, filter=lambda e: e["day"] > QUD("when I moved").result)',
    ):
        check_tree(parse_tree(text))
    found = check_tree(parse_tree('EXTRACT(l=QUD("a"), attr_names=["x"], attr_types=[int])'))
    assert found.open
    assert found.attributes["x"].kind is Kind.INT


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f'SUM(l={RUNS}, attr_name="kms")', ("SUM", "'kms'", "did you mean 'km'?")),
        ('APPLY(l=RETRIEVE(query="?!"), fct=len)', ("RETRIEVE looks for words", "'?!'")),
        (f'GROUP_BY(l={RUNS}, attr_names=["city"])', ("GROUP_BY", "'city'", "there are: ")),
        (f'SUM(l={RUNS}, attr_name="name")', ("SUM of 'name'", "a str")),
        (f'AVG(l={RUNS}, attr_name="day")', ("AVG of 'day'", "a date")),
        (f'SUM(l={RUNS}, attr_name="tags")', ("SUM of 'tags'", "UNNEST it first")),
        (f'MAX(l={RUNS}, attr_name="won")', ("MAX of 'won'", "a bool has no order")),
        (f'ARGMIN(l={RUNS}, arg_attr_name="tags", val_attr_name="km")', ("ARGMIN of 'tags'", "no order")),
        (f'ARGMIN(l={RUNS}, arg_attr_name="km", val_attr_name="nam")', ("ARGMIN", "did you mean 'name'?")),
        (f'UNNEST(l={RUNS}, nested_attr_name="name")', ("UNNEST", "a str, not a list")),
        (f"GROUP_BY(l={GROUPS}, attr_names=['name'])", ("GROUP_BY works on events", "groups")),
        (f"EXTRACT(l={COUNTS}, attr_names=['x'], attr_types=[str])", ("EXTRACT works on events", "GROUP_BY")),
        (f'SUM(l=APPLY(l={RUNS}, fct=len), attr_name="x")', ("SUM works on events", "one value")),
        (f"MAP(l={RUNS}, fct=len, res_name='n')", ("MAP of len needs groups",)),
        (f"FILTER(l=APPLY(l={RUNS}, fct=len), filter=lambda n: n > 3)", ("FILTER", "one value")),
        (f"MAP(l=APPLY(l={RUNS}, fct=len), fct=lambda n: n + 1, res_name='m')", ("MAP works on", "one value")),
        (filtered('e["day"] > 3'), ("FILTER", "a date cannot be compared with an int", '`e["day"] > 3`')),
        (filtered('e["day"] == "Monday"'), ("a date cannot be compared with a str",)),
        (filtered('e["won"] > False'), ("a bool has no order",)),
        (filtered('e["tags"] < ["a"]'), ("a list has no order",)),
        (filtered('e["name"].year == 2022'), ("a str has no .year", '`e["name"].year`')),
        (filtered('e["km"].lower() == "x"'), ("a float has no .lower()",)),
        (filtered('e["tags"].lower() == "x"'), ("a list has no .lower()",)),
        (filtered('e["name"] - 3 > 1'), ("str - int cannot be computed",)),
        (filtered('e["day"] + 1 > e["day"]'), ("date + int cannot be computed",)),
        (filtered('3 in e["name"]'), ("an int cannot be in a text",)),
        (filtered('e["name"] in e["km"]'), ("nothing is in a float",)),
        (filtered('e["x"] < None', MEALS), ("nothing gives an attribute 'x'",)),
        (filtered('e["day"] < None'), ("None has no order",)),
        (filtered('any(p == "a" for p in e["km"])'), ("nothing to go through in a float",)),
        (filtered('len(e["km"]) > 1'), ("len() takes a list, not a float",)),
        (filtered('sum(e["tags"]) > 1'), ("a str cannot be summed up",)),
        (filtered("e.year == 2022"), ("nothing gives an attribute 'year'",)),
        (filtered('e["day"] > RETRIEVE(query="x").result'), ("must answer one value",)),
        (filtered(f'e["km"] > SUM(l={MEALS}, attr_name="day").result'), ("SUM of 'day'",)),
        (filtered('e["km"] > 3', GROUPS), ("only events have attributes", "a list of events")),
        (filtered("e > 3", GROUPS), ("a list of events cannot be compared",)),
        (f'MAP(l={GROUPS}, fct=lambda g: sum(g), res_name="x")', ("MAP", "sum() of events")),
        (f'MAP(l={GROUPS}, fct=lambda g: max(e["tags"] for e in g), res_name="x")', ("a list has no order",)),
        (f"APPLY(l={RUNS}, fct=lambda l: sorted(l)[:3])", ("APPLY", "needs key=lambda e")),
        (f'APPLY(l={RUNS}, fct=lambda l: l["km"])', ("APPLY", "only events have attributes")),
        (f"APPLY(l=APPLY(l={RUNS}, fct=len), fct=len)", ("len() takes a list, not an int",)),
        (joined("i1.day == i2.dy"), ("JOIN", "'dy'", "did you mean 'day'?")),
        (joined("i1.day < i2.name.lower() and i1.km > i2.day"), ("JOIN", "a float cannot be compared with a date")),
    ],
)
def test_what_cannot_be_computed_is_refused(text: str, parts: tuple[str, ...]) -> None:
    with pytest.raises(TreeTypeError) as caught:
        check_tree(parse_tree(text))
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        filtered('e["day"] == "2024-05-01" and e["start_time"] > "18:00"'),
        filtered('e["day"] <= e["start_datetime"] < datetime.now()'),
        filtered('e["day"].isocalendar()[1] == 5 and e["day"].isocalendar().week == 5'),
        filtered('e["km"] if e["won"] else e["took"]'),
        filtered('(e["day"].month, e["day"].year) in [(3, 2024), (4, 2024)]'),
        filtered('e["name"][:3].lower() + "x" == "abcx"'),
        filtered('e["day"] + timedelta(days=1) - date.today() > timedelta(0)'),
        filtered('e["day"] > date.today() - relativedelta(months=6)'),
        filtered('e["day"] in MAX(l=RETRIEVE(query="a"), attr_name="start_date").result'),
        filtered('len(e) > 1 and any(x["km"] > 3 for x in e) and e[0]["name"] == e["name"]', GROUPS),
        filtered('e["n"] > 3', COUNTS),
        f'GROUP_BY(l=MAP(l={RUNS}, fct=lambda e: (e["day"].month, e["day"].year), res_name="m"), attr_names=["m"])',
        f'UNNEST(l=MAP(l={RUNS}, fct=lambda e: [e["km"], 3], res_name="m"), nested_attr_name="m")',
        f"APPLY(l={GROUPS}, fct=lambda l: sorted(l, key=lambda g: len(g))[-1][0]['name'])",
        f"APPLY(l={RUNS}, fct=lambda l: max((b - a).days for a, b in zip(sorted(e['day'] for e in l), "
        "sorted(e['day'] for e in l)[1:])))",
        f"APPLY(l={RUNS}, fct=lambda l: median(e['km'] for e in l) / (sum(e['won'] for e in l) or 1) * 100)",
        f"APPLY(l={RUNS}, fct=lambda l: max((e['km'] for e in l), default=0))",
        f"APPLY(l={RUNS}, fct=lambda l: sum(e['took'].total_seconds() for e in l) / 3600)",
        filtered('e["name"].split()[0].title() in "Run Swim" and e["day"].strftime("%A") == "Monday"'),
        filtered('e["day"] in [x for x in QUD("days").result] and (e["took"] // timedelta(minutes=1)) > 3'),
    ],
)
def test_what_can_be_computed_passes(text: str) -> None:
    check_tree(parse_tree(text))


def test_nodes_built_by_hand_may_hold_unknown_names() -> None:
    condition = Comparison(Attribute(Name("b"), "x"), (">",), (Attribute(Name("b"), "x"),))
    with pytest.raises(TreeTypeError, match="no name b here"):
        check_tree(Filter(Retrieve("a"), Lambda("a", condition)))


def near(*sides: Attribute) -> Call:
    return Call("nearest", sides)


DAY, OTHER_DAY = Attribute(Name("i1"), "day"), Attribute(Name("i2"), "day")


def test_nearest_stands_beside_the_other_parts_of_a_join() -> None:
    runs, meals = parse_tree(RUNS), parse_tree(MEALS)
    condition = parse_condition("i1.name == i2.name and nearest(i1.day, i2.day)")
    assert near(DAY, OTHER_DAY) in conjuncts(condition)
    check_tree(Join(runs, meals, condition))


@pytest.mark.parametrize(
    ("condition", "part"),
    [
        ("not nearest(i1.day, i2.day)", "stands only in a JOIN"),
        ("nearest(i1.day, i2.day) or i1.name == i2.name", "stands only in a JOIN"),
        ("nearest(i2.day, i1.day)", "one attribute of each side"),
        ("nearest(i1.day, date.today())", "one attribute of each side"),
        ("nearest(i1.name, i2.name)", "no distance"),
        ("nearest(i1.km, i2.day)", "a float and a date"),
        ("nearest(i1.day, i2.day) and nearest(i1.start_date, i2.day)", "one nearest"),
    ],
)
def test_nearest_anywhere_else_is_refused(condition: str, part: str) -> None:
    with pytest.raises(TreeTypeError, match=part):
        check_tree(parse_tree(joined(condition)))
    lonely: Node = Filter(Qud("a"), Lambda("i1", near(DAY, DAY)))
    with pytest.raises(TreeTypeError, match="stands only in a JOIN"):
        check_tree(lonely)
