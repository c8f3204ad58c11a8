"""Questions about events that belong together, said in other words: each wording has the tree of the plain question."""

import pytest

from reqap_kg.errors import NotUnderstood
from reqap_kg.operators.syntax.text import format_tree


@pytest.mark.parametrize(
    ("wording", "plain"),
    [
        ("How many days did I both run and swim?", "On how many days did I run on a day when I swam?"),
        ("how many times did I run and swim the same day", "On how many days did I run on a day when I swam?"),
        ("Did I ever ski and curl on the same day?", "Did I ski on a day when I curled?"),
        ("have I run and cycled on one and the same day", "have I run on a day when I cycled?"),
        ("On my trip to Porto, did I go running?", "did I go running on my trip to Porto"),
        ("While I was in Porto, how many songs did I play?", "how many songs did I play while I was in Porto"),
        ("First run in 2024 - when was it?", "when was my first run in 2024"),
        ("runs with Tom: how many?", "how many runs with Tom"),
        ("Something about runs, I mean: when was my first run?", "when was my first run"),
        ("Is it true that I went running in 2019?", "did I went running in 2019"),
        ("Did I go running in 2019, yes or no?", "did I go running in 2019"),
        ("how many dinners with Gretl have there been", "how many dinners with Gretl"),
        ("how many times coffee with Tom", "how many coffee with Tom"),
        ("At whose place did we celebrate?", "where did we celebrate"),
        ("Have Gretl and Tom ever been at the same dinner?", "were there any dinner with Greta Olsen and Tom Baker"),
        ("with who did I have brunch", "with whom did I have brunch"),
        ("On how many of my trips was Tom not with me?", "how many trips without Tom Baker"),
        ("In how many states, sorry, cities did I stay?", "In how many cities did I stay"),
    ],
)
def test_a_wording_has_the_tree_of_the_plain_question(planned, wording, plain):
    assert str(planned(wording).tree) == str(planned(plain).tree)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("when is my next dentist appointment?", 'attr["start_date"] >= date('),
        ('who sings "Titanic"?', 'attr_names=["artist"]'),
        ('which album is "Titanic" on?', 'attr_names=["album"]'),
        ("What is my next appointment?", 'val_attr_name="title"'),
        ("whom did I write to in May 2023?", 'attr_names=["recipient"]'),
        ("How many times did I go for a walk in 2023?", 'RETRIEVE(query="I went for a walk")'),
        ("How many runs did I do within three days after a trip?", "i1.start_date <= i2.end_date + timedelta(days=3)"),
        ("What did I buy in the two weeks before my first swim?", "- timedelta(days=14)"),
        ("How many songs did I play in the week after the exam?", "+ timedelta(days=7)"),
        ("How many dinners without Gretl?", 'not in attr["participants"]'),
        ("How many runs did I do with other people?", 'len(attr["participants"]) > 0'),
        ("how many runs did I do alone", 'attr["participants"] is None or len(attr["participants"]) == 0'),
        ("Which countries have I travelled to?", 'attr_names=["country"]'),
        ("which cities did I visit with Tom", '"Tom Baker" in attr["participants"]'),
        ("Which of my trips were by train?", 'attr["transport"] == "train"'),
        ("how many different restaurants did I eat at", 'attr_names=["place"]'),
        ("How many people were at my wedding party?", 'nested_attr_name="participants"'),
        ("During how many of my trips did I watch a movie?", "i1.start_date <= i2.start_date"),
        ("Did Tom come along to Porto?", '"porto" in'),
        ("Where did we eat?", 'attr_names=["place"]'),
        ("where have I been for a conference", 'attr_names=["city"]'),
        ("which dishes have I had", 'query="I ate"'),
        ("how many meetups with Tom have there been", 'query="I met with someone"'),
        ("Which restaurants did I eat at during my trips?", 'query="I ate at a restaurant"'),
        ("How many days were there between 1 March 2024 and 11 March 2024?", "lambda events: 10"),
    ],
)
def test_what_a_wording_asks_is_in_the_tree(planned, question, part):
    assert part in format_tree(planned(question).tree)


@pytest.mark.parametrize("question", ["On my trip, why did I run?", "Is it true that why?"])
def test_wordings_refuse_what_the_plain_question_would(planned, question):
    with pytest.raises(NotUnderstood):
        planned(question)
