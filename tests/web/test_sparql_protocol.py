"""The query tests of the W3C's suite for the SPARQL 1.1 Protocol, by their names there, over graphs of our own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from sparql_endpoint import EX, GRAPHS, served, small_store
from starlette.testclient import TestClient

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
DIRECT = {"Content-Type": "application/sparql-query"}
ONE, TWO, THREE = GRAPHS
DOCUMENT = "a <http://xmlns.com/foaf/0.1/Document>"
OF_SOLUTIONS = {"application/sparql-results+xml", "application/sparql-results+json"}
OF_TRIPLES = {"application/rdf+xml", "text/turtle", "application/n-triples"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of the three graphs."""
    with served(small_store(tmp_path_factory.mktemp("graphs"))) as made:
        yield made


def _get(client: TestClient, *pairs: tuple[str, str], accept: str = "application/sparql-results+json") -> Any:
    return client.get(f"/sparql?{urlencode(pairs)}", headers={"Accept": accept})


def _post(client: TestClient, *pairs: tuple[str, str]) -> Any:
    return client.post("/sparql", content=urlencode(pairs), headers=FORM)


def _type(found: Any) -> str:
    assert found.status_code == 200, found.text
    return found.headers["content-type"].partition(";")[0]


def _truth(found: Any) -> bool:
    assert _type(found) == "application/sparql-results+json"
    return found.json()["boolean"]


def test_query_get(client):
    assert _truth(_get(client, ("query", "ASK {}"))) is True


def test_query_post_form(client):
    assert _truth(_post(client, ("query", "ASK {}"))) is True


def test_query_post_direct(client):
    assert _truth(client.post("/sparql", content="ASK {}", headers=DIRECT)) is True


def test_query_dataset_default_graph(client):
    query = f"ASK {{ <{ONE}> {DOCUMENT} }}"
    assert _truth(_get(client, ("query", query), ("default-graph-uri", ONE))) is True
    assert _truth(_get(client, ("query", query), ("default-graph-uri", TWO))) is False


BOTH_DEFAULT = f"ASK {{ <{ONE}> {DOCUMENT} . <{TWO}> {DOCUMENT} }}"
OTHER_DEFAULT = f"ASK {{ <{THREE}> {DOCUMENT} }}"
BOTH_AS_DEFAULT = (("default-graph-uri", ONE), ("default-graph-uri", TWO))


@pytest.mark.parametrize("send", [_get, _post], ids=["get", "post"])
def test_query_dataset_default_graphs(client, send):
    assert _truth(send(client, ("query", BOTH_DEFAULT), *BOTH_AS_DEFAULT)) is True
    assert _truth(send(client, ("query", OTHER_DEFAULT), *BOTH_AS_DEFAULT)) is False


BOTH_NAMED = f"ASK {{ GRAPH ?g1 {{ <{ONE}> {DOCUMENT} }} GRAPH ?g2 {{ <{TWO}> {DOCUMENT} }} }}"
BOTH_AS_NAMED = (("named-graph-uri", ONE), ("named-graph-uri", TWO))


@pytest.mark.parametrize("send", [_get, _post], ids=["get", "post"])
def test_query_dataset_named_graphs(client, send):
    assert _truth(send(client, ("query", BOTH_NAMED), *BOTH_AS_NAMED)) is True
    assert _truth(send(client, ("query", BOTH_NAMED), BOTH_AS_NAMED[0])) is False
    assert _truth(send(client, ("query", f"ASK {{ <{ONE}> {DOCUMENT} }}"), *BOTH_AS_NAMED)) is False


FULL = f"ASK {{ <{THREE}> {DOCUMENT} . GRAPH ?g1 {{ <{ONE}> {DOCUMENT} }} GRAPH ?g2 {{ <{TWO}> {DOCUMENT} }} }}"


def test_query_dataset_full(client):
    assert _truth(_get(client, ("query", FULL), ("default-graph-uri", THREE), *BOTH_AS_NAMED)) is True
    assert _truth(_get(client, ("query", FULL), ("default-graph-uri", ONE), *BOTH_AS_NAMED)) is False


def test_query_dataset_full_post_direct(client):
    beside = urlencode([("default-graph-uri", THREE), *BOTH_AS_NAMED])
    assert _truth(client.post(f"/sparql?{beside}", content=FULL, headers=DIRECT)) is True


def test_query_multiple_dataset(client):
    """What the protocol says goes before what the query says."""
    query = FULL.replace("ASK", f"ASK FROM <{ONE}>")
    assert _truth(_get(client, ("query", query), ("default-graph-uri", THREE), *BOTH_AS_NAMED)) is True
    assert _truth(_get(client, ("query", query))) is False


def test_query_own_dataset(client):
    """The dataset of the query, where the protocol says none."""
    query = FULL.replace("ASK", f"PREFIX ex: <{EX}> ASK FROM ex:data3 FROM NAMED ex:data1 from named <{TWO}> WHERE")
    assert _truth(_get(client, ("query", query))) is True
    assert _truth(_get(client, ("query", query.replace("ex:data1", "ex:data3")))) is False


def test_query_without_dataset_is_about_all_graphs(client):
    query = f"SELECT ?name {{ <{EX}name> <{EX}is> ?name }} ORDER BY ?name"
    found = _get(client, ("query", query)).json()["results"]["bindings"]
    assert [row["name"]["value"] for row in found] == ["no. 1", "no. 2", "no. 3"]


