"""Logical forms as text: read, written, refused with line and column."""

from __future__ import annotations

import pytest

from reqap_kg.operators.forms.grammar import Form, Words, format_form, walk, words_in
from reqap_kg.training.forms import MOST_DEPTH, FormSyntaxError, parse_form

RUNS = Form("events", (Words("runs"),))


def test_conditions_stand_behind_their_events() -> None:
    form = parse_form('count(events("runs", time="in May", distance>"10 km"))')
    inner = Form("where", (RUNS, "time", "=", Words("in May")))
    assert form == Form("count", (Form("where", (inner, "distance", ">", Words("10 km"))),))
    assert list(words_in(form)) == ["runs", "in May", "10 km"]
    assert [one.operator for one in walk(form)] == ["count", "where", "where", "events"]


def test_events_where_a_value_is_wanted_are_shown() -> None:
    assert parse_form('last(events("runs"))') == Form("show", (Form("last", (RUNS, Words("1"))),))


@pytest.mark.parametrize(
    "text",
    [
        'most(artist, count(events("songs")), "3")',
        'most(artist, count(events("songs", artist!="Björk")))',
        'having(shop, sum(price, events("purchases")), >="100")',
        'over(count(during(events("songs"), events("runs"), time="in 2024")), <"5")',
        'days_between(get(date, first(events("runs"))), now())',
        'pick("tea", count(events("tea")), "coffee", count(events("coffee")))',
    ],
)
def test_what_is_written_is_read_back(text: str) -> None:
    assert format_form(parse_form(text)) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('cout(events("runs"))', "line 3, column 1: found cout; expected an operator; did you mean count?"),
        ('count(count(events("runs")))', "column 7: found count; expected events, which count does not give"),
        ('count(events("runs")', "column 21: found the end; expected “)”"),
        ("count(events(runs))", "column 14: found runs; expected words in quotes"),
        ('count(events(""))', 'column 14: found ""; expected words in quotes'),
        ('count(events("runs")) and', "column 23: found and; expected nothing more"),
        ('count(events("runs", time~"May"))', "column 26: found ~; expected a name, words in quotes or a comparison"),
        ('get(events("runs"), date)', "column 5: found events; expected an attribute"),
    ],
)
def test_what_is_no_form_is_refused_where_it_is_wrong(text: str, told: str) -> None:
    with pytest.raises(FormSyntaxError) as bad:
        parse_form(text, line=3)
    assert told in str(bad.value)


def test_forms_are_only_so_deep() -> None:
    with pytest.raises(FormSyntaxError, match="at most"):
        parse_form('unit("h", ' * (MOST_DEPTH + 2) + 'count(events("x"))' + ")" * (MOST_DEPTH + 2))
