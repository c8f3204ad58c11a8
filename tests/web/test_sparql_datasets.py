"""FROM and FROM NAMED are taken out of a query where the grammar has them, and nowhere else."""

from __future__ import annotations

import pytest

from reqap_kg.errors import QueryError
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import NamedNode, Quad
from reqap_kg.store.sparql.datasets import Dataset, without_dataset
from reqap_kg.store.sparql.reading import MAX_QUERY_CHARS, read_query

A, B, C = (NamedNode(f"urn:{name}") for name in "abc")
PLACES = [
    ("SELECT * FROM <urn:a> { ?s ?p ?o }", [A], []),
    ("SELECT * FROM <urn:a> WHERE { ?s ?p ?o } LIMIT 1", [A], []),
    ("SELECT (1 AS ?x)FROM<urn:a>FROM NAMED<urn:b>{ }", [A], [B]),
    ("ASK FROM NAMED <urn:a> FROM <urn:b> from named <urn:c> { }", [B], [A, C]),
    ("PREFIX u: <urn:> ASK FROM u:a FROM NAMED u:b { }", [A], [B]),
    ("PREFIX : <urn:a> BASE <urn:b> ASK FROM : { }", [A], []),
    ("BASE <http://x/y/> ASK FROM <../z> { }", [NamedNode("http://x/z")], []),
    ("CONSTRUCT { ?s ?p ?o } FROM <urn:a> WHERE { ?s ?p ?o }", [A], []),
    ("CONSTRUCT { ?s ?p ?o } FROM <urn:a> { ?s ?p ?o }", [A], []),
    ("CONSTRUCT FROM <urn:a> WHERE { ?s ?p ?o }", [A], []),
    ("DESCRIBE <urn:s> FROM <urn:a>", [A], []),
    ("DESCRIBE ?s FROM <urn:a> { ?s ?p ?o }", [A], []),
    ("DESCRIBE <urn:s> <urn:t> FROM <urn:a> LIMIT 1", [A], []),
    ("ASK\n# FROM <urn:c>\nFROM\n\t<urn:a>\n{ ?s ?p 'FROM <urn:b>' }", [A], []),
    ("ASK \\u0046ROM <urn:a> { }", [A], []),
    ("ASK FROM <urn:a> { ?s ?p 'a\\\\u0041' } # \\u005Cu000A }", [A], []),
]
NO_PLACES = [
    "SELECT FROM <urn:a> * { ?s ?p ?o }",
    "SELECT FROM <urn:a> { ?s ?p ?o }",
    "SELECT * WHERE FROM <urn:a> { ?s ?p ?o }",
    "SELECT * FROM <urn:a>",
    "SELECT * FROM <urn:a> WHERE FROM <urn:b> { }",
    "SELECT * { ?s ?p ?o } FROM <urn:a>",
    "SELECT * { { SELECT * FROM <urn:a> { ?s ?p ?o } } }",
    "SELECT * FROM ?g { ?s ?p ?o }",
    "SELECT * FROM { ?s ?p ?o }",
    "SELECT * FROM NAMED { ?s ?p ?o }",
    "SELECT * NAMED <urn:a> { ?s ?p ?o }",
    "SELECT * FROM FROM <urn:a> { ?s ?p ?o }",
    "FROM <urn:a> SELECT * { ?s ?p ?o }",
    "PREFIX FROM <urn:a> SELECT * { ?s ?p ?o }",
    "PREFIX SELECT <urn:x> PREFIX FROM <urn:y> PREFIX",
    "BASE FROM <urn:a>",
    "CONSTRUCT FROM <urn:a> { ?s ?p ?o }",
    "CONSTRUCT FROM <urn:a> { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "DESCRIBE FROM <urn:a> <urn:s>",
    "DESCRIBE <urn:s> LIMIT 1 FROM <urn:a>",
    "DESCRIBE <urn:s> { ?s ?p ?o } FROM <urn:a>",
    "ASK FROM undeclared:a { }",
    "ASK FROM <relative> { }",
    "ASK FROM <urn:a> { SERVICE <urn:b> { } }",
    "ASK FROM <urn:a> FROM <urn:b> ( }",
    "LOAD <urn:a> FROM <urn:a>",
]


@pytest.mark.parametrize(("query", "default", "named"), PLACES)
def test_a_dataset_is_taken_out(query: str, default: list[NamedNode], named: list[NamedNode]) -> None:
    text, dataset = without_dataset(query)
    assert dataset == Dataset(tuple(default), tuple(named))
    assert "urn:a" not in text.replace("PREFIX : <urn:a>", "")
    assert without_dataset(text) == (text, None)
    MemoryGraph().answered(text, bool)


@pytest.mark.parametrize("query", NO_PLACES)
def test_what_stands_elsewhere_is_no_query(query: str) -> None:
    with pytest.raises(QueryError):
        read_query(without_dataset(query)[0])


@pytest.mark.parametrize("query", [query for query, _, _ in PLACES])
def test_no_query_names_its_data_by_itself(query: str) -> None:
    with pytest.raises(QueryError, match=r"(FROM|NAMED) would read other data"):
        read_query(query)


@pytest.mark.parametrize("query", ["ASK { ?from ?p 'FROM' } # from", "ASK {}", "ASK { \\u0041 }", "x" * 10])
def test_a_query_without_one_stays_as_it_is(query: str) -> None:
    assert without_dataset(query) == (query, None)


def test_a_query_that_is_too_long_is_not_even_cut_into_tokens() -> None:
    query = "FROM " * MAX_QUERY_CHARS
    assert without_dataset(query) == (query, None)
    with pytest.raises(QueryError, match="characters"):
        read_query(query)


def test_places_stay() -> None:
    query = "SELECT ?x\n FROM <urn:a> # what\n FROM NAMED\n <urn:b> {\n ?x ev:start }"
    with pytest.raises(QueryError) as bad:
        without_dataset(query)
    assert str(bad.value).startswith("line 5, column 14: this is not SPARQL at '}'")
    text, _ = without_dataset(query.replace("ev:start", "ev:start ?y"))
    assert (len(text), text.count("\n")) == (len(query) + 3, query.count("\n"))
    assert text.index("ev:start") == query.index("ev:start")


def test_a_wrong_iri_is_told_with_its_place() -> None:
    with pytest.raises(QueryError, match=r"line 1, column 10: <rel> is no whole IRI"):
        without_dataset("ASK FROM <rel> {}")
    with pytest.raises(QueryError, match="'rel' is no whole IRI"):
        Dataset.of(["rel"], [])


def test_a_query_is_about_its_dataset_alone() -> None:
    graph = MemoryGraph(Quad(name, A, name, name) for name in (A, B))

    def found(query: str, dataset: Dataset | None) -> set[str]:
        return graph.answered(query, lambda results: {row[0].value for row in results}, dataset=dataset)  # type: ignore[union-attr]

    default, named = "SELECT ?s { ?s ?p ?o }", "SELECT ?s { GRAPH ?g { ?s ?p ?o } }"
    assert found(default, None) == found(named, None) == {"urn:a", "urn:b"}
    assert (found(default, Dataset((A,))), found(named, Dataset((A,)))) == ({"urn:a"}, set())
    assert (found(default, Dataset((), (B,))), found(named, Dataset((), (B,)))) == (set(), {"urn:b"})
    assert found("SELECT ?g { GRAPH ?g {} }", Dataset((), (B, C))) == {"urn:b"}
