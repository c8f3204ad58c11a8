"""A store of several small sources, and an encoder without weights, for tests of what is derived."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.store.words import stems

NOW = datetime(2025, 1, 1, 12)
DINNERS = "we had dinner at a trattoria"
LIFE = {
    "mails": [
        {"source": "mail", "subject": "Saturday", "text": "Thanks for dinner, that trattoria has the best ragu."},
        {"source": "mail", "subject": "Invoice", "text": "Your invoice for March is attached."},
    ],
    "diary": [
        {"source": "note", "title": "Dinner at the trattoria", "text": "With Bo. Gnocchi again."},
        {"source": "note", "title": "Roof", "text": "The gutter leaks."},
    ],
    "climbs": [
        {"source": "workout", "workout_type": "Climbing", "load": "80 kg", "booked": "14/3/22"},
        {"source": "workout", "workout_type": "Running", "load": "100 lb", "booked": "15/3/22"},
    ],
    "songs": [
        {"source": "music_stream", "song_name": "Loop", "song_artist": ["Ada"]},
        {"source": "music_stream", "song_name": "Rows", "song_artist": ["Bo"]},
    ],
}


class WordEncoder:
    """Texts as sums of random vectors of their stemmed words."""

    name = "words"
    dimension = 64

    def __init__(self, identity: str = "sha256:words") -> None:
        self.identity = identity

    def encode(self, texts):
        rows = [sum((self._word(s) for s in stems(t)), np.full(64, 1e-3)) for t in texts]
        return np.array([row / np.linalg.norm(row) for row in rows], dtype=np.float32)

    @staticmethod
    def _word(stem: str):
        return np.random.default_rng(list(hashlib.sha256(stem.encode()).digest())).standard_normal(64)


def without_weights(patch: pytest.MonkeyPatch, identity: str = "sha256:words") -> None:
    """Opens stores with the encoder of words (of this hash) and without classifiers and reader."""
    patch.setattr("reqap_kg.engine.knowledge.encoder_factory", lambda name: lambda: WordEncoder(identity))
    patch.setattr("reqap_kg.engine.knowledge.Readers", lambda *names, **more: None)


def import_source(folder: Path, name: str, records: list[dict] | None = None) -> None:
    """Imports one source of the life, or other records under its name, into `folder`/store."""
    rows = records if records is not None else LIFE[name]
    times = [f"2024-05-0{number}T10:00:00" for number in range(1, len(rows) + 1)]
    timed = [
        {"id": f"{name}-{n}", "start_datetime": at, **row} for n, (at, row) in enumerate(zip(times, rows, strict=True))
    ]
    path = folder / f"{name}.json"
    path.write_text(json.dumps(timed), encoding="utf-8")
    ingest([path], folder / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), NOW, source=name))
