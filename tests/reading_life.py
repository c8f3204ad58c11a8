"""An invented life for reading texts: a profile, and texts as documents or in a graph."""

from __future__ import annotations

from datetime import date, datetime

from reqap_kg.extraction.context import Texts
from reqap_kg.extraction.keys import load_text_keys
from reqap_kg.extraction.life import Life, Span
from reqap_kg.extraction.text_values import read_values
from reqap_kg.operators.nodes import AttributeType
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.ontology_graph import ontology_quads
from reqap_kg.store.rdf import parse_turtle
from reqap_kg.texts.document import Document, TextKind
from reqap_kg.texts.lexicon.lexicon import load_lexicon
from reqap_kg.texts.people.mentions import Person, Profile

LIFE = Life(
    profile=Profile(
        Person("Tove Lind", ("Tove",)),
        (
            Person("Maja Lind", ("Majsan",), "sister"),
            Person("Otto Berg", ("Otto",), "friend"),
            Person("Ravi Menon", ("Ravi",), "friend"),
            Person("Jonas Ek", ("Jonas",), "husband"),
            Person("Ella Ek", ("Ella",), "daughter"),
        ),
    ),
    pets=("Sotis",),
    homes=(Span("flat in Vasastan", "flat in Vasastan", "Stockholm", date(2015, 1, 1)),),
    jobs=(Span("Fjord & Co", "Data Engineer", "Stockholm", date(2019, 1, 7)),),
    remarks={"Ravi Menon": "colleague at Fjord & Co"},
    born={"Otto Berg": date(1990, 5, 4), "Ella Ek": date(2020, 9, 9)},
    days=((date(2016, 8, 20), "wedding anniversary"),),
    towns=frozenset({"Stockholm"}),
    milestones=((date(2019, 1, 7), "new job"),),
)
LOCATIONS = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/r/> .
d:x1 a ev:CalendarEntry ; ev:title "Weekend" ; ev:location "Pensionat Solgläntan, Ystad" .
d:x2 a ev:CalendarEntry ; ev:title "Tea" ; ev:location "Rosa Blå" .
d:w1 a ev:Workout ; ev:workoutType "tag rugby" . d:w2 a ev:Workout ; ev:workoutType "sea swimming" .
d:m1 a ev:MovieStream ; ev:movieTitle "The Blue Kite" .
"""


def entry(title="", body="", location="", when="2024-03-13T19:00:00", **more):
    """A calendar entry of an hour and a half."""
    start = datetime.fromisoformat(when)
    end = datetime.fromisoformat(more.pop("end", when))
    return Document("e:1", TextKind.CALENDAR, title, body, start, location, start=start, end=end, **more)


def mail(title="", body="", sender="Tove Lind", to=("Maja Lind",), when="2024-03-14T10:00:00"):
    """A mail, by the owner where nothing else is said."""
    moment = datetime.fromisoformat(when)
    own = sender == "Tove Lind"
    return Document("e:1", TextKind.MAIL, title, body, moment, sender=sender, recipients=to, by_owner=own)


def post(body, when="2024-03-14T10:00:00"):
    """A post of the owner's."""
    return Document("e:1", TextKind.POST, "", body, datetime.fromisoformat(when))


def texts(life=LIFE, tagger=None, turtle=LOCATIONS):
    """Reading over a small graph."""
    graph = MemoryGraph([*ontology_quads(), *parse_turtle(turtle)])
    lexicon = load_lexicon()
    return Texts(graph, lexicon, life, load_text_keys(graph), tagger)


_TEXTS = texts()


def read(document, key, kind=AttributeType.STR, reading=None):
    """Values and evidence of a key of one document."""
    reading = reading or _TEXTS
    described = reading.keys.called(key)
    assert described is not None, key
    return read_values([document], described, kind, reading).get(document.event, ())


def value(document, key, kind=AttributeType.STR, reading=None):
    """The value: a list of a key of several."""
    found = read(document, key, kind, reading)
    several = kind is AttributeType.LIST
    return [one.value for one in found] if several else next((one.value for one in found), None)
