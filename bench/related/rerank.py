"""Whether re-ranking the best 50 helps: `python -m reqap_kg.bench.related.rerank TASK [TASK ...]`.

Trains the head of training/related/cross_head.py on the tasks' training cases, over the bundled gates, and prints both
rankings of the parts check and test (the paper's table 2). Half an hour on 2 cores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import torch
import typer

from ...models.bert import Bert, BertFiles
from ...models.encoder import installed_weights, load_encoder
from ...models.set_encoder import SIZE, RelatedModel
from ...training.related.__main__ import kept_vectors
from ...training.related.cross_head import LONGEST, Read
from ...training.related.heads import middle_rank
from ...training.related.measures import Ranked, difference
from ...training.related.reranking import Corpus, Ranking, RerankPlan, first_rankings, reranked, trained_head
from ...training.related.task import Task, joined, read_task
from .tasks import table

_BATCH: Final = 128
_HEADER: Final = ("cases", "ranking", "Recall@10", "Acc@100", "MRR", "Recall@10 to the first")


class States:
    """Texts as the encoder reads them, each once, in half precision."""

    def __init__(self, texts: Sequence[str]) -> None:
        files = BertFiles(installed_weights())
        bert, tokenizer = Bert(files, files.weights()), files.tokenizer(LONGEST)
        self._held: dict[str, torch.Tensor] = {}
        ordered = sorted(set(texts), key=len)
        with torch.inference_mode():
            for start in range(0, len(ordered), _BATCH):
                some = ordered[start : start + _BATCH]
                states, mask = bert.states(tokenizer.encode_batch(some))
                for text, own, length in zip(some, states, mask.sum(1).tolist(), strict=True):
                    self._held[text] = own[:length].half()

    def read(self, texts: Sequence[str]) -> Read:
        """Texts in one tensor."""
        held = [self._held[text].float() for text in texts]
        longest = max(map(len, held))
        states, mask = torch.zeros(len(held), longest, SIZE), torch.zeros(len(held), longest)
        for row, own in enumerate(held):
            states[row, : len(own)], mask[row, : len(own)] = own, 1.0
        return Read(states, mask)


def rows(task: Task, work: Path) -> Iterator[tuple[str, ...]]:
    """Two rows for each kind of case."""
    vectors = kept_vectors(task, load_encoder(), work)
    states = States([*(one.text for one in task.documents), *(case.text for case in task.cases)])
    names = {path: vectors.of[path] for case in task.cases for path in case.around}
    corpus = Corpus({one.id: one.text for one in task.documents}, states.read, names)
    network = RelatedModel().network
    told = [*task.of("check"), *task.of("test")]
    with typer.progressbar(length=1, label="training") as shown:

        def tell(_: str, done: int, total: int) -> None:
            shown.length = total
            shown.update(done - shown.pos)

        head = trained_head(first_rankings(vectors, network, task.of("train")), corpus, RerankPlan(), tell)
    first = first_rankings(vectors, network, told)
    before, after = {one.case.id: _ranks(one) for one in first}, reranked(head, first, corpus)
    for kind in sorted({case.kind for case in told}):
        own = [case.id for case in told if case.kind == kind]
        yield from _both(kind, [before[one] for one in own], [after[one] for one in own])


def _ranks(ranking: Ranking) -> list[float]:
    place: Mapping[str, int] = {one: at for at, one in enumerate(ranking.documents)}
    return sorted(middle_rank(ranking.scores, place[one]) for one in ranking.case.relevant)


def _both(kind: str, before: Sequence[list[float]], after: Sequence[list[float]]) -> Iterator[tuple[str, ...]]:
    first, second = Ranked.of(before), Ranked.of(after)
    mean, low, high = difference(first.recall, second.recall)
    for name, ranked, gained in (("gates", first, ""), ("re-ranked", second, f"{mean:+.1f} [{low:+.1f}, {high:+.1f}]")):
        yield f"{kind} ({len(before)})", name, *(f"{value:.1f}" for value in ranked.told.values()), gained


def main(
    tasks: Annotated[list[Path], typer.Argument(metavar="TASK...", help="Folders of cases.")],
    work: Annotated[Path, typer.Option(help="Where vectors are kept.")] = Path("work-related"),
) -> None:
    """Prints the table."""
    table(_HEADER, rows(joined([read_task(folder) for folder in tasks]), work), typer.echo)


if __name__ == "__main__":
    typer.run(main)
