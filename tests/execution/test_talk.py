"""Which messages a question is about: who is expected to say it, which words tell, how many are taken."""

from __future__ import annotations

import pytest

from reqap_kg.execution.talk import Said, asked_of, scored

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
