"""What is put right in texts that models write, by which rule, where; and what is not guessed."""

from __future__ import annotations

import pytest

from reqap_kg.errors import Place, TreeSyntaxError
from reqap_kg.operators.nodes import ArgMax, AttributeType, Extract, Filter, Map
from reqap_kg.operators.syntax.repairs import RULES
from reqap_kg.operators.syntax.text import format_tree, parse_tree, read_tree

SUM = 'SUM(l=QUD("a"), attr_name="x")'


def extract(names: str, types: str | None) -> str:
    tail = "" if types is None else f", attr_types={types}"
    return f'EXTRACT(l=QUD("a"), attr_names={names}{tail})'


CASES = [
    ('SUM(list=QUD("a"), attr="x")', SUM, ["other-argument-name", "other-argument-name"]),
    ('SUM(attr_name="x", events=QUD("a"))', SUM, ["other-argument-name"]),
    ('FILTER(l=QUD("a"), condition=lambda e: e["x"] > 1)', 'FILTER(l=QUD("a"), filter=lambda e: e["x"] > 1)',
     ["other-argument-name"]),
    ('APPLY(QUD("a"), func=len)', 'APPLY(l=QUD("a"), fct=len)', ["other-argument-name"]),
    ('MAP(l=QUD("a"), function=len, name="n")', 'MAP(l=QUD("a"), fct=len, res_name="n")',
     ["other-argument-name", "other-argument-name"]),
    ('GROUP_BY(l=QUD("a"), keys=["x"])', 'GROUP_BY(l=QUD("a"), attr_names=["x"])', ["other-argument-name"]),
    (extract('["s, e"]', "[date, date]"), extract('["s", "e"]', "[date, date]"), ["names-in-one-text"]),
    (extract('"s, e"', "[date, int]"), extract('["s", "e"]', "[date, int]"), ["names-in-one-text"]),
    (extract('"x"', "float"), extract('["x"]', "[float]"), ["one-name-for-list", "one-type-for-list"]),
    ('GROUP_BY(l=QUD("a"), attr_names="x, y")', 'GROUP_BY(l=QUD("a"), attr_names=["x", "y"])', ["names-in-one-text"]),
    (extract('["x"]', '["float"]'), extract('["x"]', "[float]"), ["type-in-quotes"]),
    (extract('["x", "y"]', '"str, int"'), extract('["x", "y"]', "[str, int]"), ["one-type-for-list", "type-in-quotes"]),
    ('JOIN(l1=QUD("a"), l2=QUD("b"), condition=lambda a, b: a["x"] == b["y"])',
     'JOIN(l1=QUD("a"), l2=QUD("b"), condition="i1.x == i2.y")', ["other-join-names"]),
    ('JOIN(l1=QUD("a"), l2=QUD("b"), condition="lambda i2, i1: i2.x < i1.y")',
     'JOIN(l1=QUD("a"), l2=QUD("b"), condition="i1.x < i2.y")', ["other-join-names"]),
    ('JOIN(l1=QUD("a"), l2=QUD("b"), condition="l1.x == l2.y")',
     'JOIN(l1=QUD("a"), l2=QUD("b"), condition="i1.x == i2.y")', ["other-join-names"]),
    ('JOIN(left=QUD("a"), right=QUD("b"), on="i1.x == i2.y")',
     'JOIN(l1=QUD("a"), l2=QUD("b"), condition="i1.x == i2.y")', ["other-argument-name"] * 3),
]  # fmt: skip


@pytest.mark.parametrize(("written", "meant", "rules"), CASES)
def test_a_text_is_put_right_by_named_rules(written: str, meant: str, rules: list[str]) -> None:
    found = read_tree(written)
    assert found.node == parse_tree(meant)
    assert [repair.rule for repair in found.repairs] == rules
    assert read_tree(format_tree(found.node)).repairs == ()
    assert {repair.rule for repair in found.repairs} <= {name for name, _ in RULES}


def test_every_rule_is_tried_here() -> None:
    used = {rule for _, _, rules in CASES for rule in rules} | {"type-synonym", "value-missing"}
    assert used == {name for name, _ in RULES}


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("string", AttributeType.STR),
        ("integer", AttributeType.INT),
        ("number", AttributeType.FLOAT),
        ("Decimal", AttributeType.FLOAT),
        ("'boolean'", AttributeType.BOOL),
        ("List[str]", AttributeType.LIST),
        ("typing.List[str]", AttributeType.LIST),
        ("'list[str]'", AttributeType.LIST),
        ("set", AttributeType.LIST),
        ("datetime.date", AttributeType.DATE),
        ("datetime.time", AttributeType.TIME),
        ("'datetime.datetime'", AttributeType.DATETIME),
        ("timestamp", AttributeType.DATETIME),
        ("datetime.timedelta", AttributeType.DURATION),
    ],
)
def test_types_have_many_names(written: str, kind: AttributeType) -> None:
    found = read_tree(extract('["x"]', f"[{written}]"))
    assert isinstance(found.node, Extract)
    assert found.node.types == (kind,)
    assert found.repairs[-1].rule in ("type-synonym", "type-in-quotes")


