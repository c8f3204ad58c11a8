"""`rules test`: cases in Turtle, of the shipped rules and of a user's own."""

from __future__ import annotations

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.authoring.authoring import Workshop, shipped_cases
from reqap_kg.errors import RuleError
from reqap_kg.planner.authoring.cases import read_cases

HEAD = "@prefix pg: <https://w3id.org/reqap-kg/parse#> . @prefix ex: <https://example.org/case#> .\n"
SONGS = "'APPLY(l=RETRIEVE(query=\"songs I played\"), fct=len)'"


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop.of((), Settings())


def _results(workshop: Workshop, turtle: str):
    return workshop.test(read_cases([("cases.ttl", HEAD + turtle)]), None)


def test_the_shipped_rules_pass_their_cases(workshop):
    cases = shipped_cases()
    assert len(cases) >= 80
    assert [str(r.case.place) for r in workshop.test(cases, None) if not r.passed] == []


def test_most_shipped_rules_have_a_case():
    named = {rule for case in shipped_cases() for rule in case.rules}
    assert len(named) >= 45


@pytest.mark.parametrize(
    ("turtle", "problem"),
    [
        (f'ex:a a pg:Case ; pg:question "How many songs did I play?" ; pg:tree {SONGS} .', ""),
        (f'ex:a a pg:Case ; pg:question "How many songs did I play in 2024?" ; pg:tree {SONGS} .', "another tree"),
        (
            f'ex:a a pg:Case ; pg:question "How many songs did I play?" ; pg:rule pg:sumDone ; pg:tree {SONGS} .',
            "was not applied",
        ),
        (
            f'ex:a a pg:Case ; pg:question "How many songs did I play?" ; pg:answer "text" ; pg:tree {SONGS} .',
            "the answer type is number",
        ),
        ('ex:a a pg:Case ; pg:question "How did I zork the blorps?" ; pg:notUnderstood "zork", "blorps" .', ""),
        ('ex:a a pg:Case ; pg:question "How many songs did I play?" ; pg:notUnderstood "songs" .', "it was understood"),
        (f'ex:a a pg:Case ; pg:question "How did I zork the blorps?" ; pg:tree {SONGS} .', "not understood"),
    ],
)
def test_cases_pass_or_say_why_not(workshop, turtle, problem):
    (result,) = _results(workshop, turtle)
    assert problem in result.problem
    assert result.passed == (not problem)


def test_values_that_a_case_knows_are_those_of_the_data(workshop):
    tree = "'APPLY(l=RETRIEVE(query=\"I listened to Last Christmas\"), fct=len)'"
    asked = f'ex:a a pg:Case ; pg:question "How often did I listen to Last Christmas?" ; pg:tree {tree} '
    assert not _results(workshop, asked + ".")[0].passed
    assert _results(workshop, asked + '; pg:known "Last Christmas" .')[0].passed


def test_the_time_of_asking_is_the_cases_own(workshop):
    tree = (
        '\'APPLY(l=FILTER(l=EXTRACT(l=RETRIEVE(query="songs I played"), attr_names=["start_date"], '
        'attr_types=[date.fromisoformat]), filter=lambda attr: attr["start_date"] == date(2020, 2, 29)), fct=len)\''
    )
    asked = 'ex:a a pg:Case ; pg:question "How many songs did I play yesterday?" '
    turtle = f'{asked} ; pg:now "2020-03-01T08:00:00" ; pg:tree {tree} .'
    assert _results(workshop, turtle)[0].passed


@pytest.mark.parametrize(
    ("turtle", "message"),
    [
        ('ex:a a pg:Case ; pg:question "what" .', "incomplete"),
        ('ex:a a pg:Case ; pg:question "what" ; pg:tree "APPLY(" .', "pg:tree"),
        (f'ex:a a pg:Case ; pg:question "what" ; pg:now "yesterday" ; pg:tree {SONGS} .', "pg:now"),
        (f'[] a pg:Case ; pg:question "what" ; pg:tree {SONGS} .', "no IRI"),
    ],
)
def test_malformed_cases_are_refused_with_their_place(turtle, message):
    with pytest.raises(RuleError, match=message) as bad:
        read_cases([("cases.ttl", HEAD + turtle)])
    assert bad.value.place is not None
    assert bad.value.place.line == 2
