"""Annotations: vocabulary, values, people, source keys; and the readings of a question."""

import pytest

from reqap_kg.ontology.namespaces import EV, KEY
from reqap_kg.planner.annotation.annotate import Annotator
from reqap_kg.planner.annotation.reading import readings
from reqap_kg.planner.patterns.tokens import tokenise


@pytest.fixture
def annotator(life, vocabulary, book, matcher):
    return Annotator(life, vocabulary, book, matcher)


def found(annotator, question: str) -> set[tuple[str, str, str | None]]:
    text = tokenise(question)
    return {
        (kind, text.words(a.first, a.last), (a.matches or a.value or "").removeprefix(EV))
        for a in annotator.lexical(text)
        for kind in a.kinds
    }


def test_vocabulary_by_label_inflection_and_verb(annotator):
    terms = found(annotator, "Which movies and artists did I listen to with a maximum heart rate of 10 km")
    assert ("Class", "movies", "MovieStream") in terms
    assert ("Property", "artists", "artist") in terms
    assert ("Verb", "listen to", "MusicStream") in terms
    assert ("Property", "maximum heart rate", "maximumHeartRate") in terms
    assert any(kind == "Unit" and words == "km" for kind, words, _ in terms)


def test_longest_match_first(annotator):
    properties = {words for kind, words, _ in found(annotator, "my maximum heart rate") if kind == "Property"}
    assert properties == {"maximum heart rate"}


def test_verbs_are_not_nouns_by_their_stem(annotator):
    terms = found(annotator, "what I ordered and listened to")
    assert not {words for kind, words, _ in terms if kind == "Class"}


@pytest.mark.parametrize("spelling", ["The Beatles", "the beatles", "THE BEATLES"])
def test_values_that_occur_whatever_their_case(annotator, spelling):
    assert ("Value", spelling, "The Beatles") in found(annotator, f"how often did I hear {spelling}")


def test_values_with_a_final_sign(annotator):
    assert ("Value", "Wham", "Wham!") in found(annotator, "songs by Wham!")


def test_values_can_come_from_an_index(life, vocabulary, book, matcher):
    asked: list[str] = []

    def find(phrase: str) -> list[str]:
        asked.append(phrase)
        return ["Beyoncé"] if phrase == "beyonce" else []

    annotator = Annotator(life, vocabulary, book, matcher, find)
    assert ("Value", "beyonce", "Beyoncé") in found(annotator, "songs by beyonce")
    assert len(asked) == len(set(asked)), "each phrase is looked up once"


@pytest.mark.parametrize("name", ["Greta Olsen", "greta", "Gretl", "my sister"])
def test_people_by_name_nickname_and_relation(annotator, name):
    assert any(kind == "Person" and words == name for kind, words, _ in found(annotator, f"lunch with {name} today"))


def test_source_keys_that_the_data_has(annotator):
    assert ("Target", "moods", KEY + "mood") in found(annotator, "which moods did I have")
    assert not any(m == KEY + "colour" for _, _, m in found(annotator, "which colour did I have"))


def test_filters_and_asides_are_taken_out_of_the_core(annotator):
    reading = readings("In 2024, how many runs did I ever do before 8am, in km?", annotator)[0]
    assert reading.core.text == "how many runs did I do"
    assert [f.words for f in reading.filters] == ["In 2024", "before 8am"]
    assert [f.words for f in reading.asides] == ["ever", "in km"]
    assert reading.text == "how many runs did I do, In 2024, before 8am"


def test_a_value_and_a_filter_of_the_same_words_give_two_readings(annotator):
    sure, other = readings("how often did I play Yesterday", annotator)[:2]
    assert sure.filters == ()
    assert [f.words for f in other.filters] == ["Yesterday"]
    lower = readings("how often did I play yesterday", annotator)
    assert [f.words for f in lower[0].filters] == ["yesterday"]
