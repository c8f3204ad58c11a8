"""What the bundled models are trained on: from annotated texts to batches and pairs."""

import json
from dataclasses import replace
from datetime import datetime
from random import Random

import pytest

from reqap_kg.config import DEFAULT_ENCODER
from reqap_kg.models.encoder import weights_folder
from reqap_kg.texts.document import TextKind
from reqap_kg.texts.lexicon.lexicon import load_lexicon
from reqap_kg.training.batches import COMMON, RARE_DENIED, batches, in_order, keys_of, read_lines
from reqap_kg.training.pairs import CLASSES, event_pairs, pattern_pairs
from reqap_kg.training.texts import read_queries, read_texts

BODY = "Took Majsan to Luigi's for gnocchi. Majsan paid 40 euros."


def key(name, said, value, implied=False):
    return {"key": name, "span": said, "value": value, "implied": implied}


LIFE = {
    "life": "tove",
    "owner": "Tove Lind",
    "people": [
        {"name": "Maja Lind", "relation": "sister", "calls": ["Majsan"]},
        {"name": "Otto Berg", "relation": None, "calls": ["Otto"]},
    ],
}
DINNER = {
    "id": "tove-1",
    "life": "tove",
    "source": "mail",
    "at": "2024-01-02T10:00",
    "until": None,
    "sender": "me",
    "to": "Otto Berg",
    "title": "Dinner",
    "location": "",
    "text": BODY,
    "mentions": [
        {
            "standing": "happened",
            "kind": "dinner out",
            "trigger": [9, 13],
            "same": None,
            "keys": [
                key("participants", [14, 20], "Maja Lind"),
                key("cuisine", [36, 43], "Italian", implied=True),
                key("dish", [36, 43], "gnocchi"),
                key("amount spent", [57, 65], "40 euros"),
                key("city", None, "Lund", implied=True),
            ],
        }
    ],
}
PLAN = {
    "id": "tove-2",
    "life": "tove",
    "source": "calendar",
    "at": "2024-02-03T19:00",
    "until": None,
    "sender": "",
    "to": "",
    "title": "Sushi?",
    "location": "Sushi Bar",
    "text": "cancelled",
    "mentions": [
        {
            "standing": "cancelled",
            "kind": "sushi dinner",
            "trigger": [0, 5],
            "same": None,
            "keys": [key("cuisine", [0, 5], "Japanese", implied=True)],
        }
    ],
}
QUERIES = [
    {"life": "tove", "query": "I had dinner with family", "yes": ["tove-1.1"], "no": []},
    {"life": "tove", "query": "I ate out", "yes": ["tove-1.1"], "no": ["tove-2.1"]},
]
PHRASES = {"cuisine": ["I ate {} food"], "participants": ["I met {}"]}
PATTERN = {"pattern": "music stream: artist = Hozier", "all": ["I heard Hozier"], "some": ["a song"], "none": ["I ran"]}
SOURCE = {"pattern": "source = music streams", "all": ["I heard music"], "some": [], "none": ["I swam"]}


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n\n" for row in rows), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    """Training data of a life with two texts."""
    write(tmp_path / "train.jsonl", [DINNER, PLAN])
    write(tmp_path / "lives.jsonl", [LIFE])
    write(tmp_path / "queries.jsonl", QUERIES)
    write(tmp_path / "values.jsonl", [{"key": key, "phrases": phrases} for key, phrases in PHRASES.items()])
    write(tmp_path / "patterns.jsonl", [SOURCE, PATTERN])
    return tmp_path


@pytest.fixture
def texts(folder):
    return read_texts("train", folder)


def pairs(texts, folder, seed=1):
    return event_pairs(texts, read_queries(folder), load_lexicon(), Random(seed), folder)


def test_texts_are_documents(texts):
    dinner, plan = (text.document for text in texts)
    assert (dinner.kind, dinner.text, dinner.by_owner, dinner.sender) == (
        TextKind.MAIL,
        f"Dinner | {BODY}",
        True,
        "",
    )
    assert (dinner.start, dinner.recipients) == (None, ("Otto Berg",))
    assert (plan.by_owner, plan.location) == (True, "Sushi Bar")
    assert (plan.start, plan.end) == (datetime(2024, 2, 3, 19), None)


def test_people_have_their_relation_and_nicknames(texts):
    profile = texts[0].profile
    assert profile.owner is not None
    assert profile.owner.name == "Tove Lind"
    assert [(p.name, p.nicknames, p.relation) for p in profile.people] == [
        ("Maja Lind", ("Majsan",), "sister"),
        ("Otto Berg", ("Otto",), None),
    ]


def test_only_what_happened_is_real(texts):
    assert [mention.real for text in texts for mention in text.mentions] == [True, False]


def test_pairs_of_the_queries_of_a_life(texts, folder):
    labels = {(p.line.split(":")[0].split(" (")[0], p.query): p.label for p in pairs(texts, folder)}
    assert labels["my mail", "I ate out"] == 1
    assert labels["calendar entry", "I ate out"] == 0
    assert labels["calendar entry", "I had dinner with family"] == 0


def test_pairs_of_values(texts, folder):
    for seed in range(20):
        labels = {(p.query, "gnocchi" in p.line): p.label for p in pairs(texts, folder, seed)}
        assert labels["I ate Italian food", True] == 1
        assert labels.get(("I ate Japanese food", True), 0) == 0
        assert labels["I ate Japanese food", False] == 0, "it was cancelled"
        assert labels.get(("I ate Italian food", False), 0) == 0


def test_what_also_happened_is_not_denied(texts, folder):
    dinner = texts[0]
    cancelled = replace(dinner.mentions[0], standing="cancelled")
    for seed in range(5):
        both = pairs([replace(dinner, mentions=(dinner.mentions[0], cancelled))], folder, seed)
        assert {p.label for p in both if p.query == "I ate Italian food"} == {1}


def test_a_value_that_stands_in_the_text_is_not_denied(texts, folder):
    said = replace(texts[0], document=replace(texts[0].document, body=BODY + " Not Japanese."))
    asked = [p for seed in range(20) for p in pairs([said, texts[1]], folder, seed) if "gnocchi" in p.line]
    assert "I ate Japanese food" not in {p.query for p in asked}
    plain = [p for seed in range(20) for p in pairs(texts, folder, seed) if "gnocchi" in p.line]
    assert "I ate Japanese food" in {p.query for p in plain}


def test_people_are_called_by_name_nickname_or_relation(texts, folder):
    asked = [p for seed in range(60) for p in pairs(texts, folder, seed) if p.query.startswith("I met ")]
    calls = {label: {p.query.removeprefix("I met ") for p in asked if p.label == label} for label in (0, 1)}
    assert calls[1] == {"Maja Lind", "Maja", "Majsan", "my sister"}
    assert calls[0] == {"Otto Berg", "Otto"}


def test_patterns_have_their_class(folder):
    assert {(p.query, p.line, CLASSES[p.label]) for p in pattern_pairs(folder)} == {
        ("I heard music", "source = music streams", "all"),
        ("I swam", "source = music streams", "none"),
        ("I heard Hozier", "music stream: artist = Hozier", "all"),
        ("a song", "music stream: artist = Hozier", "some"),
        ("I ran", "music stream: artist = Hozier", "none"),
    }


def test_of_patterns_events_have_what_is_wholly_in_or_out(texts, folder):
    records = {p.query: p.label for p in pairs(texts, folder) if p.line.startswith(("music", "source"))}
    assert records == {"I heard Hozier": 1, "I ran": 0}


def test_the_same_seed_draws_the_same(texts, folder):
    assert pairs(texts, folder, 3) == pairs(texts, folder, 3)
    assert len({tuple(pairs(texts, folder, seed)) for seed in range(10)}) > 1


def test_keys_that_many_texts_give_are_common(texts):
    found = keys_of(texts * COMMON)
    assert set(found.common) == {"participants", "cuisine", "dish", "amount spent"}
    assert found.doubtful == {"cuisine"}
    assert keys_of(texts).common == ()


@pytest.fixture(scope="module")
def tokenizer():
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(weights_folder(DEFAULT_ENCODER), local_files_only=True)


@pytest.fixture
def held(texts, tokenizer):
    """A batch of both texts, for the keys of many such texts."""
    (found,) = in_order(read_lines(texts, load_lexicon()), tokenizer, keys_of(texts * COMMON), 8)
    return found


def words(batch, tokenizer, row, tokens):
    return tokenizer.decode(batch.inputs["input_ids"][row][tokens > 0])


@pytest.mark.model
def test_tokens_of_values_and_triggers_are_marked(held, tokenizer):
    said = {key: words(held, tokenizer, 0, held.tags[0, :, n, 0]) for n, key in enumerate(held.keys)}
    assert said == {
        "participants": "majsan",
        "cuisine": "gnocchi",
        "dish": "gnocchi",
        "amount spent": "40 euros",
        "city": "",
    }
    assert words(held, tokenizer, 0, held.triggers[0, :, 0]) == "took"
    begins = held.tags[0, :, held.keys.index("amount spent")].sum(dim=0).tolist()
    assert begins == [2, 1]


@pytest.mark.model
def test_mentions_have_their_trigger_and_what_is_told_of_them(held, tokenizer):
    assert [mention.name for mention in held.mentions] == ["tove-1.1", "tove-2.1"]
    assert held.texts.tolist() == [0, 1]
    assert held.weights.sum(dim=1).tolist() == [1.0, 1.0]
    assert words(held, tokenizer, 0, held.parts[0]) == "took majsan gnocchi 40 euros"
    assert (held.valued[0] == held.parts[0]).all()


@pytest.mark.model
def test_what_nobody_judged_counts_less(held):
    def known(row, key):
        return set(held.known[row, held.real[row] > 0, held.keys.index(key)].tolist())

    assert known(1, "dish") == {1.0}
    assert known(0, "city") == {0.0}, "implied, so it may stand anywhere"
    (few,) = known(1, "city")
    assert few == pytest.approx(RARE_DENIED), "a key that few texts give"
    plain = held.known[:, 0]
    assert (plain == 0).all(), "nothing is learned of a token without signs"


@pytest.mark.model
def test_some_lines_are_without_hints(texts, tokenizer):
    drawn = batches(read_lines(texts[:1], load_lexicon()) * 200, tokenizer, keys_of(texts), 1, Random(1))
    lengths = sorted(int(batch.inputs["attention_mask"].sum()) for batch in drawn)
    short = sum(length == lengths[0] for length in lengths)
    assert len(set(lengths)) == 2
    assert 30 < short < 90
