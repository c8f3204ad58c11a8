"""What a user's map calls its events."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from reqap_kg.mappings.rml import OwnKinds, load_map, own_kinds
from reqap_kg.ontology.namespaces import DATA, EV

PREFIXES = """@prefix rml: <http://w3id.org/rml/> . @prefix ev: <https://w3id.org/reqap-kg/event#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


def _map(name: str, file: str, subject: str, *, more: str = "", typed: str = "rml:class ev:Event") -> str:
    return f"""{name} rml:logicalSource [ rml:source "{file}" ; rml:referenceFormulation rml:CSV ] ;
  rml:subjectMap [ rml:template "https://example.org/{subject}/{{id}}" ; {typed} ] {more} .
"""


LABEL = '; rml:predicateObjectMap [ rml:predicate rdfs:label ; rml:objectMap [ rml:reference "%s" ] ]'


def _kinds(*maps: str) -> tuple[OwnKinds, list[tuple[str, ...]]]:
    turtle = PREFIXES + "".join(maps)
    compiled = load_map(turtle, path="m.ttl", base_iri="https://own.example/", home_zone=ZoneInfo("UTC"))
    kinds = own_kinds(compiled.triples_maps, "garden")
    return kinds, [kinds.narrowed(item).classes for item in compiled.triples_maps]


def _iri(name: str) -> str:
    return f"{DATA}garden#{name}"


def test_each_map_of_mere_events_is_a_kind_named_by_it_with_its_own_labels() -> None:
    kinds, classes = _kinds(
        _map("<#BirdSighting>", "b.csv", "bird", more=LABEL % "species"),
        _map("<#HoneyHarvest>", "h.csv", "honey", more=LABEL % "hive"),
    )
    assert classes == [(_iri("BirdSighting"),), (_iri("HoneyHarvest"),)]
    assert kinds.called == {_iri("BirdSighting"): "bird sighting", _iri("HoneyHarvest"): "honey harvest"}
    assert kinds.labels == {_iri("BirdSighting"): "species", _iri("HoneyHarvest"): "hive"}
    assert kinds.head == "https://example.org/"


def test_a_map_without_a_name_is_called_by_its_file_or_by_the_source() -> None:
    kinds, _ = _kinds(_map("[]", "bird_list.csv", "bird"), _map("[]", "honey.csv", "honey"))
    assert set(kinds.called.values()) == {"bird list", "honey"}
    kinds, _ = _kinds(_map("[]", "bird_list.csv", "bird"))
    assert set(kinds.called.values()) == {"garden"}
    assert kinds.head == "https://example.org/bird/"


def test_maps_of_one_subject_are_one_kind_and_classes_of_ones_own_stay() -> None:
    typed = "; rml:predicateObjectMap [ rml:predicate rdf:type ; rml:object ev:Event ]"
    kinds, classes = _kinds(
        _map("<#Sighting>", "b.csv", "bird"),
        _map("<#More>", "b.csv", "bird", more=LABEL % "species"),
        _map("<#Walk>", "w.csv", "walk", typed="rml:class <https://own.example/Walk>", more=LABEL % "dog"),
        _map("<#Typed>", "t.csv", "typed", typed="", more=typed),
    )
    assert classes[:3] == [(_iri("Sighting"),), (_iri("Sighting"),), ("https://own.example/Walk",)]
    assert kinds.labels == {_iri("Sighting"): "species", "https://own.example/Walk": "dog"}
    assert kinds.called[_iri("Typed")] == "typed"
    assert EV + "Event" not in kinds.called
