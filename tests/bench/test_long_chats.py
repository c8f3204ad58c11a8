"""The part that imports a long log, on a short one."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from reqap_kg.bench.long_chats import BEGIN, QUESTIONS, measure, write_log


def test_logs_are_the_same_for_a_seed_and_in_the_order_of_time(tmp_path: Path) -> None:
    ends = [write_log(tmp_path / name, 300, 7) for name in ("one.jsonl", "two.jsonl")]
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    assert ends[0] == ends[1] > BEGIN + timedelta(days=1)


def test_every_question_is_answered(tmp_path: Path) -> None:
    figures = measure(400, store=tmp_path / "store")
    assert [figure.what for figure in figures[4:]] == list(QUESTIONS)
    assert all("ms" in figure.value for figure in figures[4:])
