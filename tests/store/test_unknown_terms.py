"""A class or property of ours that nothing has is told with the nearest; what the store has is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from sparql_endpoint import served

from reqap_kg.cli.app import run
from reqap_kg.ontology.namespaces import EV, OWL, RDF_TYPE
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.queries.results import unknown_terms
from reqap_kg.store.rdf import Literal, NamedNode, Triple

OWN = "https://own.example/"
GRAPH = MemoryGraph.of_triples(
    [
        Triple(NamedNode(EV + "MusicStream"), NamedNode(RDF_TYPE), NamedNode(OWL + "Class")),
        Triple(NamedNode(EV + "songName"), NamedNode(RDF_TYPE), NamedNode(OWL + "DatatypeProperty")),
        Triple(NamedNode("urn:a"), NamedNode(EV + "wingSpan"), Literal(3)),
        Triple(NamedNode("urn:a"), NamedNode(RDF_TYPE), NamedNode(EV + "Chough")),
    ]
)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT * { ?e a ev:Musicstream }", ["ev:Musicstream; nearest: ev:MusicStream"]),
        ("SELECT * { ?e a ev:MusicStream ; ev:songname ?n }", ["ev:songname; nearest: ev:songName"]),
        (f"SELECT * {{ ?e a <{EV}Musicsteam> }}", ["ev:Musicsteam; nearest: ev:MusicStream"]),
        (
            f"PREFIX x: <{EV}> SELECT * {{ ?e x:song_name/x:xyzzy ?n }}",
            ["ev:song_name; nearest: ev:songName", "ev:xyzzy"],
        ),
        ("ASK { ?e a ev:Chough ; ev:wingSpan ?w ; ev:songName ?n }", []),
        (f"ASK {{ ?e a <{OWN}Nothing> ; foaf:nothing ?w . data:x ?p ?o }}", []),
        ('SELECT ("ev:Musicstream" AS ?x) { ?s ?p ?o } # ev:Musicstream', []),
        ("PREFIX ev: <urn:other:> SELECT * { ?e a ev:Musicstream }", []),
    ],
)
def test_unknown_terms_are_told_with_the_nearest(query: str, told: list[str]) -> None:
    assert list(unknown_terms(query, GRAPH)) == [f"neither the ontology nor your data has {one}" for one in told]


@pytest.mark.parametrize("more", ["", ' FILTER(rq:matches(?e, "workouts"))'])
def test_the_command_line_says_it(demo_store: Path, more: str, capsys: pytest.CaptureFixture[str]) -> None:
    query = f"SELECT ?e {{ ?e a ev:Wrkout {more} }}"
    assert run(["sparql", query, "--store", str(demo_store), "--now", "2025-03-01T12:00:00", "--format", "csv"]) == 0
    told = capsys.readouterr()
    assert told.out.split() == ["e"]
    assert "warning: neither the ontology nor your data has ev:Wrkout; nearest: ev:Workout\n" in told.err
    assert run(["sparql", query.replace("Wrkout", "Workout"), "--store", str(demo_store), "--format", "csv"]) == 0
    assert "neither the ontology" not in capsys.readouterr().err


def test_the_service_says_it_beside_the_answer(demo_store: Path) -> None:
    with served(demo_store) as client:
        for query in ("SELECT * { ?e a ev:Musicstream }", "SELECT * { ?e a ev:MusicStream . FILTER(false) }"):
            found = client.get("/sparql", params={"query": query}, headers={"Accept": "text/csv"})
            assert (found.status_code, found.text.split()) == (200, ["e"])
            said = "neither the ontology nor your data has ev:Musicstream; nearest: ev:MusicStream"
            assert found.headers.get("Reqap-Note") == (said if "Musicstream" in query else None)
