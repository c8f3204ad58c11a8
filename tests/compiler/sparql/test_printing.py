"""Algebra as text: each form once, read back as what it was, and with the meaning that it had."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_algebra import EVENT, EXPRESSIONS, data, queries
from reading_algebra import read_algebra

from reqap_kg.compiler.sparql.algebra import (
    DECIMAL,
    INTEGER,
    Aggregate,
    Exists,
    Expr,
    Extend,
    Filter,
    Iri,
    Join,
    LeftJoin,
    Literal,
    Not,
    OrderBy,
    Pattern,
    Select,
    Step,
    Union,
    Values,
    Var,
    both,
    call,
    coalesced,
    either,
    text,
    triple,
)
from reqap_kg.compiler.sparql.printing import printed
from reqap_kg.compiler.sparql.steps import lowered
from reqap_kg.errors import TreeTypeError
from reqap_kg.ontology.namespaces import EV, RDF_TYPE
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.sparql.reading import read_query

A, B, X = Var("a"), Var("b"), Var("x")
START = Iri(EV + "start")


def shown(value: Expr) -> str:
    """An expression as it is printed."""
    line = printed(Select((X,), (Extend(X, value),))).splitlines()[-2]
    return line.removeprefix("  BIND(").removesuffix(" AS ?x)")


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (A - (B - 1), "?a - (?b - 1)"),
        (A - B - 1, "?a - ?b - 1"),
        ((A + B) * 2, "(?a + ?b) * 2"),
        (A + B * 2, "?a + ?b * 2"),
        (A / (B * 2), "?a / (?b * 2)"),
        (A - Literal("-5", INTEGER), "?a - -5"),
        (both(A, either(B, X)), "?a && (?b || ?x)"),
        (either(both(A, B), Not(X)), "?a && ?b || !?x"),
        (Not(both(A, B)), "!(?a && ?b)"),
        (Not(Exists((triple(A, START, B),))), "NOT EXISTS { ?a ev:start ?b . }"),
        (call("IF", call("BOUND", A), coalesced(A, 0), text("")), 'IF(BOUND(?a), COALESCE(?a, 0), "")'),
        (call(Iri(DECIMAL), A), "xsd:decimal(?a)"),
        (Literal("2024-03-01", "http://www.w3.org/2001/XMLSchema#date"), '"2024-03-01"^^xsd:date'),
        (Literal("1.50", DECIMAL), "1.50"),
        (Literal("1.", DECIMAL), '"1."^^xsd:decimal'),
        (Literal("٣", INTEGER), '"٣"^^xsd:integer'),
        (text('say "\\"\n\x1f'), '"say \\"\\\\\\"\\n\\u001F"'),
        (Iri(EV + "a.b/c"), f"<{EV}a.b/c>"),
        (Iri("urn:x"), "<urn:x>"),
    ],
)
def test_expressions_have_the_brackets_that_they_need(value: Expr, wanted: str) -> None:
    assert shown(value) == wanted


def test_a_query_is_laid_out_as_one_would_write_it() -> None:
    fold = Extend(Var("n"), Aggregate("COUNT", A, distinct=True))
    inner = Select((EVENT, fold), (triple(EVENT, Iri(RDF_TYPE), START), triple(EVENT, START, A)), groups=(EVENT,))
    long = Union(((triple(EVENT, Iri("urn:" + "x" * 150), B),), (triple(EVENT, START, B),)))
    query = Select(
        (EVENT, Var("n")),
        (inner, LeftJoin((triple(EVENT, START, X), Filter(call("BOUND", X)))), Values(B, (text("p"), START)), long),
        distinct=True,
        order=(OrderBy(Var("n"), descending=True), OrderBy(EVENT)),
        limit=3,
        offset=1,
    )
    assert (
        printed(query)
        == f"""\
PREFIX ev: <https://w3id.org/reqap-kg/event#>
SELECT DISTINCT ?event ?n WHERE {{
  {{ SELECT ?event (COUNT(DISTINCT ?a) AS ?n) WHERE {{ ?event a ev:start . ?event ev:start ?a . }} GROUP BY ?event }}
  OPTIONAL {{ ?event ev:start ?x . FILTER(BOUND(?x)) }}
  VALUES ?b {{ "p" ev:start }}
  {{
    ?event <urn:{"x" * 150}> ?b .
  }}
  UNION {{ ?event ev:start ?b . }}
}}
ORDER BY DESC(?n) ?event
LIMIT 3
OFFSET 1
"""
    )


def test_a_group_is_closed_behind_a_filter_that_a_query_after_it_would_change() -> None:
    inner = Select((EVENT, X), (triple(EVENT, START, X),))
    query = Select((X,), (triple(EVENT, START, A), Filter(Not(call("BOUND", X))), inner))
    assert printed(query).splitlines()[2:4] == [
        "  { ?event ev:start ?a . FILTER(!BOUND(?x)) }",
        "  { SELECT ?event ?x WHERE { ?event ev:start ?x . } }",
    ]


@pytest.mark.parametrize("wrong", ["", "a b", "urn:x>", 'urn:"', "urn:{}", "urn:\\u003E", "urn:\n"])
def test_what_is_no_iri_is_refused(wrong: str) -> None:
    with pytest.raises(TreeTypeError, match="not an IRI"):
        Iri(wrong)


@given(EXPRESSIONS)
def test_an_expression_is_read_back_as_it_was(value: Expr) -> None:
    query = Select((X,), (Extend(X, value),))
    assert read_algebra(printed(query)) == query


@given(queries())
def test_a_query_is_read_back_and_printed_the_same(query: Select) -> None:
    query = Select(query.columns, lowered(query.pattern), query.distinct, query.groups, order=query.order)
    said = printed(query)
    read_query(said)
    assert printed(read_algebra(said)) == said
    MemoryGraph().select(said)


def closed(pattern: Pattern) -> Pattern:
    """The pattern with each Filter closed off in a group with all that stands before it."""
    made: Pattern = ()
    for step in pattern:
        made = (Join((*made, step)),) if isinstance(step, Filter) else (*made, step)
    return made


@given(queries(), data(), st.data())
def test_a_filter_keeps_its_place(query: Select, graph: MemoryGraph, draw: st.DataObject) -> None:
    pattern = lowered(query.pattern)
    bound = sorted({name for step in pattern for name in step.variables}, key=lambda name: name.name)
    name = draw.draw(st.sampled_from(bound))
    at = draw.draw(st.integers(1, len(pattern)))
    test: Step = Filter(draw.draw(st.sampled_from([call("BOUND", name), Not(call("BOUND", name))])))
    pattern = (*pattern[:at], test, *pattern[at:])
    plain = Select(query.columns, pattern, query.distinct, query.groups)
    apart = Select(query.columns, closed(pattern), query.distinct, query.groups)
    assert sorted(map(str, graph.select(printed(plain)))) == sorted(map(str, graph.select(printed(apart))))
