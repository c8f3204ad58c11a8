"""Stack Exchange with and without neighbourhoods: `python -m reqap_kg.bench.related.stack DATA WORK`.

Fine-tunes the encoder without neighbourhoods, trains gates over its vectors, and prints tables; `--joint` also trains
encoder and set encoder together. Half an hour a split on 2 cores the first time, and as much for each joint training;
what is computed is kept in WORK. Figures are drawn into WORK. The part that the split keeps for tests is reported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

import torch
import typer

from ...models.set_encoder import Aggregation, SetEncoder
from ...training.related.heads import HeadsPlan, Vectors, middle_rank, trained_heads
from ...training.related.measures import Floats, Ranked, difference
from ...training.related.states import TextStates
from ...training.related.task import Case, Task
from .baselines import appended, bm25, fed_back, ranks_in, retrieved
from .frozen import ALL, by_features, by_lambda, fine_tuned, only, recall, with_gates
from .runs import ANSWERS, PAPER, Run, measure, read_ranks
from .stackexchange import STRICT, Site
from .tasks import table

REGIMES: Final = {"strict": tuple(STRICT.values()), "paper": PAPER}
_HEADER: Final = ("task", "way", "Recall@10", "Acc@100", "MRR", "Recall@10 to the fine-tuned")
_BARE: Final = "MiniLM fine-tuned"
_SEEDS: Final = (1, 2, 3)


@dataclass
class Stack:
    """A split of the sites: its two tasks, and vectors of an encoder that was fine-tuned on its training part."""

    site: Site
    split: str
    work: Path
    part: str = "test"

    @cached_property
    def task(self) -> Task:
        """Any Answer, with all columns."""
        return self._fine_tuned[0]

    @cached_property
    def vectors(self) -> Vectors:
        """Vectors of its texts."""
        return self._fine_tuned[1]

    @cached_property
    def best(self) -> Task:
        """Best Answer: the same questions with the one answer that was accepted."""
        found = self.site.task(self.split, "best_answer", posthoc=True)
        return Task(self.task.documents, tuple(replace(case, pool=ALL) for case in found.cases))

    def rows(self) -> Iterator[tuple[str, ...]]:
        """The table: a row for each task and way."""
        for name, task in (("Any Answer", self.task), ("Best Answer", self.best)):
            bare = recall(task, self.vectors, SetEncoder(Aggregation.NONE), self.part)
            for way, found in self._ways(name, task, bare):
                yield self._row(f"{name} ({len(bare.recall)})", way, found, bare)

    def _ways(self, name: str, task: Task, bare: Ranked) -> Iterator[tuple[str, Ranked]]:
        yield "BM25", self._by_words(task)
        yield from self._trained(name, ("none-none-epochs0",), "MiniLM as it is")
        yield _BARE, bare
        yield "pseudo-relevance feedback", self._fed(task)
        for regime, columns in REGIMES.items():
            mine = only(task, columns)
            yield f"{regime}: all of it appended", self._expanded(mine, appended, regime)
            yield f"{regime}: the nearest of it appended", self._expanded(mine, retrieved, f"{regime}-nearest")
            yield f"{regime}: mean, λ 0.7", recall(mine, self.vectors, SetEncoder(Aggregation.MEAN), self.part)
            attending = trained_heads(only(self.task, columns), self.vectors, HeadsPlan(Aggregation.ATTENTION))
            yield f"{regime}: attention, λ 0.7", recall(mine, self.vectors, attending.eval(), self.part)
            for seed in _SEEDS:
                gates = with_gates(self.task, self.vectors, columns, seed)
                yield f"{regime}: gates, seed {seed}", recall(mine, self.vectors, gates, self.part)
            yield from self._trained(name, (f"mean-{regime}",), f"{regime}: mean, λ 0.7, trained together")
            yield from self._trained(name, (f"gate-{regime}",), f"{regime}: gates, trained together")

    def by_category(self) -> Iterator[tuple[str, ...]]:
        """What gates gain by one category alone, and lose without it, as in the paper's table 3."""
        bare = recall(self.task, self.vectors, SetEncoder(Aggregation.NONE), self.part)
        for regime, columns in REGIMES.items():
            for column in columns:
                if regime == "paper" and column in REGIMES["strict"]:
                    continue
                alone = self._gated((column,))
                rest = self._gated([one for one in columns if one != column])
                told = (f"{_difference(bare.recall, one.recall)}" for one in (alone, rest))
                share = sum(column in case.around for case in self.task.of(self.part)) / len(bare.recall)
                yield regime, column, f"{100 * share:.0f} %", *told

    def _gated(self, columns: Sequence[str]) -> Ranked:
        gates = with_gates(self.task, self.vectors, columns)
        return recall(only(self.task, columns), self.vectors, gates, self.part)

    def curves(self) -> dict[str, list[tuple[float, ...]]]:
        """Recall@10 by λ and by values of a category, with milliseconds a query."""
        found: dict[str, list[tuple[float, ...]]] = {}
        for regime, columns in REGIMES.items():
            mine = only(self.task, columns)
            found[f"λ, {regime}"] = list(by_lambda(mine, self.vectors, self.part))
            gates = with_gates(self.task, self.vectors, columns)
            found[f"values, {regime}"] = list(by_features(mine, self.vectors, gates, self.part))
        return found

    def _by_words(self, task: Task) -> Ranked:
        cases = task.of(self.part)
        found = bm25(task.documents, {case.id: case.text for case in cases})
        return Ranked.of([ranks_in(found[case.id], case, len(task.documents)) for case in cases])

    def _fed(self, task: Task) -> Ranked:
        pool, cases = self.vectors.pools[ALL], task.of(self.part)
        queries = fed_back(torch.stack([self.vectors.of[case.text] for case in cases]), pool.vectors)
        return self._ranked(queries, cases)

    def _expanded(self, task: Task, expand: object, name: str) -> Ranked:
        """The queries in more words, by the same encoder."""
        cases = task.of(self.part)
        texts = [expand(case) for case in cases]  # type: ignore[operator]
        kept = self.work / "vectors" / f"{self.split}-{self.part}-{name}-{len(cases)}.pt"
        if not kept.is_file():
            states = TextStates(list(dict.fromkeys(texts)), self.work / "states")
            torch.save(self._upper.vectors(states, [states.place[text] for text in texts]), kept)
        return self._ranked(torch.load(kept, weights_only=True), cases)

    def _ranked(self, queries: torch.Tensor, cases: Sequence[Case]) -> Ranked:
        pool = self.vectors.pools[ALL]
        each = zip(queries @ pool.vectors.T, cases, strict=True)
        return Ranked.of([[middle_rank(own, pool.column[one]) for one in case.relevant] for own, case in each])

    def _trained(self, name: str, runs: Sequence[str], way: str) -> Iterator[tuple[str, Ranked]]:
        """What was trained together with the encoder, where it was."""
        task = ANSWERS[0] if name.startswith("Any") else ANSWERS[1]
        for run in runs:
            if (self.work / "ranks" / f"{self.split}-{run}.json").is_file():
                yield way, Ranked.of(read_ranks(self.work, self.split, run, task, self.part))

    def _row(self, task: str, way: str, found: Ranked, bare: Ranked) -> tuple[str, ...]:
        told = tuple(f"{value:.1f}" for value in found.told.values())
        return task, way, *told, "" if way == _BARE else _difference(bare.recall, found.recall)

    @cached_property
    def _fine_tuned(self) -> tuple[Task, Vectors]:
        task, vectors, self._upper = fine_tuned(self.site, self.split, self.work)
        return task, vectors


