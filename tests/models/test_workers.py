"""What workers read and embed is, bit for bit, what one process does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import parallel_tasks as tasks
import pytest
from test_parallel import ANY, RAY

from reqap_kg.errors import ConfigError
from reqap_kg.models.encoder import load_encoder
from reqap_kg.models.reading.reader import ReadsAhead, load_reader
from reqap_kg.models.reading.relevance import bundled_classifiers
from reqap_kg.parallel import ALONE, Workers, ordered_map
from reqap_kg.store.index.vectors import VectorCache

TEXTS = [f"mail from Ann: we had dinner number {n} at the {'old ' * (n % 9)}mill" for n in range(96)]


@pytest.mark.parametrize("workers", ANY)
def test_vectors_do_not_depend_on_workers(workers: Workers, tmp_path: Path) -> None:
    texts = [f"text {'x' * (n % 50)} {n}" for n in range(1_500)]
    told: list[tuple[int, int]] = []
    expected = VectorCache(None).vectors(texts, identity="m", encode=tasks.vectors)
    cache = VectorCache(tmp_path, workers=workers)
    found = cache.vectors(texts, identity="m", encode=tasks.vectors, progress=lambda _, n, of: told.append((n, of)))
    assert found.tobytes() == expected.tobytes()
    assert told == [*((n, 1_500) for n in range(0, 1_500, 256)), (1_500, 1_500)]
    assert VectorCache(tmp_path).vectors(texts, identity="m", encode=_refuse).tobytes() == expected.tobytes()


def _refuse(_: Any) -> Any:
    raise AssertionError("it was kept")


@pytest.mark.model
@pytest.mark.parametrize(
    "workers", [Workers(2), pytest.param(*RAY.values, marks=[*RAY.marks, pytest.mark.long], id="ray")]
)
def test_models_give_the_same_bits_in_workers(workers: Workers) -> None:
    batches = [TEXTS[start : start + 32] for start in range(0, len(TEXTS), 32)]
    for method in (load_encoder().encode, _reader().mentions):
        here, there = (list(ordered_map(method, batches, how)) for how in (ALONE, workers))
        assert [part.tobytes() for part in there] == [part.tobytes() for part in here]


@pytest.mark.model
def test_many_lines_are_read_before_they_are_classified() -> None:
    cache = VectorCache(None)
    lines = [f"my note: I had a meal {n}" for n in range(40)]
    classifier = bundled_classifiers(_reader(), cache.vectors)
    assert isinstance(classifier, ReadsAhead)
    classifier.read_ahead(lines)
    classifier._reader.mentions = _refuse  # type: ignore[method-assign]
    pairs = [("a meal", line) for line in lines]
    found = classifier.relevance(pairs)
    assert np.allclose(found, bundled_classifiers(_reader(), VectorCache(None).vectors).relevance(pairs), atol=1e-3)


def _reader() -> Any:
    try:
        return load_reader()
    except ConfigError as missing:
        pytest.skip(str(missing))
