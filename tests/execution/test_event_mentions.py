"""Films, purchases and workouts read out of texts in many voices (tests/told_texts.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal

import pytest

from reqap_kg.extraction.coreference.links import SAME
from reqap_kg.extraction.extract_texts import texts_of
from reqap_kg.extraction.mentions.derived_events import reader_of, records_of, tellings_of
from reqap_kg.extraction.mentions.event_mentions import EventMention
from reqap_kg.extraction.page import Page
from reqap_kg.ontology.namespaces import EV
from reqap_kg.texts.document import Document, TextKind

from ..told_texts import BUYING, FILMS, SPORTS, Case

OWNER = "Ada Moreau"
FILMS_SEEN = ("Whale Rider", "Paprika", "The Straight Story", "Galaxy Quest", "Stalker", "Yesterday", "Local Hero")
PEOPLE = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
d:me a ev:Person ; foaf:name "Ada Moreau" ; ev:nickname "Ada" ; ev:ownerOf d:tomas, d:lena .
d:tomas a ev:Person ; foaf:name "Tomas Moreau" ; ev:relation "brother" .
d:lena a ev:Person ; foaf:name "Lena Okafor" ; ev:relation "friend" .
"""


def records() -> str:
    """Films that were streamed, things that were bought, and runs, rides and climbing of usual speeds."""
    films = [
        f'd:f{n} a ev:MovieStream ; ev:movieTitle "{title}" ; ev:start "2020-01-{n + 10}T20:00:00"^^xsd:dateTime .'
        for n, title in enumerate(FILMS_SEEN)
    ]
    bought = [
        f'd:b{n} a ev:Purchase ; ev:product "{product}" ; ev:shop "{shop}" ; ev:price {price} ; '
        f'ev:start "2020-02-{n + 10}T20:00:00"^^xsd:dateTime .'
        for n, (product, shop, price) in enumerate(
            [("House espresso 1 kg", "Bean & Leaf", 18.5), ("Inner tube", "Velo Werks", 7.0)]
        )
    ]
    runs = [(5 + n, (5 + n) * 330, "running") for n in range(8)] + [
        (30 + 5 * n, (30 + 5 * n) * 160, "cycling") for n in range(8)
    ]
    sports = [
        f'd:w{n} a ev:Workout ; ev:workoutType "{kind}" ; ev:distance {km}.0 ; ev:duration {seconds}.0 ; '
        f'ev:start "2020-03-{n + 10}T08:00:00"^^xsd:dateTime .'
        for n, (km, seconds, kind) in enumerate(runs)
    ]
    sports.append('d:w90 a ev:Workout ; ev:workoutType "bouldering" ; ev:start "2020-04-10T18:00:00"^^xsd:dateTime .')
    return "\n".join([PEOPLE, *films, *bought, *sports])


def document(case: Case) -> Document:
    """A case as it is read."""
    kind, by, written, title, text, _ = case
    start, _, end = written.partition("/")
    calendar = kind == "calendar"
    own = by == "me"
    return Document(
        event=f"urn:{kind}",
        kind=TextKind(kind),
        title=title,
        body=text,
        written=datetime.fromisoformat(start),
        sender=OWNER if own else by,
        recipients=() if own else (OWNER,),
        by_owner=own,
        start=datetime.fromisoformat(start) if calendar else None,
        end=datetime.fromisoformat(end) if calendar else None,
    )


@pytest.fixture
def read(context_of) -> Callable[[str, Case], Sequence[EventMention]]:
    """Reads the happenings of a class that a text tells of."""
    context = context_of(records())
    texts = texts_of(context)

    def happenings(name: str, case: Case) -> Sequence[EventMention]:
        reader = reader_of(EV + name, context, records_of(EV + name, context.graph))
        assert reader is not None
        page = Page(document(case), texts.life, texts.lexicon)
        return reader(texts.page_of(page.document), 0.8)

    return happenings


def ids(cases: Sequence[Case]) -> list[str]:
    return [f"{number}-{case[0]}-{(case[3] or case[4])[:24]}" for number, case in enumerate(cases)]


@pytest.mark.parametrize("case", FILMS, ids=ids(FILMS))
def test_films(case, read):
    found = [(one.day.isoformat(), one.first("movieTitle")) for one in read("MovieStream", case)]
    assert found == case[-1]


@pytest.mark.parametrize("case", BUYING, ids=ids(BUYING))
def test_purchases(case, read):
    found = [(one.day.isoformat(), one.first("price")) for one in read("Purchase", case)]
    assert found == [(day, Decimal(price)) for day, price in case[-1]]


@pytest.mark.parametrize("case", SPORTS, ids=ids(SPORTS))
def test_workouts(case, read):
    found = [(one.day.isoformat(), _said(one)) for one in read("Workout", case)]
    assert found == case[-1]


def _said(one: EventMention) -> str:
    far = one.first("distance")
    return (
        f"{one.first('workoutType')} {far.normalize():f}" if isinstance(far, Decimal) else str(one.first("workoutType"))
    )


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Yesterday before breakfast I ran up Castle Hill beside the funicular, which does five miles an hour.", 1),
        ("I went for a run yesterday, an hour later than I meant to.", 1),
        ("Yesterday I ran up Castle Hill in 42 minutes; the funicular does five miles an hour.", 1),
        ("I went for a run yesterday, all of two hours.", 2),
    ],
)
def test_what_a_watch_and_a_text_tell_of_one_morning_counts_once(context_of, text, counts):
    run = 'd:w0 a ev:Workout ; ev:workoutType "running" ; ev:distance 6.4 ; ev:duration 2508.0 ;'
    context = context_of(f'{PEOPLE}\n{run} ev:start "2023-07-15T08:36:00"^^xsd:dateTime .')
    written = document(("mail", "me", "2023-07-16T09:20", "won", text, []))
    told = tellings_of(EV + "Workout", (texts_of(context).page_of(written),), {written.event: 0.9}, context)
    happenings = {triple.subject for triple in told}
    linked = [triple for triple in told if triple.predicate.value == SAME]
    assert 1 + len(happenings) - len(linked) == counts
