"""The text of compiled queries: readable, standard, and closed to whatever values hold."""

# ruff: noqa: E501 (trees and queries stand as they are written)

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import pytest
from counted_statistics import gather
from rdflib import Graph as PlainGraph
from reading_algebra import count, nodes, read_algebra

from reqap_kg.compiler.compile import compile_tree
from reqap_kg.compiler.facts import spellings_in, with_facts
from reqap_kg.compiler.sparql.algebra import DECIMAL, INTEGER, Aggregate, Call, Iri, Literal, Var
from reqap_kg.ontology.namespaces import EV, XSD
from reqap_kg.operators.expressions import Attribute, Comparison, Lambda, Name
from reqap_kg.operators.expressions import Literal as Fixed
from reqap_kg.operators.nodes import Apply, AttributeType, Extract, Filter, Retrieve
from reqap_kg.operators.resolution import AttributeMatch, ClassMatch, Constraint, Resolution
from reqap_kg.operators.syntax.text import parse_function, parse_tree
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import Literal as Term
from reqap_kg.store.rdf import NamedNode, Quad, parse_turtle

NOW = datetime(2024, 3, 10, 12, 0)
LIFE = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix d: <https://w3id.org/reqap-kg/data/x/> .
d:m1 a ev:Stream ; ev:start "2024-02-29T10:00:00"^^xsd:dateTime ; ev:end "2024-02-29T10:04:00"^^xsd:dateTime ; ev:song "A" ; ev:artist "ABBA", "Cher" ; ev:duration 240.0 .
d:m2 a ev:Stream ; ev:start "2024-03-01T11:00:00"^^xsd:dateTime ; ev:end "2024-03-01T11:04:00"^^xsd:dateTime ; ev:song "B" ; ev:artist "ABBA" ; ev:duration 200.5 .
d:m3 a ev:Stream ; ev:start "2023-12-31T23:58:30"^^xsd:dateTime ; ev:end "2024-01-01T00:02:00"^^xsd:dateTime ; ev:song "C" ; ev:artist "Cher" .
d:m4 a ev:Stream ; ev:start "2024-03-01T12:00:00"^^xsd:dateTime ; ev:song "B" ; ev:duration "long" .
"""
RESOLUTION = Resolution(
    (("streams", ClassMatch((EV + "Stream",))), ("abba", ClassMatch((EV + "Stream", EV + "Play"), (Constraint(EV + "artist", ("abba",)),)))),
    tuple(
        ((query, key), match)
        for query in ("streams", "abba")
        for key, match in {
            "d": AttributeMatch((EV + "start",)),
            "song": AttributeMatch((EV + "song", EV + "title")),
            "artists": AttributeMatch((EV + "artist",), multiple=True),
            "len": AttributeMatch((EV + "duration",), unit="s"),
        }.items()
    ),
)  # fmt: skip
ROWS = 'EXTRACT(l=RETRIEVE(query="streams"), attr_names=["d", "song", "artists", "len"], attr_types=[date, str, list, float])'


def test_a_count_is_the_query_that_one_would_write() -> None:
    tree = parse_tree(
        'APPLY(l=FILTER(l=RETRIEVE(query="abba"), filter=lambda e: e["start_date"].year == 2024), fct=len)'
    )
    query = compile_tree(tree, RESOLUTION, NOW)
    assert (
        query.sparql
        == """\
