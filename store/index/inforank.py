"""InfoRank: which instances of a graph are the most important, so that of many the telling ones come first.

After E. S. Menendez, M. A. Casanova, L. A. P. Paes Leme and M. Boughanem, Novel Node Importance Measures to Improve
Keyword Search over RDF Graphs, DEXA 2019: what is important has much said about it, stands beside what is important,
and few weighty relations count more than many light ones. `published` is their measure. It favours kinds whose records
have many fields (a health record of forty numbers before a birthday dinner), so `normalised`, which is used, compares
an instance with its own kind (docs/decisions/029-answer-dialog.md).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .columns import Columns, Numbers, Places

DAMPING: Final = 0.85
CLOSE: Final = 1e-4
"""The rounds end when the weights change by less in all."""
MOST_ROUNDS: Final = 100


def published(columns: Columns) -> Numbers:
    """IR(r) = W(r) · I(r) by instance: the weighted PageRank times the number of literals."""
    literals = columns.literals.astype(np.float64)
    return page_rank(columns, literals) * literals


def normalised(columns: Columns) -> Numbers:
    """By instance, between 0 and 1: the share of its own kind whose published measure is smaller."""
    return _share_below(published(columns), columns.kinds)


def page_rank(columns: Columns, literals: Numbers) -> Numbers:
    """W(r) = (1 − d)/n + d · Σ W(s) · IR(p)/S(s) over all links r p s and s p r: the weighted PageRank over the links
    between instances, without direction, until it hardly changes. IR(p) is the greatest I(r) + I(s) over the links of
    p. What has no links spreads its weight over all (as PageRank does), so that the weights add up to 1."""
    from scipy.sparse import coo_array

    instances = np.flatnonzero(columns.kinds >= 0)
    n = len(instances)
    weights = np.zeros(len(columns.iris))
    if not n:
        return weights
    links = columns.links
    told = literals[links.subjects] + literals[links.objects]
    of_property = np.zeros(int(links.properties.max()) + 1 if len(links.properties) else 0)
    np.maximum.at(of_property, links.properties, told)
    strength = of_property[links.properties]
    size = len(columns.iris)
    spread = np.zeros(size)
    np.add.at(spread, links.subjects, strength)
    np.add.at(spread, links.objects, strength)
    both = (np.concatenate((links.objects, links.subjects)), np.concatenate((links.subjects, links.objects)))
    shares = np.concatenate((strength, strength)) / np.maximum(spread[both[1]], np.finfo(np.float64).tiny)
    matrix = coo_array((shares, both), shape=(size, size)).tocsr()
    alone = spread[instances] == 0
    weights[instances] = 1 / n
    for _ in range(MOST_ROUNDS):
        moved: Numbers = DAMPING * np.asarray(matrix @ weights)
        moved[instances] += (1 - DAMPING) / n + DAMPING * weights[instances][alone].sum() / n
        change = float(np.abs(moved - weights).sum())
        weights = moved
        if change < CLOSE:
            break
    return weights


def _share_below(values: Numbers, kinds: Places) -> Numbers:
    """For each instance the share of its own kind that has a smaller value, ties by halves."""
    found = np.zeros(len(values))
    for kind in np.unique(kinds):
        if kind < 0:
            continue
        own: NDArray[np.intp] = np.flatnonzero(kinds == kind)
        ordered = np.sort(values[own])
        below = np.searchsorted(ordered, values[own], side="left")
        through = np.searchsorted(ordered, values[own], side="right")
        found[own] = (below + through) / 2 / len(own)
    return found
