"""De-duplication: which hits are one happening, what stands for it, when it was, and whose values it has."""

from dataclasses import replace
from datetime import datetime

import pytest

from reqap_kg.execution.context import Tables
from reqap_kg.execution.derivations.derive import Hit, list_derivations, write_hits
from reqap_kg.execution.run import run
from reqap_kg.extraction.coreference.links import (
    NO_LINKS,
    Linked,
    MentionSource,
    entries_of,
    find_links,
    parted,
    store_links,
    with_entries,
)
from reqap_kg.extraction.coreference.merged_values import of_coreferents, standing_for
from reqap_kg.extraction.extract import Unresolved, resolve_attribute
from reqap_kg.extraction.page import Found
from reqap_kg.models.coreference.model import Link
from reqap_kg.ontology.namespaces import EV
from reqap_kg.operators.nodes import AttributeType
from reqap_kg.operators.resolution import AttributeMatch, DerivedMatch, Resolution
from reqap_kg.operators.syntax.text import read_tree
from reqap_kg.retrieval.occurrences import Occurrence, join_occurrences, occurrences, with_others
from reqap_kg.store.rdf import Literal, NamedNode, Quad, Triple

from .conftest import make_context

NOW = datetime(2025, 1, 1, 12)
WORKOUT, CALENDAR, MAIL = EV + "Workout", "calendar", "mail"


def linked(*pairs: tuple[str, str, float], **kinds: tuple[int, str]) -> Linked:
    """Links between events; their kinds by event."""
    links = tuple(Link(one, other, score) for one, other, score in pairs)
    named = {event for one, other, _ in pairs for event in (one, other)}
    mention_sources = {event: MentionSource(*kinds.get(event, (2, MAIL)), start=event) for event in named}
    return Linked(links, mention_sources)


class TestParts:
    """`parted`: events by happening."""

    def test_events_without_links_are_happenings_of_their_own(self):
        assert parted(["b", "a"], Linked()) == (("b",), ("a",))

    def test_the_record_stands_for_its_happening_then_the_calendar_entry_then_the_earliest_text(self):
        told = linked(
            ("m1", "c", 0.9), ("c", "w", 0.9), ("m2", "w", 0.8), c=(1, CALENDAR), w=(0, WORKOUT)
        )  # fmt: skip
        assert parted(["m2", "m1", "c", "w"], told) == (("w", "c", "m1", "m2"),)
        assert parted(["m2", "m1", "c"], told) == (("c", "m1", "m2"),)
        assert parted(["m2", "m1"], told) == (("m1", "m2"),)

    def test_a_text_of_two_happenings_joins_the_surer_one_and_does_not_make_them_one(self):
        told = linked(("c1", "m", 0.7), ("c2", "m", 0.9), c1=(1, CALENDAR), c2=(1, CALENDAR))
        assert parted(["c1", "c2", "m"], told) == (("c1",), ("c2", "m"))

    def test_of_two_happenings_the_one_that_was_found_counts(self):
        told = linked(("c1", "m", 0.7), ("c2", "m", 0.9), c1=(1, CALENDAR), c2=(1, CALENDAR))
        assert parted(["c1", "m"], told) == (("c1", "m"),)

    def test_two_records_of_a_class_stay_apart_and_those_of_two_exports_do_not(self):
        kinds = {"w1": (0, WORKOUT), "w2": (0, WORKOUT)}
        assert len(parted(["w1", "w2", "m"], linked(("w1", "m", 0.9), ("w2", "m", 0.9), **kinds))) == 2
        assert parted(["w1", "w2"], linked(("w1", "w2", 1.0), **kinds)) == (("w1", "w2"),)

    def test_it_does_not_depend_on_the_order_of_links(self):
        pairs = [("c", "m1", 0.9), ("m1", "m2", 0.8), ("w", "c", 0.7)]
        kinds = {"c": (1, CALENDAR), "w": (0, WORKOUT)}
        events = ["w", "c", "m1", "m2"]
        assert parted(events, linked(*pairs, **kinds)) == parted(events, linked(*reversed(pairs), **kinds))


LIFE = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix d: <https://w3id.org/reqap-kg/data/t/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix g: <https://w3id.org/reqap-kg/graph/source/> .
g:life a ev:Source .
d:me a ev:Person ; foaf:name "Tove Lind" ; ev:ownerOf d:pal .
d:pal a ev:Person ; foaf:name "Otto Berg" ; ev:relation "friend" .
d:run a ev:Workout ; ev:workoutType "running" ; ev:distance 8.4 ;
  ev:start "2024-03-02T07:04:00"^^xsd:dateTime ; ev:end "2024-03-02T07:55:00"^^xsd:dateTime .
