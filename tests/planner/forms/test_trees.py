"""Forms as operator trees: every operator gives a tree that the algebra's reader takes."""

from __future__ import annotations

from datetime import date

import pytest

from reqap_kg.errors import NotUnderstood
from reqap_kg.operators.nodes import open_questions
from reqap_kg.operators.syntax.text import format_tree, parse_tree
from reqap_kg.planner.forms.leaves import Leaves, place_of, small_number
from reqap_kg.planner.forms.lowering import Lowered, Lowering
from reqap_kg.planner.forms.of_events import LISTS_OF_EVENTS
from reqap_kg.planner.forms.trees import LOWERINGS
from reqap_kg.training.forms import parse_form

AMOUNTS = {"distance", "price", "duration"}


def lowering(*, apart: bool = False, by_day: bool = False) -> Lowering:
    return Lowering(
        LOWERINGS,
        LISTS_OF_EVENTS,
        Leaves(AMOUNTS.__contains__, apart),
        lambda words: date(2024, 5, 1),
        lambda words: date(1990, 1, 1),
        lambda words: {"miles": "mi"}.get(words),
        by_day,
    )


def lowered(text: str, *, apart: bool = False, by_day: bool = False) -> Lowered:
    return lowering(apart=apart, by_day=by_day).lowered(parse_form(text))


FORMS = [
    'events("runs")',
    'count(events("runs", time="in May", participant="Ann"))',
    'exists(events("runs", distance>"10 km"))',
    'get(location, last(events("dinners")))',
    'get(date, first(events("dinners")))',
    'get(shop, highest(events("purchases"), price))',
    'get(participant, events("dinners"))',
    'distinct(artist, events("songs"))',
    *(f'{fold}(distance, events("runs"))' for fold in ("sum", "avg", "median", "max", "min")),
    'most(artist, count(events("songs")))',
    'least(city, sum(distance, events("runs")), "3")',
    'each(month, count(events("runs")))',
    'having(artist, count(events("songs")), >="50")',
    'count_having(shop, sum(price, events("purchases")), >"100 euros")',
    *(f'{fold}_each(week, count(events("runs")))' for fold in ("avg", "median", "max", "min")),
    'without(month, events("runs"))',
    'more(count(events("runs")), count(events("swims")))',
    'over(sum(distance, events("runs")), >"100 km")',
    'pick("tea", count(events("tea")), "coffee", count(events("coffee")))',
    *(
        f'{way}(count(events("runs")), count(events("swims")))'
        for way in ("plus", "minus", "ratio", "percent", "growth")
    ),
    'days_between(get(date, first(events("runs"))), get(date, last(events("swims"))))',
    'days_between(get(date, last(events("runs"))), now())',
    'days_between(date("my wedding"), get(date, first(events("runs"))))',
    'age("I", get(date, first(events("runs"))))',
    'gap(events("runs"))',
    'streak(day, events("runs"))',
    'unit("miles", sum(distance, events("runs")))',
    *(
        f'count({way}(events("songs"), events("runs")))'
        for way in ("during", "not_during", "same_day", "not_same_day", "next_day", "previous_day")
    ),
    'count(same(city, events("runs"), events("trips")))',
    'count(not_same(artist, events("songs"), events("songs", time="in 2023")))',
    'count(after(events("coffee"), events("runs"), "two hours"))',
    'count(before(events("coffee"), events("runs"), "a week"))',
    *(
        f'count({way}(events("a"), events("b")))'
        for way in ("after_first", "after_last", "before_first", "before_last")
    ),
    'count(last(events("runs"), "3", distance>"5 km"))',
    'get(artist, nth(events("songs"), "second"))',
]


@pytest.mark.parametrize("text", FORMS)
@pytest.mark.parametrize("by_day", [False, True])
@pytest.mark.parametrize("apart", [False, True])
def test_forms_become_trees_with_open_leaves(text: str, apart: bool, by_day: bool) -> None:
    tree = lowered(text, apart=apart, by_day=by_day).tree
    assert list(open_questions(tree))
    assert parse_tree(format_tree(tree)) == tree


def leaf(text: str, *, apart: bool = False) -> str:
    return next(iter(open_questions(lowered(text, apart=apart).tree)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('count(events("runs", time="in May", participant="Ann"))', "runs with Ann, in May"),
        ('count(events("runs", participant!="Ann"))', "runs"),
        ('count(events("runs", time!="in May"))', "runs"),
        ('count(events("runs", distance>="ten miles"))', "runs, at least 10 miles"),
        ('count(events("mails", sender="Bo", recipient="Ann"))', "mails to Ann from Bo"),
        ('count(events("songs by ABBA", artist="ABBA"))', "songs by ABBA"),
        ('count(events("viewings", movie_title="Alien"))', "Alien viewings"),
    ],
)
def test_a_leaf_says_who_when_and_where(text: str, said: str) -> None:
    assert leaf(text) == said


def test_what_is_left_out_are_those_that_the_condition_holds_for() -> None:
    tree = lowered('count(events("runs", participant!="Ann", time!="in May"))').tree
    assert list(open_questions(tree)) == ["runs", "runs with Ann", "runs, in May"]


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("second", 2),
        ("3rd", 3),
        ("second last", -2),
        ("last but two", -3),
        ("penultimate", -2),
        ("last", -1),
        ("some", None),
    ],
)
def test_places_in_a_row(words: str, place: int | None) -> None:
    assert place_of(words) == place


@pytest.mark.parametrize(("way", "sign"), [("pick", ">"), ("pick_less", "<")])
def test_of_two_that_are_equal_neither_is_picked(way: str, sign: str) -> None:
    text = format_tree(lowered(f'{way}("tea", count(events("tea")), "coffee", count(events("coffee")))').tree)
    other = 'APPLY(l=QUD("coffee"), fct=len).result'
    assert f'"tea" if value {sign} {other} else "coffee" if {other} {sign} value else None' in text


def test_named_things_can_be_conditions_of_their_own() -> None:
    text = 'count(events("purchases", shop="Lidl", time="in May"))'
    assert leaf(text) == "purchases from Lidl, in May"
    assert leaf(text, apart=True) == "purchases, in May"
    assert '"lidl" in attr["shop"].lower()' in format_tree(lowered(text, apart=True).tree)


def test_what_words_say_is_no_part_of_the_tree() -> None:
    bad = 'x\\"), filter=lambda attr: True) '
    assert leaf(f'count(events("{bad.replace(chr(34), chr(39))}"))').startswith("x")


@pytest.mark.parametrize(
    "text",
    ['none("why")', "both(now(), now())", 'count(last(events("runs"), "several"))', 'streak(month, events("runs"))'],
)
def test_what_has_no_tree_is_not_understood(text: str) -> None:
    with pytest.raises(NotUnderstood):
        lowered(text)


@pytest.mark.parametrize(("words", "number"), [("3", 3), ("three", 3), ("third", 3), ("21st", 21), ("several", None)])
def test_small_numbers(words: str, number: int | None) -> None:
    assert small_number(words) == number


def test_the_type_and_unit_of_the_answer() -> None:
    assert lowered('get(date, last(events("runs")))').type == "date"
    assert lowered('sum(duration, events("runs"))').type == "duration"
    assert lowered('unit("miles", sum(distance, events("runs")))').unit == "mi"
    assert lowered('most(weekday, count(events("runs")))').type == "weekday"
