"""A map that is wrong gets line, column, what was expected, the nearest known name."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from reqap_kg.errors import MappingError, Place
from reqap_kg.mappings.rml import load_map

GOOD = """\
@prefix rml: <http://w3id.org/rml/> .
@prefix ev: <https://w3id.org/reqap-kg/event#> .
@prefix fn: <https://w3id.org/reqap-kg/function#> .
@prefix ex: <https://example.org/> .

<#Song> a rml:TriplesMap ;
  rml:logicalSource [
    rml:source ev:Records ;
    rml:referenceFormulation rml:JSONPath ;
    rml:iterator "$" ] ;
  rml:subjectMap [ rml:template "https://example.org/{id}" ; rml:class ev:MusicStream ] ;
  rml:predicateObjectMap [
    rml:predicate ex:at ;
    rml:objectMap [ rml:functionExecution [
      rml:function fn:wallClock ;
      rml:input [ rml:parameter fn:value ; rml:inputValueMap [ rml:reference "at" ] ] ,
                [ rml:parameter fn:zone ; rml:inputValue "UTC" ] ] ] ] .
"""

# what is replaced, by what; then line, column, a part of the message, and the nearest name
WRONG = [
    ("rml:subjectMap [", "rml:subjctMap [", 11, 3, "unknown name rml:subjctMap", "rml:subjectMap"),
    ("a rml:TriplesMap", "a rml:TripleMap", 6, 11, "unknown name rml:TripleMap", "rml:TriplesMap"),
    ("rml:iterator", "rml:template", 10, 5, "rml:template has no meaning on a logical source", None),
    ("rml:JSONPath", "rml:JsonPath", 9, 30, "unknown reference formulation", "rml:JSONPath"),
    ("fn:wallClock", "fn:wallclok", 15, 20, "unknown function fn:wallclok", "fn:wallClock"),
    ("fn:zone ", "fn:zoen ", 17, 33, "fn:wallClock has no parameter fn:zoen", "fn:zone"),
    ('"UTC"', '"Europe/Dublni"', 17, 58, "no time zone", "Europe/Dublin"),
    ("ev:Records", "ev:Record", 8, 16, "neither a file nor a record stream", "ev:Records"),
    ('"$" ]', '"$[" ]', 10, 18, "no JSONPath", None),
    ('"at"', '"$.at]"', 16, 78, "no JSONPath", None),
    ("{id}", "{id", 11, 33, "never closed", None),
    ("{id}", "{{id}}", 11, 33, "brace inside a reference", None),
    ("rml:predicate ex:at ;", "", 12, 26, "without predicate", None),
    ("rml:parameter fn:value ;", "", 16, 17, "without rml:parameter", None),
    ("a rml:TriplesMap ;", "a rml:TriplesMap ; ev:keepOtherKey true ;", 6, 28, "unknown flag", "ev:keepOtherKeys"),
    ("a rml:TriplesMap ;", "a rml:TriplesMap ; ev:emptyIsNull 1 ;", 6, 43, "neither true nor false", None),
    ("rml:class ev:MusicStream", "rml:termType rml:Literal", 11, 75, "cannot be of rml:termType", None),
    ('rml:class ev:MusicStream', 'rml:class "Song"', 11, 72, "not an IRI", None),
    ("ex:at ;", "ex:at", 14, 5, "property lists should end", None),
    ("@prefix ex:", "@prefix xe:", 13, 19, "prefix", None),
]  # fmt: skip


def _load(text: str) -> None:
    load_map(text, path="song.ttl", base_iri="https://example.org/", home_zone=ZoneInfo("UTC"))


def test_the_unspoilt_map_is_right() -> None:
    _load(GOOD)


@pytest.mark.parametrize(("old", "new", "line", "column", "told", "near"), WRONG)
def test_error_has_its_place(old: str, new: str, line: int, column: int, told: str, near: str | None) -> None:
    assert GOOD.count(old) >= 1
    with pytest.raises(MappingError) as caught:
        _load(GOOD.replace(old, new, 1))
    assert told in caught.value.message
    assert caught.value.place == Place(line, column, "song.ttl")
    assert caught.value.nearest == near
    assert caught.value.expected
    assert f"song.ttl:{line}:{column}: " in str(caught.value)


def test_missing_subject_map_is_told_at_the_triples_map() -> None:
    text = GOOD.replace(
        '  rml:subjectMap [ rml:template "https://example.org/{id}" ; rml:class ev:MusicStream ] ;\n', ""
    )
    with pytest.raises(MappingError, match="no rml:subjectMap") as caught:
        _load(text)
    assert caught.value.place == Place(6, 1, "song.ttl")
    assert "rml:subjectMap or rml:subject" in (caught.value.expected or "")


def test_second_subject_map_is_told_at_the_second() -> None:
    with pytest.raises(MappingError, match="2 subject maps") as caught:
        _load(GOOD.replace("ev:MusicStream ] ;", "ev:MusicStream ] ; rml:subject ex:me ;"))
    assert caught.value.place == Place(11, 103, "song.ttl")


def test_missing_logical_source() -> None:
    text = "@prefix rml: <http://w3id.org/rml/> .\n\n  <#M> a rml:TriplesMap ; rml:subjectMap [ rml:template '{a}' ] ."
    with pytest.raises(MappingError, match="no rml:logicalSource") as caught:
        _load(text)
    assert caught.value.place == Place(3, 3, "song.ttl")


def test_places_are_found_below_prefixes_that_end_in_a_hash_or_are_relative() -> None:
    text = GOOD.replace("@prefix ex: <https://example.org/>", "@base <https://example.org/a/> . @prefix ex: <b#>")
    with pytest.raises(MappingError) as caught:
        _load(text.replace("a rml:TriplesMap", "ex:note 1 ; a rml:TriplesMa"))
    assert caught.value.place == Place(6, 23, "song.ttl")


def test_a_text_without_triples_map() -> None:
    with pytest.raises(MappingError, match="no triples map"):
        _load("@prefix rml: <http://w3id.org/rml#> . <#M> a rml:TriplesMap .")


@pytest.mark.parametrize("old", ["http://www.w3.org/ns/r2rml#", "http://semweb.mmlab.be/ns/rml#"])
def test_older_vocabularies_are_named(old: str) -> None:
    text = f'@prefix rr: <{old}> .\n<#M> rr:subjectMap [ rr:template "x" ] .'
    with pytest.raises(MappingError, match="older vocabulary") as caught:
        _load(text)
    assert caught.value.nearest is not None
    assert "http://w3id.org/rml/" in caught.value.nearest


def test_required_input_that_is_missing() -> None:
    text = GOOD.replace("fn:wallClock", "fn:plusSeconds").replace("fn:zone", "fn:seconds")
    _load(text)
    with pytest.raises(MappingError, match="input fn:seconds is missing") as caught:
        _load(GOOD.replace("fn:wallClock", "fn:plusSeconds").replace(
            ' ,\n                [ rml:parameter fn:zone ; rml:inputValue "UTC" ]', ""
        ))  # fmt: skip
    assert caught.value.place == Place(14, 43, "song.ttl")
    assert "fn:value, fn:seconds" in (caught.value.expected or "")


def test_input_given_twice() -> None:
    with pytest.raises(MappingError, match="fn:value is given twice"):
        _load(GOOD.replace("fn:zone", "fn:value"))


def test_reference_to_an_unknown_triples_map() -> None:
    text = GOOD.replace(
        "rml:predicate ex:at ;", "rml:predicate ex:at ; rml:objectMap [ rml:parentTriplesMap <#Son> ] ;"
    )
    with pytest.raises(MappingError, match="no triples map") as caught:
        _load(text)
    assert caught.value.nearest == "<https://example.org/#Song>"
