"""How a query's words are read: who wrote to whom, what an entry is about, whose work it is, parts of titles."""

import pytest

from reqap_kg.operators.resolution import ClassMatch
from reqap_kg.retrieval.retrieve import resolve_retrieve
from reqap_kg.retrieval.retrieved import matched_events

DATA = "https://w3id.org/reqap-kg/data/t/"
LETTERS = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
d:me a ev:Person ; foaf:name "Tove Lind" ; ev:ownerOf d:sis .
d:sis a ev:Person ; foaf:name "Maja Lind" ; ev:nickname "Majsan" ; ev:relation "sister" .
d:pal a ev:Person ; foaf:name "Otto Berg" ; ev:relation "friend" .
d:e1 a ev:Mail ; ev:sender "Tove Lind" ; ev:recipient "Maja Lind" ; ev:direction "sent" ; ev:tag "Sent" ;
    ev:subject "Regatta" ; ev:text "We sail on Sunday." .
d:e2 a ev:Mail ; ev:sender "Otto Berg" ; ev:recipient "Crew list" ; ev:direction "received" ; ev:tag "Inbox" ;
    ev:subject "Boat" ; ev:text "The sails are torn." .
d:e3 a ev:Mail ; ev:sender "Majsan" ; ev:recipient "Tove Lind" ; ev:direction "received" ; ev:tag "Inbox", "Sent" ;
    ev:subject "Cake" ; ev:text "Otto has eaten it." .
d:e4 a ev:Mail ; ev:sender "Harbour office" ; ev:recipient "Tove Lind" ; ev:direction "received" ;
    ev:subject "Berth" ; ev:text "Your invoice." .
d:h1 a ev:ChatMessage ; ev:sender "Tove Lind" ; ev:recipient "Otto Berg" ; ev:direction "sent" ; ev:text "Ahoy" .
"""


def found(query, context):
    """Local names of the events that a query stands for."""
    match = resolve_retrieve(query, context).match
    return {hit.event.removeprefix(DATA) for hit in matched_events(match, context.graph)}


@pytest.fixture
def letters(context_of):
    return context_of(LETTERS)


@pytest.mark.parametrize(
    ("query", "events"),
    [
        ("mails Otto sent me", {"e2"}),
        ("emails that my sister wrote", {"e3"}),
        ("mails Majsan has sent to me", {"e3"}),
        ("emails I got from Maja", {"e3"}),
        ("mails I was sent by Otto", {"e2"}),
        ("emails sent by Otto", {"e2"}),
        ("my sister's emails", {"e3"}),
        ("mails from the harbour office", {"e4"}),
        ("mails from Otto or Maja", {"e2", "e3"}),
        ("emails I sent", {"e1"}),
        ("emails that I have written", {"e1"}),
        ("sent mails", {"e1"}),
        ("mails I sent Maja", {"e1"}),
        ("I sent my sister a mail", {"e1"}),
        ("I wrote to my sister", {"e1"}),
        ("emails my sister got from me", {"e1"}),
        ("emails I received", {"e2", "e3", "e4"}),
        ("mails sent to me", {"e2", "e3", "e4"}),
        ("mails who wrote to me", {"e2", "e3", "e4"}),
        ("Otto emailed me", {"e2"}),
        ("messages to Otto", {"h1"}),
        ("messages I sent", {"e1", "h1"}),
        ("messages to the crew", {"e2"}),
        ("mails Otto sent to Maja", set()),
    ],
)
def test_who_wrote_to_whom_comes_from_verbs_and_the_order_of_words(letters, query, events):
    assert found(query, letters) == events


def test_a_verb_of_sending_is_no_label_of_a_mailbox(letters):
    match = resolve_retrieve("mails Maja sent me", letters).match
    assert isinstance(match, ClassMatch)
    assert {c.property.rsplit("#")[-1] for c in match.constraints} == {"sender", "direction"}


@pytest.mark.parametrize("stated", ["none", "some"])
def test_where_not_all_say_their_direction_the_owners_name_tells_it(context_of, stated):
    letters = LETTERS.replace('ev:direction "sent" ;', "")
    context = context_of(letters.replace('ev:direction "received" ;', "") if stated == "none" else letters)
    assert found("emails I sent", context) == {"e1"}
    assert found("emails I received", context) == {"e3", "e4"}
    assert found("mails Otto sent me", context) == {"e2"}, "to a list that the owner is on"


def test_a_sender_that_nobody_knows_is_not_left_out(context_of, word_encoder):
    context = context_of(LETTERS, encoder=word_encoder)
    assert found("mails Zaphod sent me", context) == set()


DIARY = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
d:me a ev:Person ; foaf:name "Tove Lind" ; ev:ownerOf d:pal .
d:pal a ev:Person ; foaf:name "Otto Berg" ; ev:relation "friend" .
d:c1 a ev:CalendarEntry ; ev:title "Rowing" ; ev:location "Club" .
d:c2 a ev:CalendarEntry ; ev:title "Rowing (Tue)" ; ev:location "Club" ; ev:participant "Otto Berg" .
d:c3 a ev:CalendarEntry ; ev:title "Dinner" ; ev:description "after rowing" ; ev:location "Chez Nous, Malmö" .
d:c4 a ev:CalendarEntry ; ev:title "Choir" ; ev:description "bring the pitch pipe" .
d:c5 a ev:CalendarEntry ; ev:title "Train to Malmö" .
d:w1 a ev:Workout ; ev:workoutType "Rowing" .
d:n1 a ev:Note ; ev:title "Rowing gear" ; ev:text "Gloves." . d:n2 a ev:Note ; ev:title "Gifts" ; ev:text "Oars." .
d:p1 a ev:SocialPost ; ev:text "Rowed at dawn. The choirs of birds!" ; ev:boost false .
d:p2 a ev:SocialPost ; ev:text "Choir practice" ; ev:boost true .
d:p3 a ev:SocialPost ; ev:text "Tea" ; ev:boost false .
d:s1 a ev:MusicStream ; ev:songName "Love in the Sun" ; ev:artist "Sun" .
d:s2 a ev:MusicStream ; ev:songName "She Loves" ; ev:artist "Moon" .
d:s3 a ev:MusicStream ; ev:songName "Rain" ; ev:artist "Love" .
d:t1 a ev:EpisodeStream ; ev:seriesTitle "Love Boat" ; ev:episodeName "Pilot" .
d:t2 a ev:EpisodeStream ; ev:seriesTitle "Ferry" ; ev:episodeName "Love" .
d:b1 a ev:Purchase ; ev:product "Wall calendar" .
"""


