"""What the bundled models are trained on: from annotated texts to examples, pairs and batches."""

import json
from dataclasses import replace
from datetime import datetime
from random import Random

import pytest

from reqap_kg.config import DEFAULT_ENCODER
from reqap_kg.models.encoder import weights_folder
from reqap_kg.models.reading.reader_terms import reader_kinds
from reqap_kg.texts.document import TextKind
from reqap_kg.texts.lexicon.lexicon import load_lexicon
from reqap_kg.training.examples import Example, examples
from reqap_kg.training.pairs import CLASSES, event_pairs, pattern_pairs
from reqap_kg.training.texts import read_texts

BODY = "Took Majsan to Luigi's for gnocchi. Majsan paid 40 euros."
DINNER = {
    "id": "x-1",
    "kind": "mail",
    "written": "2024-01-02T10:00",
    "from": "me",
    "subject": "Dinner",
    "text": BODY,
    "profile": {"me": "Tove Lind", "people": {"sister": "Maja Lind", "Majsan": "Maja Lind", "Otto": "Otto Berg"}},
    "tells": [
        {
            "mine": True,
            "happened": True,
            "values": {
                "participants": {"value": ["Maja Lind"], "span": "Majsan", "implied": False},
                "cuisine": {"value": "Italian", "span": "gnocchi", "implied": True},
                "dish": {"value": "gnocchi", "span": "gnocchi", "implied": False},
                "amount_spent": {"value": 40.0, "span": "40 euros", "implied": False},
                "city": {"value": "Lund", "span": "", "implied": True},
            },
        }
    ],
    "yes": ["I ate gnocchi"],
    "no": ["I ate sushi"],
}
PLAN = {
    "id": "x-2",
    "kind": "calendar",
    "written": "2024-02-01T10:00",
    "start": "2024-02-03T19:00",
    "end": None,
    "from": "Otto Berg",
    "subject": "Sushi?",
    "text": "Sushi with Otto, cancelled",
    "location": "Sushi Bar",
    "profile": {"me": "Tove Lind", "people": {"friend": "Otto Berg"}},
    "tells": [
        {
            "mine": True,
            "happened": False,
            "values": {"cuisine": {"value": "Japanese", "span": "Sushi", "implied": True}},
        }
    ],
    "yes": [],
    "no": [],
}
PHRASES = {"cuisine": ["I ate {} food"], "participants": ["I met {}"]}
PATTERN = {"pattern": "music stream: artist = Hozier", "all": ["I heard Hozier"], "some": ["a song"], "none": ["I ran"]}
SOURCE = {"pattern": "source = music streams", "all": ["I heard music"], "some": [], "none": ["I swam"]}
KIND, OTHER_KIND, DOUBTFUL = list(reader_kinds())[:3]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n\n" for row in rows), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    """Training data of two texts, of which the first was judged."""
    write(tmp_path / "texts_x.jsonl", [DINNER, PLAN])
    write(tmp_path / "judged_x.jsonl", [{"id": "x-1", "yes": [KIND], "doubtful": [DOUBTFUL]}])
    write(tmp_path / "values.jsonl", [{"key": key, "phrases": phrases} for key, phrases in PHRASES.items()])
    write(tmp_path / "patterns.jsonl", [SOURCE, PATTERN])
    return tmp_path


@pytest.fixture
def texts(folder):
    return read_texts(["x"], folder)


def made(texts, **more) -> list[Example]:
    return list(examples(texts, load_lexicon(), Random(1), **more))


def pairs(texts, folder, seed=1):
    return event_pairs(texts, load_lexicon(), Random(seed), folder)


def test_texts_are_documents(texts):
    dinner, plan = (text.document for text in texts)
    assert (dinner.kind, dinner.text, dinner.by_owner, dinner.sender) == (
        TextKind.MAIL,
        f"Dinner | {BODY}",
        True,
        "",
    )
    assert dinner.start is None
    assert (plan.sender, plan.by_owner, plan.location) == ("Otto Berg", False, "Sushi Bar")
    assert (plan.start, plan.end) == (datetime(2024, 2, 3, 19), None)


def test_people_have_their_relation_and_nicknames(texts):
    profile = texts[0].profile
    assert profile.owner is not None
    assert profile.owner.name == "Tove Lind"
    assert [(p.name, p.nicknames, p.relation) for p in profile.people] == [
        ("Maja Lind", ("Majsan",), "sister"),
        ("Otto Berg", ("Otto",), None),
    ]


def test_judgements_are_those_of_the_text(texts):
    assert (texts[0].general, texts[0].doubtful) == ({KIND}, {DOUBTFUL})
    assert (texts[1].general, texts[1].doubtful) == (None, frozenset())


def test_only_what_is_mine_and_happened_is_real(tmp_path):
    rows = [
        DINNER | {"id": str(n), "tells": [{"mine": mine, "happened": happened, "values": {}}]}
        for n, (mine, happened) in enumerate([(True, True), (True, False), (False, True)])
    ]
    write(tmp_path / "texts_y.jsonl", rows)
    assert [text.tells[0].real for text in read_texts(["y"], tmp_path)] == [True, False, False]


def test_spans_are_the_literal_words_in_the_line(texts):
    found = made(texts)[0]
    said = {key: {found.line[a:b] for a, b in spans} for key, spans in found.spans.items()}
    assert said == {
        "participants": {"Majsan"},
        "cuisine": {"gnocchi"},
        "dish": {"gnocchi"},
        "amount_spent": {"40 euros"},
    }
    assert len(found.line) > len(texts[0].document.text)
    assert all(a >= found.line.index("Dinner | ") for spans in found.spans.values() for a, _ in spans)


def test_people_stand_everywhere_and_other_values_once(texts):
    twice = replace(texts[0].document, body=BODY + " Gnocchi, gnocchi!")
    (found,) = made([replace(texts[0], document=twice)])
    assert len(found.spans["participants"]) == 2
    assert len(found.spans["dish"]) == 1
    assert found.spans["dish"][0][0] == found.line.index("gnocchi")


def test_a_value_whose_words_stand_nowhere_is_unknown(texts):
    assert made(texts)[0].unknown == {"city"}


def test_what_did_not_happen_has_no_spans(texts):
    dinner, plan = made(texts)
    assert dinner.real
    assert (plan.real, plan.spans, plan.unknown) == (False, {}, frozenset())
    assert (dinner.general, plan.general) == ({KIND}, None)


def test_some_lines_are_without_hints(texts):
    assert "Majsan is sister Maja Lind" in made(texts)[0].line
    drawn = made([texts[0]] * 200, hints=False)
    without = sum(example.line.startswith("my mail: ") for example in drawn)
    assert 20 < without < 80
    for example in drawn:
        assert {example.line[a:b] for a, b in example.spans["dish"]} == {"gnocchi"}


def test_pairs_of_the_queries_beside_a_text(texts, folder):
    labels = {(p.text, p.query): p.label for p in pairs(texts, folder)}
    assert labels["x-1", "I ate gnocchi"] == 1
    assert labels["x-1", "I ate sushi"] == 0


def test_pairs_of_values(texts, folder):
    for seed in range(20):
        labels = {(p.text, p.query): p.label for p in pairs(texts, folder, seed)}
        assert labels["x-1", "I ate Italian food"] == 1
        assert labels.get(("x-1", "I ate Japanese food"), 0) == 0
        assert labels["x-2", "I ate Japanese food"] == 0, "it was cancelled"
        assert labels.get(("x-2", "I ate Italian food"), 0) == 0


def test_what_also_happened_is_not_denied(texts, folder):
    dinner = texts[0]
    cancelled = replace(dinner.tells[0], real=False)
    for seed in range(5):
        both = pairs([replace(dinner, tells=(dinner.tells[0], cancelled))], folder, seed)
        assert {p.label for p in both if p.query == "I ate Italian food"} == {1}


def test_a_value_that_stands_in_the_text_is_not_denied(texts, folder):
    said = replace(texts[0], document=replace(texts[0].document, body=BODY + " Not Japanese."))
    asked = [p for seed in range(20) for p in pairs([said, texts[1]], folder, seed) if p.text == "x-1"]
    assert "I ate Japanese food" not in {p.query for p in asked}
    plain = [p for seed in range(20) for p in pairs(texts, folder, seed) if p.text == "x-1"]
    assert "I ate Japanese food" in {p.query for p in plain}


def test_people_are_called_by_name_nickname_or_relation(texts, folder):
    unjudged = [replace(text, general=None) for text in texts]
    asked = [p for seed in range(60) for p in pairs(unjudged, folder, seed) if p.query.startswith("I met ")]
    calls = {label: {p.query.removeprefix("I met ") for p in asked if p.label == label} for label in (0, 1)}
    assert calls[1] == {"Maja Lind", "Maja", "Majsan", "my sister"}
    assert calls[0] == {"Otto Berg", "Otto"}
    assert {p.text for p in asked} == {"x-1"}


def test_pairs_of_general_queries(texts, folder):
    labels = {p.query: p.label for p in pairs(texts, folder) if p.text == "x-1"}
    kinds = reader_kinds()
    assert {labels[phrase] for phrase in kinds[KIND]} == {1}
    assert {labels[phrase] for phrase in kinds[OTHER_KIND]} == {0}
    assert not labels.keys() & set(kinds[DOUBTFUL])
    assert not {p.query for p in pairs(texts, folder) if p.text == "x-2"} & set(kinds[KIND])


def test_what_is_written_beside_a_text_outweighs_what_is_drawn(texts, folder):
    contrary = replace(texts[0], no=(reader_kinds()[KIND][0],))
    labels = {p.query: p.label for p in pairs([contrary], folder)}
    assert labels[reader_kinds()[KIND][0]] == 0


def test_a_pair_has_the_line_of_its_text(texts, folder):
    lines = {p.line for p in pairs(texts, folder) if p.text == "x-1"}
    assert lines == {made(texts)[0].line}


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


@pytest.fixture(scope="module")
def tokenizer():
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(weights_folder(DEFAULT_ENCODER), local_files_only=True)


KEYS = ("participants", "dish", "city", "amount_spent")


@pytest.mark.model
def test_a_batch_tags_the_tokens_of_values(texts, tokenizer):
    from reqap_kg.training.batches import IGNORED, batch

    dinner, plan = made(texts)
    found = batch([dinner, plan], tokenizer, KEYS, (KIND, OTHER_KIND, DOUBTFUL))
    ids, tags = found.inputs["input_ids"], found.tags
    assert tags.shape == (2, ids.shape[1], len(KEYS), 2)
    assert ids.shape[1] % 16 == 0

    def said(place: int, part: int) -> list[str]:
        return [tokenizer.decode([i]) for i in ids[0][tags[0, :, place, part] == 1]]

    assert (
        tokenizer.convert_tokens_to_string(tokenizer.convert_ids_to_tokens(ids[0][tags[0, :, 1, 0] == 1])) == "gnocchi"
    )
    assert len(said(1, 1)) == 1
    assert len(said(0, 1)) == 2, "each place of the name begins"
    assert said(3, 0) == ["40", "euros"]
    assert said(3, 1) == ["40"]
    assert (tags[0, :, 2] == IGNORED).all(), "nothing can be said of the city"
    assert not (tags[1] == 1).any()


@pytest.mark.model
def test_a_batch_learns_nothing_of_padding(texts, tokenizer):
    from reqap_kg.training.batches import IGNORED, batch

    found = batch(made(texts), tokenizer, KEYS, (KIND,))
    special = found.inputs["attention_mask"] == 0
    assert special.any()
    assert (found.tags[special] == IGNORED).all()
    assert (found.tags[:, 0] == IGNORED).all(), "nor of the sign before the text"
    assert (found.tags[1, 1] == 0).all()


@pytest.mark.model
def test_a_batch_has_the_judgements(texts, tokenizer):
    from reqap_kg.training.batches import IGNORED, batch

    found = batch(made(texts), tokenizer, KEYS, (KIND, OTHER_KIND, DOUBTFUL))
    assert found.kinds.tolist() == [[1.0, 0.0, IGNORED, 1.0], [IGNORED, IGNORED, IGNORED, 0.0]]


@pytest.mark.model
def test_batches_have_each_example_once(texts, tokenizer):
    from reqap_kg.training.batches import batches

    drawn = made([texts[0], texts[1]] * 5)
    found = batches(drawn, tokenizer, KEYS, (KIND,), 4, Random(1))
    assert sorted(b.tags.shape[0] for b in found) == [2, 4, 4]
    assert sum(float(b.kinds[:, -1].sum()) for b in found) == 5
