"""Reading trees: the paper's examples, spellings that models use, refusals with their places, hostile input."""

from __future__ import annotations

import pytest

from reqap_kg.errors import Place, TreeSyntaxError
from reqap_kg.operators.expressions import Answer, Attribute, Binary, Builtin, Call, Comparison, Field, Literal, Name
from reqap_kg.operators.nodes import (
    Apply,
    AttributeType,
    Extract,
    Filter,
    Join,
    Map,
    Min,
    Node,
    Qud,
    Retrieve,
    Unnest,
    open_questions,
    rebuilt,
    walk,
)
from reqap_kg.operators.syntax.text import format_tree, parse_condition, parse_function, parse_tree

# The decomposition steps of ReQAP's Tables 14 and 15 (questions shortened), one list per example, top first.
PAPER = {
    "spent in March": [
        'SUM(l=QUD("q1"), attr_name="amount_spent")',
        'EXTRACT(l=QUD("q2"), attr_names=["amount_spent"], attr_types=[float])',
        """FILTER(l=QUD("q3"),
     filter=lambda attr: attr["purchase_date"].year == 2022 and attr["purchase_date"].month == 3)""",
        'EXTRACT(l=QUD("q4"), attr_names=["purchase_date"], attr_types=[date.fromisoformat])',
        'RETRIEVE(query="my online purchases")',
    ],
    "first training": [
        'MIN(l=QUD("q1"), attr_name="start_datetime")',
        """FILTER(l=QUD("q2"),
     filter=lambda attr: attr["start_datetime"] >=QUD("q3").result)""",
        """EXTRACT(l=QUD("q4"), attr_names=["start_datetime"],
attr_types=[datetime.fromtimestamp])""",
        'RETRIEVE(query="I played football")',
        'MIN(l=QUD("q5"), attr_name="start_datetime")',
        """EXTRACT(l=QUD("q6"), attr_names=["start_datetime"],
     attr_types=[datetime.fromtimestamp])""",
        'RETRIEVE(query="I started as Engineer")',
    ],
    "restaurants in Bali": [
        """EXTRACT(l=QUD("q1"), attr_names=["restaurant_name"],
     attr_types=[str])""",
        """JOIN(l1=QUD("q2"),
     l2=QUD("q3"),
     condition="i1.visit_date >= i2.start_date and i1.visit_date <= i2.end_date")""",
        """EXTRACT(l=QUD("q4"), attr_names=["visit_date", "restaurant_name"],
     attr_types=[date.fromisoformat, str])""",
        'RETRIEVE(query="restaurants I visited")',
        """EXTRACT(l=QUD("q5"), attr_names=["start_date", "end_date"],
     attr_types=[date.fromisoformat, date.fromisoformat])""",
        'RETRIEVE(query="I was in Bali, Indonesia")',
    ],
    "earliest appointment": [
        """ARGMIN(l=QUD("my doctor’s appointments with start time"), arg_attr_name="start_time",
     val_attr_name="appointment_details")""",
        """EXTRACT(l=QUD("my doctor’s appointments"), attr_names=["start_time", "appointment_details"],
     attr_types=[time.fromisoformat, str])""",
        'RETRIEVE(query="my doctor’s appointments")',
    ],
    "products in six months": [
        'SUM(l=QUD("q1"), attr_name="quantity")',
        """FILTER(l=QUD("q2"),
     filter=lambda attr: attr["purchase_date"] >= (date.today() - relativedelta(months=6)))""",
        """EXTRACT(l=QUD("q3"), attr_names=["purchase_date", "quantity"],
     attr_types=[date.fromisoformat, int])""",
        'RETRIEVE(query="I bought a product online")',
    ],
    "music day": [
        'ARGMAX(l= QUD("number of songs I listened per day?") , arg_attr_name="num_songs", val_attr_name="start_date")',
        'MAP(l= QUD("my songs I listened to grouped by day") , fct=len, res_name="num_songs")',
        'GROUP_BY(l= QUD("instances I listened to music with date") , attr_names=["start_date"])',
        'EXTRACT(l= QUD("I listened to music") , attr_names=["start_date"], attr_types=[date.fromisoformat])',
        'RETRIEVE(query="I listened to music")',
    ],
    "both parents": [
        'APPLY(l= QUD("I met with both my parents in the evening") , fct=len)',
        'FILTER(l= QUD("q") , filter=lambda attr: attr["start_time"].hour >= 18 and attr["start_time"].hour < 24)',
        """JOIN(l1= QUD("instances I met with my mum") , l2= QUD("instances I met with my dad") ,
 condition="i1.start_datetime <= i2.end_datetime and i2.start_datetime <= i1.end_datetime")""",
        'RETRIEVE(query="I met with my mum")',
        'RETRIEVE(query="I met with my dad")',
    ],
    "three years": [
        'SUM(l= QUD("q1") , attr_name="amount_spent")',
        'EXTRACT(l= QUD("q2") , attr_names=["amount_spent"], attr_types=[float])',
        'FILTER(l= QUD("q3") , filter=lambda attr: attr["purchase_date"] >= (date.today() - relativedelta(years=3)))',
        'EXTRACT(l= QUD("q4") , attr_names=["purchase_date"], attr_types=[date.fromisoformat])',
        'RETRIEVE(query="my online purchases")',
    ],
    "artist while running": [
        'ARGMAX(l= QUD("q1") , arg_attr_name="count", val_attr_name="artist")',
        'MAP(l= QUD("q2") , fct=len, res_name="count")',
        'GROUP_BY(l= QUD("q3") , attr_names=["artist"])',
        'UNNEST(l= QUD("q4") , nested_attr_name="artist_names", unnested_attr_name="artist")',
        'EXTRACT(l= QUD("q5") , attr_names=["artist_names"], attr_types=[list])',
        """JOIN(l1= QUD("q6") , l2= QUD("q7") ,
 condition="i1.start_datetime >= i2.start_datetime and i1.end_datetime <= i2.end_datetime")""",
        """EXTRACT(l= QUD("I listened") , attr_names=["start_datetime", "end_datetime"],
 attr_types=[datetime.fromtimestamp, datetime.fromtimestamp])""",
        'RETRIEVE(query="I listened to a song")',
        """EXTRACT(l= QUD("I went running") , attr_names=["start_datetime", "end_datetime"],
 attr_types=[datetime.fromtimestamp, datetime.fromtimestamp])""",
        'RETRIEVE(query="I went running")',
    ],
    "Robert in the park": [
        'APPLY(l= QUD("q1") , fct=len)',
        'FILTER(l= QUD("q2") , filter=lambda attr: "park" in attr["location"].lower())',
        'EXTRACT(l= QUD("q3") , attr_names=["location"], attr_types=[str])',
        'FILTER(l= QUD("q4") , filter=lambda attr: any("robert" in p.lower() for p in attr["participants"]))',
        'EXTRACT(l= QUD("q5") , attr_names=["participants"], attr_types=[list])',
        'RETRIEVE(query="I met with someone")',
    ],
}


