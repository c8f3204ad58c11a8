"""The tense of a question, by its verbs: every verb form with every auxiliary, and what is no verb."""

from __future__ import annotations

from itertools import product

import pytest

from reqap_kg.planner.search.tense import Tense, in_the_past, tense_of

VERBS = {
    "go": ("went", "gone"), "eat": ("ate", "eaten"), "run": ("ran", "run"), "see": ("saw", "seen"),
    "read": ("read", "read"), "buy": ("bought", "bought"), "visit": ("visited", "visited"), "come": ("came", "come"),
    "listen": ("listened", "listened"), "cycle": ("cycled", "cycled"), "write": ("wrote", "written"),
    "jog": ("jogged", "jogged"), "carry": ("carried", "carried"), "put": ("put", "put"), "swim": ("swam", "swum"),
}  # fmt: skip
SUBJECTS = ("I", "we", "my sister", "Sjoerd", "the dog")
ARRANGING = ("plan", "book", "schedule", "arrange", "reserve")


def tense(question: str) -> Tense:
    """The tense of a question."""
    return tense_of(question).tense


@pytest.mark.parametrize(("verb", "subject"), list(product(VERBS, SUBJECTS)))
def test_auxiliaries_with_every_verb_and_subject(verb: str, subject: str) -> None:
    _, participle = VERBS[verb]
    for start in ("When did", "How often didn't", "did"):
        assert tense(f"{start} {subject} last {verb} there?") is Tense.PAST
    have = "has" if subject in ("my sister", "Sjoerd", "the dog") else "have"
    for adverb in ("", "ever ", "already "):
        assert tense(f"How often {have} {subject} {adverb}{participle} there this year?") is Tense.PAST
    be = {"I": "am", "we": "are"}.get(subject, "is")
    for ahead in (
        f"When will {subject} {verb} there?",
        f"Where {be} {subject} going to {verb}?",
        f"Won't {subject} {verb}?",
    ):
        assert tense(ahead) is Tense.FUTURE
    does = "do" if subject in ("I", "we") else "does"
    assert tense(f"How often {does} {subject} {verb} there?") is Tense.OPEN


@pytest.mark.parametrize("verb", VERBS)
def test_main_verbs_in_relative_clauses_and_behind_the_subject_asked_for(verb: str) -> None:
    past, _ = VERBS[verb]
    assert tense(f"list the things I {past} with") is Tense.PAST
    assert tense(f"Show everything that we only once {past}") is Tense.PAST
    assert tense(f"Who {past} most?") is Tense.PAST or past == verb
    assert tense(f"things I {verb} with") is Tense.OPEN or past == verb


@pytest.mark.parametrize("verb", ARRANGING)
def test_what_was_arranged_may_be_yet_to_come(verb: str) -> None:
    past = {"plan": "planned", "schedule": "scheduled", "arrange": "arranged", "reserve": "reserved"}.get(
        verb, verb + "ed"
    )
    for question in (
        f"Which trips did I {verb} for the summer?",
        f"Which trips have I {past}?",
        f"What did we {verb} for next week?",
        f"the trips I {past}",
        f"Which dinners were {past}?",
    ):
        assert tense(question) is Tense.OPEN, question


@pytest.mark.parametrize(
    ("question", "wanted", "by_verb"),
    [
        ("my last dentist appointment", Tense.PAST, False),
        ("What's my most recent run?", Tense.PAST, False),
        ("longest run so far", Tense.PAST, False),
        ("What is my next appointment?", Tense.FUTURE, True),
        ("upcoming trips", Tense.FUTURE, True),
        ("Which concerts are coming up?", Tense.FUTURE, True),
        ("list my dentist appointments", Tense.OPEN, False),
        ("my appointments in March 2025", Tense.OPEN, False),
        ("appointments next week", Tense.OPEN, False),
        ("appointments in the next three weeks", Tense.OPEN, False),
        ("What do I have next Tuesday?", Tense.OPEN, False),
        ("films about the house next to ours", Tense.OPEN, False),
        ("What have I got on tomorrow?", Tense.OPEN, True),
        ("Do I have to pay?", Tense.OPEN, False),
        ("mails from Will", Tense.OPEN, False),
        ("What did I do the next day?", Tense.PAST, True),
        ("What was my next run after the marathon?", Tense.PAST, True),
        ("Would you tell me what I ate yesterday?", Tense.PAST, True),
        ("Will you tell me when I last ran?", Tense.PAST, True),
        ("I'll see whom?", Tense.FUTURE, True),
        ("Where've I been?", Tense.PAST, True),
        ("Am I going to the dentist?", Tense.OPEN, False),
        ("Which trips booked by me are long?", Tense.OPEN, False),
        ("How many runs started before 8?", Tense.PAST, True),
        ("How often did I watch 'What will happen'?", Tense.PAST, True),
        ("Who used to send me mails?", Tense.PAST, True),
        ("WHEN WILL I RUN?", Tense.FUTURE, True),
    ],
)
def test_adverbs_names_and_idioms(question: str, wanted: Tense, by_verb: bool) -> None:
    found = tense_of(question)
    assert (found.tense, found.by_verb) == (wanted, by_verb)


@pytest.mark.parametrize(
    ("question", "past"),
    [
        ("When will I play football next?", "When did I first play football?"),
        ("When will we next see Sjoerd?", "When did we first see Sjoerd?"),
        ("What am I going to do next week?", "What did I do next week?"),
        ("When am I going to fly next week?", "When did I first fly next week?"),
        ("How many trips shall we make?", "How many trips did we make?"),
        ("Where are they going to live?", "Where did they live?"),
        ("What is my next appointment?", None),
        ("When did I last run?", None),
    ],
)
def test_a_question_of_the_future_as_it_is_asked_of_the_past(question: str, past: str | None) -> None:
    assert in_the_past(question) == past
