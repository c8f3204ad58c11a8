"""A user's SPARQL that calls RETRIEVE and EXTRACT: what the functions say, for which events, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from derived_life import DINNERS, NOW, without_weights

from reqap_kg.config import Settings
from reqap_kg.engine.functions import sparql_functions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import ConfigError, QueryError, QueryTimeout
from reqap_kg.execution.derivations.derive import list_derivations
from reqap_kg.store.graph import Rows
from reqap_kg.store.queries.results import ResultFormat
from reqap_kg.store.rdf import Literal, NamedNode

MEANT = f'FILTER(rq:matches(?e, "{DINNERS}"))'


@pytest.fixture
def known(small_life: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KnowledgeGraph]:
    without_weights(monkeypatch)
    store = Path(copytree(small_life, tmp_path / "store"))
    with KnowledgeGraph.open(store, Settings(home_zone="Europe/Oslo")) as opened:
        yield opened


def rows(known: KnowledgeGraph, query: str) -> list[tuple[str | None, ...]]:
    """The rows of a SELECT as texts."""
    found = known.sparql(query, now=NOW).value
    assert isinstance(found, Rows)
    return [tuple(term.value if term is not None else None for term in row) for row in found]


@pytest.fixture
def extracted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, int]]:
    """What EXTRACT is run for: (query or class, key, how many events)."""
    asked: list[tuple[str, str, int]] = []
    real = sparql_functions._Tables._read

    def noting(self, label, match, key, kind, events):
        asked.append((label, key, len(events)))
        return real(self, label, match, key, kind, events)

    monkeypatch.setattr(sparql_functions._Tables, "_read", noting)
    return asked


def test_matches_holds_for_what_retrieve_finds(known: KnowledgeGraph) -> None:
    found = rows(known, f"SELECT DISTINCT ?e {{ ?e ev:source ?s {MEANT} }} ORDER BY ?e")
    hits = known.retrieve(DINNERS, now=NOW).hits
    assert sorted(hit.event.iri for hit in hits) == [iri for (iri,) in found]
    assert len(found) == 2
    without = rows(known, f'SELECT DISTINCT ?e {{ ?e ev:source ?s FILTER(!rq:matches(?e, "{DINNERS}")) }}')
    assert len(without) == 6


def test_a_class_is_matched_as_the_ontology_says(known: KnowledgeGraph) -> None:
    assert rows(known, 'SELECT ?e { ?e a ?c FILTER(rq:matches(?e, "my workouts")) } ORDER BY ?e') == rows(
        known, "SELECT ?e { ?e a ev:Workout } ORDER BY ?e"
    )


def test_each_query_is_retrieved_once_and_reused(known: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    real = sparql_functions.resolve_retrieve
    monkeypatch.setattr(
        sparql_functions, "resolve_retrieve", lambda text, context: asked.append(text) or real(text, context)
    )
    query = f'ASK {{ ?e a ev:Mail {MEANT} {MEANT} FILTER(rq:matches(?e, "mails")) }}'
    assert known.sparql(query, now=NOW).value is True
    assert asked == [DINNERS, "mails"]
    made = list_derivations(known.graph)
    assert known.sparql(query, now=NOW).value is True
    assert list_derivations(known.graph) == made


def test_all_forms_of_queries_may_call_them(known: KnowledgeGraph) -> None:
    assert known.sparql(f"ASK {{ ?e a ev:Workout {MEANT} }}", now=NOW).value is False
    made = known.sparql(f"CONSTRUCT {{ ?e a ev:Dinner }} {{ ?e ev:source ?s {MEANT} }}", now=NOW).value
    assert isinstance(made, tuple)
    assert len(made) == 2
    counted = f'SELECT (SUM(IF(rq:matches(?e, "{DINNERS}"), 1, 0)) AS ?n) {{ ?e ev:source ?s }}'
    assert rows(known, counted) == [("2",)]
    below = f"SELECT ?w {{ ?w a ev:Workout FILTER EXISTS {{ ?e ev:day ?d . ?w ev:day ?d {MEANT} }} }}"
    assert len(rows(known, below)) == 1


def test_extract_gives_values_as_they_stand_or_of_a_type(known: KnowledgeGraph) -> None:
    query = """SELECT ?raw ?kg ?day ?moment {
        ?e a ev:Workout BIND(rq:extract(?e, "load") AS ?raw) BIND(rq:extract(?e, "load", "float") AS ?kg)
        BIND(rq:extract(?e, "booked", "date") AS ?day) BIND(rq:extract(?e, "start", "time") AS ?moment)
    } ORDER BY ?raw"""
    found = known.sparql(query, now=NOW).value
    assert isinstance(found, Rows)
    (light, light_in_pounds, second, at), (heavy, pounds, first, _) = found.rows
    assert [light, heavy] == [Literal("100 lb"), Literal("80 kg")]
    assert [second, first] == [_date("2022-03-15"), _date("2022-03-14")]
    assert light_in_pounds is not None
    assert pounds is not None
    assert float(pounds.value) == pytest.approx(80 / 0.45359237)
    assert float(light_in_pounds.value) == 100
    assert at == Literal("10:00:00", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#time"))


def _date(text: str) -> Literal:
    return Literal(text, datatype=NamedNode("http://www.w3.org/2001/XMLSchema#date"))


def test_extracted_values_join_filter_group_and_order(known: KnowledgeGraph) -> None:
    query = """SELECT ?artist (COUNT(?e) AS ?n) {
        ?e a ev:MusicStream BIND(rq:extract(?e, "artist") AS ?artist) FILTER(?artist != "Bo") } GROUP BY ?artist"""
    assert rows(known, query) == [("Ada", "1")]
    least = 'SELECT ?e { ?e a ev:Workout } ORDER BY rq:extract(?e, "load", "float") LIMIT 1'
    assert rows(known, least) == rows(known, 'SELECT ?e { ?e key:load "100 lb" }')


def test_only_events_that_the_rest_of_the_query_leaves_are_extracted(known: KnowledgeGraph, extracted: list) -> None:
    both = f'SELECT ?w {{ ?e ev:source ?s BIND(rq:extract(?e, "title") AS ?w) FILTER(rq:matches(?e, "{DINNERS}")) }}'
    assert sorted(rows(known, both)) == [("Dinner at the trattoria",), ("Saturday",)]
    assert extracted == [(DINNERS, "title", 2)]
    extracted.clear()
    assert rows(known, 'SELECT ?t { ?e a ev:Note ; ev:title "Roof" BIND(rq:extract(?e, "text") AS ?t) }') == [
        ("The gutter leaks.",)
    ]
    assert extracted == [("note", "text", 1)]


def test_what_a_value_makes_the_query_ask_further_is_extracted_too(known: KnowledgeGraph, extracted: list) -> None:
    query = """SELECT ?song { ?w a ev:Workout FILTER(rq:extract(?w, "load") = "80 kg")
        ?w ev:day ?day . ?s a ev:MusicStream ; ev:day ?day BIND(rq:extract(?s, "song") AS ?song) }"""
    assert rows(known, query) == [("Loop",)]
    assert [(label, key) for label, key, _ in extracted].count(("workout", "load")) == 1


def test_a_query_that_always_asks_for_others_gets_whole_classes(known: KnowledgeGraph, extracted: list) -> None:
    chain = " ".join(
        f'?e{n} a ev:Note BIND(COALESCE(rq:extract(?e{n}, "title"), "") AS ?t{n}) FILTER(?t{n} != "" || {n} > 5)'
        for n in range(3)
    )
    assert len(rows(known, f"SELECT * {{ {chain} }}")) == 8
    assert sum(count for _, _, count in extracted) <= 6


def test_a_key_that_nothing_answers_is_unbound_and_told(known: KnowledgeGraph) -> None:
    found = known.sparql('SELECT ?x { ?e a ev:MusicStream BIND(rq:extract(?e, "shoe size") AS ?x) }', now=NOW)
    assert isinstance(found.value, Rows)
    assert found.value.rows == ((None,), (None,))
    assert any("shoe size" in warning for warning in found.warnings)


def test_without_a_model_words_are_searched_and_that_is_told(
    known: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing():
        raise ConfigError("the weights are not there")

    monkeypatch.setattr(known, "_encoder", missing)
    found = known.sparql(f"SELECT ?e {{ ?e ev:source ?s {MEANT} }}", now=NOW)
    assert isinstance(found.value, Rows)
    assert len(found.value) >= 1
    assert any("words only" in warning for warning in found.warnings)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "query",
    [
        f"SELECT ?e {{ ?e a ev:Mail {MEANT}",
        f"SELECT ?e {{ ?e a ev:Mail {MEANT} }} LIMIT some",
        f"SELECT ?e {{ ?e a ev:Mail {MEANT} FILTER(<https://example.org/f>(?e)) }}",
        f"SELECT ?e {{ SERVICE <http://localhost/> {{ ?e a ev:Mail }} {MEANT} }}",
        f'SELECT ?e {{ ?e a ev:Mail {MEANT} FILTER(rq:matches(?e, CONCAT("a", "b"))) }}',
    ],
)
def test_a_wrong_query_is_refused_before_anything_is_retrieved(known: KnowledgeGraph, query: str) -> None:
    with pytest.raises(QueryError):
        known.sparql(query, now=NOW)
    assert list_derivations(known.graph) == ()


def test_a_call_that_the_tokens_hide_is_refused_and_never_guessed(known: KnowledgeGraph) -> None:
    """`<…>` is an IRI to the grammar's longest match, and two comparisons to Oxigraph's parser."""
    hidden = "?n<2&&rq:matches(?e,'notes')>?n"
    for test in (hidden, f"rq:matches(?e, 'mails') && {hidden}"):
        with pytest.raises(QueryError):
            known.sparql(f"SELECT ?n {{ BIND(1 AS ?n) ?e a ev:Mail FILTER({test}) }}", now=NOW)


def test_the_time_limit_counts_all_of_it(known: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 5))
    monkeypatch.setattr(sparql_functions, "perf_counter", lambda: next(clock))
    with pytest.raises(QueryTimeout, match="limit of 4 s"):
        known.sparql(f"SELECT ?e {{ ?e a ev:Mail {MEANT} }}", now=NOW, seconds=4)


def test_text_comes_in_the_formats_of_sparql(known: KnowledgeGraph) -> None:
    query = f"SELECT ?e {{ ?e a ev:Note {MEANT} }}"
    table = known.sparql_text(query, ResultFormat.TABLE, now=NOW).value
    ((dinner,),) = rows(known, 'SELECT ?e { ?e ev:title "Dinner at the trattoria" }')
    assert table == [("e",), (str(dinner).replace("https://w3id.org/reqap-kg/data/", "data:"),)]
    assert known.sparql_text(query, ResultFormat.CSV, now=NOW).value == f"e\r\n{dinner}\r\n"


def test_plain_queries_run_as_they_are(known: KnowledgeGraph) -> None:
    assert rows(known, "SELECT (COUNT(*) AS ?n) { ?e a ev:Note }") == [("2",)]
    assert known.sparql("ASK { ?e a ev:Note }", now=NOW).value is True
