"""Texts that tell of a class's events: read ahead once, then taken without a model."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from reqap_kg.execution.context import Tables
from reqap_kg.execution.derivations.derive import list_derivations
from reqap_kg.models.reading.reader import Scores
from reqap_kg.models.reading.readers import Readers
from reqap_kg.ontology.namespaces import EV
from reqap_kg.operators.resolution import ClassMatch, Constraint
from reqap_kg.retrieval.context import RetrieveContext
from reqap_kg.retrieval.mentioned import ANYTHING, OPERATOR, read_ahead, texts_telling
from reqap_kg.retrieval.retrieve import resolve_retrieve
from reqap_kg.retrieval.retrieved import matched_events

T = "https://w3id.org/reqap-kg/data/t/"
WORKOUT, BUYING, MOVIE, STREAM = (EV + name for name in ("Workout", "Purchase", "MovieStream", "MusicStream"))
SAID = {
    "I did a workout": ("marathon", "Run with"),
    "I watched a movie": (),
    "I bought something": ("Books to buy",),
    ANYTHING: (),
}


class Teller:
    """An event classifier that finds what its words say, and counts what it is asked."""

    name = "teller"

    def __init__(self, identity: str = "sha256:teller", sure: float = 0.9):
        self.identity, self.sure = identity, sure
        self.asked: list[tuple[str, str]] = []

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        self.asked += pairs
        found = [self.sure if any(word in line for word in SAID[query]) else 0.1 for query, line in pairs]
        return np.array(found, dtype=np.float32)


def reading(context: RetrieveContext, teller: Teller) -> RetrieveContext:
    """The context with an event classifier, and rules alone for EXTRACT."""
    readers = Readers()
    readers.__dict__.update(events=teller, extractor=None)
    return replace(context, readers=readers)


@pytest.fixture
def teller():
    return Teller()


@pytest.fixture
def read(life, teller):
    """The life, read ahead."""
    context = reading(life, teller)
    assert read_ahead(context) == 3
    return context


def names(hits) -> set[str]:
    return {hit.event.removeprefix(T) for hit in hits}


def test_each_class_that_texts_may_tell_of_is_asked_of_each_text_once(read, teller):
    texts = {line for _, line in teller.asked}
    assert len(texts) == 10
    assert "calendar entry (workout type running): Run with Otto | Hagapark" in texts
    assert len(teller.asked) == len(set(teller.asked)) == 10 * (len(SAID) - 1)


def test_the_texts_that_tell(read):
    assert names(texts_telling([WORKOUT], (), read)) == {"e2", "c6"}
    assert names(texts_telling([BUYING], (), read)) == {"n1"}
    assert texts_telling([MOVIE], (), read) == ()
    assert texts_telling([STREAM], (), read) == ()
    assert {hit.score for hit in texts_telling([WORKOUT], (), read)} == {0.9}


def test_a_class_query_takes_them_and_asks_no_model(read, teller):
    asked = len(teller.asked)
    found = resolve_retrieve("I did a workout", read)
    assert names(matched_events(found.match, read.graph)) >= {"w1", "w2", "w3", "w4", "e2", "c6"}
    assert not names(matched_events(found.match, read.graph)) & {"c1", "e1", "n1", "b1"}
    assert "2 texts tell of such events" in found.notes[0]
    without = replace(read, readers=None, known=Tables())
    assert resolve_retrieve("I did a workout", without).match == found.match
    assert len(teller.asked) == asked


def test_a_class_of_which_no_text_tells_stays_a_class(read):
    assert resolve_retrieve("movies I watched", read).match == ClassMatch((MOVIE,))


def test_before_reading_ahead_a_class_query_has_only_its_events(life, teller):
    context = reading(life, teller)
    assert resolve_retrieve("I did a workout", context).match == ClassMatch((WORKOUT,))
    assert teller.asked == []


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (("Trail Running",), {"e2", "c6"}),
        (("trail RUN",), {"e2", "c6"}),
        (("Pool Swim", "Trail Running"), {"e2", "c6"}),
        (("Pool Swim",), set()),
    ],
)
def test_constraints_compare_what_texts_say(read, values, told):
    kind = Constraint(EV + "workoutType", values)
    assert names(texts_telling([WORKOUT], (kind,), read)) == told


def test_all_constraints_must_hold(read):
    both = (Constraint(EV + "workoutType", ("Trail Running",)), Constraint(EV + "artist", ("The Gulls",)))
    assert texts_telling([WORKOUT], both, read) == ()


def test_a_constrained_query_takes_what_fits(read):
    runs = names(matched_events(resolve_retrieve("my runs", read).match, read.graph))
    assert {"w1", "w2", "e2", "c6"} <= runs
    assert not runs & {"w3", "w4"}
    swims = resolve_retrieve("my swims", read).match
    assert names(matched_events(swims, read.graph)) == {"w3"}


def test_what_was_read_ahead_is_not_read_again(read, teller):
    asked = len(teller.asked)
    assert read_ahead(replace(read, known=Tables())) == 3
    assert len(teller.asked) == asked


def test_a_later_generation_reads_only_new_lines(read, teller, context_of):
    asked = len(teller.asked)
    more = """@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
    d:w9 a ev:Workout ; ev:workoutType "Trail Running" .
    d:c9 a ev:CalendarEntry ; ev:title "Run with a stranger" .
    d:c4 a ev:CalendarEntry ; ev:title "Team stand-up" ; ev:location "Office" ."""
    later = replace(reading(context_of(more, generation="gen-000002"), teller), notes=read.notes)
    assert read_ahead(later) == 1
    assert len(teller.asked) == asked + 1
    assert "Run with a stranger" in teller.asked[-1][1]
    assert names(texts_telling([WORKOUT], (), later)) == {"c9"}


def test_another_version_of_the_model_reads_anew_and_replaces_the_first(read):
    stricter = Teller("sha256:other", sure=0.4)
    assert read_ahead(replace(reading(read, stricter), known=Tables())) == 0
    assert len(stricter.asked) == 30
    assert texts_telling([WORKOUT], (), read) == ()
    standing = [d for d in list_derivations(read.graph) if d.operator == OPERATOR]
    assert [(d.query, d.model_hash) for d in sorted(standing, key=lambda d: d.query)] == [
        (iri, "sha256:other") for iri in sorted([WORKOUT, BUYING, MOVIE])
    ]


def test_without_readers_or_texts_nothing_is_read(life, context_of, teller):
    assert read_ahead(life) == 0
    no_texts = context_of(
        "@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> . "
        'd:w1 a ev:Workout ; ev:workoutType "Run" .'
    )
    assert read_ahead(reading(no_texts, teller)) == 0
    assert teller.asked == []
    assert list_derivations(no_texts.graph) == ()


def test_a_class_without_events_is_not_asked_for(context_of, teller):
    context = reading(
        context_of(
            "@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> . "
            'd:w1 a ev:Workout ; ev:workoutType "Run" . d:n1 a ev:Note ; ev:text "Books to buy" .'
        ),
        teller,
    )
    assert read_ahead(context) == 0
    assert {query for query, _ in teller.asked} == {"I did a workout"}


def test_texts_are_read_ahead_where_they_may_tell_of_no_class(context_of, teller):
    context = reading(
        context_of(
            "@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> . "
            'd:n1 a ev:Note ; ev:text "Books to buy" .'
        ),
        teller,
    )
    assert [read_ahead(context), read_ahead(context)] == [0, 0]
    assert [(query, "Books to buy" in line) for query, line in teller.asked] == [(ANYTHING, True)]
    assert list_derivations(context.graph) == ()
