"""Neighbourhoods of random graphs against a naive walk over their triples; what is later is not known yet."""

from datetime import datetime, timedelta
from random import Random

import pytest

from reqap_kg.ontology.namespaces import EV, RDF_TYPE, XSD
from reqap_kg.retrieval.neighbourhood.walking import FEW, Rule, Walker
from reqap_kg.store.event_kinds import EventKinds
from reqap_kg.store.index.columns import columns_of
from reqap_kg.store.rdf import Literal, NamedNode
from reqap_kg.store.vocabulary import packaged_vocabulary

VOCABULARY = packaged_vocabulary()
LINKS = ("urn:by", "urn:on")
TEXTS = ("urn:place", "urn:who")
BEGIN = datetime(2024, 5, 1)


def moment(value):
    return Literal(value.isoformat(), datatype=NamedNode(XSD + "dateTime"))


def a_graph(seed, size=14):
    """Instances of some days with links and shared texts, as (kind, start, links, texts); a third without a time."""
    dice = Random(seed)
    names = [f"urn:i{number}" for number in range(size)]
    found = {}
    for name in names:
        start = BEGIN + timedelta(hours=dice.randrange(96)) if dice.random() < 0.7 else None
        links = {(prop, dice.choice(names)) for prop in LINKS for _ in range(dice.randrange(3))}
        texts = {(prop, dice.choice(["Rome", "rome", "Ada", "Bo"])) for prop in TEXTS if dice.random() < 0.5}
        found[name] = (dice.choice(["Mail", "Workout"]), start, sorted(links), sorted(texts))
    return found


def described(graph):
    for name, (kind, start, links, texts) in graph.items():
        said = [(RDF_TYPE, NamedNode(EV + kind))]
        if start is not None:
            day = Literal(start.date().isoformat(), datatype=NamedNode(XSD + "date"))
            said += [(EV + "start", moment(start)), (EV + "day", day)]
        said += [(prop, NamedNode(other)) for prop, other in links]
        yield name, said + [(prop, Literal(text)) for prop, text in texts]


def called(prop):
    return prop.rsplit("/", 1)[-1]


def steps(graph, name, along=None):
    label = {"Mail": "mail", "Workout": "workout"}
    for prop, other in graph[name][2]:
        yield prop, called(prop), other
    for other, (kind, _, links, _) in graph.items():
        for prop, target in links:
            if target == name:
                yield prop, label[kind] if prop == along else f"{label[kind]} ({called(prop)})", other


def naive(graph, name, rule):
    """What is around an instance, found by looking at every pair."""
    own = graph[name][1]

    def known(other):
        start = graph[other][1]
        return start is None or own is None or start <= own

    label = {"Mail": "mail", "Workout": "workout"}
    ways = []
    for prop, path, middle in steps(graph, name):
        ways.append((path, (middle,)))
        ways += [(f"{path} · {more}", (middle, other)) for _, more, other in steps(graph, middle, prop)]
    linked = {way[-1] for _, way in ways if rule is Rule.PAPER or all(known(one) for one in way)}
    for other, (kind, start, _, texts) in graph.items():
        for prop, text in graph[name][3]:
            few = sum(t.casefold() == text.casefold() for *_, told in graph.values() for _, t in told) <= FEW
            if few and other not in linked and any(text.casefold() == told.casefold() for _, told in texts):
                ways.append((f"same {called(prop)} · {label[kind]}", (other,)))
        if start is not None and graph[name][1] is not None:
            away = (start.date() - graph[name][1].date()).days
            if away in (-1, 0, 1):
                ways.append((f"{('day before', 'same day', 'day after')[away + 1]} · {label[kind]}", (other,)))
    found = {}
    for path, way in ways:
        if name not in way and (rule is Rule.PAPER or all(map(known, way))):
            found.setdefault(path, set()).add(way[-1])
    return found


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("seed", range(12))
def test_a_neighbourhood_is_that_of_a_naive_walk(seed, rule):
    graph = a_graph(seed)
    columns = columns_of(described(graph), EventKinds(VOCABULARY, frozenset()))
    walker = Walker(columns, VOCABULARY)
    for name in graph:
        found = {
            category.path: {columns.iris[one] for one in category.instances}
            for category in walker.around(columns.numbers[name], rule)
        }
        assert found == naive(graph, name, rule), name


def test_the_latest_of_a_category_come_first_and_no_more_than_asked_for():
    graph = {"urn:me": ("Mail", BEGIN, [], [("urn:who", "Ada")])}
    for number in range(300):
        who = "Ada" if number < 40 else f"stranger {number}"
        graph[f"urn:i{number}"] = ("Mail", BEGIN - timedelta(days=10 + number), [], [("urn:who", who)])
    columns = columns_of(described(graph), EventKinds(VOCABULARY, frozenset()))
    (category,) = Walker(columns, VOCABULARY).around(columns.numbers["urn:me"], most=7)
    assert [columns.iris[one] for one in category.instances] == [f"urn:i{number}" for number in range(7)]


def test_of_a_crowd_the_latest_are_looked_at():
    crowd = 3_000
    graph = {"urn:me": ("Mail", BEGIN, [], []), "urn:ada": ("Workout", None, [], [])}
    graph["urn:me"] = ("Mail", BEGIN, [("urn:by", "urn:ada")], [])
    for number in range(crowd):
        graph[f"urn:i{number}"] = ("Mail", BEGIN - timedelta(days=crowd - number), [("urn:by", "urn:ada")], [])
    columns = columns_of(described(graph), EventKinds(VOCABULARY, frozenset()))
    around = {one.path: one for one in Walker(columns, VOCABULARY).around(columns.numbers["urn:me"], most=3)}
    latest = [columns.iris[one] for one in around["urn:by · mail"].instances]
    assert latest == [f"urn:i{crowd - 1}", f"urn:i{crowd - 2}", f"urn:i{crowd - 3}"]


def test_what_nearly_everything_has_in_common_joins_nothing():
    graph = {f"urn:i{n}": ("Mail", BEGIN - timedelta(days=2 * n), [], [("urn:place", "home")]) for n in range(60)}
    columns = columns_of(described(graph), EventKinds(VOCABULARY, frozenset()))
    assert Walker(columns, VOCABULARY).around(0, Rule.PAPER) == ()


def test_what_is_reached_through_something_later_is_not_known_yet():
    graph = {
        "urn:question": ("Mail", BEGIN, [], []),
        "urn:answer": ("Mail", BEGIN + timedelta(days=5), [("urn:by", "urn:ada"), ("urn:on", "urn:question")], []),
        "urn:ada": ("Workout", None, [], []),
    }
    columns = columns_of(described(graph), EventKinds(VOCABULARY, frozenset()))
    walker, question = Walker(columns, VOCABULARY), columns.numbers["urn:question"]
    assert walker.around(question, Rule.STRICT) == ()
    assert {one.path for one in walker.around(question, Rule.PAPER)} == {"mail (urn:on)", "mail (urn:on) · urn:by"}
