"""Constructors refuse ill-formed trees; walking and rebuilding reach into conditions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reqap_kg.errors import TreeTypeError
from reqap_kg.operators import expressions as ex
from reqap_kg.operators.nodes import (
    ArgMax,
    AttributeType,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Node,
    Qud,
    Retrieve,
    Sum,
    open_questions,
    queries,
    rebuilt,
)
from reqap_kg.operators.syntax.text import parse_tree

R = Retrieve("runs")


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Qud(" "), "QUD needs a question"),
        (lambda: Retrieve(""), "RETRIEVE needs a query"),
        (lambda: Extract(R, ("a",), ()), "1 names and 0 types"),
        (lambda: Extract(R, (), ()), "EXTRACT needs attribute names"),
        (lambda: Extract(R, ("a", "a"), (AttributeType.INT, AttributeType.INT)), "names an attribute twice"),
        (lambda: Extract(R, ("a",), ("int8",)), "has a type 'int8'"),  # type: ignore[arg-type]
        (lambda: GroupBy(R, ("",)), "attribute names that are not empty"),
        (lambda: Sum("runs", "x"), "SUM needs an operator as input"),  # type: ignore[arg-type]
        (lambda: ArgMax(R, "x", ""), "ARGMAX needs the attribute to answer"),
        (lambda: Filter(R, ex.Literal(True)), "FILTER needs a condition"),  # type: ignore[arg-type]
        (lambda: Join(R, R, ex.Builtin("len")), "JOIN needs a condition over i1 and i2"),
        (lambda: Map(R, ex.Literal(1), "n"), "MAP needs a function"),  # type: ignore[arg-type]
        (lambda: ex.Call("eval", ()), r"no function eval\(\)"),
        (lambda: ex.Call("timedelta", (), (("years", ex.Literal(1)),)), "takes no years="),
        (lambda: ex.Call("date", (ex.Literal(2024),)), "takes 3 arguments, not 1"),
        (lambda: ex.Method(ex.Name("a"), "format"), r"no method .format\(\)"),
        (lambda: ex.Field(ex.Name("a"), "real"), "no part .real"),
        (lambda: ex.Comparison(ex.Literal(1), ("<",), ()), "one operator between two"),
        (lambda: ex.Comparison(ex.Literal(1), ("is",), (ex.Literal(1),)), "compares with None only"),
        (lambda: ex.Boolean("and", (ex.Literal(True),)), "and needs two sides"),
        (lambda: ex.Literal(float("nan")), "finite"),
        (lambda: ex.Literal(10**40), "30 digits"),
        (lambda: ex.Name("a b"), "is not a name"),
        (lambda: ex.Negative(ex.Literal(1)), "one literal"),
    ],
)
def test_ill_formed_trees_cannot_be_built(build: Callable[[], object], message: str) -> None:
    with pytest.raises(TreeTypeError, match=message):
        build()


def test_literals_differ_by_type() -> None:
    assert len({ex.Literal(1), ex.Literal(1.0), ex.Literal(True)}) == 3
    assert ex.Literal(1) != ex.Literal(True)


def test_rebuilding_reaches_the_trees_inside_conditions() -> None:
    tree = parse_tree('FILTER(l=QUD("a"), filter=lambda e: 1 < e["x"] < QUD("b").result)')
    assert open_questions(tree) == ("a", "b")

    def fill(node: Node) -> Node:
        return Retrieve(node.question) if isinstance(node, Qud) else node

    assert open_questions(rebuilt(tree, fill)) == ()


def test_queries_are_those_that_feed_the_rows() -> None:
    tree = parse_tree(
        'FILTER(l=JOIN(l1=RETRIEVE(query="a"), '
        'l2=RETRIEVE(query="b", l=RETRIEVE(query="z")), condition="i1.x == i2.x"), '
        'filter=lambda e: e["x"] > MIN(l=RETRIEVE(query="c"), attr_name="x").result)'
    )
    assert queries(tree) == ("a", "b")
