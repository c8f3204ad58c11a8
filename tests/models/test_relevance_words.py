"""What words say of a query and a line."""

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.models.reading.relevance import WORD_FEATURES, Line, Query, read_line, read_query, word_features
from reqap_kg.models.reading.verbalise import MOST_HINTS, verbalise, verbalise_pairs
from reqap_kg.texts.document import Document, TextKind
from reqap_kg.texts.lexicon.lexicon import load_lexicon

(DIRECT, KNOWN, ALL_KNOWN, NAMED, NAMES, SAME, CONCEPTS, AGAINST, SIZE, LENGTH) = range(10)

word = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)
plain_hint = st.lists(word, min_size=2, max_size=4).map(" ".join)
bracketed = st.tuples(plain_hint, word).map(lambda parts: f"{parts[0]} ({parts[1]})")
documents = st.builds(
    Document,
    event=st.just("urn:x"),
    kind=st.sampled_from(TextKind),
    title=st.text(max_size=40),
    body=st.text(max_size=120),
    written=st.just(datetime(2024, 1, 1)),
    location=st.text(max_size=20),
    sender=st.text(st.characters(exclude_characters="(:"), max_size=60),
    by_owner=st.booleans(),
    hints=st.lists(plain_hint | bracketed, max_size=MOST_HINTS + 3).map(tuple),
)


@given(documents)
def test_a_line_is_taken_apart_into_what_it_was_made_of(document):
    found = read_line(verbalise(document).line)
    assert found.head == document.heading
    assert found.text == document.text
    assert found.concepts == frozenset(document.hints[:MOST_HINTS])


@given(documents)
def test_a_text_stands_in_its_line_where_it_is_said_to(document):
    made = verbalise(document)
    assert made.line[made.shift :] == document.text


@given(st.text(max_size=200))
def test_any_line_is_read(line):
    found = read_line(line)
    assert line.endswith(found.text)
    assert len(word_features(read_query("I met Ann", load_lexicon()), found)) == WORD_FEATURES


@pytest.mark.parametrize(
    "text", ["(see you): ok", "a: b", "x (y; z): w", "note (cuisine Thai): not a hint", "line\n\nmy mail: two", ""]
)
def test_a_text_that_looks_like_a_head_is_still_a_text(text):
    document = Document("urn:x", TextKind.NOTE, "", text, datetime(2024, 1, 1))
    for hints in ((), ("cuisine Italian",)):
        found = read_line(verbalise(replace(document, hints=hints)).line)
        assert (found.head, found.text, found.concepts) == ("my note", text.strip(), frozenset(hints))


def test_a_record_is_a_head_and_a_text():
    found = read_line(verbalise_pairs("purchase", [("product", "kettle (red): big"), ("shop", "Argos")]))
    assert (found.head, found.text) == ("purchase", "product = kettle (red): big; shop = Argos")
    assert found.concepts == frozenset()


def test_words_of_a_line():
    found = read_line("mail from Ann (Ann is sister Ann Bell; doctor type dentist): Cafés, running")
    assert found.words == {"mail", "from", "ann", "cafe", "run"}
    assert {"sister", "bell", "dentist"} <= found.hinted
    assert found.keys == {"Ann", "doctor"}
    assert found.length == 5


def test_words_of_a_query():
    found = read_query("I met with Zoë at the Runners' café", load_lexicon())
    assert {"met", "zoe", "runner", "cafe"} <= found.words
    assert not found.words & {"i", "with", "at", "the"}
    assert found.names == {"zoe", "runner"}


def test_the_first_word_is_no_name():
    assert read_query("Dinner with Maja", load_lexicon()).names == {"maja"}


def test_concepts_of_a_query():
    found = read_query("I ate Italian food", load_lexicon())
    assert "cuisine Italian" in found.concepts
    assert read_query("something", load_lexicon()) == Query(frozenset(), frozenset(), frozenset())


def query(*words: str, names: tuple[str, ...] = (), concepts: tuple[str, ...] = ()) -> Query:
    return Query(frozenset(words), frozenset(names), frozenset(concepts))


def test_a_word_that_is_only_known_counts_beside_one_that_is_said():
    row = word_features(query("pizza", "italian"), read_line("my note (cuisine Italian): pizza"))
    assert (row[DIRECT], row[KNOWN], row[ALL_KNOWN]) == (0.5, 1.0, 1.0)
    row = word_features(query("pizza", "greek"), read_line("my note (cuisine Italian): pizza"))
    assert (row[DIRECT], row[KNOWN], row[ALL_KNOWN]) == (0.5, 0.5, 0.0)


def test_names_are_found_in_the_text_or_in_what_is_known():
    asked = query("met", "maja", "otto", names=("maja", "otto"))
    row = word_features(asked, read_line("my note (Sis is sister Maja Lind): saw Sis"))
    assert (row[NAMED], row[NAMES]) == (0.5, 1.0)
    row = word_features(query("met"), read_line("my note: saw Sis"))
    assert (row[NAMED], row[NAMES]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("known", "same", "against"),
    [
        ("cuisine Italian", 1.0, 0.0),
        ("cuisine Greek", 0.0, 1.0),
        ("city Athens", 0.0, 0.0),
        ("cuisine Italian; cuisine Greek", 1.0, 0.0),
    ],
)
def test_concepts_agree_or_contradict(known, same, against):
    row = word_features(query("italian", concepts=("cuisine Italian",)), read_line(f"my note ({known}): dinner"))
    assert (row[SAME], row[CONCEPTS], row[AGAINST]) == (same, 1.0, against)


def test_size_length_and_kind():
    row = word_features(query("a", "b", "c"), read_line("calendar entry: " + "word " * 48))
    assert (row[SIZE], row[LENGTH]) == (3.0, 0.5)
    assert row[LENGTH + 1 :] == [1.0, 0, 0, 0, 0, 0, 0]
    assert word_features(query("a"), read_line("mail from Ann: " + "word " * 500))[LENGTH] == 1.0
    assert word_features(query("a"), read_line("mail from Ann: x"))[LENGTH + 1 :] == [0, 0, 1.0, 0, 0, 0, 0]
    assert word_features(query("a"), read_line("purchase: x"))[LENGTH + 1 :] == [0.0] * 7


def test_an_empty_query_is_no_division_by_nothing():
    row = word_features(query(), Line("", "", frozenset(), frozenset(), frozenset(), frozenset(), 0))
    assert row[: DIRECT + 2] == [0.0, 0.0]
    assert len(row) == WORD_FEATURES
