"""Questions that tell events by other events, by company, by what texts say; differences of days and prices."""

from __future__ import annotations

import pytest

from reqap_kg.errors import NotUnderstood
from reqap_kg.operators.nodes import open_questions
from reqap_kg.operators.syntax.text import format_tree


@pytest.fixture
def tree_of(planned):
    def tree(question: str) -> str:
        found = planned(question)
        assert not open_questions(found.tree)
        return format_tree(found.tree)

    return tree


@pytest.mark.parametrize("link", ["while", "during", "when"])
def test_events_during_others_meet_them_in_a_join(tree_of, link):
    found = tree_of(f"How many songs did I listen to {link} running?")
    assert 'l1=RETRIEVE(query="songs I listened to"), l2=RETRIEVE(query="running")' in found
    assert "i2.start_datetime <= i1.start_datetime and i1.start_datetime < i2.end_datetime" in found
    assert found.startswith('APPLY(l=FILTER(l=RETRIEVE(query="songs I listened to"), filter=lambda attr: ')


def test_a_trip_lasts_whole_days(tree_of):
    found = tree_of("How many songs did I listen to during our trip to Rome?")
    assert 'attr["start_date"] in APPLY(l=JOIN(' in found
    assert "i2.start_date <= i1.start_date and i1.start_date <= i2.end_date" in found
    assert 'RETRIEVE(query="I went on a trip")' in found
    assert '"rome" in [' in found


def test_where_i_was_is_a_trip(tree_of):
    assert '"norway" in [' in tree_of("Which movies did I watch while I was in Norway?")


@pytest.mark.parametrize("said", ["on a day I'd played football", "on a day when I played football"])
def test_the_same_day(tree_of, said):
    found = tree_of(f"How often did I eat out {said}?")
    assert 'attr["start_date"] in APPLY(l=RETRIEVE(query="I played football")' in found


def test_after_some_event_means_the_same_day(tree_of):
    found = tree_of("How often did I eat out after a swim?")
    assert "i1.start_date == i2.start_date and i2.start_datetime <= i1.start_datetime" in found


@pytest.mark.parametrize(
    ("said", "moment"),
    [
        ("after my last exam", '> MAX(l=RETRIEVE(query="exam"), attr_name="start_datetime").result'),
        ("before my first exam", '< MIN(l=RETRIEVE(query="exam"), attr_name="start_datetime").result'),
    ],
)
def test_after_one_event_compares_with_its_moment(tree_of, said, moment):
    assert moment in tree_of(f"How many movies did I watch {said}?")


def test_one_event_that_is_several_has_no_moment(tree_of):
    assert ".days <= 31 else None" in tree_of("How many movies did I watch after the exam?")


def test_between_two_events(tree_of):
    found = tree_of("How many movies did I watch between my first exam and my last lesson?")
    assert 'MIN(l=RETRIEVE(query="exam"), attr_name="start_date").result' in found
    assert 'MAX(l=RETRIEVE(query="lesson"), attr_name="start_date").result' in found


def test_what_was_done_is_read_from_the_events(tree_of):
    found = tree_of("How many picnics did I have?")
    assert 'filter=lambda attr: attr["activity"] in ["picnic"]' in found


def test_other_links_are_still_refused(planned):
    with pytest.raises(NotUnderstood):
        planned("How many songs did I listen to unless I ran?")
