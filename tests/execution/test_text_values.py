"""Values of keys read from single texts, by rules and lexicons alone."""

from datetime import date, time
from decimal import Decimal

import pytest
from reading_life import entry, mail, post, read, texts, value

from reqap_kg.operators.nodes import AttributeType
from reqap_kg.texts.document import Span

LIST = AttributeType.LIST


@pytest.mark.parametrize(
    ("document", "people"),
    [
        (entry("Dinner w/ Majsan & Otto", "gnocchi!"), ["Maja Lind", "Otto Berg"]),
        (entry("Lunch Ravi", location="Rosa Blå"), ["Ravi Menon"]),
        (entry("Bowling", "Otto, Ravi and me"), ["Otto Berg", "Ravi Menon"]),
        (entry("Coffee with Otto", "Jonas, I'm out early. You feed Sotis."), ["Otto Berg"]),
        (entry("Film night", location="Otto's place"), []),
        (entry("Otto's birthday", "Ravi + cake"), ["Otto Berg", "Ravi Menon"]),
        (entry("Anniversary", "table for two"), ["Jonas Ek"]),
        (post("Climbed all evening with Otto, Ravi couldn't come."), ["Otto Berg"]),
        (
            mail("Hi", "Otto and Ravi came to dinner on Tuesday, tell Ella the cake is gone."),
            ["Otto Berg", "Ravi Menon"],
        ),
        (mail("Yesterday", "Thank you for coming yesterday!", to=("Otto Berg",)), ["Otto Berg"]),
        (mail("Thanks", "We had such a lovely evening.", "Otto Berg", ("Tove Lind",)), ["Otto Berg"]),
        (mail("Offer", "Great prices this week.", "Nordkläder", ("Tove Lind",)), []),
    ],
)
def test_who_took_part(document, people):
    assert value(document, "participants", LIST) == people


@pytest.mark.parametrize(
    ("document", "where"),
    [
        (entry("Dinner w/ Otto", location="Trattoria Lupo"), "Trattoria Lupo"),
        (entry("Dinner w/ Otto", location="Trattoria Lupo, Malmö"), "Trattoria Lupo"),
        (entry("Dinner", location="our place"), "home"),
        (entry("Otto @ ours", "soup"), "home"),
        (entry("Trattoria Lupo – Otto"), "Trattoria Lupo"),
        (entry("Table at Krogen Vildsvin", location="Oslo"), "Krogen Vildsvin"),
        (entry("Munch Museum", location="Oslo"), "Munch Museum"),
        (entry("Video call w/ Otto", location="https://zoom.example/1"), None),
        (
            mail("Your table", "We welcome you on Friday.\nTrattoria Lupo", "Trattoria Lupo", ("Tove Lind",)),
            "Trattoria Lupo",
        ),
        (post("Cake and gossip at Rosa Blå this morning."), "Rosa Blå"),
        (post("Soup at Otto's, then home."), "Otto's house"),
        (mail("Tack", "Thanks for coming to my flat last night.", "Otto Berg", ("Tove Lind",)), "Otto's flat"),
        (entry("Kvarnen 7pm w/ Otto"), "Kvarnen"),
    ],
)
def test_where_it_was(document, where):
    assert value(document, "place") == where


@pytest.mark.parametrize(
    ("document", "key", "expected"),
    [
        (entry("Dinner w/ Otto", "margherita"), "cuisine", "Italian"),
        (entry("Pub quiz"), "activity", "pub quiz"),
        (entry("Otto on Zoom"), "activity", "video call"),
        (entry("Pad thai w/ Otto", when="2024-03-13T19:30:00"), "activity", "dinner"),
        (entry("Lunch Ravi", location="Rosa Blå", when="2024-03-13T12:30:00"), "activity", "work lunch"),
        (entry("Dinner w/ Otto", location="home"), "activity", "dinner at home"),
        (entry("Otto turns 34"), "occasion", "birthday"),
        (entry("Costumes!", when="2024-10-31T19:00:00"), "occasion", "halloween"),
        (entry("Dinner w/ Jonas", when="2024-08-20T19:00:00"), "occasion", "wedding_anniversary"),
        (entry("Dinner w/ Jonas", when="2024-08-21T19:00:00"), "occasion", None),
        (entry("Rugby w/ Otto"), "workout_type", "tag rugby"),
        (post("Swam 800 m in the sea, 25 minutes."), "workout_type", "sea swimming"),
        (entry("Got a filling"), "doctor_type", "dentist"),
        (entry("Sotis: vaccination", "Dr Ask"), "doctor_type", "veterinarian"),
        (entry("Ella – vaccination", "Dr Ask"), "doctor_type", "paediatrician"),
        (entry("Oslo w/ Otto", "conference, flight", "Oslo"), "trip_purpose", "business"),
        (entry("Oslo w/ Otto", "holiday, flight", "Oslo"), "transport", "plane"),
        (entry("First day!", "new job starts today"), "milestone_type", "new_job"),
        (entry("Big day", when="2019-01-07T09:00:00"), "milestone_type", "new_job"),
        (entry("Dinner", location="Krogen, Ystad"), "city", "Ystad"),
        (post("Long weekend in Lisbon."), "country", "Portugal"),
        (entry("OSLO!!! (Otto)", "holiday", "Norway"), "trip_destination", "Oslo"),
        (
            mail("Booked", "Hello Tove,\nProperty: Pensionat Björk, Ystad\n", "Rooms", ()),
            "accommodation",
            "Pensionat Björk",
        ),
    ],
)
def test_what_a_text_implies(document, key, expected):
    assert value(document, key) == expected


