"""Derivations: their provenance, their place, and when they go."""

from dataclasses import replace

import pytest

from reqap_kg.execution.derivations.dependencies import Dependencies
from reqap_kg.execution.derivations.derive import (
    Hit,
    Step,
    drop_stale,
    is_derived,
    list_derivations,
    read_hits,
    read_mapping,
    write_hits,
    write_mapping,
)
from reqap_kg.store.vocabulary import load_vocabulary

STEP = Step("RETRIEVE", 'dinners "out"', "tiny", "sha256:ab", "gen-000001")


@pytest.fixture
def graph(life):
    """A graph that derivations can be written to."""
    return life.graph


def test_hits_are_read_back_best_first(graph):
    hits = (Hit("urn:b", 0.6), Hit("urn:a", 0.9), Hit("urn:c", 0.9))
    assert not is_derived(graph, STEP)
    write_hits(graph, STEP, hits, ended="2025-01-01T12:00:00")
    assert is_derived(graph, STEP)
    assert [h.event for h in read_hits(graph, STEP.activity)] == ["urn:a", "urn:c", "urn:b"]
    assert graph.ask(f"ASK {{ <urn:a> ev:retrievedBy <{STEP.activity}> }}")


def test_an_empty_result_is_a_derivation_too(graph):
    write_hits(graph, STEP, (), ended="2025-01-01T12:00:00")
    assert is_derived(graph, STEP)
    assert read_hits(graph, STEP.activity) == ()
    assert list_derivations(graph)[0].results == 0


def test_provenance_says_what_was_run_with_what(graph):
    write_hits(graph, STEP, (Hit("urn:a", 0.9),), ended="2025-01-01T12:00:00")
    ((operator, query, model, model_hash, generation, ended, used),) = graph.select(
        f"""SELECT ?operator ?query ?model ?hash ?generation ?ended ?used WHERE {{ GRAPH <{STEP.graph}> {{
            <{STEP.activity}> a ev:Derivation, prov:Activity ; ev:operator ?operator ; ev:query ?query ;
            ev:model ?model ; ev:modelHash ?hash ; ev:dependsOn ?generation ;
            prov:endedAtTime ?ended ; prov:used ?used }} }}"""
    )
    told = [term.value for term in (operator, query, model, model_hash, generation, ended)]
    assert told == ["RETRIEVE", 'dinners "out"', "tiny", "sha256:ab", "gen-000001", "2025-01-01T12:00:00"]
    assert used.value.endswith("graph/source/life")


@pytest.mark.parametrize("field", ["operator", "query", "model", "model_hash", "generation"])
def test_another_input_is_another_derivation(graph, field):
    write_hits(graph, STEP, (), ended="2025-01-01T12:00:00")
    assert not is_derived(graph, replace(STEP, **{field: "other"}))


def test_writing_again_replaces(graph):
    write_hits(graph, STEP, (Hit("urn:a", 0.9),), ended="2025-01-01T12:00:00")
    write_hits(graph, STEP, (Hit("urn:b", 0.8),), ended="2025-01-02T12:00:00")
    assert [h.event for h in read_hits(graph, STEP.activity)] == ["urn:b"]
    assert len(list_derivations(graph)) == 1


def test_mappings_are_read_back_in_order(graph):
    step = replace(STEP, operator="EXTRACT")
    write_mapping(graph, step, ["urn:second", "urn:first"], 0.7, ended="2025-01-01T12:00:00")
    assert read_mapping(graph, step.activity) == ("urn:second", "urn:first")
    (info,) = list_derivations(graph)
    assert (info.operator, info.results, info.ended) == ("EXTRACT", 2, "2025-01-01T12:00:00")


def depending(graph, generation="gen-000001", **hashes):
    """What can be depended on in a graph as it is now."""
    return Dependencies(graph, load_vocabulary(graph), state=generation, **hashes)


def test_derivations_of_another_generation_are_dropped_and_nothing_else(graph):
    later = replace(STEP, generation="gen-000002", query="lunches")
    write_hits(graph, STEP, (Hit("urn:a", 0.9),), ended="2025-01-01T12:00:00")
    write_hits(graph, later, (Hit("urn:a", 0.8),), ended="2025-01-02T12:00:00")
    before = len(graph.triples())
    dropped = drop_stale(graph, depending(graph, "gen-000002"))
    assert [d.generation for d in dropped] == ["gen-000001"]
    assert [d.generation for d in list_derivations(graph)] == ["gen-000002"]
    assert read_hits(graph, STEP.activity) == ()
    assert len(graph.triples()) < before
    assert drop_stale(graph, depending(graph, "gen-000002")) == ()


def test_an_event_iri_cannot_break_out_of_its_place(graph):
    step = replace(STEP, query='x" . <urn:evil> a ev:Event . "')
    write_hits(graph, step, (Hit("urn:a", 0.9),), ended="2025-01-01T12:00:00")
    assert not graph.ask("ASK { <urn:evil> a ev:Event }")
    assert [d.query for d in list_derivations(graph)] == ['x" . <urn:evil> a ev:Event . "']