def test_a_graph_that_there_is_not_is_empty(client):
    none = f"{EX}none"
    assert _truth(_get(client, ("query", "ASK { ?s ?p ?o }"), ("default-graph-uri", none))) is False
    assert _truth(_get(client, ("query", "ASK { GRAPH ?g {} }"), ("named-graph-uri", none))) is False


def test_query_content_type_select(client):
    assert _type(_get(client, ("query", "SELECT (1 AS ?value) {}"), accept="*/*")) in OF_SOLUTIONS


def test_query_content_type_ask(client):
    assert _type(_get(client, ("query", "ASK {}"), accept="*/*")) in OF_SOLUTIONS


def test_query_content_type_describe(client):
    found = _get(client, ("query", f"DESCRIBE <{ONE}>"), accept="*/*")
    assert _type(found) in OF_TRIPLES
    assert f"<{ONE}> a foaf:Document" in found.text


def test_query_content_type_construct(client):
    found = _get(client, ("query", "CONSTRUCT { <http://a/s> <http://a/p> 1 } WHERE {}"), accept="*/*")
    assert _type(found) in OF_TRIPLES
    assert "<http://a/s> <http://a/p> 1" in found.text


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "QUERY"])
def test_bad_query_method(client, method):
    found = client.request(method, f"/sparql?{urlencode({'query': 'ASK {}'})}")
    assert found.status_code == 405
    assert found.headers["allow"] == "GET, HEAD, OPTIONS, POST"


@pytest.mark.parametrize("send", [_get, _post], ids=["get", "post"])
def test_bad_multiple_queries(client, send):
    found = send(client, ("query", "ASK {}"), ("query", "SELECT * {}"))
    assert (found.status_code, "2 queries" in found.text) == (400, True)


def test_bad_multiple_queries_in_address_and_body(client):
    assert client.post("/sparql?query=ASK+%7B%7D", content="ASK {}", headers=DIRECT).status_code == 400


def test_bad_query_wrong_media_type(client):
    found = client.post("/sparql", content="ASK {}", headers={"Content-Type": "text/plain"})
    assert found.status_code == 415
    assert "application/sparql-query" in found.headers["accept-post"]


def test_bad_query_missing_form_type(client):
    assert client.post("/sparql", content=urlencode({"query": "ASK {}"}).encode()).status_code == 415


def test_bad_query_missing_direct_type(client):
    assert client.post("/sparql", content=b"ASK {}").status_code == 415


@pytest.mark.parametrize("kind", ["application/sparql-query", "application/x-www-form-urlencoded"])
def test_bad_query_non_utf8(client, kind):
    body = ("ASK {}" if kind.endswith("query") else "query=ASK+%7B%7D").encode("utf-16")
    assert client.post("/sparql", content=body, headers={"Content-Type": f"{kind}; charset=UTF-16"}).status_code == 415
    assert client.post("/sparql", content=body, headers={"Content-Type": kind}).status_code == 400


def test_utf_8_may_be_said(client):
    for kind in ("application/sparql-query; charset=UTF-8", 'Application/SPARQL-query;charset="utf-8"'):
        assert _truth(client.post("/sparql", content="ASK {}", headers={"Content-Type": kind})) is True


@pytest.mark.parametrize("send", [_get, _post], ids=["get", "post"])
def test_bad_query_syntax(client, send):
    found = send(client, ("query", "ASK {\n ?s ev:start }"))
    assert found.status_code == 400
    assert found.headers["content-type"] == "text/plain; charset=utf-8"
    assert found.text.startswith("line 2, column 14: this is not SPARQL at '}'; expected one of")


def test_bad_query_missing(client):
    for found in (_post(client, ("other", "x")), _get(client, ("default-graph-uri", ONE))):
        assert (found.status_code, "no queries" in found.text) == (400, True)


@pytest.mark.parametrize("name", ["default-graph-uri", "named-graph-uri"])
def test_bad_dataset(client, name):
    found = _get(client, ("query", "ASK {}"), (name, "not an IRI"))
    assert (found.status_code, "no whole IRI" in found.text) == (400, True)


def test_updates_are_refused(client):
    body = "INSERT DATA { <urn:a> <urn:b> <urn:c> }"
    sent = [
        _post(client, ("update", body)),
        client.post("/sparql", content=body, headers={"Content-Type": "application/sparql-update"}),
        _get(client, ("update", body)),
        _post(client, ("update", body), ("query", "ASK {}")),
    ]
    assert [(found.status_code, "no SPARQL Update" in found.text) for found in sent] == [(403, True)] * 4
    as_query = _get(client, ("query", body))
    assert (as_query.status_code, "INSERT would write" in as_query.text) == (400, True)
    assert _truth(_get(client, ("query", "ASK { <urn:a> ?p ?o }"))) is False


def test_head_says_what_get_would(client):
    address = f"/sparql?{urlencode({'query': 'ASK {}'})}"
    got, headed = client.get(address), client.head(address)
    assert (headed.status_code, headed.content) == (200, b"")
    for name in ("content-type", "content-length", "etag"):
        assert headed.headers[name] == got.headers[name]


def test_options_says_what_may_be_sent(client):
    found = client.options("/sparql")
    assert (found.status_code, found.content) == (204, b"")
    assert found.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    assert "application/sparql-query" in found.headers["accept-post"]
