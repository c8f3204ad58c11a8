"""What is bought again (the paper's Future Purchase): `python -m reqap_kg.bench.related.purchases STORE [STORE ...]`.

At each purchase, which of the products that were bought before will be bought within the next quarter of a year? Ranked
by how often, by how lately, by the encoder from the product just bought, and by its strict neighbourhood.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Final

import typer

from ...models.encoder import load_encoder
from ...models.set_encoder import Aggregation, RelatedModel, SetEncoder
from ...retrieval.neighbourhood.walking import Rule
from ...training.related.__main__ import kept_vectors
from ...training.related.heads import ranks
from ...training.related.measures import Ranked, difference
from ...training.related.task import Case, Document, Task
from .tasks import table
from .walked import Walked

_SOON: Final = timedelta(days=91)
_FIRST: Final = 20
"""Purchases after which a life's questions begin."""
_BOUGHT: Final = (
    """SELECT DISTINCT ?e ?t ?product { ?e a ev:Purchase ; ev:start ?t ; ev:product ?product } ORDER BY ?t ?e"""
)

Scores = Mapping[str, float]


def purchases_task(store: Path) -> tuple[Task, dict[str, tuple[Scores, Scores]]]:
    """The cases of a life, and for each the counts and the latest days of products bought before."""
    with Walked.open(store, store.name) as walked:
        rows = [
            (event.value, datetime.fromisoformat(start.value), product.value)
            for event, start, product in walked.known.graph.select(_BOUGHT)
            if event is not None and start is not None and product is not None
        ]
        names = {event: f"{walked.name}:{product}" for event, _, product in rows}
        times = [start for _, start, _ in rows]
        cases, known = list[Case](), dict[str, tuple[Scores, Scores]]()
        for at in range(_FIRST, len(rows)):
            event, start, product = rows[at]
            before = [names[one] for one, _, _ in rows[: at + 1]]
            soon = {names[one] for one, _, _ in rows[at + 1 : bisect_left(times, start + _SOON)]}
            relevant = tuple(sorted(soon & set(before)))
            if not relevant:
                continue
            around = walked.surroundings.around(event, Rule.STRICT)
            linked = {one.path: tuple(dict.fromkeys(names[i] for i in one.iris if i in names)) for one in around}
            texts = {one.path: one.texts for one in around}
            out = tuple(sorted(set(names.values()) - set(before)))
            case = Case(f"purchase:{event}", product, walked.name, texts, relevant, "test", out, linked)
            cases.append(case)
            known[case.id] = (Counter(before), {name: float(place) for place, name in enumerate(before)})
        documents = tuple(Document(name, name.partition(":")[2], walked.name) for name in dict.fromkeys(names.values()))
        return Task(documents, tuple(cases)), known


def _ranks(scores: Scores, case: Case) -> list[float]:
    """Ranks, from 1, among what was bought before; of equals the middle."""
    found = []
    for one in case.relevant:
        own = scores[one]
        above, equal = sum(s > own for s in scores.values()), sum(s == own for s in scores.values())
        found.append(above + (equal + 1) / 2)
    return sorted(found)


def rows(stores: Sequence[Path], work: Path) -> Iterator[tuple[str, ...]]:
    """A row for each way."""
    found: dict[str, list[list[float]]] = {}
    for store in stores:
        task, known = purchases_task(store)
        vectors = kept_vectors(task, load_encoder(), work)
        cases = task.of("test")
        ways = {
            "frequency": {case.id: _ranks(known[case.id][0], case) for case in cases},
            "recency": {case.id: _ranks(known[case.id][1], case) for case in cases},
            "encoder alone": ranks(task, vectors, SetEncoder(Aggregation.NONE), "test"),
            "mean of the neighbourhood, λ 0.7": ranks(task, vectors, SetEncoder(Aggregation.MEAN), "test"),
            "gates": ranks(task, vectors, RelatedModel().network, "test"),
        }
        for name, own in ways.items():
            found.setdefault(name, []).extend(own[case.id] for case in cases)
    first = Ranked.of(found["frequency"])
    for name, own in found.items():
        ranked = Ranked.of(own)
        mean, low, high = difference(first.recall, ranked.recall)
        gained = "" if name == "frequency" else f"{mean:+.1f} [{low:+.1f}, {high:+.1f}]"
        yield f"{name} ({len(own)})", *(f"{value:.1f}" for value in ranked.told.values()), gained


def main(
    stores: Annotated[list[Path], typer.Argument(metavar="STORE...", help="Stores of lives.")],
    work: Annotated[Path, typer.Option(help="Where vectors are kept.")] = Path("work-related"),
) -> None:
    """Prints the table."""
    table(("way", "Recall@10", "Acc@100", "MRR", "Recall@10 to frequency"), rows(stores, work), typer.echo)


if __name__ == "__main__":
    typer.run(main)
