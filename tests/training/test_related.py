"""Training of neighbourhoods: it learns what decides, leaves alone what says nothing, and goes on where it stopped."""

from random import Random

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize

from reqap_kg.models.set_encoder import SIZE, Aggregation, SetEncoder
from reqap_kg.training.related.heads import HeadsPlan, Vectors, ranks, trained_heads
from reqap_kg.training.related.measures import Ranked, difference
from reqap_kg.training.related.task import Case, Document, Task, joined, read_task

TOPICS = 40


def encode(texts):
    """Vectors of texts that name a topic ("topic 7, …"), with a little of their own."""
    found = []
    for text in texts:
        number = sum(map(ord, text))
        own = torch.randn(SIZE, generator=torch.Generator().manual_seed(number)) * 0.4 / SIZE**0.5
        if text.startswith("topic"):
            topic = int(text.split(",")[0].split()[1])
            own = own + normalize(torch.randn(SIZE, generator=torch.Generator().manual_seed(topic)), dim=-1)
        found.append(normalize(own, dim=-1))
    return torch.stack(found)


def a_task(seed, useful):
    """Queries that say nothing; the category "history" names the topic, or, where not `useful`, any topic."""
    dice = Random(seed)
    documents = tuple(Document(f"d{n}", f"topic {n}, a document", "p") for n in range(TOPICS))
    cases = []
    for number in range(160):
        topic, other = dice.randrange(TOPICS), dice.randrange(TOPICS)
        query = f"query {number}" if useful else f"topic {topic}, query {number}"
        around = {"history": (f"topic {topic if useful else other}, before {number}",), "noise": (f"noise {number}",)}
        part = "train" if number < 120 else "test"
        cases.append(Case(f"k:{number}", query, "p", around, (f"d{topic}",), part))
    return Task(documents, tuple(cases))


@pytest.mark.parametrize("useful", [True, False])
def test_gates_open_for_what_decides_and_stay_shut_for_what_says_nothing(useful):
    task = a_task(1, useful)
    vectors = Vectors.by(encode, task)
    network = trained_heads(task, vectors, HeadsPlan(epochs=8, rate=3e-3)).eval()
    bare = Ranked.of(list(ranks(task, vectors, SetEncoder(Aggregation.NONE), "test").values()))
    found = Ranked.of(list(ranks(task, vectors, network, "test").values()))
    if useful:
        assert bare.told["MRR"] < 40
        assert found.told["MRR"] > 95
    else:
        assert found.told["MRR"] >= bare.told["MRR"] - 1
        around, _ = vectors.neighbourhoods(task.of("test"), None)
        queries = torch.stack([vectors.of[case.text] for case in task.of("test")])
        with torch.inference_mode():
            assert float(network(queries, around).gates.abs().mean()) < 0.1


def test_the_same_seed_gives_the_same_weights():
    task = a_task(2, True)
    one, two = (trained_heads(task, Vectors.by(encode, task), HeadsPlan(epochs=1)) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), two.parameters(), strict=True))


def test_cases_without_a_neighbourhood_teach_nothing():
    task = a_task(5, True)
    bare = Task(task.documents, tuple(case.only(()) for case in task.cases))
    network = trained_heads(bare, Vectors.by(encode, bare), HeadsPlan(epochs=1))
    torch.manual_seed(HeadsPlan.seed)
    assert all(torch.equal(a, b) for a, b in zip(network.parameters(), SetEncoder().parameters(), strict=True))


def test_a_task_is_read_as_it_was_written(tmp_path):
    task = a_task(3, True)
    task.write(tmp_path)
    assert read_task(tmp_path) == task
    assert joined([task, task]).documents == task.documents


def test_ranks_of_equals_are_the_middle():
    documents = tuple(Document(f"d{n}", "the same", "p") for n in range(5))
    task = Task(documents, (Case("k:1", "query", "p", {}, ("d2",), "test"),))
    assert ranks(task, Vectors.by(encode, task), SetEncoder(Aggregation.NONE), "test") == {"k:1": [3.0]}


def test_a_difference_has_the_interval_of_its_sample():
    dice = np.random.default_rng(1)
    one = dice.random(400)
    mean, low, high = difference(one, one + 0.1 + dice.normal(0, 0.1, 400))
    assert low < mean < high
    assert low < 10 < high
    assert high - low == pytest.approx(2 * 1.96 * 100 * 0.1 / 20, rel=0.2)
    assert difference(one, one)[0] == 0


@pytest.mark.model
def test_training_of_the_encoder_goes_on_where_it_stopped(tmp_path):
    from reqap_kg.training.related.fitting import Fitting, Plan
    from reqap_kg.training.related.states import TextStates

    task = a_task(4, True)
    task = Task(task.documents[:8], tuple(c for c in task.cases[:24] if int(c.relevant[0][1:]) < 8))
    states = TextStates(task.texts(), tmp_path / "states")
    plan = Plan(epochs=2, batch=4, sample=1)
    whole = Fitting(task, states, plan)
    whole.run(tmp_path / "whole")
    again = Fitting(task, states, plan)
    again.run(tmp_path / "whole")
    first, second = whole.document_vectors()[1], again.document_vectors()[1]
    assert torch.allclose(first, second, atol=1e-6)
    assert not torch.allclose(first, Fitting(task, states, plan).document_vectors()[1], atol=1e-3)