PREFIX ev: <https://w3id.org/reqap-kg/event#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
SELECT (COUNT(*) AS ?count) WHERE {
  {
    SELECT ?event (MIN(?start_date_of) AS ?start_date) WHERE {
      VALUES ?class { ev:Stream ev:Play }
      ?event a ?class .
      ?event ev:artist ?held .
      FILTER(LCASE(STR(?held)) IN ("abba"))
      OPTIONAL { ?event ev:start ?start_date_of_held . BIND(STRDT(SUBSTR(STR(?start_date_of_held), 1, 10), xsd:date) AS ?start_date_of) }
    }
    GROUP BY ?event
  }
  FILTER(YEAR(?start_date) = 2024)
}
"""
    )
    assert query.evidence is not None
    evidence = read_algebra(query.evidence)
    assert (evidence.named, evidence.distinct) == ((Var("event"),), True)


# Queries that use every way of reading, folding and reckoning, which another SPARQL engine must answer alike.
PORTABLE = [
    ROWS,
    f'FILTER(l={ROWS}, filter=lambda e: any("ch" in p.lower() for p in e["artists"]) and len(e["artists"]) < 2)',
    f'FILTER(l={ROWS}, filter=lambda e: "ABBA" in e["artists"] or e["len"] is None)',
    f'MAP(l={ROWS}, fct=lambda e: e["d"].weekday(), res_name="x")',
    f'MAP(l={ROWS}, fct=lambda e: e["d"].isocalendar().week, res_name="x")',
    f'MAP(l={ROWS}, fct=lambda e: e["d"] + timedelta(days=366), res_name="x")',
    f'MAP(l={ROWS}, fct=lambda e: (date.today() - e["d"]).days, res_name="x")',
    'MAP(l=FILTER(l=RETRIEVE(query="streams"), filter=lambda e: e["end_datetime"] is not None), '
    'fct=lambda e: e["end_datetime"] + timedelta(hours=30), res_name="x")',
    'MAP(l=RETRIEVE(query="streams"), fct=lambda e: e["end_datetime"] - e["start_datetime"], res_name="x")',
    'MAP(l=RETRIEVE(query="streams"), fct=lambda e: e["start_time"].hour, res_name="x")',
    f'MAP(l={ROWS}, fct=lambda e: round(e["len"] / 7, 1) if e["len"] > 210 else 0 - e["len"] // 7, res_name="x")',
    f'MAP(l={ROWS}, fct=lambda e: e["song"].lower() + str(e["d"])[:7], res_name="x")',
    f"APPLY(l={ROWS}, fct=len)",
    f'SUM(l={ROWS}, attr_name="len")',
    f'AVG(l={ROWS}, attr_name="len")',
    f'MIN(l={ROWS}, attr_name="d")',
    f'MAP(l=GROUP_BY(l={ROWS}, attr_names=["song"]), fct=len, res_name="n")',
    f'ARGMAX(l=MAP(l=GROUP_BY(l={ROWS}, attr_names=["song"]), fct=len, res_name="n"), arg_attr_name="n", val_attr_name="song")',
    f'MAP(l=GROUP_BY(l=UNNEST(l={ROWS}, nested_attr_name="artists"), attr_names=["artists"]), fct=len, res_name="n")',
    f'APPLY(l={ROWS}, fct=lambda l: sorted(l, key=lambda e: e["song"], reverse=True)[:2])',
    f'APPLY(l={ROWS}, fct=lambda l: len(set(e["song"] for e in l)))',
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("facts", [False, True], ids=["nothing known", "statistics known"])
@pytest.mark.parametrize("tree", PORTABLE, ids=range(len(PORTABLE)))
def test_another_sparql_engine_gives_the_same_rows(tree: str, *, facts: bool) -> None:
    graph = MemoryGraph(parse_turtle(LIFE))
    resolution = with_facts(RESOLUTION, gather(graph), spellings_in(graph)) if facts else RESOLUTION
    query = compile_tree(parse_tree(tree), resolution, NOW)
    ours = graph.select(query.sparql)
    theirs = PlainGraph().parse(data=LIFE).query(query.sparql)
    assert tuple(str(name) for name in theirs.vars or ()) == ours.variables

    def value(term: Any) -> object:
        text = None if term is None else term.value if isinstance(term, Term | NamedNode) else str(term)
        if text is None:
            return None
        plain = re.fullmatch(r"-?\d+(\.\d+)?", text)
        return float(text) if plain else text

    expected = [tuple(value(term) for term in row) for row in ours]
    found = [tuple(value(term) for term in row) for row in theirs]  # type: ignore[union-attr]
    lists = [at for at, column in enumerate(query.columns) if column.type.kind.value == "list" or column.together]
    assert len(found) == len(expected)
    for ours_row, theirs_row in zip(sorted(expected, key=str), sorted(found, key=str), strict=True):
        for at, (a, b) in enumerate(zip(ours_row, theirs_row, strict=True)):
            same_items = sorted(str(a).split("\x1f")) == sorted(str(b).split("\x1f")) if lists else False
            assert a == pytest.approx(b) if isinstance(a, float) else a == b or same_items, (at, a, b)


def test_only_standard_functions_are_called() -> None:
    for tree in PORTABLE:
        query = read_algebra(compile_tree(parse_tree(tree), RESOLUTION, NOW).sparql)
        called = {node.function for node in nodes(query) if isinstance(node, Call | Aggregate)}
        assert called <= {
            "AVG", "BOUND", "CONTAINS", "COALESCE", "CONCAT", "COUNT", "DAY", "FLOOR", "GROUP_CONCAT", "HOURS", "IF", "LCASE",
            "MAX", "MIN", "MINUTES", "MONTH", "REGEX", "REPLACE", "SECONDS", "STR", "STRDT", "STRLEN", "SUBSTR", "SUM", "YEAR",
            Iri(DECIMAL), Iri(INTEGER),
        }  # fmt: skip


NASTY = [
    '"',
    "\\",
    '\\"',
    "'",
    "\n",
    '" . } DELETE WHERE { ?s ?p ?o } #',
    "?event",
    "{}",
    "\x00\x1f\x7f",
    "é\u2028😀",
    '"""',
    "\\u0022",
    "<x>",
]


