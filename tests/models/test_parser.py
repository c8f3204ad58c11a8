"""The bundled parser: questions to forms, under the grammar, whatever is asked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from reqap_kg.errors import ConfigError
from reqap_kg.models.planning.parser import FOLDER, NAMES, WEIGHTS, Guess, Parser
from reqap_kg.operators.forms.grammar import Form, format_form, keys_in, walk, words_in
from reqap_kg.planner.proposers.parsing import Before, asked_words
from reqap_kg.training.forms import parse_form


@pytest.fixture(scope="module")
def parser() -> Parser:
    try:
        return Parser()
    except ConfigError as bad:
        pytest.skip(str(bad))


def forms(parser: Parser, question: str, *earlier: str) -> tuple[Guess, ...]:
    asked = asked_words(question, Before(earlier))
    return parser.parse(asked.words, asked.gaps)


def best(parser: Parser, question: str, *earlier: str) -> Form:
    return forms(parser, question, *earlier)[0].form


@pytest.mark.parametrize(
    ("question", "operator", "said"),
    [
        ("pls how many times did we go bouldering in autumn 2021", "count", "in autumn 2021"),
        ("longest I ever went without a swim?", "gap", "swim"),
        ("what was playing most while I did the ironing", "most", "ironing"),
        ("who sat with me at the last concert", "get", "concert"),
        ("median price of the books", "median", "books"),
    ],
)
def test_what_a_question_asks(parser: Parser, question: str, operator: str, said: str) -> None:
    form = best(parser, question)
    assert operator in {one.operator for one in walk(form)}, format_form(form)
    assert any(said in words for words in words_in(form)), format_form(form)


def test_attributes_of_a_domain_are_named_by_their_labels() -> None:
    keys = ("berth", "cargo", "month", "time", "tonnes")
    try:
        parser = Parser(own_keys=keys)
    except ConfigError as bad:
        pytest.skip(str(bad))
    asked = asked_words("total tonnes for each berth last year")
    for guess in parser.parse(asked.words, asked.gaps):
        assert set(keys_in(guess.form)) <= set(keys)
    assert "each(berth, sum(tonnes" in format_form(parser.parse(asked.words, asked.gaps)[0].form)


def test_what_several_networks_write_is_likelier(parser: Parser, tmp_path: Path) -> None:
    asked = asked_words("who sat with me at the last concert")
    alone: list[dict[Form, float]] = []
    for seed in (7, 11):
        (tmp_path / str(seed)).mkdir()
        for name in (NAMES, WEIGHTS.format(seed=seed)):
            (tmp_path / str(seed) / name).symlink_to(FOLDER / name)
        found = Parser(folder=tmp_path / str(seed)).parse(asked.words, asked.gaps)
        alone.append({one.form: one.score for one in found})
    together = {one.form: one.score for one in parser.parse(asked.words, asked.gaps)}
    assert together.keys() == alone[0].keys() | alone[1].keys()
    for form, score in together.items():
        assert score == pytest.approx(sum(one.get(form, 0.0) for one in alone) / 2)
    assert list(together.values()) == sorted(together.values(), reverse=True)


def test_a_follow_up_leans_on_the_question_before_it(parser: Parser) -> None:
    form = best(parser, "and in 2023?", "How many concerts did I go to in 2022?")
    assert form.operator == "count"
    assert "2023" in " ".join(words_in(form))
    assert "concerts" in " ".join(words_in(form))


def test_whatever_is_asked_forms_are_well_formed_and_likelier_ones_come_first(parser: Parser) -> None:
    rng = random.Random(4)
    words = [
        "the",
        "7",
        "?",
        "how",
        "runs",
        ",",
        "not",
        "with",
        "Żółć",
        "“",
        "who",
        "than",
        "10",
        "km",
        "—",
        "than",
        "than",
        "|",
        "it's",
        "🙂",
    ]
    for _ in range(12):
        question = " ".join(rng.choices(words, k=rng.randint(1, 25)))
        found = forms(parser, question)
        assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
        for one in found:
            assert 0 < one.score <= 1
            assert parse_form(format_form(one.form)) == one.form or '"' in question


def test_a_long_question_is_read_in_part(parser: Parser) -> None:
    assert forms(parser, "how many runs " * 200)
