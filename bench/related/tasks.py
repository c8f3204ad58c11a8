"""How well what is related is found in a task: `python -m reqap_kg.bench.related.tasks TASK [TASK ...]`.

For each kind of case (happening, trip, reply, answer): BM25, the encoder alone, the encoder with pseudo-relevance
feedback, the same with what is of the same day first and of the days beside next (the naive way), with the paper's mean
of the neighbourhood, and with the bundled gates. Differences are to the encoder alone, with the interval of 95 of 100
paired bootstrap samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

import torch
import typer

from ...models.encoder import load_encoder
from ...models.set_encoder import Aggregation, RelatedModel, SetEncoder
from ...training.related.__main__ import kept_vectors
from ...training.related.heads import Vectors, middle_rank, ranks
from ...training.related.measures import Ranked, difference
from ...training.related.task import Case, Task, joined, read_task
from .baselines import bm25, fed_back, ranks_in

Ranks = Mapping[str, Sequence[float]]
_ALONE: Final = "encoder alone"
_DAYS: Final = {"same day ": 4.0, "day before ": 2.0, "day after ": 2.0}
_OUT: Final = -9.0


def ways(task: Task, vectors: Vectors, part: str) -> Iterator[tuple[str, Ranks]]:
    """Ranks by the name of a way."""
    yield _ALONE, ranks(task, vectors, SetEncoder(Aggregation.NONE), part)
    yield "BM25", _by_words(task, part)
    yield "pseudo-relevance feedback", _fed(task, vectors, part)
    yield "the same day first", _by_days(task, vectors, part)
    yield "mean of the neighbourhood, λ 0.7", ranks(task, vectors, SetEncoder(Aggregation.MEAN), part)
    yield "gates", ranks(task, vectors, RelatedModel().network, part)


def _by_words(task: Task, part: str) -> Ranks:
    found = dict[str, Sequence[float]]()
    for pool in dict.fromkeys(case.pool for case in task.of(part)):
        documents = [one for one in task.documents if one.pool == pool]
        cases = [case for case in task.of(part) if case.pool == pool]
        best = bm25(documents, {case.id: case.text for case in cases})
        for case in cases:
            kept = [one for one in best[case.id] if one not in case.excluded]
            found[case.id] = ranks_in(kept, case, len(documents))
    return found


def _fed(task: Task, vectors: Vectors, part: str) -> Ranks:
    """Feedback never is the query itself."""
    found = dict[str, Sequence[float]]()
    for case in task.of(part):
        pool = vectors.pools[case.pool]
        kept = torch.ones(len(pool.column), 1)
        kept[[pool.column[one] for one in case.excluded if one in pool.column]] = 0.0
        documents = pool.vectors * kept
        scores = (fed_back(vectors.of[case.text][None], documents) @ documents.T)[0]
        found[case.id] = sorted(middle_rank(scores, pool.column[one]) for one in case.relevant)
    return found


def _by_days(task: Task, vectors: Vectors, part: str) -> Ranks:
    """What is of the same day before what is of the days beside, before all else; each by its words."""
    found = dict[str, Sequence[float]]()
    for case in task.of(part):
        pool = vectors.pools[case.pool]
        scores = pool.vectors @ vectors.of[case.text]
        for begin, gain in _DAYS.items():
            near = {one for path, own in case.linked.items() if path.startswith(begin) for one in own}
            scores[[pool.column[one] for one in near]] += gain
        scores[[pool.column[one] for one in case.excluded if one in pool.column]] = _OUT
        found[case.id] = sorted(middle_rank(scores, pool.column[one]) for one in case.relevant)
    return found


def rows(task: Task, vectors: Vectors, part: str) -> Iterator[tuple[str, ...]]:
    """A row of the table for each kind of case and way."""
    found = dict(ways(task, vectors, part))
    kinds: dict[str, list[Case]] = {}
    for case in task.of(part):
        kinds.setdefault(case.id.partition(":")[0], []).append(case)
    for kind, cases in sorted(kinds.items()):
        alone = Ranked.of([found[_ALONE][case.id] for case in cases])
        for name, own in found.items():
            ranked = Ranked.of([own[case.id] for case in cases])
            told = tuple(f"{value:.1f}" for value in ranked.told.values())
            mean, low, high = difference(alone.recall, ranked.recall)
            gained = "" if name == _ALONE else f"{mean:+.1f} [{low:+.1f}, {high:+.1f}]"
            yield f"{kind} ({len(cases)})", name, *told, gained


def table(header: Sequence[str], lines: Iterator[tuple[str, ...]], say: Callable[[str], None]) -> None:
    """A table of Markdown."""
    say(f"| {' | '.join(header)} |")
    say(f"|{'---|' * len(header)}")
    for line in lines:
        say(f"| {' | '.join(line)} |")


def main(
    tasks: Annotated[list[Path], typer.Argument(metavar="TASK...", help="Folders of cases.")],
    work: Annotated[Path, typer.Option(help="Where vectors are kept.")] = Path("work-related"),
    part: Annotated[str, typer.Option(help="check or test.")] = "test",
) -> None:
    """Prints the table."""
    task = joined([read_task(folder) for folder in tasks])
    vectors = kept_vectors(task, load_encoder(), work)
    header = ("cases", "way", "Recall@10", "Acc@100", "MRR", "Recall@10 to the encoder alone")
    table(header, rows(task, vectors, part), typer.echo)


if __name__ == "__main__":
    typer.run(main)