def _composed(steps: list[str]) -> Node:
    """The whole tree of steps written top first: each step fills the leftmost open question of what stands so far."""
    tree = parse_tree(steps[0])
    for step in steps[1:]:
        part, open_before = parse_tree(step), open_questions(tree)
        target = next(node for node in walk(tree) if node == Qud(open_before[0]))

        def fill(node: Node, part: Node = part, target: Node = target) -> Node:
            return part if node == target else node

        tree = rebuilt(tree, fill)
    return tree


@pytest.mark.parametrize("steps", PAPER.values(), ids=PAPER.keys())
def test_the_papers_trees_parse_compose_and_round_trip(steps: list[str]) -> None:
    for step in steps:
        tree = parse_tree(step)
        assert parse_tree(format_tree(tree)) == tree
    whole = _composed(steps)
    assert open_questions(whole) == ()
    assert parse_tree(format_tree(whole)) == whole
    assert len(list(walk(whole))) == len(steps)


def test_a_step_is_read_as_what_it_means() -> None:
    tree = parse_tree(PAPER["first training"][1])
    assert isinstance(tree, Filter)
    assert tree.condition.body == Comparison(Attribute(Name("attr"), "start_datetime"), (">=",), (Answer(Qud("q3")),))
    join = parse_tree(PAPER["restaurants in Bali"][1])
    assert isinstance(join, Join)
    assert join.condition == parse_condition("i1.visit_date >= i2.start_date and i1.visit_date <= i2.end_date")
    assert parse_tree(PAPER["artist while running"][3]) == Unnest(Qud("q4"), "artist_names", "artist")
    assert parse_tree(PAPER["music day"][1]) == Map(
        Qud("my songs I listened to grouped by day"), Builtin("len"), "num_songs"
    )


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (
            'SELECT(l=QU("a"), attr_names=["x"], attr_types=[date])',
            'EXTRACT(l=QUD("a"), attr_names=["x"], attr_types=[date])',
        ),
        ('APPLY(l={{ QU("a") }}, fct=len)', 'APPLY(l=QUD("a"), fct=len)'),
        ('SUM(QUD("a"), "x")', 'SUM(l=QUD("a"), attr_name="x")'),
        ('RETRIEVE("runs")', 'RETRIEVE(query="runs")'),
        ("QUD('it\\'s')", 'QUD("it\'s")'),
        (
            'EXTRACT(l=QUD("a"), attr_names=("x",), attr_types=(datetime.date.fromisoformat,))',
            'EXTRACT(l=QUD("a"), attr_names=["x"], attr_types=[date])',
        ),
        (
            'EXTRACT(l=QUD("a"), attr_names=["x"], attr_types=[list[str]])',
            'EXTRACT(l=QUD("a"), attr_names=["x"], attr_types=[list])',
        ),
        (
            'MAP(l=QUD("a"), fct=lambda group: SUM(l=group, attr_name="x"), res_name="n")',
            'MAP(l=QUD("a"), fct=lambda group: sum(e["x"] for e in group), res_name="n")',
        ),
        (
            'FILTER(l=QUD("a"), filter=lambda attr: attr.get("x") is not None)',
            'FILTER(l=QUD("a"), filter=lambda attr: attr["x"] is not None)',
        ),
        (
            'JOIN(l1=QUD("a"), l2=QUD("b"), condition=lambda i1, i2: i1["x"] == i2["x"])',
            'JOIN(l1=QUD("a"), l2=QUD("b"), condition="i1.x == i2.x")',
        ),
        (
            'FILTER(l=QUD("a"), filter=lambda e: e["d"] < datetime.datetime.now())',
            'FILTER(l=QUD("a"), filter=lambda e: e["d"] < datetime.now())',
        ),
        ('  \n SUM(l=QUD("a"),\r\n attr_name="x")  # the total', 'SUM(l=QUD("a"), attr_name="x")'),
    ],
)
def test_other_spellings_are_the_same_tree(written: str, canonical: str) -> None:
    assert parse_tree(written) == parse_tree(canonical)


