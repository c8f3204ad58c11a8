"""Reading and printing expressions: what is refused and where, other spellings, the forms that round-trip."""

from __future__ import annotations

from datetime import datetime

import pytest

from reqap_kg.errors import Place, TreeSyntaxError, TreeTypeError
from reqap_kg.operators import expressions as ex
from reqap_kg.operators.evaluation.evaluate import Environment, evaluate, holds
from reqap_kg.operators.names import free_names
from reqap_kg.operators.nodes import Filter, Map
from reqap_kg.operators.syntax.rdf import tree_from_rdf, tree_to_rdf
from reqap_kg.operators.syntax.text import format_expression, parse_condition, parse_function, parse_tree

NOW = datetime(2024, 3, 10, 12, 30)


@pytest.mark.parametrize(
    ("text", "column", "part"),
    [
        ('a["x"].format(1)', 11, "no method .format()"),
        ('a["x"].__class__', 11, "no part .__class__"),
        ('a["x"].__class__()', 11, "no method .__class__()"),
        ('a["x"].lower().__init__()', 11, "no method .__init__()"),
        ("(x for x in a).gi_frame", 11, "no part .gi_frame"),
        ('__import__("os")', 11, "no function __import__"),
        ('1 + eval("1")', 15, "no function eval"),
        ('open("x")', 11, "no function open"),
        ("os.system", 11, "no name os"),
        ("date.today", 11, "date.today is a function"),
        ("b", 11, "no name b"),
        ("(b := 3)", 12, ":= is not in the algebra"),
        ('f(*a["x"])', 13, "no * or **"),
        ("max(*a)", 15, "no * or **"),
        ("[*a]", 12, "* is not in the algebra"),
        ('b"x"', 11, "b'x' is not in the algebra"),
        ("3j", 11, "3j is not in the algebra"),
        ("...", 11, "Ellipsis is not in the algebra"),
        ("lambda b: 3", 11, "a lambda is not in the algebra"),
        ("[lambda b: 3]", 12, "a lambda is not in the algebra"),
        ("(await a)", 12, "await"),
        ("(yield a)", 12, "yield"),
        ("~a", 11, "no operator Invert"),
        ("a @ a", 11, "no operator MatMult"),
        ("a << 3", 11, "no operator LShift"),
        ('"%s" % a', 11, "no % of a text"),
        ("a is 3", 11, "compares with None only"),
        ("sorted(a, cmp=3)", 11, "sorted() takes no cmp="),
        ("sorted(a, key=3)", 25, "not a function"),
        ("sorted(a, key=lambda x, y: 3)", 25, "one parameter"),
        ("sorted(a, key=lambda x=3: 3)", 25, "one parameter"),
        ("sorted(a, key=lambda *x: 3)", 25, "one parameter"),
        ("sorted(a, key=nothing)", 25, "no function nothing"),
        ("timedelta(years=1)", 11, "takes no years="),
        ('a["x"].replace(a=1)', 11, ".replace() takes no a="),
        ('a["x"].lower(1)', 11, "takes 0 arguments, not 1"),
        ("[x async for x in a]", 24, "no async"),
        ("[x for x.y in a]", 18, "runs over names"),
        ("[x for x, x in a]", 18, "names that differ"),
        ("[x for *x, y in a]", 18, "runs over names"),
        ("[__x for __x in a]", 20, "is not a name"),
        ("1e999", 11, "finite"),
        ("10000000000000000000000000000000", 11, "30 digits"),
        ("nearest(a)", 11, "takes 2 arguments"),
        ("abs(a, a)", 11, "takes 1 arguments"),
        ("range()", 11, "takes 1 to 3 arguments"),
        ('a["x"].swapcase()', 11, "no method .swapcase()"),
        ("math.floor(a)", 11, "no function math.floor"),
        ("sum(a, 5)", 11, "takes 1 arguments"),
        ("a ** 2", 11, "no operator Pow"),
        ('f"{a} km"', 11, "an f-string is not in the algebra"),
        ("{1: 2}", 11, "a dict is not in the algebra"),
        ("a[a]", 13, "a position must be fixed"),
        ("a[::2]", 15, "the bounds of a part must be fixed"),
        ('a["x"].get("y", 0)', 11, "get() is of an attribute of a row"),
    ],
)
def test_what_is_outside_is_refused_with_its_place(text: str, column: int, part: str) -> None:
    with pytest.raises(TreeSyntaxError) as caught:
        parse_function(f"lambda a: {text}")
    assert part in str(caught.value)
    assert caught.value.expected
    assert caught.value.place == Place(1, column)


