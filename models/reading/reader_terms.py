"""What the bundled reader knows to ask: keys whose values it marks, and kinds of happening that a text may tell of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

BUNDLED: Final = Path(__file__).parents[1] / "trained" / "reader"


@lru_cache(maxsize=1)
def reader_keys() -> Mapping[str, tuple[str, ...]]:
    """How each key is called, by key, in the order of the network's outputs."""
    return _terms("keys.jsonl", "key", "labels")


@lru_cache(maxsize=1)
def reader_kinds() -> Mapping[str, tuple[str, ...]]:
    """Phrases for each kind of happening, by its number, in the order of the network's outputs."""
    return _terms("kinds.jsonl", "id", "phrases")


def _terms(file: str, name: str, values: str) -> dict[str, tuple[str, ...]]:
    rows = map(json.loads, (BUNDLED / file).read_text(encoding="utf-8").splitlines())
    return {row[name]: tuple(row[values]) for row in rows}