d:entry a ev:CalendarEntry ; ev:title "Running with Otto" ; ev:location "Hagapark" ; ev:participant "Otto Berg" ;
  ev:start "2024-03-02T07:00:00"^^xsd:dateTime ; ev:end "2024-03-02T08:00:00"^^xsd:dateTime .
d:later a ev:CalendarEntry ; ev:title "Running with Otto" ; ev:location "Hagapark" ;
  ev:start "2024-03-09T07:00:00"^^xsd:dateTime ; ev:end "2024-03-09T08:00:00"^^xsd:dateTime .
d:order a ev:Purchase ; ev:product "Trail shoes Lynx 4" ; ev:shop "Sporta" ; ev:price 129.5 ; ev:currency "EUR" ;
  ev:start "2024-03-05T20:10:00"^^xsd:dateTime ; ev:end "2024-03-05T20:10:00"^^xsd:dateTime .
d:receipt a ev:Mail ; ev:subject "Your order at Sporta" ; ev:sender "Sporta" ; ev:recipient "Tove Lind" ;
  ev:text "Thank you for your order. 1 x Trail shoes Lynx 4. Total: €129.50" ;
  ev:start "2024-03-05T20:12:00"^^xsd:dateTime .
d:offer a ev:Mail ; ev:subject "Running sale" ; ev:sender "Sporta" ; ev:recipient "Tove Lind" ;
  ev:text "Running shoes up to 40% off until Sunday, from €59." ; ev:start "2024-03-06T08:00:00"^^xsd:dateTime .
d:post a ev:SocialPost ; ev:text "Yesterday I swam across the whole lake." ;
  ev:start "2024-06-11T21:00:00"^^xsd:dateTime .
