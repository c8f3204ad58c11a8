"""InfoRank: how long it takes, and whether it orders events as a reader does: `python -m reqap_kg.bench.dialog.ranks`.

`scale` makes a store of so many triples and ranks it. `readers` compares the published form, the normalised one and the
order of time with what readers ranked beforehand: {"store", "domain"?, "ranked": [IRI, …]} a line, best first.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Annotated, Final

import numpy as np
import typer

from ...config import Settings
from ...engine.knowledge import KnowledgeGraph
from ...ontology.namespaces import DATA, EV, RDF_TYPE, XSD, source_graph
from ...store.event_kinds import event_kinds
from ...store.generations import begin_import, open_graph
from ...store.index.columns import Columns, Numbers
from ...store.index.kept_columns import normalised, open_columns, published
from ...store.vocabulary import load_vocabulary

program = typer.Typer()
_OF_EACH: Final = 15
"""Triples of each event that is made."""
_FIRST: Final = 5
"""Of how many the first are compared with the reader's."""
Order = Callable[[Columns], Numbers]


@program.command()
def scale(
    triples: Annotated[int, typer.Option(help="Triples of the store that is made.")] = 15_000_000,
    folder: Annotated[Path | None, typer.Option(help="Where it is made; a temporary folder by default.")] = None,
    seed: int = 1,
) -> None:
    """Make a store, and rank it."""
    with TemporaryDirectory(dir=folder) as scratch:
        store, quads = Path(scratch) / "store", Path(scratch) / "events.nq"
        with quads.open("w", encoding="utf-8") as out:
            out.writelines(_quads(triples // _OF_EACH, random.Random(seed)))
        with begin_import(store) as new:
            new.build(frozenset(), [quads])
            new.commit()
        quads.unlink()
        with open_graph(store) as graph:
            begin, used = perf_counter(), process_time()
            found = open_columns(
                graph.index_directory, graph, event_kinds(graph, load_vocabulary(graph)), generation="1"
            )
            taken, worked = perf_counter() - begin, process_time() - used
            begin = perf_counter()
            normalised(found.columns)
            ranked = perf_counter() - begin
            begin = perf_counter()
            open_columns(graph.index_directory, graph, event_kinds(graph, load_vocabulary(graph)), generation="1")
            print(
                f"{graph.count():,} triples, {len(found.columns.iris):,} instances: columns and InfoRank in "
                f"{taken:.0f} s ({worked:.0f} s of a processor), of which InfoRank {ranked:.1f} s; opened again in "
                f"{perf_counter() - begin:.1f} s"
            )


def _quads(events: int, dice: random.Random) -> Iterator[str]:
    """Events with texts, numbers, moments and links between them, as N-Quads."""
    graph, artists = f"<{source_graph('made')}>", [f"artist {number}" for number in range(20_000)]
    for number in range(events):
        own = f"<{DATA}made/{number}>"
        day = f"20{dice.randrange(10, 25)}-{dice.randrange(1, 13):02}-{dice.randrange(1, 29):02}"
        yield f"{own} <{RDF_TYPE}> <{EV}MusicStream> {graph} .\n"
        yield f'{own} <{EV}start> "{day}T{dice.randrange(24):02}:00:00"^^<{XSD}dateTime> {graph} .\n'
        yield f'{own} <{EV}artist> "{artists[int(dice.paretovariate(1.1)) % len(artists)]}" {graph} .\n'
        yield f'{own} <{EV}duration> "{dice.randrange(60, 600)}"^^<{XSD}integer> {graph} .\n'
        yield f"{own} <urn:near> <{DATA}made/{dice.randrange(events)}> {graph} .\n"
        for at in range(_OF_EACH - 5):
            yield f'{own} <urn:text-{at}> "value {dice.randrange(10 ** (1 + at % 4))}" {graph} .\n'


@program.command()
def readers(
    ranked: Annotated[Path, typer.Argument(help="JSONL of {store, domain?, ranked}.")],
) -> None:
    """Compare orders with a reader's."""
    rows = [json.loads(line) for line in ranked.read_text("utf-8").splitlines() if line.strip()]
    orders: dict[str, Order] = {"published": published, "normalised": normalised, "by time": _by_time}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in orders}
    for row in rows:
        settings = Settings(domain=Path(row["domain"])) if row.get("domain") else Settings()
        with KnowledgeGraph.open(Path(row["store"]), settings) as known:
            columns = known.ranked.columns
            numbers = columns.numbers_of(row["ranked"])
            for name, order in orders.items():
                found[name].append(agreement(order(columns)[numbers]))
    print("| order | Kendall's τ | of the reader's first five among its first five |\n|---|---|---|")
    for name, pairs in found.items():
        print(f"| {name} | {mean(tau for tau, _ in pairs):+.2f} | {mean(share for _, share in pairs):.2f} |")


def _by_time(columns: Columns) -> Numbers:
    """Earlier first, as events are listed."""
    starts = columns.columns.get(EV + "start")
    found = np.zeros(len(columns.iris))
    if starts is not None:
        found[starts.subjects] = -starts.held
    return found


def agreement(ranks: Sequence[float] | Numbers) -> tuple[float, float]:
    """Kendall's τ-b of ranks with the order in which they stand, and the share of the first five that the five greatest
    have, on average over the orders of ties."""
    from scipy.stats import kendalltau

    values = np.asarray(ranks, dtype=np.float64)
    tau = float(kendalltau(values, -np.arange(len(values)))[0])  # type: ignore[arg-type]
    least = np.sort(values)[-_FIRST]
    above, tied = values > least, values == least
    places = _FIRST - int(above.sum())
    shared = above[:_FIRST].sum() + places * tied[:_FIRST].sum() / tied.sum()
    return (0.0 if np.isnan(tau) else tau), float(shared) / _FIRST


if __name__ == "__main__":
    program()
