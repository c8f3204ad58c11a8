"""Values that a phrase nearly names, found by index."""

from __future__ import annotations

import random
from time import perf_counter

import pytest

from reqap_kg.ontology.namespaces import EV, RDF_TYPE
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.index.index import ValueIndex, open_index
from reqap_kg.store.index.near_values import errors_allowed, is_misspelt
from reqap_kg.store.rdf import Literal, NamedNode, Quad
from reqap_kg.store.vocabulary import packaged_vocabulary

NAMES = ["Palo Alto", "Radiohead", "San Francisco Bay Area", "San Jose", "Sigur Rós", "Bayou", "The Bay", "Area 51"]


def index_of(names: list[str]) -> ValueIndex:
    def quads():
        for number, name in enumerate(names):
            event, graph = NamedNode(f"urn:event:{number}"), NamedNode("urn:data")
            yield Quad(event, NamedNode(RDF_TYPE), NamedNode(EV + "MusicStream"), graph)
            yield Quad(event, NamedNode(EV + "artist"), Literal(name), graph)

    return open_index(None, MemoryGraph(quads()), packaged_vocabulary(), generation="test")


@pytest.fixture(scope="module")
def index() -> ValueIndex:
    return index_of(NAMES)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Radiohed", "Radiohead"),
        ("radiohaed", "Radiohead"),
        ("radio head", "Radiohead"),
        ("Pallo Alto", "Palo Alto"),
        ("palo lato", "Palo Alto"),
        ("San Fransisco Bay Area", "San Francisco Bay Area"),
        ("Sigurr Ros", "Sigur Rós"),
    ],
)
def test_misspelt_values(index, said, meant):
    nearest = index.near.misspelt(said)[0]
    assert (nearest.text, nearest.prop, nearest.how) == (meant, EV + "artist", "spelling")
    assert 0.7 < nearest.similarity < 1


@pytest.mark.parametrize("said", ["Radio", "head", "Palo", "Rad", "zzyzx", "", "Head Radio", "Saturday"])
def test_other_words_are_no_misspellings(index, said):
    assert index.near.misspelt(said) == ()


def test_the_more_of_a_value_is_left_over_the_less_near_it_is(index):
    found = index.near.in_part("bay")
    assert [value.text for value in found] == ["The Bay", "San Francisco Bay Area"]
    assert found[0].similarity > found[1].similarity
    whole = index.near.in_part("san francisco bay area")
    assert whole[0].similarity == pytest.approx(1.0)
    assert index.near.in_part("san francisco")[0].similarity > index.near.in_part("area")[-1].similarity


def test_words_are_known_in_any_inflection(index):
    assert index.near.knows("areas")
    assert not index.near.knows("arean")


def test_signs_of_the_query_language_are_plain_text(index):
    for said in ('"', '"area" OR "bay"', "area* NEAR bay", "a'b --", "norm:bay"):
        index.near.misspelt(said)
        index.near.in_part(said)


def test_properties_that_have_a_value(index):
    assert index.properties_with("Palo Alto") == (EV + "artist",)
    assert index.properties_with("palo alto") == ()


@pytest.mark.parametrize(("word", "most"), [("palo", 0), ("queen", 1), ("radiohed", 1), ("fransisco", 2)])
def test_short_words_may_not_be_wrong(word, most):
    assert errors_allowed(word) == most


def test_the_first_letter_is_seldom_wrong():
    assert is_misspelt("hte", "the", 1)
    assert is_misspelt("radiohed", "radiohead", 1)
    assert not is_misspelt("table", "cable", 1)


def test_a_misspelt_value_among_many_is_found_by_index():
    chance = random.Random(5)
    syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
    words = ["".join(chance.choices(syllables, k=chance.randint(2, 5))) for _ in range(8000)]
    names = [" ".join(chance.choices(words, k=2)) for _ in range(20000)] + ["Palo Alto"]
    many = index_of(names)
    begin = perf_counter()
    rounds = 20
    for _ in range(rounds):
        assert many.near.misspelt("Pallo Alto")[0].text == "Palo Alto"
    assert (perf_counter() - begin) / rounds < 0.05  # going through 20,000 values takes longer than the index