@pytest.mark.parametrize(
    ("document", "key", "expected"),
    [
        (entry("Dinner w/ Otto", "get the grilled mackerel this time"), "dish", "grilled mackerel"),
        (entry("Otto – tea and scones"), "dish", "tea and scones"),
        (post("Ate a masala dosa and slept like a log."), "dish", "masala dosa"),
        (entry("Dr Lena Ask", "check-up", "City Dental"), "doctor name", "Dr Lena Ask"),
        (entry("Dentist: cracked tooth", "Dr Lena Ask", "City Dental"), "reason", "cracked tooth"),
        (entry("Knee", "knee pain before the race", "City Physio"), "patient", "Tove Lind"),
        (entry("Ella: ear infection", "Dr Ask"), "patient", "Ella Ek"),
        (entry("Sotis: booster", "vet"), "patient", "Sotis"),
        (entry("Otto's birthday"), "honoree", "Otto Berg"),
        (entry("My birthday dinner"), "honoree", "Tove Lind"),
        (
            mail("Party", "It was the best birthday, your birthday.", "Otto Berg", ("Tove Lind",)),
            "honoree",
            "Tove Lind",
        ),
        (mail("Psst", "I bought a kettle from Nordhem for Otto."), "gift for", "Otto Berg"),
        (mail("Psst", "I bought a copper kettle from Nordhem for Otto."), "product", "copper kettle"),
        (mail("Psst", "I bought a copper kettle from Nordhem for Otto."), "shop", "Nordhem"),
        (mail("Order", "2 x Wool socks  €12.00\nTotal: €24.00", "Nordhem", ("Tove Lind",)), "shop", "Nordhem"),
        (mail("Order", "2 x Wool socks  €12.00\nTotal: €24.00", "Nordhem", ("Tove Lind",)), "product", "Wool socks"),
        (post("The Blue Kite last night. Cried."), "movie title", "The Blue Kite"),
        (entry("Film night – Paper Moons", location="sofa"), "movie title", "Paper Moons"),
        (entry("First day at Fjord & Co", "Senior Data Engineer"), "role", "Senior Data Engineer"),
        (entry("First day at Fjord & Co"), "organisation", "Fjord & Co"),
        (post("Nothing much, rain again."), "dish", None),
    ],
)
def test_what_a_text_says(document, key, expected):
    assert value(document, key) == expected


def test_foods_are_several():
    assert value(entry("Christmas", "meatballs and lutfisk; pack socks"), "food", LIST) == ["meatballs", "lutfisk"]


def test_measures_and_times():
    text = mail("Order", "2 x Wool socks  €12.00\nTotal: €24.00", "Nordhem", ("Tove Lind",))
    assert value(text, "amount_spent", AttributeType.FLOAT) == Decimal("24.00")
    assert value(text, "currency") == "EUR"
    ran = post("Ran 8.4 km yesterday in 50 minutes.")
    assert value(ran, "distance_km", AttributeType.FLOAT) == Decimal("8.4")
    assert value(ran, "distance_m", AttributeType.FLOAT) == 8400
    assert value(ran, "duration_min", AttributeType.FLOAT) == 50
    assert value(ran, "event_date", AttributeType.DATE) == date(2024, 3, 13)
    dinner = entry("Dinner", when="2024-03-13T19:00:00", end="2024-03-13T20:30:00")
    assert value(dinner, "event_time", AttributeType.TIME) == time(19)
    assert value(dinner, "duration_min", AttributeType.FLOAT) == 90


