"""What is counted of a store, and that a plain pattern is promised only where it holds once for each event."""

from __future__ import annotations

from pathlib import Path

import counted_statistics
import pytest

from reqap_kg.ontology.namespaces import DERIVED, EV, XSD
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.index.graph_facts import Distinct, estimate, joined
from reqap_kg.store.index.index import open_index
from reqap_kg.store.index.statistics import Statistics
from reqap_kg.store.rdf import parse_nquads
from reqap_kg.store.vocabulary import packaged_vocabulary

E = "https://w3id.org/reqap-kg/data/x/"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def graph(*lines: str) -> MemoryGraph:
    """Quads from `subject property value graph` with short names; a value in quotes is a literal."""
    quads = []
    for line in lines:
        subject, prop, value, name = line.split()
        value = value if value.startswith('"') else f"<{EV}{value}>"
        prop = TYPE if prop == "a" else prop if prop.startswith("http") else EV + prop
        quads.append(
            f"<{E}{subject}> <{prop}> {value.replace('^^', '^^<' + XSD) + '>' * ('^^' in value)} <urn:{name}> ."
        )
    return MemoryGraph(parse_nquads("\n".join(quads)))


def gather(held: MemoryGraph) -> Statistics:
    with open_index(None, held, packaged_vocabulary(), generation="1") as index:
        return index.statistics


def test_a_property_with_one_triple_for_each_subject_is_single() -> None:
    found = gather(graph('1 title "a" one', '2 title "a" one', '3 title "b" two')).properties[EV + "title"]
    assert (found.triples, found.distinct, found.subjects, found.values) == (3, 3, 3, 2)
    assert (found.functional, found.repeated, found.single) == (True, False, True)


def test_the_same_triple_in_two_graphs_is_functional_but_not_single() -> None:
    found = gather(graph('1 title "a" one', '1 title "a" two', '2 title "b" one')).properties[EV + "title"]
    assert (found.functional, found.repeated) == (True, True)
    assert not found.single


def test_two_values_of_one_subject_in_two_graphs_are_not_functional() -> None:
    found = gather(graph('1 title "a" one', '1 title "b" two', '2 title "b" one')).properties[EV + "title"]
    assert (found.functional, found.repeated, found.single) == (False, False, False)


def test_as_many_triples_as_subjects_is_only_single_where_each_has_one() -> None:
    # Two values of one subject cannot be made up for by another subject that has none: it is no subject then.
    found = gather(graph('1 title "a" one', '1 title "b" one', '2 kind "x" one')).properties[EV + "title"]
    assert (found.triples, found.subjects) == (2, 1)
    assert not found.single


def test_datatypes_and_the_form_of_moments_are_told() -> None:
    known = gather(
        graph(
            '1 start "2024-01-01T10:00:00"^^dateTime one',
            '2 start "2024-01-01T10:00:00"^^dateTime one',
            '1 end "2024-01-01T10:00:00Z"^^dateTime one',
            '1 mixed "1"^^integer one',
            '2 mixed "x" one',
            "3 mixed Thing one",
        )
    ).properties
    assert known[EV + "start"].datatypes == {XSD + "dateTime"}
    assert not known[EV + "start"].irregular
    assert known[EV + "end"].irregular
    assert known[EV + "mixed"].datatypes == {XSD + "integer", XSD + "string", ""}


@pytest.mark.parametrize(
    "moment", ["2024-01-01T10:00:00.5", "2024-01-01T10:00:00+01:00", "-2024-01-01T10:00:00", "12024-01-01T10:00:00"]
)
def test_any_moment_in_another_form_makes_a_property_irregular(moment: str) -> None:
    plain = '2 start "2024-01-01T10:00:00"^^dateTime one'
    assert gather(graph(f'1 start "{moment}"^^dateTime one', plain)).properties[EV + "start"].irregular


@pytest.mark.parametrize(
    "value",
    ['"long"^^decimal', '"1,5"^^decimal', '"x"^^integer', '"yes"^^boolean', '"2024-1-1"^^date', '"10:00"^^time'],
)
def test_a_value_that_its_datatype_does_not_have_makes_a_property_irregular(value: str) -> None:
    datatype = value.partition("^^")[2]
    good = {"decimal": "1.5", "integer": "1", "boolean": "true", "date": "2024-01-01", "time": "10:00:00"}[datatype]
    held = gather(graph(f"1 odd {value} one", f'2 odd "{good}"^^{datatype} one', f'2 even "{good}"^^{datatype} one'))
    assert held.properties[EV + "odd"].irregular
    assert not held.properties[EV + "even"].irregular


def test_classes_are_counted_and_those_with_an_event_in_common_are_known() -> None:
    known = gather(
        graph(
            "1 a Song one", "1 a Song two", "2 a Song one", "3 a Film one", "3 a Play one", '3 timePrecision "day" one'
        )
    )
    assert (known.classes[EV + "Song"].events, known.classes[EV + "Song"].repeated) == (2, True)
    assert (known.classes[EV + "Film"].events, known.classes[EV + "Film"].untimed) == (1, 1)
    assert known.disjoint((EV + "Song", EV + "Film"))
    assert not known.disjoint((EV + "Play", EV + "Song", EV + "Film"))
    assert known.events == 2


def test_what_derivations_say_is_not_counted() -> None:
    known = gather(graph("1 a Song one", f'1 {DERIVED}abc#value "1" derived'))
    assert set(known.properties) == {TYPE}
    assert set(known.classes[EV + "Song"].properties) == {TYPE}


def test_an_empty_graph_has_no_statistics() -> None:
    assert gather(MemoryGraph()) == Statistics({}, {}, frozenset())


def test_counts_made_while_reading_are_those_that_queries_give() -> None:
    known = graph(
        "1 a Song one",
        "1 a Song two",
        "1 a Play two",
        "2 a Song one",
        "3 a Film three",
        '1 title "a" one',
        '1 title "a" two',
        '1 title "b" two',
        "2 title Thing one",
        '3 timePrecision "day" three',
        '3 start "2024-01-01T10:00:00"^^dateTime three',
        '3 day "2024-01-01"^^date three',
        '3 day "2024-01-02"^^date three',
        '3 number "1"^^integer three',
    )
    assert gather(known) == counted_statistics.gather(known)


def test_they_outlast_the_process(tmp_path: Path) -> None:
    held = graph("1 a Song one", '1 title "a" one', "1 a Play one")
    vocabulary = packaged_vocabulary()
    with open_index(tmp_path, held, vocabulary, generation="1") as index:
        first = index.statistics
    with open_index(tmp_path, MemoryGraph(), vocabulary, generation="1") as index:
        assert index.statistics == first == gather(held)
    with open_index(tmp_path, MemoryGraph(), vocabulary, generation="2") as index:
        assert index.statistics == Statistics({}, {}, frozenset())


def test_many_distinct_values_are_estimated() -> None:
    counted = Distinct()
    for number in range(60_000):
        counted.add(str(number))
        counted.add(str(number // 2))
    assert abs(estimate(counted.hashes()) / 60_000 - 1) < 0.05
    other = Distinct()
    for number in range(40_000, 80_000):
        other.add(str(number))
    assert abs(estimate(joined([counted.hashes(), other.hashes()])) / 80_000 - 1) < 0.05


def test_few_distinct_values_are_counted_exactly() -> None:
    counted = Distinct()
    for number in range(20_000):
        counted.add(str(number % 15_000))
    assert estimate(counted.hashes()) == 15_000
