"""Large answers: what is asked about them is true of the data, and what a reply leads to is what was said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from shutil import copytree

import pytest
from small_lives import OBSERVABLES

from reqap_kg.config import AnswerDialog, Settings
from reqap_kg.engine.answers.answer import Answer
from reqap_kg.engine.answers.dialog.dialog import Choice, Dialog
from reqap_kg.engine.answers.dialog.replies import Everything, Narrowed, Other, read_reply
from reqap_kg.engine.asking.planned import planned_reply
from reqap_kg.engine.conversation.conversation import asked
from reqap_kg.engine.conversation.turns import Turn, followed
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.operators.syntax.text import parse_tree

NOW = datetime(2025, 3, 1, 12)
LARGE = (
    "Show me my songs of 2024",
    "List my workouts",
    "Which songs did I listen to in 2023?",
    "Show me all mails",
    "What did I buy?",
    "Which artists did I listen to?",
    "Show me my runs over 5 km",
)


@pytest.fixture(scope="module")
def known(demo_store: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(demo_store, Settings(proposers=("rules",), read_texts=False)) as found:
        yield found


def ask(known: KnowledgeGraph, question: str) -> tuple[Answer, Dialog]:
    answer = known.ask(question, now=NOW, most_events=None)
    assert answer.dialog is not None, question
    return answer, answer.dialog


def test_small_answers_are_shown_as_they_are(known: KnowledgeGraph) -> None:
    for question in ("How many songs did I hear in 2024?", "Which artist did I listen to most in 2024?"):
        assert known.ask(question, now=NOW).dialog is None


def left_by(known: KnowledgeGraph, answer: Answer, dialog: Dialog, choice: Choice) -> set[str]:
    """The events of the tree that a choice leads to, run in the form of the answer."""
    reply = Narrowed(parse_tree(choice.tree), "", choice.label, choice.count)
    found = known.ask_plan(answer.question, planned_reply(dialog, reply, answer), now=NOW, most_events=None)
    return {event.iri for event in found.events}


@pytest.mark.parametrize("question", LARGE)
def test_choices_part_the_events_and_their_trees_give_as_many_as_they_say(known: KnowledgeGraph, question: str) -> None:
    answer, dialog = ask(known, question)
    assert dialog.questions
    whole = {event.iri for event in answer.events}
    for one in dialog.questions:
        found = [left_by(known, answer, dialog, choice) for choice in one.all]
        assert [len(events) for events in found] == [choice.count for choice in one.all], one.text
        assert set().union(*found) == whole, one.text


def test_what_a_question_fixed_is_not_asked(known: KnowledgeGraph) -> None:
    _, dialog = ask(known, "Show me my songs of 2024")
    assert "year" not in {one.split.grain for one in dialog.questions}
    _, dialog = ask(known, "List my running workouts")
    assert not any(one.split.key == "workout_type" for one in dialog.questions)


def test_thresholds_are_settings(imported_demo: Path, tmp_path: Path) -> None:
    chosen = AnswerDialog(frequency=1.0, choices=3, answer_rows=20)
    settings = Settings(proposers=("rules",), read_texts=False, dialog=chosen)
    with KnowledgeGraph.open(Path(copytree(imported_demo, tmp_path / "store")), settings) as known:
        _, dialog = ask(known, "List my workouts")
        assert all(one.split.attribute.local == 1 for one in dialog.questions)
        assert all(len(one.choices) <= 4 for one in dialog.questions)
        assert known.ask("Show me my mails of March 2023", now=NOW).dialog is None or dialog.size > 20


def test_the_answer_as_json_has_the_dialog_with_trees_that_can_be_run(known: KnowledgeGraph) -> None:
    answer, dialog = ask(known, "Show me my songs of 2024")
    told = json.loads(json.dumps(answer.as_json()))["dialog"]
    assert told["size"] == dialog.size == len(answer.values)
    assert told["property"] == dialog.questions[0].split.attribute.iri
    for choice in (*told["choices"], *(other for one in told["more"] for other in one["choices"])):
        run = known.run(choice["tree"], now=NOW, most_events=None)
        assert run.answer_type == "events"
        assert len(run.values) == choice["count"]


def test_what_is_ranked_stands_once_for_each_label(known: KnowledgeGraph) -> None:
    answer, dialog = ask(known, "Show me my songs of 2024")
    labels = {event.iri: event.label for event in answer.events}
    first = [labels[iri] for iri in dialog.ranked]
    assert len(first) == len(set(first)) == 10


def test_replies_are_numbers_names_several_others_all_or_another_question(known: KnowledgeGraph) -> None:
    _, dialog = ask(known, "List my workouts")
    first, second = dialog.questions[:2]
    label = first.choices[1].label
    for said in ("2", label, label.upper(), f"only {label} please"):
        reply = read_reply(said, dialog)
        assert isinstance(reply, Narrowed), said
        assert (reply.chosen, reply.count) == (label, first.choices[1].count)
    several = read_reply("1 and 3", dialog)
    assert isinstance(several, Narrowed)
    assert several.count == first.choices[0].count + first.choices[2].count
    assert isinstance(read_reply("all", dialog), Everything)
    other = read_reply(f"by {second.name}", dialog)
    assert isinstance(other, Other)
    assert other.dialog.questions[0] == second
    rest = read_reply("none of these", dialog)
    if first.others is None:
        assert rest == Other(dialog)
    else:
        assert isinstance(rest, Narrowed)
        assert rest.count == first.others.count


def test_a_part_of_a_range_is_no_reply(known: KnowledgeGraph) -> None:
    _, dialog = ask(known, "List my workouts")
    distance = next(one for one in dialog.questions if one.split.key == "distance")
    assert isinstance(read_reply(distance.choices[0].label, dialog), Narrowed)
    assert read_reply(distance.choices[0].label.split()[0], dialog.asked_by(distance)) is None


def test_a_value_among_the_others_and_a_misspelt_name_are_replies(known: KnowledgeGraph) -> None:
    _, dialog = ask(known, "Show me my songs of 2024")
    artist = next(one for one in dialog.questions if one.split.key == "artist")
    named = {choice.label for choice in artist.choices}
    other = next(text for text in artist.split.attribute.texts if text not in named and len(text) > 4)
    reply = read_reply(other.upper(), dialog.asked_by(artist))
    assert isinstance(reply, Narrowed)
    assert reply.chosen == other
    longest = max(named, key=len)
    misspelt = read_reply(longest[:2] + longest[3:], dialog.asked_by(artist))
    assert isinstance(misspelt, Narrowed)
    assert misspelt.chosen == longest


def test_a_question_in_between_that_is_not_understood_ends_no_dialog(known: KnowledgeGraph) -> None:
    turns: tuple[Turn, ...] = ()
    for said in ("List my workouts", "Xyzzy the frob of qwertz?", "1"):
        turns = followed(turns, asked(known, said, turns, now=NOW))
    assert turns[-2].answer is None
    last = turns[-1].answer
    assert last is not None
    assert last.planner == "dialog"


@pytest.mark.parametrize("said", ["", "99", "0", "and in 2023?", "how many songs?", "by moonlight", "2 or so many"])
def test_what_is_no_reply_is_left_to_others(known: KnowledgeGraph, said: str) -> None:
    _, dialog = ask(known, "List my workouts")
    assert read_reply(said, dialog) is None


def test_a_conversation_narrows_down_until_a_page_is_left(known: KnowledgeGraph) -> None:
    turns: tuple[Turn, ...] = ()
    turns = followed(turns, asked(known, "Show me my songs of 2024", turns, now=NOW))
    sizes: list[int] = []
    for _ in range(12):
        answer = turns[-1].answer
        assert answer is not None
        sizes.append(len(answer.values))
        if answer.dialog is None or not answer.dialog.questions:
            break
        turns = followed(turns, asked(known, "1", turns, now=NOW))
        last = turns[-1].answer
        assert last is not None
        assert last.planner == "dialog"
        assert last.sparql != answer.sparql
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] <= 10
    later = asked(known, "And in 2023?", turns, now=NOW)
    assert later.resolved == "Show me my songs in 2023"


def test_replies_may_stand_in_a_context(known: KnowledgeGraph) -> None:
    _, dialog = ask(known, "List my workouts")
    answer = known.ask("2", now=NOW, context=["List my workouts"])
    assert len(answer.values) == dialog.questions[0].choices[1].count


ODD = ('say "hi"', 'SAY "hi"', "it's {{ 7 * 7 }}", "a\\b\nc", "\u202egnp.exe", "\u65e5\u672c \N{RUNNER}", "x" * 79)


def test_odd_names_are_choices_like_others(tmp_path: Path) -> None:
    """Names are data: in templates, in trees and in queries."""
    rows = [{**OBSERVABLES[0], "id": n, "workout_type": ODD[n % len(ODD)]} for n in range(60)]
    for number, row in enumerate(rows):
        row["start_date"] = row["end_date"] = f"2024-01-{number % 28 + 1:02}"
    folder = tmp_path / "life"
    folder.mkdir()
    (folder / "observables.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    options = IngestOptions(Settings(), NOW, "Europe/Amsterdam")
    ingest([folder], tmp_path / "store", options)
    with KnowledgeGraph.open(tmp_path / "store", Settings(proposers=("rules",), read_texts=False)) as known:
        answer, dialog = ask(known, "List my workouts")
        by_type = next(one for one in dialog.questions if one.split.key == "workout_type")
        assert "49" not in by_type.text
        for choice in by_type.all:
            assert len(left_by(known, answer, dialog, choice)) == choice.count
            assert len(known.run(choice.tree, now=NOW, most_events=None).values) == choice.count