def test_the_text_is_canonical() -> None:
    text = (
        'APPLY(l=FILTER(l=EXTRACT(l=RETRIEVE(query="café"), attr_names=["d", "n"], attr_types=[date.fromisoformat, '
        "timedelta]), "
        'filter=lambda a: not (a["d"].year == 2022 or a["n"] > timedelta(hours=1)) and (1 + 2) * -3 < 4), '
        'fct=lambda l: sorted(l, key=lambda y: y["d"], reverse=True)[:5])'
    )
    assert format_tree(parse_tree(text)) == text


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        ('SUM(l=QUD("é"), attr_nme="x")', Place(1, 17), "no argument attr_nme"),
        ('SUM(l=QUD("é"))', Place(1, 1), "lacks attr_name"),
        ('SUM(l=QUD("é"), attr_name=3)', Place(1, 27), "not a text"),
        ('SUM(l=3, attr_name="x")', Place(1, 7), "not an operator"),
        ('SUM(l=SUMM(l=QUD("a"), attr_name="x"), attr_name="x")', Place(1, 7), "did you mean SUM?"),
        ('FILTER(l=QUD("é"), filter=lambda a: a["x"].foo() > 3)', Place(1, 37), "no method .foo()"),
        ('FILTER(l=QUD("é"),\n  filter=lambda a: b["x"] > 3)', Place(2, 20), "no name b"),
        ('FILTER(l=QUD("é"), filter=len)', Place(1, 27), "not a condition"),
        ('JOIN(l1=QUD("a"), l2=QUD("b"), condition="i1.s >= i3.s")', Place(1, 51), "no name i3"),
        ('JOIN(l1=QUD("a"), l2=QUD("b"), condition="i1.s >=")', Place(1, 50), "invalid syntax"),
        (
            'JOIN(l1=QUD("a"), l2=QUD("b"),\n condition="""i1.s >= i2.s and\n  i1.q == zz.q""")',
            Place(3, 11),
            "no name zz",
        ),
        ('EXTRACT(l=QUD("a"), attr_names=["x", "y"], attr_types=[int])', Place(1, 1), "2 names and 1 types"),
        ('EXTRACT(l=QUD("a"), attr_names=["x"], attr_types=[complex])', Place(1, 51), "no such type"),
        ('MAP(l=QUD("a"), fct=eval, res_name="n")', Place(1, 21), "no function eval"),
        ('MAP(l=QUD("a"), fct=lambda a: (lambda: a)(), res_name="n")', Place(1, 32), "no function"),
        ('MAP(l=QUD("a"), fct=lambda a: a.__class__, res_name="n")', Place(1, 31), "no part .__class__"),
        ('MAP(l=QUD("a"), fct=lambda a: len(a, a), res_name="n")', Place(1, 31), "takes 1 arguments, not 2"),
        ('MAP(l=QUD("a"), fct=lambda a: 1e999, res_name="n")', Place(1, 31), "finite"),
        ('__import__("os").system("x")', Place(1, 1), "no such operator"),
        ("", Place(1, 1), "not an operator"),
        ('QUD("a', Place(1, 5), "unterminated string"),
        ('QUD("a")]', Place(1, 9), "unmatched ']'"),
        ('SUM(l=QUD("a"), attr_name=["x")', Place(1, 31), "unmatched ')'"),
        ('SUM(l=QUD("a"),\n attr_name=["x"', Place(2, 12), "never closed"),
        ('QUD("")', Place(1, 1), "needs a question"),
        ('QUD("\\ud800")', Place(1, 1), "may not hold"),
        ("QUD('a')\n  )]", Place(2, 3), "unmatched ')'"),
    ],
)
def test_refusals_say_where_and_what(text: str, place: Place, part: str) -> None:
    with pytest.raises(TreeSyntaxError) as caught:
        parse_tree(text)
    assert part in str(caught.value)
    assert caught.value.place == place
    assert caught.value.expected


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "(" * 400,
        "not " * 12_000,
        "-" * 49_000,
        "lambda:" * 7_000,
        "a if b else " * 4_000 + "c",
        'FILTER(l=QUD("e"), filter=lambda a: ' + "+".join(["1"] * 20_000) + ")",
        'FILTER(l=QUD("e"), filter=lambda a: ' + "+".join(["1"] * 200) + ")",
        'FILTER(l=QUD("e"), filter=lambda a: ' + "a." * 20_000 + "b)",
        "SUM(" * 150 + 'QUD("a")' + ', "x")' * 150,
        '# "\n' + "(" * 40_000,
        "1" * 5_000,
        'FILTER(l=QUD("e"), filter=lambda a: 0x' + "f" * 40_000 + " > 1)",
        "\x00",
        "\ud800",
    ],
    ids=range(15),
)
def test_hostile_texts_are_refused_not_fatal(text: str) -> None:
    with pytest.raises(TreeSyntaxError):
        parse_tree(text)


