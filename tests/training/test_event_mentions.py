"""The corpus of texts: every span is of its text, every reference leads somewhere, and no life is in two files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

TEXTS = Path(__file__).resolve().parents[2] / "corpus" / "texts"
PARTS = ("train", "validation", "test")
STANDINGS = {
    *("happened", "planned", "cancelled", "declined", "hypothetical", "wished", "negated", "other", "advertised"),
    "habit",
}


def _rows(name: str) -> Iterator[dict[str, Any]]:
    with (TEXTS / f"{name}.jsonl").open(encoding="utf-8") as stream:
        yield from map(json.loads, stream)


@pytest.fixture(scope="module")
def texts() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for part in PARTS for row in _rows(part)}


@pytest.fixture(scope="module")
def mentions(texts: dict[str, dict[str, Any]]) -> set[str]:
    return {f"{name}.{n}" for name, row in texts.items() for n, _ in enumerate(row["mentions"], start=1)}


def test_no_life_and_no_text_is_in_two_files(texts: dict[str, dict[str, Any]]) -> None:
    lives = [{row["life"] for row in _rows(part)} for part in PARTS]
    assert all(lives)
    assert sum(map(len, lives)) == len(set.union(*lives)) == sum(1 for _ in _rows("lives"))
    assert sum(1 for part in PARTS for _ in _rows(part)) == len(texts)


def test_spans_are_words_of_their_text(texts: dict[str, dict[str, Any]]) -> None:
    for row in texts.values():
        whole = " | ".join(part for part in (row["title"], row["location"], row["text"]) if part)
        for one in row["mentions"]:
            for start, end in filter(None, [one["trigger"], *(key["span"] for key in one["keys"])]):
                assert 0 <= start < end <= len(whole), row["id"]
                assert whole[start:end] == whole[start:end].strip(), row["id"]


def test_mentions_have_a_standing_and_times_are_times(texts: dict[str, dict[str, Any]]) -> None:
    for row in texts.values():
        assert datetime.fromisoformat(row["at"]) <= datetime.fromisoformat(row["until"] or row["at"]), row["id"]
        assert {one["standing"] for one in row["mentions"]} <= STANDINGS
        assert all(one["kind"] and one["trigger"] for one in row["mentions"]), row["id"]


def test_references_lead_to_mentions_of_the_same_life(mentions: set[str]) -> None:
    for part in PARTS:
        for row in _rows(part):
            assert {one["same"] for one in row["mentions"]} - {None} <= mentions, row["id"]
    for row in _rows("queries"):
        assert {*row["yes"], *row["no"]} <= mentions, row["query"]
        assert all(name.startswith(f"{row['life']}-") for name in row["yes"])
