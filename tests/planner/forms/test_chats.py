"""Messages of forms: which of their conditions are words of a leaf, which are tested, which are looked for."""

from __future__ import annotations

from datetime import date

import pytest

from reqap_kg.errors import NotUnderstood
from reqap_kg.operators.syntax.text import format_tree, parse_tree
from reqap_kg.planner.forms.chats import Chats
from reqap_kg.planner.forms.leaves import Leaves
from reqap_kg.planner.forms.lowering import Lowering
from reqap_kg.planner.forms.of_events import LISTS_OF_EVENTS
from reqap_kg.planner.forms.trees import LOWERINGS
from reqap_kg.training.forms import parse_form

WRITERS = {"I": "me", "me": "me", "tom": "Tom Hale", "Ines": "Ines"}
LEAVES = Leaves(lambda _: False)


def speaker(words: str) -> str:
    if words not in WRITERS:
        raise NotUnderstood(f"{words} wrote nothing", words=(words,))
    return WRITERS[words]


def lowered(text: str, *, counted: bool = True) -> str:
    chats = Chats(LEAVES, speaker, counted)
    lowering = Lowering(
        LOWERINGS,
        LISTS_OF_EVENTS,
        LEAVES,
        lambda _: date(2024, 5, 1),
        lambda _: date(1990, 1, 1),
        lambda _: None,
        chats=chats,
    )
    return format_tree(lowering.lowered(parse_form(text)).tree)


def of_sender(leaf: str, test: str) -> str:
    lines = f'FILTER(l=EXTRACT(l=QUD("{leaf}"), attr_names=["sender"], attr_types=[str]), filter=lambda attr: {test})'
    return format_tree(parse_tree(lines))


@pytest.mark.parametrize(
    ("conditions", "leaf"),
    [
        ("", ""),
        (', time="last week"', ", last week"),
        (', session="second"', ", in the second session"),
        (', session="4"', ", in session 4"),
        (', session="two sessions ago"', ", two sessions ago"),
        (', session="last", time="in May"', ", in the last session, in May"),
        (', chat="Choir"', ", in the chat Choir"),
        (', participant="tom", time>"June"', " with Tom Hale, after June"),
        (', sender="we"', ""),
    ],
)
def test_times_sessions_and_chats_are_words_of_a_leaf(conditions: str, leaf: str) -> None:
    assert lowered(f'show(events("messages"{conditions}))', counted=False) == f'QUD("chat messages{leaf}")'


@pytest.mark.parametrize(
    ("condition", "test"),
    [
        ('sender="tom"', 'attr["sender"] == "Tom Hale"'),
        ('sender="I"', 'attr["sender"] == "me"'),
        ('sender!="Ines"', 'attr["sender"] != "Ines"'),
        ('recipient="me"', 'attr["sender"] != "me"'),
    ],
)
def test_who_wrote_is_tested(condition: str, test: str) -> None:
    form = f'show(events("messages", {condition}, time="in May"))'
    assert lowered(form) == of_sender("chat messages counted, in May", test)


def test_what_messages_are_about_is_looked_for_among_those_that_the_rest_leaves() -> None:
    tree = lowered(
        'show(events("messages", text="the boat", sender="tom", text="the engine", time="in May"))', counted=False
    )
    query = "chat messages about what tom said about the boat and the engine"
    assert tree == format_tree(parse_tree(f'RETRIEVE(query="{query}", l=QUD("chat messages, in May"))'))


def test_messages_that_are_counted_mention_what_is_said_and_are_by_whom_is_said() -> None:
    messages = of_sender("chat messages counted", 'attr["sender"] == "Tom Hale"')
    tree = lowered('show(events("messages", text="the boat", sender="tom"))')
    assert tree == format_tree(parse_tree(f'RETRIEVE(query="chat messages that mention the boat", l={messages})'))


@pytest.mark.parametrize("condition", ['attachment="photo"', 'sender="Nobody"', 'text!="the boat"'])
def test_other_conditions_are_left_to_the_words_of_a_leaf(condition: str) -> None:
    assert "chat messages" not in lowered(f'show(events("messages", {condition}))')