@pytest.fixture
def diary(context_of):
    return context_of(DIARY)


@pytest.mark.parametrize(
    ("query", "events"),
    [
        ("rowing in my calendar", {"c1", "c2"}),
        ("rowing calendar entries", {"c1", "c2"}),
        ("calendar entries about rowing", {"c1", "c2"}),
        ("choirs in my diary", {"c4"}),
        ("my calendar entries that mention rowing", {"c1", "c2"}),
        ("rowing with Otto in my calendar", {"c2"}),
        ("calendar entries with Otto", {"c2"}),
        ("pitch pipe in my calendar", {"c4"}),
        ("calendar entries in Malmö", {"c3", "c5"}),
        ("notes about rowing", {"n1"}),
        ("notes I took about rowing", {"n1"}),
        ("posts about choirs", {"p1", "p2"}),
        ("posts I wrote about choirs", {"p1"}),
        ("I posted about choirs", {"p1"}),
        ("my workouts", {"w1"}),
        ("I bought a calendar", {"b1"}),
    ],
)
def test_all_entries_that_tell_of_a_topic_are_meant(diary, query, events):
    assert found(query, diary) == events


def test_a_topic_is_told_by_titles_first(diary):
    assert found("dinner in my calendar", diary) == {"c3"}
    assert found("rowing in my calendar", diary).isdisjoint({"c3", "w1", "n1"})


def test_a_topic_that_no_entry_tells_is_searched(context_of, word_encoder):
    assert found("volcanoes in my calendar", context_of(DIARY, encoder=word_encoder)) == set()
    assert word_encoder.asked


@pytest.mark.parametrize(
    ("query", "events"),
    [
        ("posts", {"p1", "p2", "p3"}),
        ("posts I wrote", {"p1", "p3"}),
        ("posts that I published", {"p1", "p3"}),
        ("posts I put up", {"p1", "p3"}),
        ("tweets I posted", {"p1", "p3"}),
        ("my posts", {"p1", "p3"}),
        ("boosts", {"p2"}),
        ("posts I boosted", {"p2"}),
        ("notes I wrote", {"n1", "n2"}),
        ("notes I jotted down", {"n1", "n2"}),
    ],
)
def test_authoring_verbs_go_with_the_class_and_leave_out_the_work_of_others(diary, query, events):
    assert found(query, diary) == events


def test_posts_are_not_lost_where_nothing_says_whose_they_are(context_of):
    context = context_of(DIARY.replace('"Tea" ; ev:boost false', '"Tea"'))
    assert "p3" in found("posts I wrote", context)


@pytest.mark.parametrize(
    ("query", "events"),
    [
        ("songs with love in the title", {"s1", "s2"}),
        ("songs with the word love in their title", {"s1", "s2"}),
        ("songs whose title contains love", {"s1", "s2"}),
        ("series with love in the title", {"t1"}),
        ("episodes with love in the title", {"t2"}),
        ("notes with rowing in the title", {"n1"}),
        ("songs with thunder in the title", set()),
    ],
)
def test_words_in_a_title(diary, query, events):
    assert found(query, diary) == events