@pytest.mark.parametrize("text", NASTY)
def test_a_value_stays_a_value(text: str) -> None:
    subject, graph = NamedNode("urn:e"), NamedNode("urn:g")
    stored = text.replace("\x00", "")  # RDF has no null character
    quads = [
        Quad(subject, NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), NamedNode(EV + "Stream"), graph),
        Quad(subject, NamedNode(EV + "song"), Term(stored), graph),
    ]
    rows = Extract(Retrieve("streams"), ("song",), (AttributeType.STR,))
    test = Comparison(Attribute(Name("e"), "song"), ("==",), (Fixed(stored),))
    tree = Apply(Filter(rows, Lambda("e", test)), parse_function("len"))
    query = compile_tree(tree, RESOLUTION, NOW)
    answer = MemoryGraph(quads).select(query.sparql)
    assert answer.rows[0][0] == Term("1", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#integer"))


def test_names_of_attributes_become_safe_variables() -> None:
    key = "Größe (cm) ?x}"
    resolution = Resolution(
        RESOLUTION.retrieves, ((("streams", key), AttributeMatch(("https://w3id.org/reqap-kg/key/Gr%C3%B6%C3%9Fe",))),)
    )
    query = compile_tree(Extract(Retrieve("streams"), (key,), (AttributeType.FLOAT,)), resolution, NOW)
    assert query.columns[0].name == key
    assert re.fullmatch(r"\w+", query.columns[0].variable)
    assert count(read_algebra(query.sparql), Iri("https://w3id.org/reqap-kg/key/Gr%C3%B6%C3%9Fe"))
    MemoryGraph().select(query.sparql)


def test_the_moment_of_asking_is_given_not_read() -> None:
    tree = parse_tree(f'FILTER(l={ROWS}, filter=lambda e: e["d"] >= date.today() - relativedelta(years=1))')
    first = compile_tree(tree, RESOLUTION, NOW).sparql
    assert count(read_algebra(first), Literal("2023-03-10", XSD + "date"))
    assert compile_tree(tree, RESOLUTION, NOW).sparql == first
    later = compile_tree(tree, RESOLUTION, datetime(2020, 2, 29)).sparql
    assert count(read_algebra(later), Literal("2019-02-28", XSD + "date"))
