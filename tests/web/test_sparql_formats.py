"""Which format a client gets, what stands in it, when it is told that it has it already, and what there is to ask."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest
from rdflib import Graph, URIRef
from rdflib.namespace import RDF, Namespace
from sparql_endpoint import EX, GRAPHS, served, small_store
from starlette.requests import Request
from starlette.testclient import TestClient

from reqap_kg.errors import QueryError, QueryTooLarge
from reqap_kg.ontology.namespaces import RQ
from reqap_kg.store.generations import open_graph
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.queries.results import ResultFormat, run_query
from reqap_kg.store.queries.serializing import Serialization, write_results
from reqap_kg.store.rdf import Literal, NamedNode, Triple
from reqap_kg.web.sparql.endpoint import _endpoint
from reqap_kg.web.sparql.running import DESCRIPTION, MOST_BYTES, SOLUTIONS, TRIPLES, Pieces, chosen, tags_in

NAMES = f"SELECT ?name ?none {{ <{EX}name> <{EX}is> ?name }} ORDER BY ?name"
SAID = f"CONSTRUCT WHERE {{ <{EX}name> <{EX}is> ?name }}"
JSON, XML = "application/sparql-results+json", "application/sparql-results+xml"
SD = Namespace("http://www.w3.org/ns/sparql-service-description#")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the three graphs."""
    return small_store(tmp_path_factory.mktemp("graphs"))


@pytest.fixture(scope="module")
def client(store: Path) -> Iterator[TestClient]:
    """A client of it."""
    with served(store) as made:
        yield made


def _get(client: TestClient, query: str, accept: str | None = None, **headers: str) -> Any:
    more = {"Accept": accept} if accept is not None else {}
    return client.get("/sparql", params={"query": query}, headers=more | headers)