def test_a_place_on_a_later_line() -> None:
    with pytest.raises(TreeSyntaxError) as caught:
        parse_function('lambda a: (a["é"] > 3 and\n  a["x"].foo())')
    assert caught.value.place == Place(2, 3)


# ---------------------------------------------------------------- forms
@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ('lambda a: a.get("x", 0)', 'lambda a: a["x"] if a["x"] is not None else 0'),
        ('lambda a: a.get("x")', 'lambda a: a["x"]'),
        ("lambda a: a.x", 'lambda a: a["x"]'),
        ("lambda a: sum(a, timedelta())", "lambda a: sum(a)"),
        ("lambda a: a is True", "lambda a: a == True"),
        ("lambda a: a.isocalendar().weekday", "lambda a: a.isocalendar()[2]"),
        ("lambda a: [(k, v) for (k, v) in a]", "lambda a: [(k, v) for k, v in a]"),
        ("statistics.median", "median"),
    ],
)
def test_other_spellings_are_the_same_expression(written: str, canonical: str) -> None:
    assert format_expression(parse_function(written)) == format_expression(parse_function(canonical))
    assert parse_function(written) == parse_function(canonical)


def test_nearest_is_read_and_printed() -> None:
    condition = parse_condition("i1.d == i2.d and nearest(i1.s, i2.s)")
    assert format_expression(condition) == "i1.d == i2.d and nearest(i1.s, i2.s)"


def test_attributes_whose_names_cannot_stand_after_a_dot() -> None:
    for name in ("class", "_x", "a b", "é", "from", "None"):
        condition = ex.Comparison(ex.Attribute(ex.Name("i1"), name), ("==",), (ex.Literal(1),))
        assert parse_condition(format_expression(condition)) == condition


def test_names_that_loops_bind_are_not_free() -> None:
    text = "lambda a: [x + y + z for x, y in a if x > w for z in y]".replace("w", "a")
    assert free_names(parse_function(text)) == frozenset()
    loops = parse_function("lambda a: {y for x in a for y in x}")
    assert isinstance(loops, ex.Lambda)
    assert free_names(loops.body) == {"a"}
    inner = ex.Loops("list", ex.Name("z"), (ex.Loop(("x", "y"), ex.Name("x")), ex.Loop("z", ex.Name("y"))))
    assert free_names(inner) == {"x"}


def test_wide_expressions_round_trip_as_rdf() -> None:
    tree = parse_tree(
        'MAP(l=FILTER(l=QUD("a"), filter=lambda e: (e["x"] or "").lower() in {"y", "z"} and '
        'any(k > v for k, v in zip(e["l"], e["l"][1:]))), '
        'fct=lambda e: [x * 2 for y in e["l"] for x in y][:3], res_name="r")'
    )
    assert isinstance(tree, Map)
    assert isinstance(tree.input, Filter)
    assert tree_from_rdf(tree_to_rdf(tree)) == tree


def test_conditions_hold_or_not() -> None:
    condition = parse_condition("i1.x > i2.x")
    assert holds(condition, Environment({"i1": {"x": 2}, "i2": {"x": 1}}, NOW))
    assert not holds(condition, Environment({"i1": {"x": None}, "i2": {"x": 1}}, NOW))
    with pytest.raises(TreeTypeError, match="no name i2"):
        evaluate(condition, Environment({"i1": {"x": 2}}, NOW))
