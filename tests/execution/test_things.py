"""Sums of money in texts: of the thing that was asked about, or of none."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

import pytest

from reqap_kg.extraction.context import open_texts
from reqap_kg.extraction.keys import ValueKind
from reqap_kg.extraction.text_values import read_values
from reqap_kg.extraction.things import of_the_thing, thing_of
from reqap_kg.ontology.namespaces import EV
from reqap_kg.operators.nodes import AttributeType
from reqap_kg.operators.resolution import DerivedMatch
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.ontology_graph import ontology_quads
from reqap_kg.store.rdf import Literal, NamedNode, Triple
from reqap_kg.store.vocabulary import load_vocabulary
from reqap_kg.texts.document import Document, TextKind
from reqap_kg.texts.lexicon.lexicon import load_lexicon

LEXICON = load_lexicon()
ORDER = (
    "Thanks for your order, Ada!\n2 x Camping mug  £18.00\n1 x Folding stove  £30.00\nDelivery  £4.00\nTotal: £52.00"
)
BILL = "Nine of us at the Anchor. 231 euro. We paid 204. Somebody thinks schnapps is free as it comes in small glasses."
COACH = "Your journey on 3 May: Ghent dep. 09:10, sleeper seat for 2.\n2 adults. Total price 88.40 EUR."


@pytest.fixture(scope="module")
def graph() -> MemoryGraph:
    return MemoryGraph(ontology_quads(None))


@pytest.mark.parametrize(
    ("query", "title", "body", "firm", "value"),
    [
        ("I spent for schnapps", "the bill", BILL, "", None),
        ("dinners", "the bill", BILL, "", "204"),
        ("I spent on the house", "", "House-viewing nerves. Transferred 30 euro and a drawing of a frog.", "", None),
        ("house", "Paint", "Living room: Wet Otter, 10 l, 129.90\nHall: Old Envelope", "", None),
        ("I spent on Wet Otter", "Paint", "Living room: Wet Otter, 10 l, 129.90\nHall: Old Envelope", "", "129.90"),
        ("paint I bought", "Paint", "Living room: Wet Otter, 10 l, 129.90", "", "129.90"),
        ("I spent on the stove", "", ORDER, "Peak & Pine", "30"),
        ("mugs I bought", "", ORDER, "Peak & Pine", "18"),
        ("I spent on a tent", "", "A tent for 80 euro, a stove for 30 euro and a mug.", "", "80"),
        ("I spent on a stove", "", "A tent for 80 euro, a stove for 30 euro and a mug.", "", "30"),
        ("I spent on mugs", "", "A tent for 80 euro, a stove for 30 euro and a mug.", "", None),
        ("train tickets", "Booking confirmation: Ghent", COACH, "Nightline", "88.40"),
        ("I spent on the sleeper to Ghent", "Booking confirmation: Ghent", COACH, "Nightline", "88.40"),
        ("train tickets", "Your e-tickets: Low Tide", "2 x 24.50 EUR, total 53.50 EUR", "Box Office", None),
        ("concert tickets", "Low Tide", "Concert on Friday, 2 tickets, total 53.50 EUR", "Box Office", "53.50"),
        ("I paid for the haircut", "", "New hair! 35 euro at the barber's, worth it.", "", "35"),
    ],
)
def test_a_sum_is_of_the_thing_or_there_is_none(
    graph: MemoryGraph, query: str, title: str, body: str, firm: str, value: str | None
) -> None:
    activity = "urn:a#activity"
    graph.replace_graph("urn:a", [Triple(NamedNode(activity), NamedNode(EV + "query"), Literal(query))])
    document = Document(
        "urn:e", TextKind.MAIL if firm else TextKind.NOTE, title, body, datetime(2024, 5, 2, 9), sender=firm,
        by_owner=not firm,
    )  # fmt: skip
    texts = open_texts(graph, LEXICON)
    key = next(key for key in texts.keys.keys if key.kind is ValueKind.MONEY)
    thing = thing_of(DerivedMatch(activity), graph, load_vocabulary(graph), LEXICON)
    assert thing is not None
    read = read_values((document,), key, AttributeType.FLOAT, texts)
    found = of_the_thing(read, {"urn:e": texts.page_of(document)}, thing)
    assert [one.value for one in found.get("urn:e", ())] == ([Decimal(value)] if value else [])


def test_a_search_for_anything_bought_takes_what_was_paid(graph: MemoryGraph) -> None:
    graph.replace_graph("urn:a", [Triple(NamedNode("urn:a#b"), NamedNode(EV + "query"), Literal("things I bought"))])
    assert thing_of(DerivedMatch("urn:a#b"), graph, load_vocabulary(graph), LEXICON) is None
