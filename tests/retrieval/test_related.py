"""What is related: texts and paths rank, equals by time, and nothing is ranked that says nothing."""

from datetime import datetime, timedelta

import numpy as np
import pytest

from reqap_kg.ontology.namespaces import EV, RDF_TYPE, XSD
from reqap_kg.retrieval.neighbourhood.related import Surroundings, rank_related
from reqap_kg.retrieval.neighbourhood.texts import Said
from reqap_kg.retrieval.neighbourhood.walking import Rule, Walker
from reqap_kg.store.event_kinds import EventKinds
from reqap_kg.store.index.columns import columns_of
from reqap_kg.store.rdf import Literal, NamedNode
from reqap_kg.store.vocabulary import packaged_vocabulary

BEGIN = datetime(2024, 5, 1, 12)
WORDS = ("run", "wine", "mail", "rain")


def encode(texts):
    """A vector of the words that a text has."""
    rows = np.array([[float(word in text) for word in WORDS] + [0.01] for text in texts], dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Adding:
    """Adds each category's mean to the query, and reaches as far as told."""

    def __init__(self, reach):
        self.reach = reach

    def join(self, query, around):
        joined = query + sum(values.mean(0) for _, values in around)
        return joined / np.linalg.norm(joined), np.full(len(around), self.reach, dtype=np.float32)


def store(*events):
    """Surroundings of events, each (name, days after the beginning or None, text)."""

    def described():
        for name, days, text in events:
            said: list = [(RDF_TYPE, NamedNode(EV + "Note"))]
            if days is not None:
                at = BEGIN + timedelta(days=days)
                said.append((EV + "start", Literal(at.isoformat(), datatype=NamedNode(XSD + "dateTime"))))
                said.append((EV + "day", Literal(at.date().isoformat(), datatype=NamedNode(XSD + "date"))))
            yield name, [*said, ("urn:text", Literal(text))]

    vocabulary = packaged_vocabulary()
    walker = Walker(columns_of(described(), EventKinds(vocabulary, frozenset())), vocabulary)
    said = {name: Said(text.split()[0] if text else "", text) for name, _, text in events if text}
    return Surroundings(walker, said)


def ranked(surroundings, iri, joins=None, rule=Rule.PAPER, top=10):
    among = surroundings.walker.columns.iris
    return rank_related(iri, among, surroundings, encode, joins, rule, top)


def test_by_words_alone_the_nearest_words_come_first():
    here = store(("urn:me", 0, "run"), ("urn:a", 90, "run rain"), ("urn:b", 200, "wine"))
    found, around = ranked(here, "urn:me")
    assert [one.iri for one in found] == ["urn:a", "urn:b"]
    assert not around


def test_what_a_path_leads_to_gains_by_its_reach():
    here = store(("urn:me", 0, "run"), ("urn:words", 90, "run again"), ("urn:day", 0, "wine"))
    first, _ = ranked(here, "urn:me", Adding(0.9))
    assert first[0].iri == "urn:day"
    assert first[0].paths == ("same day · note",)
    assert ranked(here, "urn:me", Adding(-0.9))[0][0].iri == "urn:words"


def test_a_neighbourhood_gives_the_query_words_that_it_lacks():
    here = store(("urn:me", 0, "mail"), ("urn:day", 0, "wine rain"), ("urn:far", 90, "wine"), ("urn:other", 90, "run"))
    assert [one.iri for one in ranked(here, "urn:me", Adding(0.0))[0]][1] == "urn:far"


def test_of_equals_the_nearest_in_time_is_the_one_that_is_shown():
    here = store(("urn:me", 0, "run"), ("urn:late", 90, "wine"), ("urn:soon", 20, "wine"), ("urn:never", None, "wine"))
    assert [one.iri for one in ranked(here, "urn:me")[0]] == ["urn:soon"]


def test_what_says_nothing_is_not_related():
    here = store(("urn:me", 0, "run"), ("urn:mute", 0, ""))
    found, around = ranked(here, "urn:me", Adding(0.5))
    assert found == ()
    assert around == ()


def test_of_an_event_without_words_what_it_is_is_looked_for():
    here = store(("urn:me", 0, ""), ("urn:day", 0, "wine"), ("urn:far", 90, "run"))
    assert here.words_of("urn:me") == "note"
    assert ranked(here, "urn:me", Adding(0.9))[0][0].iri == "urn:day"


@pytest.mark.parametrize(("rule", "text"), [(Rule.STRICT, "wine"), (Rule.PAPER, "wine rain")])
def test_of_what_has_no_time_the_strict_rule_knows_the_name_alone(rule, text):
    vocabulary = packaged_vocabulary()
    described = [
        ("urn:me", [(RDF_TYPE, NamedNode(EV + "Note")), ("urn:by", NamedNode("urn:ada"))]),
        ("urn:ada", [(RDF_TYPE, NamedNode(EV + "Person"))]),
    ]
    walker = Walker(columns_of(described, EventKinds(vocabulary, frozenset())), vocabulary)
    here = Surroundings(walker, {"urn:ada": Said("wine", "wine rain"), "urn:me": Said("me", "me")})
    (category,) = here.around("urn:me", rule)
    assert category.texts == (text,)