@pytest.mark.parametrize(
    "text",
    [
        SUM,
        f"  \n{SUM}  # plan = 3; ```\n",
        'QUD(question="a")',
        '{{ QU(question="a") }}',
        'SUM(l={{ QU("a") }}, attr_name="x",)',
        'SUM(attr_name="x", l=QUD("a"))',
        'SELECT(QUD("a"), ["x"], [list[str]])',
        'RETRIEVE("runs", RETRIEVE(query="```“sport”```; plan = x)"))',
        'MAP(l=QUD("a"), fct=len)',
        'UNNEST(l=QUD("a"), nested_attr_name="x")',
        'JOIN(l1=QUD("a"), l2=QUD("b"), condition=lambda i1, i2: i1["x"] == i2["x"])',
        'JOIN(l1=QUD("a"), l2=QUD("b"), condition="i1.x > QUD(\'c\').result and nearest(i1.y, i2.y)")',
        'FILTER(l=QUD("a"), filter=lambda e: e["x"] > {{ QU("b") }}.result and e["y"] in {{ QU("c") }})',
        'FILTER(l=QUD("a"),\n  # only the long ones\n  filter=lambda e: (e["x"] >\n 3))',
    ],
)
def test_what_is_right_is_left_alone(text: str) -> None:
    found = read_tree(text)
    assert found.repairs == ()
    assert read_tree(format_tree(found.node)).node == found.node


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        (extract('["x", "y"]', "float"), Place(1, 1), "2 names and 1 types"),
        (extract('["x"]', "[float, int]"), Place(1, 1), "1 names and 2 types"),
        (extract('["x"]', "[lambda x: x]"), Place(1, 51), "no such type"),
        (f"```\n{SUM}\n```\n```\n{SUM}\n```", Place(1, 1), ""),
        (f"{SUM}\n{SUM}", Place(1, 1), ""),
        ('SUM(l=QUD("a", attr_name="x")', Place(1, 4), "never closed"),
        ('SUM(l=QUD("a"), attr_name=("x"]', Place(1, 31), "unmatched ']'"),
        ('SUM(l=QUD("a")), attr_name="x")', Place(1, 31), ""),
        ('SUM(l="my purchases", attr_name="x")', Place(1, 7), "not an operator"),
        ('SUM(l=QUD("a"), list=QUD("b"), attr_name="x")', Place(1, 17), "no argument list"),
        ('SUM(l=QUD("a"), l=QUD("b"), attr_name="x")', Place(1, 17), ""),
        ('FILTER(l=QUD("a"), filter=e["x"] > d["x"])', Place(1, 27), "not a condition"),
        ('JOIN(l1=QUD("a"), l2=QUD("b"), condition=lambda a, b, c: a.x == b.x)', Place(1, 42), "not a condition"),
        ('JOIN(l1=QUD("a"), l2=QUD("b"), condition="left.x == 3 and i1.x == l1.x")', Place(1, 43), "no name left"),
        ('SUM(l=QUD(“a), attr_name="x")', Place(1, 11), ""),
    ],
)
def test_what_no_rule_names_is_refused_with_its_place(text: str, place: Place, part: str) -> None:
    with pytest.raises(TreeSyntaxError) as caught:
        parse_tree(text)
    assert part in str(caught.value)
    assert caught.value.place == place


def test_repairs_say_where() -> None:
    found = read_tree('SUM(\n  list=QUD("a"), attr_name="x")')
    assert [(repair.rule, repair.place) for repair in found.repairs] == [("other-argument-name", Place(2, 8))]
    assert str(found.repairs[0]) == "line 2, column 8: list= is l= (other-argument-name)"


def test_map_has_the_papers_default_name() -> None:
    tree = parse_tree('MAP(l=QUD("a"), fct=len)')
    assert isinstance(tree, Map)
    assert tree.name == "map_result"


def test_argmax_without_a_value_answers_the_key_of_groups_or_the_rows() -> None:
    counted = 'MAP(l=GROUP_BY(l=QUD("songs"), attr_names=["artist"]), fct=len, res_name="n")'
    found = read_tree(f'ARGMAX(l={counted}, arg_attr_name="n")')
    assert isinstance(found.node, ArgMax)
    assert found.node.value_name == "artist"
    assert [repair.rule for repair in found.repairs] == ["value-missing"]
    rows = parse_tree('ARGMIN(l=QUD("songs"), arg_attr_name="start_time")')
    assert isinstance(rows, Filter)
    assert rows == parse_tree(
        'FILTER(l=QUD("songs"), filter=lambda attr: attr["start_time"] == '
        'MIN(l=QUD("songs"), attr_name="start_time").result)'
    )
