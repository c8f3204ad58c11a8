"""The fuzz run draws as many trees as it says, and tells of what fails."""

from __future__ import annotations

from collections import Counter

import fuzz
import pytest


def test_every_file_gets_every_draw() -> None:
    drawn = Counter[str]()
    for one in fuzz.rounds(1_100, seed=3):
        drawn[one.file] += one.draws
    assert drawn == Counter({fuzz.HOSTILE: 10_000, **{file: 1_100 for file in fuzz.TREES}})


def test_no_round_of_a_file_repeats_another() -> None:
    seeds = [(one.file, one.seed) for one in fuzz.rounds(5_000, seed=3)]
    assert len(set(seeds)) == len(seeds)


@pytest.mark.long
def test_a_file_without_tests_is_a_fault(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(fuzz, "HOSTILE", "tests/no_such_file.py")
    monkeypatch.setattr(fuzz, "TREES", ())
    assert fuzz.main(["--trees", "10", "--seed", "1", "--jobs", "1"]) == 1
    said = capsys.readouterr().out
    assert "no_such_file" in said
    assert "rounds with a fault: 1" in said