def _difference(one: Floats, other: Floats) -> str:
    mean, low, high = difference(one, other)
    return f"{mean:+.1f} [{low:+.1f}, {high:+.1f}]"


def draw(curves: Mapping[str, Sequence[tuple[float, ...]]], out: Path) -> None:
    """Draws Recall@10 by λ and by values of a category (the paper's figure 3)."""
    import vl_convert

    told = [
        {"curve": name.partition(", ")[0], "regime": name.partition(", ")[2], "x": point[0], "recall": point[1]}
        for name, points in curves.items()
        for point in points
    ]
    panel = {
        "width": 300,
        "height": 200,
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "title": None},
            "y": {"field": "recall", "type": "quantitative", "scale": {"zero": False}, "title": "Recall@10 (%)"},
            "color": {"field": "regime", "type": "nominal"},
        },
    }
    both = [
        {**panel, "title": title, "transform": [{"filter": f"datum.curve == '{name}'"}]}
        for name, title in (("λ", "λ of the mean"), ("values", "values of a category, with gates"))
    ]
    out.write_text(vl_convert.vegalite_to_svg({"data": {"values": told}, "hconcat": both}), encoding="utf-8")


def main(
    data: Annotated[Path, typer.Argument(help="The folder with tables/, metadata/ and split_by_time/.")],
    work: Annotated[Path, typer.Argument(help="Where what is computed is kept.")],
    split: Annotated[str, typer.Option(help="time or user.")] = "time",
    part: Annotated[str, typer.Option(help="test to report, check to choose by.")] = "test",
    joint: Annotated[str, typer.Option(help="Also train together, e.g. gate-paper,mean-strict.")] = "",
    tables: Annotated[
        str, typer.Option(help="ways, categories or curves; several with commas.")
    ] = "ways,categories,curves",
) -> None:
    """Prints the tables."""
    site = Site(data)
    measure(site, split, Run.of("none", "none", epochs=0), work)
    for one in filter(None, joint.split(",")):
        measure(site, split, Run.of(*one.split("-")), work)
    stack, wanted = Stack(site, split, work, part), tables.split(",")
    if "ways" in wanted:
        table(_HEADER, stack.rows(), typer.echo)
    if "categories" in wanted:
        header = ("columns", "category", "has it", "it alone, to none", "all but it, to none")
        table(header, stack.by_category(), typer.echo)
    if "curves" in wanted:
        curves = stack.curves()
        (work / f"curves-{split}.json").write_text(json.dumps(curves), encoding="utf-8")
        draw(curves, work / f"curves-{split}.svg")
        typer.echo(json.dumps(curves, ensure_ascii=False))


if __name__ == "__main__":
    typer.run(main)
