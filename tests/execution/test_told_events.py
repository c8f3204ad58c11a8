"""Happenings of texts as events: linked to records, counted once, and parts of texts in place of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from reqap_kg.execution.derivations.derive import Hit
from reqap_kg.extraction.parts import has_parts, read_parts
from reqap_kg.models.reading.reader import Scores
from reqap_kg.models.reading.readers import Readers
from reqap_kg.retrieval.context import RetrieveContext
from reqap_kg.retrieval.mentioned import read_ahead
from reqap_kg.retrieval.occurrences import occurrences, with_parts
from reqap_kg.retrieval.retrieve import resolve_retrieve
from reqap_kg.retrieval.retrieved import matched_events

T = "https://w3id.org/reqap-kg/data/t/"
STORE = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
d:f1 a ev:MovieStream ; ev:movieTitle "Paprika" ; ev:start "2023-11-03T20:00:00"^^xsd:dateTime .
d:f2 a ev:MovieStream ; ev:movieTitle "Stalker" ; ev:start "2023-06-01T20:00:00"^^xsd:dateTime .
d:n1 a ev:Note ; ev:title "Films, November" ; ev:start "2023-11-30T20:00:00"^^xsd:dateTime ;
  ev:text "3 Nov - Paprika. Still no idea.\\n11 Nov - Stalker. Long. Good long.\\n26 Nov - Whale Rider, tissues" .
d:p1 a ev:SocialPost ; ev:start "2023-11-12T09:00:00"^^xsd:dateTime ;
  ev:text "Three hours of Stalker on the sofa last night, and I would do it again. Watched Stalker, saw God." .
d:p2 a ev:SocialPost ; ev:start "2023-05-17T21:00:00"^^xsd:dateTime ;
  ev:text "On Sunday we saw the old masters at the museum. Yesterday evening it was mussels at Chez Leon." .
d:c1 a ev:CalendarEntry ; ev:title "Dinner, mussels" ; ev:location "Chez Leon" ;
  ev:start "2023-05-16T19:00:00"^^xsd:dateTime ; ev:end "2023-05-16T21:00:00"^^xsd:dateTime .
"""


class Museum:
    """A classifier that finds museums."""

    name, identity = "museum", "sha256:museum"

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        return np.array(
            [0.9 if "museum" in query and "museum" in line else 0.1 for query, line in pairs], dtype=np.float32
        )


@pytest.fixture
def context(context_of) -> RetrieveContext:
    readers = Readers()
    readers.__dict__.update(events=Museum(), extractor=None)
    return replace(context_of(STORE), readers=readers)


def test_films_of_a_list_count_beside_the_records_and_those_that_records_show_once(context):
    read_ahead(context)
    hits = matched_events(resolve_retrieve("movies I watched", context).match, context.graph)
    happened = occurrences((hit.event for hit in hits), context)
    assert {one.event.removeprefix(T) for one in happened} >= {"f1", "f2"}
    assert len(happened) == 4  # both records, Stalker of the 11th told twice, Whale Rider


def test_without_reading_ahead_only_records_count(context):
    assert len(matched_events(resolve_retrieve("movies I watched", context).match, context.graph)) == 2


def test_a_title_that_only_a_text_tells_is_no_film_of_another_day(context):
    read_ahead(context)
    rows = context.graph.select("SELECT ?v ?s { ?e a ev:Telling ; ev:movieTitle ?v ; ev:start ?s } ORDER BY ?s")
    told = [(value.value, start.value[:10]) for value, start in rows if value is not None and start is not None]
    assert ("Whale Rider", "2023-11-26") in told
    assert ("Stalker", "2023-11-11") in told


def test_the_part_that_is_meant_stands_for_its_text(context):
    read_parts(context)
    assert has_parts(context)
    found = with_parts("I visited a museum", [Hit(T + "p2", 0.8)], Museum(), context)
    assert [hit.event for hit in found] == [T + "p2#told-part-1"]
    day = context.graph.select(f"SELECT ?d {{ <{T}p2#told-part-1> ev:day ?d }}").rows[0][0]
    assert day is not None
    assert day.value == "2023-05-14"


def test_a_text_of_which_no_part_is_meant_stays(context):
    read_parts(context)
    assert with_parts("I went to the dentist", [Hit(T + "p2", 0.8)], Museum(), context) == (Hit(T + "p2", 0.8),)


def test_a_part_is_the_happening_of_the_calendar_entry_of_its_day(context):
    read_parts(context)
    happened = occurrences([T + "p2#told-part-2", T + "c1"], context)
    assert [(one.event, one.others) for one in happened] == [(T + "c1", (T + "p2#told-part-2",))]


def test_texts_without_parts_leave_nothing(context_of):
    context = context_of('@prefix ev: <https://w3id.org/reqap-kg/event#> . <urn:n> a ev:Note ; ev:text "Books" .')
    read_parts(context)
    assert not has_parts(context)