def test_evidence_is_the_literal_span():
    document = entry("Dinner w/ Majsan", "margherita")
    (found,) = read(document, "cuisine")
    assert document.text[found.start : found.end] == found.evidence == "margherita"
    assert 0 < found.confidence <= 1


class MarkingReader:
    """A reader that marks given words, and remembers what it was asked."""

    name = "marking"
    identity = "sha256:marking"
    reads_once = False

    def __init__(self, *words):
        self.words = words
        self.asked = []

    def tag(self, requests):
        self.asked.append([(question, document.text) for question, document in requests])
        found = []
        for _, document in requests:
            places = ((document.text.find(word), word) for word in self.words)
            found.append(tuple(Span(at, at + len(word), 0.9) for at, word in places if at >= 0))
        return found


def test_the_reader_marks_what_rules_do_not_find():
    reader = MarkingReader("wool hat")
    reading = texts(tagger=reader)
    document = post("Finally got that wool hat, at a flea market.")
    assert value(document, "product", reading=reading) == "wool hat"
    assert value(document, "product", reading=reading) == "wool hat"
    assert len(reader.asked) == 1
    ((question, _),) = reader.asked[0]
    assert question == "what was bought"


def test_a_reader_that_reads_a_text_once_marks_it_for_all_keys_with_the_first():
    reader = MarkingReader("wool hat")
    reader.reads_once = True
    reading = texts(tagger=reader)
    document = post("Finally got that wool hat, at a flea market.")
    assert value(document, "product", reading=reading) == "wool hat"
    value(document, "dish", reading=reading)
    value(document, "reason", reading=reading)
    assert len(reader.asked) == 1
    asked = [question for question, _ in reader.asked[0]]
    assert sorted(asked) == sorted({key.question for key in reading.keys.keys})


def test_the_reader_is_not_asked_for_what_is_sure():
    reader = MarkingReader()
    reading = texts(tagger=reader)
    assert value(entry("Dinner", location="Trattoria Lupo"), "place", reading=reading) == "Trattoria Lupo"
    assert not reader.asked


@pytest.mark.parametrize(
    ("location", "town", "where"),
    [
        ("Krogen, Ystad", "Ystad", "Krogen"),
        ("Duluth, MN", "Duluth", None),
        ("Hill Top Inn, Duluth, Minnesota", "Duluth", "Hill Top Inn"),
        ("Duluth, Minnesota, USA", "Duluth", None),
        ("Hill Top Inn, MN", None, "Hill Top Inn"),
        ("Ystad, at my parents'", "Ystad", None),
        ("Norway", None, "Norway"),
    ],
)
def test_towns_of_locations(location, town, where):
    document = entry("Dinner w/ Otto", location=location)
    assert value(document, "city") == town
    assert value(document, "place") in (where, town)


@pytest.mark.parametrize(
    ("document", "key", "marks", "found"),
    [
        (post("Padel with Majsan and Bosse at lunch."), "participants", ("Majsan", "Bosse"), ["Bosse", "Maja Lind"]),
        (post("Dinner chez nous."), "place", ("chez nous",), "home"),
        (post("Saw the mountain gorillas of Bwindi."), "place", ("Bwindi",), "Bwindi"),
        (post("Read Hamsun's Pan in one go."), "book title", ("Pan",), "Pan"),
        (post("Gnocchi again."), "cuisine", ("Gnocchi",), "Italian"),
        (post("It cost 12 euros."), "amount spent", ("cost",), 12),
    ],
)
def test_values_of_the_words_that_the_reader_marks(document, key, marks, found):
    kind = LIST if isinstance(found, list) else AttributeType.STR
    told = value(document, key, kind, reading=texts(tagger=MarkingReader(*marks)))
    assert (sorted(map(str, told)) if isinstance(told, list) else told) == found


@pytest.mark.parametrize(
    ("sender", "company"),
    [
        ("Nordkläder", "Nordkläder"),
        ("Nordkläder <order@nk.test>", "Nordkläder"),
        ("order@mail.nordklader.test", "nordklader"),
        ("Otto Berg", ""),
    ],
)
def test_a_company_that_writes_is_the_shop(sender, company):
    document = mail("Your receipt", "Thank you. One pair of socks.", sender, ("Tove Lind",))
    assert (value(document, "shop") or "") == company
