"""Keys read from texts beside properties: derivations that any query reads."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reqap_kg.execution.context import Tables
from reqap_kg.execution.derivations.derive import list_derivations
from reqap_kg.extraction.extract import Resolved, Unresolved, resolve_attribute
from reqap_kg.models.reading.readers import Readers
from reqap_kg.ontology.namespaces import DERIVED, EV, KEY
from reqap_kg.operators.nodes import AttributeType
from reqap_kg.operators.resolution import ClassMatch
from reqap_kg.retrieval.context import RetrieveContext
from reqap_kg.store.rdf import NamedNode
from reqap_kg.texts.document import Document, Span

ENTRIES = ClassMatch((EV + "CalendarEntry",))
MAILS = ClassMatch((EV + "Mail",))
T = AttributeType


class MarkingReader:
    """An extractor that marks given words, and remembers what it was asked."""

    name = "marking"
    identity = "sha256:marking"
    reads_once = False

    def __init__(self, *words: str):
        self.words = words
        self.asked: list[list[str]] = []

    def tag(self, requests: Sequence[tuple[str, Document]]) -> list[tuple[Span, ...]]:
        self.asked.append([document.text for _, document in requests])
        found: list[tuple[Span, ...]] = []
        for _, document in requests:
            places = ((document.text.find(word), word) for word in self.words)
            found.append(tuple(Span(at, at + len(word), 0.9) for at, word in places if at >= 0))
        return found


def reading(context: RetrieveContext, reader: MarkingReader) -> RetrieveContext:
    """The context with a reader for EXTRACT."""
    readers = Readers()
    readers.__dict__["extractor"] = reader
    return replace(context, readers=readers)


def values(match, context: RetrieveContext) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for prop in match.properties:
        of: dict[str, set[str]] = {}
        for event, value in context.graph.select(f"SELECT ?e ?v {{ ?e {NamedNode(prop)} ?v }}"):
            assert event is not None
            assert value is not None
            of.setdefault(event.value.rsplit("/", 1)[-1], set()).add(value.value)
        found = {**of, **found}
    return found


def resolved(key, kind, match, context) -> Resolved:
    outcome = resolve_attribute("calendar", match, key, kind, context)
    assert isinstance(outcome, Resolved)
    return outcome


def test_values_are_triples_that_a_query_reads(life):
    found = resolved("cuisine", T.STR, ENTRIES, life)
    (prop,) = found.match.properties
    assert prop.startswith(DERIVED)
    assert values(found.match, life) == {"c2": {"Italian"}}
    assert found.notes == ("'cuisine' is read from what texts say",)
    (derivation,) = [d for d in list_derivations(life.graph) if d.operator == "EXTRACT"]
    assert derivation.results == 1
    rows = life.graph.select(
        "SELECT ?e ?said ?sure ?v { ?r ev:readingOf ?a ; ev:event ?e ; ev:evidence ?said ; ev:confidence ?sure ; "
        "ev:value ?v }"
    )
    ((event, said, sure, value),) = rows
    assert event.value.endswith("c2")
    assert (said.value, value.value) == ("Trattoria", "Italian")
    assert 0 < float(sure.value) <= 1


def test_the_same_again_reads_the_graph(life):
    reader = MarkingReader("gnocchi")
    context = reading(life, reader)
    first = resolved("dish", T.STR, ENTRIES, context)
    asked = list(reader.asked)
    assert asked
    again = replace(context, known=Tables())
    assert resolved("dish", T.STR, ENTRIES, again).match == first.match
    assert reader.asked == asked
    assert values(first.match, context)["c2"] == {"gnocchi"}


def test_texts_of_a_key_are_marked_in_one_batch_and_once(searching):
    reader = MarkingReader()
    context = reading(searching, reader)
    resolved("hobby", T.STR, ENTRIES, context)
    assert len(reader.asked) == 1
    assert len(set(reader.asked[0])) == len(reader.asked[0]) > 1


def test_a_property_comes_first_and_texts_where_it_is_absent(context_of):
    context = context_of(
        """@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
        @prefix foaf: <http://xmlns.com/foaf/0.1/> .
        d:me a ev:Person ; foaf:name "Tove Lind" ; ev:ownerOf d:pal . d:pal a ev:Person ; foaf:name "Otto Berg" .
        d:c1 a ev:CalendarEntry ; ev:title "Lunch with Otto" ; ev:participant "Ravi Menon" .
        d:c2 a ev:CalendarEntry ; ev:title "Dinner with Otto" ."""
    )
    found = resolved("participants", T.LIST, ENTRIES, context)
    assert found.match.properties[0] == EV + "participant"
    assert found.match.multiple
    assert values(found.match, context) == {"c1": {"Ravi Menon"}, "c2": {"Otto Berg"}}


def test_a_location_that_is_a_town_gives_way_to_the_text(context_of):
    context = context_of(
        """@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
        d:c1 a ev:CalendarEntry ; ev:title "Table at Krogen Vildsvin" ; ev:location "Oslo" .
        d:c2 a ev:CalendarEntry ; ev:title "Dinner" ; ev:location "Trattoria Lupo" ."""
    )
    found = resolved("place", T.STR, ENTRIES, context)
    assert found.match.properties[1:] == (EV + "location",)
    assert values(found.match, context) == {"c1": {"Krogen Vildsvin"}, "c2": {"Trattoria Lupo"}}
    assert resolved("location", T.STR, ENTRIES, context).match.properties == (EV + "location",)


@pytest.mark.parametrize(("agreeing", "mapped"), [(10, True), (6, False)])
def test_a_property_that_says_the_same_is_mapped(context_of, agreeing, mapped):
    lines = [
        f'd:c{n} a ev:CalendarEntry ; ev:title "Trattoria night {n}" ; '
        f'key:kitchen "{"Italian" if n < agreeing else "rustic"}" .'
        for n in range(10)
    ]
    context = context_of(
        "@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> . "
        "@prefix key: <https://w3id.org/reqap-kg/key/> . " + " ".join(lines)
    )
    found = resolved("cuisine", T.STR, ENTRIES, context)
    assert (KEY + "kitchen" in found.match.properties) is mapped
    assert values(found.match, context)["c0"] == {"Italian"}


def test_numbers_and_dates_are_typed(context_of):
    context = context_of(
        """@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
        @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        d:m1 a ev:Mail ; ev:subject "Order" ; ev:text "Total paid: €24.50" ; ev:sender "Nordhem" ;
          ev:start "2024-03-14T10:00:00"^^xsd:dateTime .
        d:m2 a ev:Mail ; ev:subject "Run" ; ev:text "Ran 8.4 km yesterday, 50 minutes." ;
          ev:start "2024-03-14T10:00:00"^^xsd:dateTime ."""
    )
    price = resolved("amount_spent", T.FLOAT, MAILS, context)
    assert values(price.match, context) == {"m1": {"24.5"}}
    length = resolved("duration", T.DURATION, MAILS, context)
    assert (values(length.match, context)["m2"], length.match.unit) == ({"3000"}, "s")
    day = resolved("event_date", T.DATE, MAILS, context)
    assert values(day.match, context)["m2"] == {"2024-03-13"}
    terms = context.graph.select(f"SELECT (DATATYPE(?v) AS ?t) {{ ?e {NamedNode(day.match.properties[0])} ?v }}")
    assert {term.value.rsplit("#", 1)[-1] for (term,) in terms} == {"date"}


def test_a_key_of_texts_is_no_number_that_is_a_name(life):
    assert isinstance(resolve_attribute("calendar", ENTRIES, "dish", T.FLOAT, life), Unresolved)


def test_classes_that_describe_themselves_are_not_read(searching):
    outcome = resolve_attribute("runs", ClassMatch((EV + "Workout",)), "cuisine", T.STR, searching)
    assert isinstance(outcome, Unresolved)


def test_what_no_ontology_describes_is_read_by_the_reader(searching):
    context = reading(searching, MarkingReader("Clay House"))
    found = resolved("nickname of the teacher", T.STR, ENTRIES, context)
    assert values(found.match, context) == {"c3": {"Clay House"}}


def test_a_key_may_say_its_unit(life):
    runs = ClassMatch((EV + "Workout",))
    found = resolved("distance_km", T.FLOAT, runs, life)
    assert (found.match.properties, found.match.unit) == ((EV + "distance",), "km")
    metres = resolved("distance_m", T.FLOAT, runs, life)
    assert metres.match.unit == "m"
    assert values(metres.match, life)["w1"] == {"5200"}


ALIKE = {"throwing pots": "pottery"}


class Meanings:
    """An encoder that finds some words alike."""

    name = identity = "meanings"
    dimension = 64

    def __init__(self, words):
        self._words = words

    def encode(self, texts):
        return self._words.encode([ALIKE.get(text.casefold(), text) for text in texts])


def test_what_a_lexicon_lacks_is_the_value_nearest_by_meaning(context_of, word_encoder):
    context = context_of(
        """@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
        d:c1 a ev:CalendarEntry ; ev:title "Throwing pots" . d:c2 a ev:CalendarEntry ; ev:title "Xyzzy" .""",
        encoder=Meanings(word_encoder),
    )
    assert values(resolved("activity", T.STR, ENTRIES, context).match, context) == {"c1": {"pottery class"}}