def test_a_deep_but_reasonable_tree_is_read() -> None:
    tree: Node = Retrieve("runs")
    for _ in range(60):
        tree = Filter(tree, parse_function('lambda a: a["x"] > 1'))
    assert parse_tree(format_tree(tree)) == tree


def test_conditions_and_functions_alone() -> None:
    assert parse_function("len") == Builtin("len")
    assert parse_condition("i1.start.year + 1 == i2.year") == Comparison(
        Binary("+", Field(Attribute(Name("i1"), "start"), "year"), Literal(1)),
        ("==",),
        (Attribute(Name("i2"), "year"),),
    )
    function = parse_function("lambda l: max(l, key=lambda e: e['x'])")
    assert not isinstance(function, Builtin)
    assert isinstance(function.body, Call)
    with pytest.raises(TreeSyntaxError):
        parse_function("lambda a, b: a")


def test_min_of_a_tree_inside_a_condition() -> None:
    tree = parse_tree(
        'FILTER(l=RETRIEVE(query="a"), filter=lambda e: e["d"] > MIN(l=RETRIEVE(query="b"), attr_name="d"))'
    )
    assert isinstance(tree, Filter)
    assert [type(node) for node in walk(tree)] == [Filter, Retrieve, Min, Retrieve]


def test_types_of_extract() -> None:
    tree = parse_tree(
        'EXTRACT(l=QUD("a"), attr_names=["a","b","c","d","e","f","g","h","i"], '
        "attr_types=[str, int, float, bool, list, "
        "date.fromisoformat, time.fromisoformat, datetime.fromisoformat, timedelta])"
    )
    assert isinstance(tree, Extract)
    assert tree.types == tuple(AttributeType)
    assert isinstance(parse_tree('APPLY(l=QUD("a"), fct=len)'), Apply)
