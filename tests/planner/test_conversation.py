"""Questions about what was said, in many voices: which messages they filter, and what is looked for in them.

The tables are in phrasings/talk.json and talk-combined.json. How a row says what is expected:

    = 5, L - 2, > L - 2, 2..4     sessions: the fifth; the third from the last; the last three; the second to the fourth
    2023-05-01 2023-05-31         days, both included (`..` for an open end); with two times of day, that part of a day
    S=Melanie &, W=Melanie &      of those, what she said; what she and whoever asks said
    N=+ 1 &, X=- 1 &              the second session of those; the last but one
    A=words &                     what is looked for by content among those
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.errors import NotUnderstood
from reqap_kg.operators.syntax.text import format_tree, parse_tree
from reqap_kg.planner.search.plan import Planner
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import NamedNode, Quad, parse_turtle

from .building import DATE, TIME, days, ext, get, keep

TABLES = Path(__file__).parent / "phrasings"
NOW = datetime(2023, 6, 18, 12, 0)
"""A Sunday."""
MESSAGES = get("chat messages")
_TALKS = ("2023-03-02", "2023-04-10", "2023-05-08", "2023-05-12", "2023-05-20", "2023-06-01", "2023-06-16")


def log(*, with_days: bool = False) -> MemoryGraph:
    """Two people who talked on some days."""
    rows = ["@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> ."]
    for session, day in enumerate(_TALKS, start=1):
        for place, sender in enumerate(("Caroline", "Melanie"), start=1):
            told = f' ; ev:day "{day}"^^xsd:date' if with_days else ""
            rows.append(
                f'<urn:m{session}-{place}> a ev:ChatMessage ; ev:sender "{sender}" ; ev:chat "Mel" ; ev:text "Hi" ; '
                f'ev:session {session} ; ev:start "{day}T09:0{place}:00"^^xsd:dateTime{told} .'
            )
    return MemoryGraph(parse_turtle("\n".join(rows)))


@pytest.fixture(scope="module")
def planner(vocabulary):
    return Planner(log(), vocabulary)


def rows(table: str) -> list[tuple[str, str]]:
    return [(question, told) for question, told in json.loads((TABLES / table).read_text(encoding="utf-8"))]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("question", "told"), rows("talk.json"))
def test_sessions_and_days(planner, question, told):
    assert format_tree(planner.plan(question, now=NOW).tree) == normal(messages(told))


@pytest.mark.parametrize(("question", "told"), rows("talk-combined.json"))
def test_with_speaker_and_topic(planner, question, told):
    assert format_tree(planner.plan(question, now=NOW).tree) == normal(combined(told))


def normal(tree: str) -> str:
    """The tree as it is printed."""
    return format_tree(parse_tree(tree))


def messages(told: str, base: str = MESSAGES) -> str:
    """The messages of sessions or days."""
    if re.match(r"\d{4}-|\.\.", told):
        return of_days(*told.split(" "), base=base)
    return keep(ext(base, session="int"), sessions(told, base))


def of_days(*told: str, base: str = MESSAGES) -> str:
    if len(told) == 2:
        begin, end = (None if day == ".." else day for day in told)
        return days(base, begin, end)
    day, since, until = told
    year, month, number = map(int, day.split("-"))
    clock = f'attr["start_time"] >= time({int(since[:2])}, 0)'
    clock += "" if until == "24:00" else f' and attr["start_time"] < time({int(until[:2])}, 0)'
    whole = clock if until == "24:00" else f"({clock})"
    return keep(
        ext(base, start_date=DATE, start_time=TIME),
        f'attr["start_date"] == date({year}, {month}, {number}) and {whole}',
    )


def fold(name: str, inner: str) -> str:
    """The least or greatest session of a list."""
    return f'{name}(l={ext(inner, session="int")}, attr_name="session").result'


def sessions(told: str, base: str = MESSAGES) -> str:
    """The condition of sessions."""
    last, read = fold("MAX", base), 'attr["session"]'
    if span := re.fullmatch(r"(\d+)\.\.(\d+)", told):
        low, high = span[1], span[2]
        return f"{read} <= {high}" if low == "1" else f"{read} >= {low} and {read} <= {high}"
    if told.startswith("L"):
        return f"{read} == {last}{told[1:]}"
    if told.startswith("> L"):
        return f"{read} >= {last}{told[3:]}"
    return f"{read} {'=' if told.startswith('= ') else ''}{told}"


def combined(told: str) -> str:
    """Messages of some time and session, then by speaker, place among them, or content."""
    first, _, rest = told.partition(" & ")
    kind, _, value = first.partition("=")
    inner = messages(rest) if rest else MESSAGES
    if kind == "S":
        return keep(ext(inner, sender="str"), f'attr["sender"] == "{value}"')
    if kind == "W":
        condition = f'attr["sender"] == "{value}" or "{value}" in attr["addressed_person"]'
        return messages(rest, keep(ext(MESSAGES, sender="str", addressed_person="list"), condition))
    if kind == "A":
        return f'RETRIEVE(query="chat messages about {value}", l={inner})'
    least = fold("MIN" if kind == "N" else "MAX", inner)
    moved = "" if value in ("first", "last") else f" {value}"
    return keep(ext(inner, session="int"), f'attr["session"] == {least}{moved}')


def test_earlier_leaves_out_the_latest_of_several_conversations(planner):
    plan = planner.plan("What did we talk about earlier today?", now=NOW)
    today = of_days("2023-06-18", "2023-06-18")
    condition = f'attr["session"] < {fold("MAX", today)} or attr["session"] == {fold("MIN", today)}'
    assert format_tree(plan.tree) == normal(keep(ext(today, session="int"), condition))
    assert any("leaves out the latest" in note for note in plan.notes)


@pytest.mark.parametrize(
    ("question", "day", "talked"),
    [
        ("What did we discuss on June 2nd?", "2023-06-02", "2023-06-01"),
        ("What did we talk about last Saturday?", "2023-06-17", "2023-05-20"),
        ("What did we discuss 36 days ago?", "2023-05-13", "2023-05-12"),
    ],
)
def test_a_day_without_talk_is_the_one_nearest_before_it(vocabulary, question, day, talked):
    plan = Planner(log(with_days=True), vocabulary).plan(question, now=NOW)
    assert format_tree(plan.tree) == normal(of_days(talked, talked))
    assert any(day in note and talked in note for note in plan.notes)


@pytest.mark.parametrize("question", ["What did we discuss on June 1st?", "What did we discuss on March 20th?"])
def test_other_days_stay_as_they_are(vocabulary, question):
    plan = Planner(log(with_days=True), vocabulary).plan(question, now=NOW)
    assert "nothing was said" not in " ".join(plan.notes)


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("What did we discuss in May?", "talkByMetadata"),
        ("What did Melanie say in May?", "talkBySpeaker"),
        ("What did Melanie say about her puppy?", "talkByContent"),
        ("What did Melanie say about her puppy in May?", "talkByBoth"),
    ],
)
def test_the_plan_says_which_kind_of_query_it_is(planner, question, rule):
    assert planner.plan(question, now=NOW).steps[0].rule.endswith(rule)


SEVERAL = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<urn:o1> a ev:ChatMessage ; ev:sender "Tom" ; ev:chat "Tom" ; ev:session 1 ; ev:positionInSession 1 ; ev:text "Hi" ;
  ev:positionInLog 0 ; ev:start "2023-06-17T10:00:00"^^xsd:dateTime .
<urn:m1-1> ev:positionInLog 0 .
<urn:s1> a ev:ChatSession ; ev:chat "Tom" ; ev:session 1 ; ev:start "2023-06-17T10:00:00"^^xsd:dateTime .
<urn:s2> a ev:ChatSession ; ev:chat "Mel" ; ev:session 7 ; ev:start "2023-06-16T09:01:00"^^xsd:dateTime .
"""


def test_over_several_chats_sessions_are_in_order_of_time(vocabulary):
    graph = log()
    graph.add(Quad(t.subject, t.predicate, t.object, NamedNode("urn:several")) for t in parse_turtle(SEVERAL))
    begun = (
        "APPLY(l=FILTER(l="
        + ext(MESSAGES, position_in_session="int", chat="str", session="int")
        + ', filter=lambda attr: attr["position_in_session"] == 1), '
        + 'fct=lambda l: sorted(l, key=lambda e: e["start_datetime"], reverse=True)[1]["{}"]).result'
    )
    condition = f'attr["chat"] == {begun.format("chat")} and attr["session"] == {begun.format("session")}'
    plan = Planner(graph, vocabulary).plan("What did we discuss two sessions ago?", now=NOW)
    assert format_tree(plan.tree) == normal(keep(ext(MESSAGES, chat="str", session="int"), condition))


def test_without_messages_nothing_is_a_conversation(vocabulary):
    with pytest.raises(NotUnderstood):
        Planner(MemoryGraph(()), vocabulary).plan("What did we discuss 3 sessions ago?", now=NOW)
