"""Clients that people use, against the endpoint on a port: SPARQLWrapper, rdflib, curl."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from rdflib import Graph, Literal, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore, SPARQLUpdateStore
from sparql_endpoint import EX, GRAPHS, listening, small_store
from SPARQLWrapper import CSV, JSON, POST, POSTDIRECTLY, RDFXML, TSV, TURTLE, XML, SPARQLExceptions, SPARQLWrapper

NAMES = f"SELECT ?name {{ <{EX}name> <{EX}is> ?name }} ORDER BY ?name"
SAID = f"CONSTRUCT WHERE {{ <{EX}name> <{EX}is> ?name }}"
EXPECTED = ["no. 1", "no. 2", "no. 3"]
WRITES = "INSERT DATA { <urn:a> <urn:b> <urn:c> }"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the endpoint of the three graphs."""
    with listening(small_store(tmp_path_factory.mktemp("graphs"))) as made:
        yield made


# ------------------------------------------------------------ SPARQLWrapper
def _wrapper(url: str, query: str, wanted: str) -> Any:
    made = SPARQLWrapper(url)
    made.setQuery(query)
    made.setReturnFormat(wanted)
    return made


@pytest.mark.parametrize("method", ["GET", POST])
@pytest.mark.parametrize("posted", ["urlencoded", POSTDIRECTLY])
def test_sparqlwrapper_reads_rows(url, method, posted):
    wrapper = _wrapper(url, NAMES, JSON)
    wrapper.setMethod(method)
    wrapper.setRequestMethod(posted)
    found = wrapper.query().convert()
    assert [row["name"]["value"] for row in found["results"]["bindings"]] == EXPECTED


def test_sparqlwrapper_reads_every_format_of_rows(url):
    document = _wrapper(url, NAMES, XML).query().convert()
    assert [node.firstChild.data for node in document.getElementsByTagName("literal")] == EXPECTED
    assert _wrapper(url, NAMES, CSV).query().convert().decode().splitlines() == ["name", *EXPECTED]
    tabbed = _wrapper(url, NAMES, TSV).query().convert().decode().splitlines()
    assert tabbed == ["?name", *(f'"{name}"@en' for name in EXPECTED)]


@pytest.mark.parametrize("wanted", [TURTLE, RDFXML])
def test_sparqlwrapper_reads_triples(url, wanted):
    found = _wrapper(url, SAID, wanted).query().convert()
    graph = found if isinstance(found, Graph) else Graph().parse(data=found, format="turtle")
    assert sorted(str(value) for value in graph.objects()) == EXPECTED


def test_sparqlwrapper_names_a_dataset(url):
    wrapper = _wrapper(url, NAMES, JSON)
    wrapper.addDefaultGraph(GRAPHS[1])
    found = wrapper.query().convert()
    assert [row["name"]["value"] for row in found["results"]["bindings"]] == EXPECTED[1:2]


def test_sparqlwrapper_is_told_what_is_wrong(url):
    with pytest.raises(SPARQLExceptions.QueryBadFormed, match="line 1, column 17"):
        _wrapper(url, "SELECT * { ?s ?p", JSON).query()
    wrapper = _wrapper(url, WRITES, JSON)
    wrapper.setMethod(POST)
    with pytest.raises(Exception, match="403"):
        wrapper.query()


# ------------------------------------------------------------ rdflib
def _rows(found: Any) -> list[str]:
    return [str(row[0]) for row in found]


def _values(graph: Any) -> list[str]:
    return sorted(str(value) for value in graph.objects())


def test_rdflib_queries(url):
    graph = Graph(SPARQLStore(url))
    assert _rows(graph.query(NAMES)) == EXPECTED
    assert bool(graph.query(f"ASK {{ <{EX}name> ?p ?o }}")) is True
    assert _values(graph.query(SAID).graph) == EXPECTED


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
@pytest.mark.parametrize("wanted", ["xml", "json", "csv", "tsv"])
def test_rdflib_reads_every_format(url, method, wanted):
    graph = Graph(SPARQLStore(url, method=method, returnFormat=wanted))
    assert _rows(graph.query(NAMES)) == EXPECTED


def test_rdflib_takes_the_store_for_a_graph(url):
    name, told = URIRef(EX + "name"), URIRef(EX + "is")
    whole = Graph(SPARQLStore(url))
    assert set(whole.triples((name, None, None))) == {(name, told, Literal(text, lang="en")) for text in EXPECTED}
    one = Graph(SPARQLStore(url), identifier=URIRef(GRAPHS[2]))
    assert list(one.objects(name, told)) == [Literal("no. 3", lang="en")]
    assert len(one) == 2


def test_rdflib_writes_nothing(url):
    store = SPARQLUpdateStore(url, url)
    with pytest.raises(Exception, match="403"):
        store.update(WRITES)


# ------------------------------------------------------------ curl
@pytest.fixture(scope="module")
def curl() -> str:
    """The program."""
    found = shutil.which("curl")
    if found is None:
        pytest.skip("no curl on this machine")
    return found


def _said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, timeout=30).stdout.decode()


def test_curl_posts_a_form(url, curl):
    found = json.loads(_said(curl, "-s", url, "--data-urlencode", f"query={NAMES}"))
    assert [row["name"]["value"] for row in found["results"]["bindings"]] == EXPECTED


def test_curl_asks_in_the_address(url, curl):
    command = (curl, "-sG", url, "--data-urlencode", f"query={NAMES}", "-H", "Accept: text/csv")
    assert _said(*command).splitlines() == ["name", *EXPECTED]


def test_curl_posts_a_file(url, curl, tmp_path):
    (tmp_path / "names.rq").write_text(NAMES, encoding="utf-8")
    kind = "Content-Type: application/sparql-query"
    command = (curl, "-s", url, "-H", kind, "--data-binary", f"@{tmp_path / 'names.rq'}")
    assert len(json.loads(_said(*command))["results"]["bindings"]) == len(EXPECTED)


def test_curl_keeps_what_has_not_changed(url, curl, tmp_path):
    kept, answer = str(tmp_path / "tag"), str(tmp_path / "answer")
    command = (curl, "-sG", url, "--data-urlencode", f"query={NAMES}", "-o", answer, "-w", "%{http_code}")
    assert _said(*command, "--etag-save", kept) == "200"
    assert _said(*command, "--etag-compare", kept) == "304"


def test_curl_sees_heads(url, curl):
    head = _said(curl, "-sI", f"{url}?query=ASK%20%7B%7D").lower()
    assert head.startswith("http/1.1 200")
    assert "content-type: application/sparql-results+json" in head
    assert "vary: accept" in head
