"""Templates, their shares, and gold that other ways of counting agree with."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.bench.lives.blanks import Blanks
from reqap_kg.bench.lives.build import Life, build
from reqap_kg.bench.lives.catalogue import stock, stream
from reqap_kg.bench.lives.generate import UNTIL, split_personas, split_templates
from reqap_kg.bench.lives.gold import Gold, behind, complexity
from reqap_kg.bench.lives.grammar import Grammar, slots
from reqap_kg.bench.lives.questions import Template, questions, templates

Asked = tuple[Life, list[dict[str, Any]]]
TYPES = {"ordering", "grouping", "temporal", "aggregation", "join", "multi-source"}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[Asked]:
    """Three lives with many questions each."""
    folder = tmp_path_factory.mktemp("lives")
    return [_life(folder, f"p{number}") for number in range(3)]


def _life(folder: Path, name: str) -> Asked:
    life = build(name, seed=5, events=2_500, until=UNTIL)
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in life.canonical()), encoding="utf-8")
    with Gold(life, path) as gold:
        return life, list(questions(life, gold, 350, templates(), stream(5, name)))


def of(asked: list[Asked], *kinds: str) -> Iterator[tuple[Life, dict[str, Any]]]:
    """The questions of these templates."""
    return ((life, row) for life, rows in asked for row in rows if row["template"] in kinds)


def test_there_are_templates_of_every_kind_in_many_phrasings() -> None:
    known = templates()
    assert len(known) >= 120
    assert len({(template.sql, template.top) for template in known}) == len(known)
    grammar, rng = Grammar(stock("questions")["words"]), random.Random(1)
    phrasings = {template.id: _said(grammar, rng, template) for template in known}
    assert min(map(len, phrasings.values())) >= 4
    assert sum(map(len, phrasings.values())) > 10 * len(known)


def _said(grammar: Grammar, rng: random.Random, template: Template) -> set[str]:
    values = {slot: slot.upper() for form in template.ask for slot in slots(form)}
    found = (grammar.say(rng, rng.choice(template.ask), values) for _ in range(150))
    return {sentence[0] for sentence in found if sentence}


def test_all_that_the_sql_names_is_said_in_some_phrasing() -> None:
    for template in templates():
        said = {slot for form in template.ask for slot in slots(form)}
        assert set(template.blanks) - said <= {"me"}, template.id


def test_almost_all_templates_are_asked_of_one_of_three_lives(asked: list[Asked]) -> None:
    used = {row["template"] for _, rows in asked for row in rows}
    assert len(used) > 0.95 * len(templates())


def test_every_complexity_type_is_asked_often(asked: list[Asked]) -> None:
    counts = Counter(kind for _, rows in asked for row in rows for kind in row["complexity"])
    assert counts.keys() == TYPES
    assert min(counts.values()) > 60


def test_no_question_is_asked_twice_and_no_blank_stays(asked: list[Asked]) -> None:
    for _, rows in asked:
        texts = [row["question"].casefold() for row in rows]
        assert len(set(texts)) == len(texts)
        assert not any(set("{}<>[]|") & set(text) for text in texts)


def test_nothing_and_zero_are_answers_only_to_questions_about_what_is_not_there(asked: list[Asked]) -> None:
    absent = {template.id for template in templates() if template.none}
    for _, rows in asked:
        for row in rows:
            assert (row["answer"] in ([], [0])) == (row["template"] in absent), row


def test_counts_are_as_many_as_the_events_behind_them(asked: list[Asked]) -> None:
    checked = 0
    for life, rows in asked:
        known = {row["id"] for row in life.events}
        for row in rows:
            assert set(row["events"]) <= known
            if row["events"] and row["sql"].startswith("SELECT count(*)"):
                assert row["answer"] == [len(row["events"])]
                checked += 1
    assert checked > 60


def test_gold_agrees_with_counting_by_hand(asked: list[Asked]) -> None:
    checked = Counter[str]()
    for life, row in of(asked, "music-count-artist", "music-top-song-artist", "music-first-artist", "sport-break"):
        named = re.search(r"'((?:[^']|'')+)'", row["sql"])
        assert named is not None
        name = named[1].replace("''", "'")
        songs = [r for r in life.events if r["type"] == "music_stream" and name in r["artists"]]
        days = sorted({r["start"].date() for r in life.events if r["type"] == "workout" and r["workout_type"] == name})
        by_hand = {
            "music-count-artist": lambda songs=songs: len(songs),
            "music-top-song-artist": lambda songs=songs: Counter(r["song_name"] for r in songs).most_common(1)[0][0],
            "music-first-artist": lambda songs=songs: min(r["start"] for r in songs).date().isoformat(),
            "sport-break": lambda days=days: max((b - a).days for a, b in pairwise(days)),
        }[row["template"]]
        assert row["answer"] == [by_hand()], row
        checked[row["template"]] += 1
    assert len(checked) == 4


def test_what_is_asked_about_people_is_about_the_one_who_is_meant(asked: list[Asked]) -> None:
    found = list(of(asked, "meet-count-person"))
    assert found
    for life, row in found:
        name = re.search(r"participants, '((?:[^']|'')+)'", row["sql"])
        assert name is not None
        met = [
            r for r in life.events if r["type"] == "meeting" and name[1].replace("''", "'") in (r["participants"] or ())
        ]
        assert row["answer"] == [sum(r["activity"] != "video call" for r in met)]


def test_multi_source_is_what_records_alone_answer_wrongly(asked: list[Asked]) -> None:
    for life, row in of(asked, "films-count-period", "sport-count-type"):
        recorded = {t.row["id"] for a in life.accounts for t in a.tells if a.shown["source"] == t.row["type"]}
        if row["events"] and "join" not in row["complexity"]:
            assert ("multi-source" in row["complexity"]) == (not set(row["events"]) <= recorded)


def test_ties_are_no_questions(asked: list[Asked]) -> None:
    tops = {template.id: template for template in templates() if template.top}
    for life, row in of(asked, "films-top", "sport-top"):
        key = {"films-top": "movie_title", "sport-top": "workout_type"}[row["template"]]
        rows = [r for r in life.events if r["id"] in row["events"]]
        counts = Counter(r[key] for r in rows).most_common(2)
        assert counts[0][0] == row["answer"][0]
        assert len(counts) == 1 or counts[0][1] > counts[1][1]
        assert row["template"] in tops


@pytest.mark.parametrize(
    ("sql", "kinds"),
    [
        ("SELECT count(*) FROM meeting WHERE activity = 'dinner'", ["aggregation"]),
        ("SELECT max(date) FROM workout WHERE workout_type = 'yoga'", ["ordering", "temporal"]),
        ("SELECT max(max_hr) FROM workout WHERE year(date) = 2022", ["temporal", "aggregation"]),
        ("SELECT shop AS val, sum(price) AS ord FROM online_purchase GROUP BY val ORDER BY ord DESC",
         ["ordering", "grouping", "aggregation"]),
        ("SELECT count(*) FROM movie_stream m JOIN workout w ON w.date = m.date", ["aggregation", "join"]),
    ],
)  # fmt: skip
def test_complexity_is_read_from_the_query(sql: str, kinds: list[str]) -> None:
    assert complexity(sql, top="ORDER BY" in sql, joins=False) == kinds


def test_events_behind_nested_queries_are_not_guessed() -> None:
    assert behind("SELECT max(n) FROM (SELECT count(*) n FROM tvseries_stream GROUP BY date)") is None
    assert (
        behind("SELECT count(DISTINCT a) FROM (SELECT unnest(artists) a, date FROM music_stream) WHERE TRUE")
        is not None
    )
    assert behind("SELECT count(*) FROM text_observable WHERE source = 'mail'") is None


def test_parts_share_personas_and_templates_out_without_overlap() -> None:
    assert Counter(split_personas(20)) == {"train": 12, "dev": 2, "test": 6}
    assert split_personas(1) == ["test"]
    assert [Counter(split_personas(n)).total() for n in range(1, 60)] == list(range(1, 60))
    parts = split_templates(1)
    ids = [template.id for among in parts.values() for template in among]
    assert sorted(ids) == sorted(template.id for template in templates())
    assert len(parts["train"]) > len(parts["test"]) > len(parts["dev"]) > 0
    assert split_templates(1) == parts != split_templates(2)


def test_a_life_without_what_a_template_needs_is_not_asked(asked: list[Asked]) -> None:
    life = next((one for one, _ in asked if not one.persona.kids), None)
    if life is None:
        life = next(one for n in range(20) if not (one := build(f"n{n}", 5, 500, UNTIL)).persona.kids)
    assert Blanks(life, stream(1)).draw(("kid",)) is None
