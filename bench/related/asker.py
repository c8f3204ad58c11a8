"""RETRIEVE with who asks beside the query, and without: `python -m reqap_kg.bench.related.asker LIFE [LIFE ...]`.

The neighbourhood of who asks is what the profile says: people, homes, jobs, preferences. Gates join it to the vector of
every query that is searched for. A LIFE holds observables.jsonl, profile.json, retrieval.jsonl ({query, relevant}).
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Annotated, Final

import typer

from ...config import Settings
from ...engine.admin.neural import retrieve_hits
from ...engine.knowledge import KnowledgeGraph
from ...models.encoder import Encoder
from ...models.set_encoder import RelatedModel
from ...store.index.index import Progress
from ...store.index.vectors import Encode, VectorCache, Vectors
from ..personas import retrieval_of, rows_of
from .lives import imported
from .tasks import table

Around = Sequence[tuple[Vectors, Vectors]]
_HEADER: Final = ("life", "classifiers", "who asks", "precision", "recall", "F1")


class AskersCache(VectorCache):
    """Vectors as they were, but for the query of a search, which is joined with what is around who asks."""

    def __init__(self, held: VectorCache, around: Around) -> None:
        self._held, self._around, self._model = held, around, RelatedModel()

    def vectors(
        self, texts: Sequence[str], *, identity: str, encode: Encode, progress: Progress | None = None
    ) -> Vectors:
        """One row per text; searches ask for the vector of their query alone."""
        found = self._held.vectors(texts, identity=identity, encode=encode, progress=progress)
        return self._model.join(found[0], self._around)[0][None] if len(texts) == 1 else found


def around_the_asker(known: KnowledgeGraph, encoder: Encoder) -> Around:
    """What the profile says, by class, as vectors."""
    surroundings = known.surroundings
    walker, texts = surroundings.walker, defaultdict[str, list[str]](list)
    for iri, said in surroundings.said.items():
        number = walker.columns.numbers[iri]
        if not walker.is_dated(number):
            texts[walker.class_name(number)].append(said.text)
    return [(encoder.encode([name])[0], encoder.encode(own)) for name, own in sorted(texts.items())]


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Four rows of a life: with and without classifiers, with and without who asks."""
    now = datetime.fromisoformat(json.loads((folder / "profile.json").read_text(encoding="utf-8"))["now"])
    queries = rows_of(folder / "retrieval.jsonl")
    with tempfile.TemporaryDirectory() as work:
        for number, (classifiers, asked) in enumerate(product((True, False), (False, True))):
            store = imported(folder, Path(work) / str(number))
            with KnowledgeGraph.open(store, Settings(classifiers=classifiers)) as known:
                context = known._context(now)
                if asked:
                    around = around_the_asker(known, context.encoder_factory())
                    context = replace(context, cache=AskersCache(context.cache, around))
                found = [retrieval_of(retrieve_hits(row["query"], context), row) for row in queries]
            told = (f"{statistics.mean(column):.3f}" for column in zip(*found, strict=True))
            yield folder.name, "yes" if classifiers else "no", "yes" if asked else "no", *told


def main(folders: Annotated[list[Path], typer.Argument(metavar="LIFE...", help="Lives.")]) -> None:
    """Prints the table."""
    table(_HEADER, (row for folder in folders for row in rows(folder)), typer.echo)


if __name__ == "__main__":
    typer.run(main)
