"""Other models in place of the bundled reader: tiny ones, made here."""

from datetime import datetime

import numpy as np
import pytest

from reqap_kg.config import DEFAULT_ENCODER
from reqap_kg.errors import ConfigError
from reqap_kg.models.encoder import weights_folder
from reqap_kg.models.reading.adapters import CrossEncoderClassifier, SequenceExtractor, located
from reqap_kg.models.reading.reader import softmax
from reqap_kg.models.reading.readers import Readers
from reqap_kg.texts.document import Document, TextKind

TEXT = Document("e", TextKind.NOTE, "Root canal", "at Camden Dental, never again", datetime(2024, 1, 2))


@pytest.fixture(scope="module")
def tokenizer():
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(weights_folder(DEFAULT_ENCODER))


def cross_encoder(folder, tokenizer, classes):
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(
        hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, num_labels=classes
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.mark.model
def test_a_cross_encoder_with_one_score_classifies_events_and_is_careful_with_patterns(tmp_path, tokenizer):
    model = CrossEncoderClassifier(cross_encoder(tmp_path, tokenizer, 1))
    pairs = [("I ran", "note: 5k"), ("I ran", "mail: rent")]
    scores = model.relevance(pairs)
    assert scores.shape == (2,)
    assert ((scores > 0) & (scores < 1)).all()
    assert model.patterns(pairs).tolist() == [[0, 1, 0], [0, 1, 0]]
    assert model.identity.startswith("sha256:")


@pytest.mark.model
def test_softmax_is_a_chance_for_each_class_even_of_large_logits():
    chances = softmax(np.array([[0, np.log(3), -1000], [1000, 1000, 0]], dtype=np.float32))
    assert np.allclose(chances, [[0.25, 0.75, 0], [0.5, 0.5, 0]])


def test_a_cross_encoder_with_three_classes_classifies_patterns_only(tmp_path, tokenizer):
    model = CrossEncoderClassifier(cross_encoder(tmp_path, tokenizer, 3))
    assert np.allclose(model.patterns([("I ran", "source = mail")]).sum(axis=1), 1, atol=1e-3)
    with pytest.raises(ConfigError, match="3 classes; an event classifier has one"):
        model.relevance([("I ran", "note: 5k")])


@pytest.mark.model
def test_a_sequence_model_is_named_in_the_configuration(tmp_path, tokenizer):
    from transformers import BartConfig, BartForConditionalGeneration

    config = BartConfig(
        vocab_size=len(tokenizer),
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
    )
    BartForConditionalGeneration(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    extractor = Readers(extractor_name=str(tmp_path)).extractor
    assert isinstance(extractor, SequenceExtractor)
    assert all(0 <= s.start <= s.end <= len(TEXT.text) for s in extractor.tag([("doctor type", TEXT)])[0])


@pytest.mark.parametrize("name", ["/no/such/model", "./nor-this"])
def test_a_model_that_is_not_there_is_an_error_with_its_name(name):
    with pytest.raises(ConfigError, match=name):
        CrossEncoderClassifier(name).relevance([("a", "b")])
    with pytest.raises(ConfigError, match=name):
        SequenceExtractor(name).tag([("a", TEXT)])


def test_a_written_value_is_found_where_it_stands():
    (span,) = located("camden dental", TEXT)
    assert TEXT.text[span.start : span.end] == "Camden Dental"
    assert span.value is None


def test_a_value_in_other_words_keeps_its_words():
    (span,) = located("dentist", TEXT)
    assert span.value == "dentist"
    assert (span.start, span.end) == (0, len(TEXT.text))


@pytest.mark.parametrize("nothing", ["", "  ", "None", "unknown"])
def test_no_value_is_no_span(nothing):
    assert located(nothing, TEXT) == ()