# ------------------------------------------------------------ negotiation
@pytest.mark.parametrize(
    ("accept", "sent"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (XML, XML),
        (f"{JSON};q=0.5, {XML};q=0.9", XML),
        (f"{JSON}, {XML}", JSON),
        ("text/*", "text/csv; charset=utf-8"),
        ("text/tab-separated-values", "text/tab-separated-values; charset=utf-8"),
        ("TEXT/CSV; header=present", "text/csv; charset=utf-8"),
        ("application/json", "application/json"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/xml"),
        (f"*/*, {JSON};q=0", XML),
        (f"text/turtle, {XML};q=0.001", XML),
        (f"{XML};q=7, text/csv;q=0.1", "text/csv; charset=utf-8"),
        ("text/turtle", None),
        (f"{JSON};q=0", None),
        ("nonsense", None),
    ],
)
def test_what_a_client_likes_best(accept, sent):
    offer = chosen(SOLUTIONS, accept)
    assert (offer.sent if offer is not None else None) == sent


def test_triples_and_solutions_have_formats_of_their_own():
    assert chosen(TRIPLES, JSON) is None
    found = [chosen(*asked) for asked in ((TRIPLES, "application/xml"), (TRIPLES, "*/*"), (DESCRIPTION, "text/html"))]
    assert [(offer.wanted, offer.sent) for offer in found if offer is not None] == [
        (Serialization.RDF_XML, "application/xml"),
        (Serialization.TURTLE, "text/turtle; charset=utf-8"),
        (Serialization.TURTLE, "text/plain; charset=utf-8"),
    ]


def test_what_there_is_not_is_refused_with_what_there_is(client):
    found = _get(client, "ASK {}", "image/png")
    assert (found.status_code, found.headers["vary"]) == (406, "Accept")
    assert all(offer.asked_as in found.text for offer in SOLUTIONS)


def test_several_accept_headers_are_one(client):
    found = client.get("/sparql", params={"query": "ASK {}"}, headers=[("Accept", "image/png"), ("Accept", XML)])
    assert found.headers["content-type"] == XML


# ------------------------------------------------------------ what stands in the formats
SAME = [
    (NAMES, JSON, ResultFormat.JSON),
    (NAMES, "text/csv", ResultFormat.CSV),
    (NAMES, "text/tab-separated-values", ResultFormat.TSV),
    ("SELECT ?x { VALUES ?x { UNDEF UNDEF } }", "text/tab-separated-values", ResultFormat.TSV),
    ("ASK {}", JSON, ResultFormat.JSON),
    ("ASK {}", "text/csv", ResultFormat.CSV),
    ("ASK { FILTER(false) }", "text/tab-separated-values", ResultFormat.TSV),
    (SAID, "text/turtle", ResultFormat.TURTLE),
    (f"DESCRIBE <{GRAPHS[0]}>", "text/turtle", ResultFormat.TURTLE),
]


@pytest.fixture(scope="module")
def given_by_command(store: Path) -> list[str]:
    """What the command line gives for each of SAME."""
    with open_graph(store) as graph:
        return [str(run_query(graph, query, wanted)) for query, _, wanted in SAME]


@pytest.mark.parametrize("at", range(len(SAME)))
def test_the_command_line_gives_the_same(given_by_command, client, at):
    query, accept, _ = SAME[at]
    assert given_by_command[at] in (found := _get(client, query, accept).text, found + "\n")


def test_every_format_of_solutions_says_the_same(client):
    names = ["no. 1", "no. 2", "no. 3"]
    found = {offer.wanted: _get(client, NAMES, offer.asked_as).text for offer in SOLUTIONS}
    assert [row["name"] for row in csv.DictReader(io.StringIO(found[Serialization.CSV]))] == names
    for wanted in (Serialization.JSON, Serialization.XML, Serialization.TSV):
        rows = ox.parse_query_results(found[wanted], format=ox.QueryResultsFormat.from_media_type(wanted))
        assert isinstance(rows, ox.QuerySolutions)
        assert [(row["name"].value, row["name"].language, row["none"]) for row in rows] == [
            (name, "en", None) for name in names
        ]


def test_every_format_of_triples_says_the_same(client):
    graphs = []
    for offer in TRIPLES[:3]:
        found = _get(client, SAID, offer.asked_as)
        assert found.headers["content-type"].partition(";")[0] == offer.asked_as
        graphs.append(set(Graph().parse(data=found.text, format=offer.asked_as)))
    assert len(graphs[0]) == 3
    assert graphs[0] == graphs[1] == graphs[2]


def _written(graph: MemoryGraph, query: str, wanted: Serialization) -> bytes:
    pieces = Pieces()
    write_results(graph, query, wanted, pieces)
    return b"".join(pieces.held)


@pytest.mark.parametrize("size", [0, 8000, 8189, 8190, 8191, 8192])
def test_xml_is_well_formed_whatever_a_text_holds(size):
    """Texts of different lengths bring the characters to the ends of the pieces in which XML is written."""
    text = "x" * size + "\x00\x01\x0b\x1f\ufffe\uffff\r\n\t<&>\U0001f600\ufffe"
    kept = "x" * size + "\ufffd" * 6 + "\r\n\t<&>\U0001f600\ufffd"
    graph = MemoryGraph.of_triples([Triple(NamedNode("urn:s"), NamedNode("urn:x:p"), Literal(text))])
    solutions = ElementTree.fromstring(_written(graph, "SELECT ?o { ?s ?p ?o }", Serialization.XML))
    assert [node.text for node in solutions.iter() if node.tag.endswith("literal")] == [kept]
    triples = ElementTree.fromstring(_written(graph, "CONSTRUCT WHERE { ?s ?p ?o }", Serialization.RDF_XML))
    assert [node.text for node in triples.iter() if node.tag.endswith("}p") or node.tag == "p"] == [kept]


def _one(property: str) -> MemoryGraph:
    return MemoryGraph.of_triples([Triple(NamedNode("urn:s"), NamedNode(property), Literal("x"))])


@pytest.mark.parametrize("property", ["http://a/1", "http://a/", "http://a/b/-.", "urn:1:", "http://a/b#?"])
def test_a_property_that_is_no_element_is_not_written_as_one(property):
    query = "CONSTRUCT WHERE { ?s ?p ?o }"
    assert f"<{property}>".encode() in _written(_one(property), query, Serialization.N_TRIPLES)
    with pytest.raises(QueryError, match="RDF/XML cannot say"):
        _written(_one(property), query, Serialization.RDF_XML)


@pytest.mark.parametrize(
    "property", ["http://a/b", "http://a/1b", "http://a/-_", "http://a/b.1-2", "http://a/é", "a:b"]
)
def test_a_property_that_is_an_element_comes_back(property):
    text = _written(_one(property), "CONSTRUCT WHERE { ?s ?p ?o }", Serialization.RDF_XML)
    assert {str(told) for told in Graph().parse(data=text, format="xml").predicates()} == {property}


def test_a_form_without_that_format_is_refused():
    with pytest.raises(QueryError, match="have no form as text/csv"):
        _written(MemoryGraph(), "CONSTRUCT WHERE { ?s ?p ?o }", Serialization.CSV)
    with pytest.raises(QueryError, match="have no form as text/turtle"):
        _written(MemoryGraph(), "ASK {}", Serialization.TURTLE)


def test_an_answer_is_no_longer_than_may_be():
    pieces = Pieces(size=MOST_BYTES - 1)
    pieces.write(b"x")
    with pytest.raises(QueryTooLarge, match="MiB"):
        pieces.write(b"x")


def test_a_large_answer_comes_whole_in_pieces():
    triples = [Triple(NamedNode(f"urn:s:{n}"), NamedNode("urn:p"), Literal(n)) for n in range(5000)]
    pieces = Pieces()
    write_results(MemoryGraph.of_triples(triples), "SELECT ?s { ?s ?p ?o }", Serialization.CSV, pieces)
    assert len(pieces.held) > 1
    assert set(b"".join(pieces.held).decode().split("\r\n")) == {"s", "", *(f"urn:s:{n}" for n in range(5000))}
    assert pieces.size == sum(map(len, pieces.held))


# ------------------------------------------------------------ what the client has already
def test_an_unchanged_answer_is_not_sent_again(client):
    first = _get(client, NAMES, JSON)
    tag = first.headers["etag"]
    assert tag.startswith('W/"')
    assert first.headers["cache-control"] == "private, no-cache"
    for known in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = _get(client, NAMES, JSON, **{"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert again.headers["vary"] == "Accept"
    assert _get(client, NAMES, JSON, **{"If-None-Match": '"other"'}).status_code == 200


def test_each_query_dataset_and_format_has_a_tag_of_its_own(client):
    def tag(query: str, accept: str = JSON, **more: str) -> str:
        return client.get("/sparql", params={"query": query, **more}, headers={"Accept": accept}).headers["etag"]

    tags = [
        tag(NAMES),
        tag(NAMES, XML),
        tag(NAMES, "application/json"),
        tag(NAMES + " LIMIT 1"),
        *(tag(NAMES, **{name: iri}) for name in ("default-graph-uri", "named-graph-uri") for iri in GRAPHS[:2]),
    ]
    assert len(set(tags)) == len(tags)
    assert tag(NAMES) == tags[0]


def test_what_is_another_each_time_has_no_tag(client):
    for call in ("NOW()", "RAND()", "UUID()", "STRUUID()"):
        found = _get(client, f"SELECT ({call} AS ?x) {{}}", JSON, **{"If-None-Match": "*"})
        assert (found.status_code, "etag" in found.headers) == (200, False)


def test_a_post_is_answered_anew(client):
    headers = {"Content-Type": "application/sparql-query", "If-None-Match": "*"}
    found = client.post("/sparql", content=NAMES, headers=headers)
    assert (found.status_code, "etag" in found.headers) == (200, False)


def test_a_change_of_the_store_changes_the_tag(tmp_path):
    store = small_store(tmp_path)
    with served(store) as client:
        tag = _get(client, NAMES, JSON).headers["etag"]
        assert _get(client, NAMES, JSON, **{"If-None-Match": tag}).status_code == 304
        small_store(tmp_path)  # an import by somebody else
        again = _get(client, NAMES, JSON, **{"If-None-Match": tag})
        assert again.status_code == 200
        assert again.headers["etag"] != tag


def test_tags_are_read_as_http_writes_them():
    assert tags_in('W/"a", "b,c" ,"" , x') == {'"a"', '"b,c"', '""'}
    assert tags_in("*") == {"*"}


# ------------------------------------------------------------ what there is to ask
@pytest.mark.parametrize("accept", ["text/turtle", "application/n-triples", "application/rdf+xml"])
def test_the_service_describes_itself(client, accept):
    found = client.get("/sparql", headers={"Accept": accept})
    assert found.headers["content-type"].partition(";")[0] == accept
    told = Graph().parse(data=found.text, format=accept)
    (service,) = told.subjects(RDF.type, SD.Service)
    assert set(told.objects(service, SD.endpoint)) == {URIRef("http://testserver/sparql")}
    assert set(told.objects(service, SD.supportedLanguage)) == {SD.SPARQL11Query}
    assert set(told.objects(service, SD.feature)) == {SD.UnionDefaultGraph}
    functions = set(told.objects(service, SD.extensionFunction))
    assert functions == {URIRef(RQ + name) for name in ("matches", "extract")}
    assert functions == set(told.subjects(RDF.type, SD.Function))
    assert len(set(told.objects(service, SD.resultFormat))) == 7
    (dataset,) = told.objects(service, SD.defaultDataset)
    named = {name for graph in told.objects(dataset, SD.namedGraph) for name in told.objects(graph, SD.name)}
    listed = _get(client, "SELECT DISTINCT ?g { GRAPH ?g {} }").json()["results"]["bindings"]
    assert {str(name) for name in named} == {row["g"]["value"] for row in listed}
    assert named >= {URIRef(iri) for iri in GRAPHS}


def test_a_browser_sees_the_description(client):
    found = client.get("/sparql?token=x", headers={"Accept": "text/html,application/xml;q=0.9,*/*;q=0.8"})
    assert found.headers["content-type"] == "text/plain; charset=utf-8"
    assert "sparql-service-description#Service" in found.text
    assert "token" not in found.text


def test_a_description_is_told_once(client):
    tag = client.get("/sparql").headers["etag"]
    assert client.get("/sparql", headers={"If-None-Match": tag}).status_code == 304
    assert client.get("/sparql", headers={"Accept": JSON}).status_code == 406


def test_a_host_that_no_iri_holds_is_not_named(client):
    assert 'a"b' not in client.get("/sparql", headers={"Host": 'a"b<c>'}).text
    with pytest.raises(QueryError, match="no host"):
        _endpoint(Request({"type": "http", "path": "/sparql", "headers": [], "server": None}))