"""
EVENTS = ("run", "entry", "later", "order", "receipt", "offer", "post")


def iri(name: str) -> str:
    return f"https://w3id.org/reqap-kg/data/t/{name}"


@pytest.fixture
def context():
    return make_context(LIFE)


def retrieved(context, *names: str) -> DerivedMatch:
    """A RETRIEVE that found events."""
    step = context.step("RETRIEVE", "what I did", "words", "words")
    write_hits(context.graph, step, [Hit(iri(name), 0.9 - n / 100) for n, name in enumerate(names)], ended=context.now)
    return DerivedMatch(step.activity)


def joined(context, *names: str) -> DerivedMatch:
    """The match of events whose happenings are one."""
    return join_occurrences(retrieved(context, *names).activity, context)


def rows(tree: str, match: DerivedMatch, context, **attributes: AttributeMatch):
    held = tuple((("what I did", name), found) for name, found in attributes.items())
    resolution = Resolution((("what I did", match),), held)
    return run(read_tree(tree).node, graph=context.graph, resolution=resolution, now=NOW)


def test_a_workout_joins_its_calendar_entry_and_a_receipt_its_purchase(context):
    told = occurrences(map(iri, EVENTS), context)
    assert Occurrence(iri("run"), (iri("entry"),)) in told
    assert Occurrence(iri("order"), (iri("receipt"),)) in told
    assert {one.event for one in told if not one.others} == {iri("later"), iri("offer"), iri("post")}


def test_links_are_kept_beside_the_index_and_read_again(context, tmp_path):
    kept = replace(context, index_folder=tmp_path)
    first = store_links(kept)
    again = store_links(replace(kept, known=Tables()))
    assert again.links == first.links
    assert again.mention_sources == first.mention_sources
    (tmp_path / "occurrences.json").write_text("{", encoding="utf-8")
    assert store_links(replace(kept, known=Tables())).links == first.links


def test_another_state_of_the_store_has_links_of_its_own(context, tmp_path):
    kept = replace(context, index_folder=tmp_path)
    store_links(kept)
    without = make_context(LIFE.replace("d:run a ev:Workout", "d:run a ev:Event"), generation="gen-000002")
    changed = replace(without, index_folder=tmp_path)
    assert iri("run") not in store_links(changed).by_event
    assert store_links(changed).links == find_links(changed.graph, changed.vocabulary, changed.lexicon).links


def test_a_happening_is_one_row_and_keeps_its_hits(context):
    match = joined(context, "entry", "run", "later")
    assert isinstance(match, DerivedMatch)
    assert rows('APPLY(l=RETRIEVE(query="what I did"), fct=len)', match, context).answer == (2,)
    assert standing_for(match, context.graph) == {iri("entry"): iri("run")}
    assert with_others([iri("run")], [match], context.graph) == (iri("run"), iri("entry"))


def test_the_same_again_reads_the_derivation(context):
    own = retrieved(context, "entry", "run")
    first = join_occurrences(own.activity, context)
    made = [found.graph for found in list_derivations(context.graph)]
    assert join_occurrences(own.activity, context) == first
    assert [found.graph for found in list_derivations(context.graph)] == made


def test_links_besides_leave_what_was_joined_without_them(context):
    own = retrieved(context, "entry", "run", "later")
    first = join_occurrences(own.activity, context)
    join_occurrences(own.activity, context, NO_LINKS)
    assert first.happenings in [found.graph for found in list_derivations(context.graph)]
    assert rows('APPLY(l=RETRIEVE(query="what I did"), fct=len)', first, context).answer == (2,)


def test_a_search_with_nothing_to_join_keeps_its_own_derivation(context):
    own = retrieved(context, "run", "later", "order")
    assert join_occurrences(own.activity, context) == own


def test_what_stands_for_a_happening_has_the_values_of_the_others(context):
    match = joined(context, "run", "entry", "later")
    place = of_coreferents(match, AttributeMatch((EV + "location",)), context)
    found = rows('EXTRACT(l=RETRIEVE(query="what I did"), attr_names=["place"], attr_types=[str])', match, context,
                 place=place)  # fmt: skip
    assert [row[-1] for row in found.rows] == ["Hagapark", "Hagapark"]
    people = of_coreferents(match, AttributeMatch((EV + "participant",), multiple=True), context)
    assert len(people.properties) == 2
    distance = AttributeMatch((EV + "distance",))
    assert of_coreferents(match, distance, context) == distance, "nothing is lacking that another has"


def test_an_attribute_of_any_of_the_events_can_be_asked_for(context):
    match = joined(context, "run", "entry")
    outcome = resolve_attribute("what I did", match, "location", AttributeType.STR, context)
    assert not isinstance(outcome, Unresolved)
    assert outcome.match.properties[0] == EV + "location"


def test_a_text_happened_when_it_says_not_when_it_was_written(context):
    match = joined(context, "post", "run")
    assert match.moved
    found = rows(
        'EXTRACT(l=RETRIEVE(query="what I did"), attr_names=["start_date"], attr_types=[date])', match, context
    )
    assert [str(row[-1]) for row in found.rows] == ["2024-03-02", "2024-06-10"]
    asked = resolve_attribute("what I did", match, "date", AttributeType.DATE, context)
    assert not isinstance(asked, Unresolved)
    assert asked.match.properties == (f"{match.happenings}#start",)


def test_a_text_whose_time_of_day_nobody_says_has_none(context):
    match = joined(context, "post", "run")
    tree = 'EXTRACT(l=RETRIEVE(query="what I did"), attr_names=["start_time"], attr_types=[time])'
    assert [str(row[-1]) for row in rows(tree, match, context).rows] == ["07:04:00", "None"]


def test_who_took_part_is_told_by_all_that_tells_of_a_happening(context):
    match = joined(context, "run", "entry", "later")
    first = standing_for(match, context.graph)
    held = sorted(first)[0]
    prop = f"{match.happenings}#people"
    texts = [
        Triple(NamedNode(event), NamedNode(prop), Literal(name)) for event, name in ((first[held], "Bo"), (held, "Cy"))
    ]
    context.graph.add(Quad(t.subject, t.predicate, t.object, NamedNode("urn:read")) for t in texts)
    people = of_coreferents(match, AttributeMatch((prop,), multiple=True), context)
    rows = context.graph.select(
        f"SELECT ?v {{ {NamedNode(first[held])} {NamedNode(people.properties[0])} ?v }} ORDER BY ?v"
    )
    assert [value.value for (value,) in rows] == ["Bo", "Cy"]


def test_who_was_there_is_told_by_the_entry_that_a_text_speaks_of():
    links = linked(
        ("post", "concert", 0.9), ("post", "dinner", 0.7), ("mail", "dinner", 0.4), ("note", "run", 0.9),
        concert=(1, CALENDAR), dinner=(1, CALENDAR), run=(0, WORKOUT),
    )  # fmt: skip
    entries = entries_of(("post", "mail", "note", "concert", "other"), links)
    assert entries == {"post": "concert"}
    leila, me = Found("Leila", 0, 5, 0.9, "Leila"), Found("Ada", 0, 3, 0.8, "Ada")
    joined_values = with_entries({"mail": (me,)}, entries, {"concert": (leila,)})
    assert {event: [one.value for one in values] for event, values in joined_values.items()} == {
        "mail": ["Ada"],
        "post": ["Leila"],
    }
    assert [one.value for one in with_entries({"post": (leila,)}, entries, {"concert": (leila,)})["post"]] == ["Leila"]
