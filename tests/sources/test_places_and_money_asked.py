"""Questions to a store of location histories, check-ins and statements: each kind of event is found by its names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.ontology.namespaces import EV

NOW = datetime(2024, 3, 1, 12)
SETTINGS = Settings(proposers=("rules",), read_texts=False)
BERLIN, POTSDAM, MUNICH = "52.50°, 13.40°", "52.3989°, 13.0657°", "48.137°, 11.575°"


def segment(day: str, first: int, last: int, **told: Any) -> dict[str, Any]:
    return {"startTime": f"{day}T{first:02d}:00:00+02:00", "endTime": f"{day}T{last:02d}:00:00+02:00", **told}


def visit(day: str, first: int, last: int, where: str, kind: str = "UNKNOWN") -> dict[str, Any]:
    best = {"placeId": where, "semanticType": kind, "placeLocation": {"latLng": where}}
    return segment(day, first, last, visit={"hierarchyLevel": 0, "topCandidate": best})


def trip(day: str, first: int, one: str, two: str, mode: str, metres: int) -> dict[str, Any]:
    ends = {"start": {"latLng": one}, "end": {"latLng": two}, "distanceMeters": metres}
    return segment(day, first, first + 1, activity=ends | {"topCandidate": {"type": mode}})


def timeline() -> str:
    found: list[dict[str, Any]] = []
    for day in ("2022-07-01", "2023-05-01", "2023-06-03"):
        found += [visit(day, 8, 10, POTSDAM, "HOME"), trip(day, 10, POTSDAM, BERLIN, "IN_TRAIN", 30_000)]
        found += [visit(day, 11, 15, BERLIN), trip(day, 15, BERLIN, POTSDAM, "IN_PASSENGER_VEHICLE", 33_000)]
    return json.dumps({"semanticSegments": [*found, visit("2023-08-01", 9, 12, MUNICH)]})


def check_ins() -> str:
    places = [("Café Kranz", "Café"), ("Tempelhofer Feld", "Park"), ("Café Kranz", "Café"), ("Bonanza", "Coffee Shop")]
    return json.dumps({"items": [
        {"id": f"c{at}", "createdAt": f"2023-0{at}-02 12:00:00.000000", "type": "checkin", "timeZoneOffset": 120,
         "venue": {"name": name, "categories": [{"name": kind}]}, "lat": 52.5, "lng": 13.4}
        for at, (name, kind) in enumerate(places, start=1)
    ]})  # fmt: skip


STATEMENT = (
    "Buchungstag;Begünstigter/Zahlungspflichtiger;Verwendungszweck;Betrag;Währung\n"
    "13.06.2023;REWE Markt GmbH Berlin;Einkauf;-20,50;EUR\n20.06.2023;REWE SAGT DANKE;Einkauf;-10,00;EUR\n"
    "21.06.2022;REWE Markt GmbH Berlin;Einkauf;-99,00;EUR\n30.06.2023;Werk AG;Lohn;2500,00;EUR\n"
    "15.07.2023;Hausverwaltung Nord;Miete Juli;-700,00;EUR\n"
)


def known(folder: Path, **files: str) -> KnowledgeGraph:
    exports = folder / "exports"
    exports.mkdir()
    for name, text in files.items():
        (exports / name).write_text(text, encoding="utf-8")
    ingest([exports], folder / "store", IngestOptions(settings=SETTINGS, now=NOW))
    return KnowledgeGraph.open(folder / "store", SETTINGS)


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    with known(tmp_path_factory.mktemp("moved"), timeline=timeline(), statement=STATEMENT) as found:
        yield found


@pytest.fixture(scope="module")
def checked_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    with known(tmp_path_factory.mktemp("checked"), swarm=check_ins()) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("How often was I in Berlin in 2023?", (2,)),
        ("When was I last in Munich?", ("2023-08-01",)),
        ("When was I in Munich?", ("2023-08-01",)),
        ("How much time did I spend in Berlin in 2023?", (28_800,)),
        ("Which cities did I visit in 2023?", ("Potsdam", "Berlin", "Munich")),
        ("How far did I drive in 2023?", (66,)),
        ("How many kilometres did I travel by train?", (90,)),
        ("How much did I spend at Rewe last year?", (30.5,)),
        ("How much did I spend in 2023?", (730.5,)),
        ("How much did I earn in 2023?", (2500,)),
        ("What was my biggest payment in 2023?", ("Hausverwaltung Nord",)),
        ("How often was I at home in 2023?", (2,)),
        ("Where was I in May 2023?", ("Home, Potsdam", "Berlin")),
        ("How many payments did I make in 2023?", (3,)),
    ],
)
def test_visits_trips_payments_and_income_are_found(moved: KnowledgeGraph, question: str, values: Any) -> None:
    assert moved.ask(question, now=NOW).values == values


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("When did I last check in at a café?", ("2023-04-02",)),
        ("How often did I check in at Café Kranz?", (2,)),
        ("How often was I in Berlin in 2023?", (4,)),
    ],
)
def test_check_ins_are_found(checked_in: KnowledgeGraph, question: str, values: Any) -> None:
    assert checked_in.ask(question, now=NOW).values == values


def test_kinds_of_events_that_a_store_has_not_are_unknown_to_it(checked_in: KnowledgeGraph) -> None:
    """So that 'spent' and 'was in' mean there what they meant before any such export was read."""
    names = {info.iri.removeprefix(EV) for info in checked_in.vocabulary.event_classes()}
    assert "CheckIn" in names
    assert names.isdisjoint({"Payment", "Income", "BankTransaction", "Trip", "Visit"})
    properties = checked_in.vocabulary.properties
    assert (EV + "payee" in properties, properties[EV + "price"].domain) == (False, (EV + "Purchase",))
