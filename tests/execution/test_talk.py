"""Which messages a question is about: who is expected to say it, which words tell, how many are taken."""

from __future__ import annotations

import pytest

from reqap_kg.operators.syntax.printing import format_tree
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.retrieval.talk.messages import LEAST, LEAST_OF_SHORT, SHORT, Said, asked_of, scored, taken, without_one

MESSAGES = [
    Said("m1", "I adopted a puppy last week!", "Maria Lopez"),
    Said("m2", "Wow! What is the name of your puppy?", "John"),
    Said("m3", "Her name is Coco.", "Maria Lopez"),
    Said("m4", "I have to go to the shops.", "John"),
]


@pytest.mark.parametrize(
    ("about", "speaker", "core"),
    [
        ("What did Maria say about her puppy", "Maria Lopez", "puppy"),
        ("what did John ask Maria about the puppy", "John", "ask puppy"),
        ("what activity did Maria and John discuss", None, "activity"),
        ("Maria's new pet", "Maria Lopez", "new pet"),
        ("the puppy", None, "puppy"),
    ],
)
def test_a_question_tells_whose_message_it_expects(about, speaker, core):
    asked = asked_of(about, MESSAGES)
    assert (asked.speaker, asked.core) == (speaker, core)


def ranking(about, likeness=None):
    asked = asked_of(about, MESSAGES)
    scores = scored(asked, {word: 1.0 for word in asked.stems}, MESSAGES, likeness)
    return [m.iri for _, m in sorted(zip(scores, MESSAGES, strict=True), key=lambda pair: -pair[0])]


def test_words_speaker_and_telling_rank_messages():
    assert ranking("What did Maria say about her puppy")[0] == "m1"
    assert ranking("what did John say about the puppy")[0] == "m2"


def test_meaning_counts_beside_words():
    assert ranking("What did Maria say about her new pet", [0.2, 0.1, 0.6, 0.0])[0] == "m3"


def test_an_answer_gains_by_the_question_before_it():
    messages = [
        Said("m1", "What is the name of your puppy?", "John", "Maria", 0),
        Said("m2", "Coco.", "Maria Lopez", "Maria", 1),
        Said("m3", "Coco.", "Maria Lopez", "Maria", 7),
    ]
    asked = asked_of("the name of the puppy", messages)
    _, answer, elsewhere = scored(asked, {word: 1.0 for word in asked.stems}, messages, [0.5, 0.1, 0.1])
    assert answer > elsewhere


@pytest.mark.parametrize(
    ("about", "text"),
    [
        ("what did the vet cost", "320 quid so far"),
        ("how far did dad walk", "Forty metres, they clapped."),
        ("when was the interview", "Tuesday, online first"),
    ],
)
def test_a_message_gains_by_what_is_asked_for(about, text):
    messages = [Said("m1", "no idea, really", "John", "c", 4), Said("m2", text, "Maria", "c", 9)]
    other, answer = scored(asked_of(about, messages), {}, messages, [0.2, 0.2])
    assert answer > other
    neither = scored(asked_of("what did Maria name it", [messages[0]]), {}, messages, [0.2, 0.2])
    assert neither[0] == neither[1]


def test_the_second_message_after_the_word_gains_too():
    messages = [Said(f"m{at}", text, "J", "c", at) for at, text in enumerate(["the puppy", "oh", "Coco", "right"])]
    _, _, near, far = scored(asked_of("puppy", messages), {"puppi": 1.0, "puppy": 1.0}, messages, [0.0] * 4)
    assert near > far


def test_of_a_short_list_more_is_taken_than_of_a_long_one():
    assert len(taken([1.0, *[0.0] * (SHORT - 1)])) == LEAST_OF_SHORT
    assert len(taken([1.0, *[0.0] * SHORT])) == LEAST


def test_conditions_are_left_out_one_by_one_also_where_filters_stand_on_one_another():
    read = 'EXTRACT(l=RETRIEVE(query="chat messages"), attr_names=["session"], attr_types=[int])'
    one, other = 'lambda attr: attr["session"] == 1', 'lambda attr: attr["session"] == 2'
    tree = parse_tree(f"FILTER(l=FILTER(l={read}, filter={one}), filter={other})")
    found = [format_tree(fewer) for fewer, _ in without_one(tree)]
    assert found == [format_tree(parse_tree(f"FILTER(l={read}, filter={condition})")) for condition in (one, other)]


def test_conditions_that_one_filter_asks_for_together_are_left_out_one_by_one_and_spans_whole():
    read = 'EXTRACT(l=RETRIEVE(query="chat messages"), attr_names=["session"], attr_types=[int])'
    low, high, other = (f'attr["session"] {ends}' for ends in (">= 2", "<= 4", "== 9"))
    tree = parse_tree(f"FILTER(l={read}, filter=lambda attr: {low} and {high} and {other})")
    found = [format_tree(fewer) for fewer, _ in without_one(tree)]
    rest = [f"FILTER(l={read}, filter=lambda attr: {body})" for body in (other, f"{low} and {high}")]
    assert found == [format_tree(parse_tree(text)) for text in rest]
