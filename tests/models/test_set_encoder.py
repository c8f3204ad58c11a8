"""Neighbourhoods are sets: the naive reading of the paper, no order, and nothing where there is nothing."""

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize

from reqap_kg.models.set_encoder import SIZE, Aggregation, Neighbourhoods, RelatedModel, SetEncoder


def unit(*shape, seed=0):
    return normalize(torch.randn(*shape, SIZE, generator=torch.Generator().manual_seed(seed)), dim=-1)


def shaken(aggregation, share=0.7, seed=3):
    """A set encoder whose weights are all other than zero."""
    network = SetEncoder(aggregation, share)
    torch.manual_seed(seed)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return network.eval()


AROUND = [
    [(unit(seed=1), unit(4, seed=2)), (unit(seed=3), unit(1, seed=4))],
    [],
    [(unit(seed=5), unit(7, seed=6))],
]


def test_the_papers_mean_of_means():
    queries = unit(3, seed=9)
    found = SetEncoder(Aggregation.MEAN, 0.6)(queries, Neighbourhoods.of(AROUND)).queries
    for query, around, vector in zip(queries, AROUND, found, strict=True):
        wanted = query
        if around:
            joined = torch.stack([values.mean(0) for _, values in around]).mean(0)
            wanted = normalize(0.6 * query + 0.4 * joined, dim=-1)
        assert torch.allclose(vector, wanted, atol=1e-5)


@pytest.mark.parametrize("aggregation", [Aggregation.MEAN, Aggregation.ATTENTION, Aggregation.GATE])
def test_order_says_nothing(aggregation):
    network, queries = shaken(aggregation), unit(3, seed=9)
    other = [[(name, values.flip(0)) for name, values in reversed(own)] for own in AROUND]
    one, two = network(queries, Neighbourhoods.of(AROUND)), network(queries, Neighbourhoods.of(other))
    assert torch.allclose(one.queries, two.queries, atol=1e-5)


@pytest.mark.parametrize("aggregation", list(Aggregation))
def test_a_query_does_not_see_the_neighbourhoods_of_others(aggregation):
    network, queries = shaken(aggregation), unit(3, seed=9)
    together = network(queries, Neighbourhoods.of(AROUND)).queries
    for place, own in enumerate(AROUND):
        alone = network(queries[place : place + 1], Neighbourhoods.of([own])).queries[0]
        assert torch.allclose(together[place], alone, atol=1e-5)


@pytest.mark.parametrize("aggregation", list(Aggregation))
def test_without_a_neighbourhood_the_query_stays(aggregation):
    queries = unit(2, seed=9)
    assert torch.equal(shaken(aggregation)(queries, Neighbourhoods.of([[], []])).queries, queries)


def test_gates_begin_shut():
    network = SetEncoder(Aggregation.GATE).eval()
    with torch.no_grad():
        network.gate.weight.zero_()
    queries = unit(3, seed=9)
    found = network(queries, Neighbourhoods.of(AROUND))
    assert torch.allclose(found.queries, queries, atol=1e-5)
    assert not found.reach.any()


def test_the_bundled_model_joins():
    query, names, values = (unit(n, seed=n).numpy() for n in (1, 2, 3))
    joined, reach = RelatedModel().join(query[0], [(names[0], values), (names[1], values[:1])])
    assert joined.shape == (SIZE,)
    assert np.linalg.norm(joined) == pytest.approx(1, abs=1e-4)
    assert reach.shape == (2,)
    assert (np.abs(reach) <= 1).all()
