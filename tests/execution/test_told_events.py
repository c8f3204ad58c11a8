"""Happenings of texts as events: linked to records, counted once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from reqap_kg.models.reading.reader import Scores
from reqap_kg.models.reading.readers import Readers
from reqap_kg.retrieval.context import RetrieveContext
from reqap_kg.retrieval.mentioned import read_ahead
from reqap_kg.retrieval.occurrences import occurrences
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
