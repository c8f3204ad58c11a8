"""Questions about events that belong together, said in other words: each wording has the tree of the plain question."""

import pytest

from reqap_kg.errors import NotUnderstood
from reqap_kg.operators.syntax.text import format_tree


@pytest.mark.parametrize(
    ("wording", "plain"),
    [
        ("On how many of my trips was Tom not with me?", "how many trips without Tom Baker"),
    ],
)
def test_a_wording_has_the_tree_of_the_plain_question(planned, wording, plain):
    assert str(planned(wording).tree) == str(planned(plain).tree)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("How many times did I go for a walk in 2023?", 'RETRIEVE(query="I went for a walk")'),
        ("How many runs did I do within three days after a trip?", "i1.start_date <= i2.end_date + timedelta(days=3)"),
        ("What did I buy in the two weeks before my first swim?", "- timedelta(days=14)"),
        ("How many songs did I play in the week after the exam?", "+ timedelta(days=7)"),
        ("How many dinners without Gretl?", 'not in attr["participants"]'),
        ("How many runs did I do with other people?", 'len(attr["participants"]) > 0'),
        ("how many runs did I do alone", 'attr["participants"] is None or len(attr["participants"]) == 0'),
        ("Which countries have I travelled to?", 'attr_names=["country"]'),
        ("which cities did I visit with Tom", '"Tom Baker" in attr["participants"]'),
        ("How many days were there between 1 March 2024 and 11 March 2024?", "lambda events: 10"),
    ],
)
def test_what_a_wording_asks_is_in_the_tree(planned, question, part):
    assert part in format_tree(planned(question).tree)


@pytest.mark.parametrize("question", ["On my trip, why did I run?", "Is it true that why?"])
def test_wordings_refuse_what_the_plain_question_would(planned, question):
    with pytest.raises(NotUnderstood):
        planned(question)
