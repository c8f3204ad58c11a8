"""Kinds of data that a life does not have are declined with the reason, but not where a source or text has them."""

import pytest

from reqap_kg.errors import Declined
from reqap_kg.planner.search.plan import investigate
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import parse_turtle

from .conftest import LIFE, NOW

PREFIXES = "\n".join(line for line in LIFE.splitlines() if line.startswith("@prefix"))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many steps did I take last week?", "steps"),
        ("on which day was my step count highest", "steps"),
        ("How long did I sleep on average in May?", "sleep"),
        ("average sleep duration this year", "sleep"),
        ("what was my blood pressure yesterday", "blood pressure"),
        ("how much do i weigh", "weight"),
        ("how many video games have I played", "video games"),
        ("How many books did I read in 2024?", "books"),
        ("what novel did I finish last", "books"),
        ("How many phone calls did I get in March?", "phone calls"),
        ("Did I get a whatsapp message from Tom?", "messages"),
        ("how much rent did we pay last year", "rent"),
        ("my highest electricity bill", "bills"),
        ("what's my bank balance", "bank"),
        ("How much tax did I pay in 2023?", "taxes"),
        ("how many flights did i take", "flights"),
        ("How many kilometres did I drive in 2022?", "car"),
        ("how many photos did I take in Porto", "photos"),
        ("what did I dream about most often", "dreams"),
        ("When did I last vote?", "elections"),
        ("How many cigarettes did I smoke?", "smoking"),
        ("How many cups of coffee do I drink per day?", "drunk"),
        ("how much did I donate in 2020", "donations"),
        ("what's the weather like", "weather"),
    ],
)
def test_a_kind_of_data_that_is_not_there_is_told(planned, question, kind):
    with pytest.raises(Declined, match=f"nothing in the data tells of .*{kind}") as caught:
        planned(question)
    assert caught.value.words[0] in question


@pytest.mark.parametrize(
    "question",
    [
        "How many books did I buy?",
        "How much did I spend on video games?",
        "How many pillows for sleep did I buy?",
        "How often did I listen to songs by Steps?",
        "How many mails about taxes did I get?",
        "How often did I play the song Dreams?",
        "How many notes about the weather did I write?",
        "How many songs did I listen to while running?",
        "What was my highest heart rate?",
        "How many calories did I burn?",
    ],
)
def test_what_is_bought_heard_and_written_of_it_is_asked_for_as_such(planned, question):
    assert planned(question).tree is not None


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        ("How many whatsapp messages did I get?", 'data:x a ev:ChatMessage ; ev:text "hi" .'),
        ("How many steps did I take?", "data:x key:steps 8000 ."),
        ("How often did I vote?", 'data:x ev:text "This morning we voted, then had pancakes." .'),
        ("How many flights did I take?", 'data:x ev:title "Flight to Porto" .'),
        ("How many hours did I sleep?", 'data:x ev:text "Slept badly, 5 hours of sleep at most" .'),
        ("When did I take photos of the otters?", 'data:x ev:text "Took so many photos of the otters" .'),
        ("which pictures did I take in May", 'data:x ev:text "Here are some pictures of Rome" .'),
        ("What was the weather like in Oslo?", 'data:x ev:text "The weather in Oslo is awful" .'),
        ("What did I read last month?", 'data:x ev:text "A sunny day" .'),
        ("Which books did I read?", '<urn:Reading> ev:verb "read" . data:x a <urn:Reading> .'),
        ("How many books did I read?", 'data:x ev:text "Finished reading a novel on the train" .'),
    ],
)
def test_where_a_source_or_a_text_has_it_nothing_is_refused(vocabulary, question, facts):
    graph = MemoryGraph(parse_turtle(PREFIXES + facts))
    told = investigate(question, graph=graph, vocabulary=vocabulary, now=NOW)
    assert not isinstance(told.failure, Declined)


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        ("How many photos did I take in May?", 'data:x ev:text "Took so many photos of the otters" .'),
        ("How much salt intake did I have?", 'data:x ev:text "Too much salt intake is bad for you" .'),
    ],
)
def test_what_is_counted_no_text_that_speaks_of_it_holds(vocabulary, question, facts):
    graph = MemoryGraph(parse_turtle(PREFIXES + facts))
    assert isinstance(investigate(question, graph=graph, vocabulary=vocabulary, now=NOW).failure, Declined)
