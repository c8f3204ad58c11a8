"""Relatedness as a feature of event coreference: `python -m reqap_kg.bench.related.coreference LIFE LIFE [LIFE ...]`.

The weights of pairs that may tell of the same happening are learned on all lives but one, with and without the score
that `related` gives the pair, and tried on that one. A LIFE holds observables.jsonl, profile.json, occurrences.jsonl.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import typer

from ...config import Settings
from ...engine.knowledge import KnowledgeGraph
from ...extraction.coreference.accounts import accounts_of
from ...models.coreference.features import FEATURES, Rarity
from ...models.coreference.model import Candidate, Sort, candidates, load_weights
from ...models.encoder import load_encoder
from ...models.set_encoder import RelatedModel
from ...retrieval.neighbourhood.related import Surroundings
from ...retrieval.neighbourhood.walking import Rule
from ...texts.lexicon.lexicon import load_lexicon
from ...training.coreference import SURE, fit
from ..coreference import gold_pairs, source_ids
from .lives import imported
from .tasks import table

_HEADER: Final = ("life", "features", "pairs linked", "precision", "recall", "F1")


@dataclass(frozen=True)
class Paired:
    """A life's candidate pairs: whether each is the same happening, and its relatedness; how many pairs are to find."""

    name: str
    pairs: Sequence[Candidate]
    same: Sequence[bool]
    related: Sequence[float]
    wanted: int


def paired(folder: Path, store: Path) -> Paired:
    """The pairs of a life."""
    with KnowledgeGraph.open(store, Settings()) as known:
        accounts = accounts_of(known.graph, known.vocabulary, load_lexicon())
        found = candidates(accounts, Rarity.of(accounts, load_weights().background))
        ids, gold = source_ids(known.graph), gold_pairs(folder)
        scores = _scores(known, {one for pair in found for one in (pair.one.event, pair.other.event)})
    same = [frozenset((ids[pair.one.event], ids[pair.other.event])) in gold for pair in found]
    related = [max(scores[p.one.event][p.other.event], scores[p.other.event][p.one.event]) for p in found]
    return Paired(folder.name, found, same, related, len(gold))


def _scores(known: KnowledgeGraph, events: set[str]) -> dict[str, Mapping[str, float]]:
    """How related each event is to each other one."""
    surroundings, encoder, model = known.surroundings, load_encoder(), RelatedModel()
    order = sorted(events)
    texts = list(dict.fromkeys(text for one in order for text in _texts_of(one, surroundings)))
    vectors = dict(zip(texts, encoder.encode(texts), strict=True))
    said = np.stack([vectors[surroundings.said[one].text] for one in order])
    place, found = {one: at for at, one in enumerate(order)}, dict[str, Mapping[str, float]]()
    for one in order:
        around = surroundings.around(one, Rule.PAPER)
        pairs = [(vectors[category.path], np.stack([vectors[text] for text in category.texts])) for category in around]
        query, reach = model.join(vectors[surroundings.said[one].text], pairs)
        scores = said @ query
        for category, gain in zip(around, reach, strict=True):
            scores[[place[other] for other in category.iris if other in place]] += gain
        found[one] = dict(zip(order, scores.tolist(), strict=True))
    return found


def _texts_of(event: str, surroundings: Surroundings) -> Iterator[str]:
    """An event's own text, and those around it."""
    yield surroundings.said[event].text
    for category in surroundings.around(event, Rule.PAPER):
        yield category.path
        yield from category.texts


def rows(lives: Sequence[Paired]) -> Iterator[tuple[str, ...]]:
    """Two rows of each life, learned on the others."""
    for life in lives:
        rest = [other for other in lives if other is not life]
        for name, extra in (("as they are", False), ("and relatedness", True)):
            linked = right = 0
            for sort in Sort:
                weights = _learned(rest, sort, extra)
                rows_, same = _of(life, sort, extra)
                if not len(rows_):
                    continue
                chance = 1 / (1 + np.exp(-(weights[0] + rows_ @ weights[1:])))
                taken = chance >= SURE[sort]
                linked, right = linked + int(taken.sum()), right + int((taken & same).sum())
            precision, recall = right / max(linked, 1), right / life.wanted
            f1 = 2 * precision * recall / max(precision + recall, 1e-9)
            yield life.name, name, str(linked), *(f"{value:.3f}" for value in (precision, recall, f1))


def _learned(lives: Sequence[Paired], sort: Sort, extra: bool) -> np.ndarray:
    parts = [_of(life, sort, extra) for life in lives]
    return fit(np.concatenate([rows_ for rows_, _ in parts]), np.concatenate([same for _, same in parts]).astype(float))


def _of(life: Paired, sort: Sort, extra: bool) -> tuple[np.ndarray, np.ndarray]:
    """Features (pairs, features) of the pairs of a sort, and which are the same."""
    at = [number for number, pair in enumerate(life.pairs) if pair.sort is sort]
    told = [
        [*(life.pairs[n].found.get(name, 0.0) for name in FEATURES), *([life.related[n]] if extra else [])] for n in at
    ]
    width = len(FEATURES) + extra
    return np.array(told, dtype=np.float64).reshape(-1, width), np.array([life.same[n] for n in at], dtype=bool)


def main(folders: Annotated[list[Path], typer.Argument(metavar="LIFE...", help="Lives.")]) -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory() as work:
        lives = [paired(folder, imported(folder, Path(work) / str(at))) for at, folder in enumerate(folders)]
    table(_HEADER, rows(lives), typer.echo)


if __name__ == "__main__":
    typer.run(main)
