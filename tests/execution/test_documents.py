"""Events of the graph as documents."""

from datetime import datetime

from reqap_kg.extraction.documents import LONGEST, UNDATED, documents, long_texts, text_events, told_of_long
from reqap_kg.extraction.life import load_life
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import parse_turtle
from reqap_kg.texts.document import TextKind

GRAPH = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
d:me a ev:Person ; foaf:name "Tove Lind" ; ev:nickname "Tove" ; ev:ownerOf d:sis, d:cat, d:home, d:job .
d:sis a ev:Person ; foaf:name "Maja Lind" ; ev:nickname "Majsan" ; ev:relation "sister" ;
  ev:birthDate "1994-02-03"^^xsd:date ;
  ev:remark "lives by the sea" ; ev:city "Malmö" .
d:cat a ev:Pet ; foaf:name "Sotis" ; ev:since "2019-03-02"^^xsd:date .
d:home a ev:Residence ; ev:address "flat in Vasastan" ; ev:city "Stockholm, Sweden" ; ev:since "2015-01-01"^^xsd:date .
d:job a ev:Job ; ev:company "Fjord & Co" ; ev:jobTitle "Engineer" ; ev:until "2020-01-01"^^xsd:date .
d:c a ev:CalendarEntry ; ev:title "Dinner" ; ev:location "Lupo" ; ev:description "gnocchi" ;
  ev:start "2024-03-01T19:00:00"^^xsd:dateTime ; ev:end "2024-03-01T21:00:00"^^xsd:dateTime .
d:m a ev:Mail ; ev:subject "Hej" ; ev:text "Tack!" ; ev:sender "Maja Lind" ; ev:recipient "Tove Lind" ;
  ev:start "2024-03-02T08:00:00"^^xsd:dateTime .
d:s a ev:Mail ; ev:subject "Re: Hej" ; ev:text "Själv" ; ev:sender "Somebody" ; ev:direction "sent" .
d:b a ev:SocialPost ; ev:text "Look at this" ; ev:boost true .
d:n a ev:Note ; rdfs:label "Shopping" .
d:p a ev:Purchase ; rdfs:label "Wool socks" ; ev:start "2024-03-03T10:00:00"^^xsd:dateTime .
"""
DATA = "https://w3id.org/reqap-kg/data/t/"


def test_documents_have_what_the_sources_say():
    graph = MemoryGraph(list(parse_turtle(GRAPH)))
    found = documents([DATA + name for name in "cmsbnp"], graph)
    assert [iri.removeprefix(DATA) for iri in found] == ["c", "m", "s", "b", "p"]  # an empty note says nothing
    entry, mail, sent, boost, record = found.values()
    assert (entry.kind, entry.text) == (TextKind.CALENDAR, "Dinner | Lupo | gnocchi")
    assert (entry.start, entry.end) == (datetime(2024, 3, 1, 19), datetime(2024, 3, 1, 21))
    assert (mail.kind, mail.sender, mail.recipients, mail.by_owner) == (
        TextKind.MAIL,
        "Maja Lind",
        ("Tove Lind",),
        False,
    )
    assert mail.start is None
    assert mail.written == datetime(2024, 3, 2, 8)
    assert sent.by_owner
    assert sent.written == UNDATED
    assert not boost.by_owner
    assert (record.kind, record.title) == (TextKind.RECORD, "Wool socks")


def test_only_events_that_may_tell_of_anything_are_texts():
    graph = MemoryGraph(list(parse_turtle(GRAPH)))
    assert [iri.removeprefix(DATA) for iri in text_events(graph)] == ["b", "c", "m", "n", "s"]


def test_the_profile_as_plain_data():
    life = load_life(MemoryGraph(list(parse_turtle(GRAPH))))
    assert life.owner == "Tove Lind"
    (sister,) = life.profile.people
    assert (sister.name, sister.nicknames, sister.relation) == ("Maja Lind", ("Majsan",), "sister")
    assert life.partner is None
    assert life.pets == ("Sotis",)
    assert life.remark("Maja Lind") == "lives by the sea"
    day = datetime(2024, 2, 3).date()
    assert life.birthday(day) == "Maja Lind"
    assert life.home_city(day) == "Stockholm"
    assert life.occasion(datetime(2024, 3, 2).date()) == "pet anniversary"
    assert life.occasion(datetime(2019, 3, 2).date()) is None
    assert not life.jobs[0].holds(day)


def test_a_graph_without_a_profile_has_an_empty_life():
    life = load_life(MemoryGraph([]))
    assert (life.owner, life.profile.people, life.partner) == ("", (), None)


def test_a_text_is_read_as_far_as_is_told():
    long, name = "word " * LONGEST, "name " * LONGEST
    said = f'd:l a ev:Note ; ev:text "{long}" . d:t a ev:CalendarEntry ; ev:title "{name}" ; ev:location "{name}" .'
    graph = MemoryGraph(list(parse_turtle(GRAPH + said)))
    found = documents([DATA + "l", DATA + "t"], graph)
    assert found[DATA + "l"].body == long[:LONGEST]
    assert len(found[DATA + "t"].text) < LONGEST
    assert long_texts(graph) == 3
    assert told_of_long(3) == (
        "3 texts are longer than 50,000 characters (titles and places 2,000): what follows there was not read"
    )
    assert long_texts(MemoryGraph(list(parse_turtle(GRAPH)))) == 0
    assert told_of_long(0) == ""
