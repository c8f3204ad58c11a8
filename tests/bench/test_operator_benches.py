"""The benchmarks of operators run on a small life; each of them checks its answers against another way to find them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reqap_kg.bench import joins, planning, run, structured
from reqap_kg.bench.after_joins import QUESTIONS
from reqap_kg.bench.joins import CASES
from reqap_kg.bench.life import Life
from reqap_kg.bench.structured_trees import PAIRS
from reqap_kg.bench.table import Figure

SMALL = Life().scaled(0.01)


def test_every_structured_tree_is_measured_beside_its_query() -> None:
    told = {figure.what: figure.value for figure in structured.measure(SMALL, rounds=1)}
    for pair in PAIRS:
        assert any(what.startswith(f"{pair.name}: its query / by hand") for what in told), pair.name
    (worst,) = [value for what, value in told.items() if what.startswith("compiling a tree")]
    assert float(worst.split()[0]) < 20


def test_every_join_is_measured_beside_duckdb() -> None:
    told = {figure.what: figure.value for figure in joins.measure(SMALL, rounds=1)}
    assert not [value for value in told.values() if "refused" in value or "not tried" in value]
    for case in CASES:
        assert f"{case.name}: asked again / ratio" in told
    sizes = ("40 x 1", "40 x 8", "400 x 8")
    for question in QUESTIONS:
        assert all(told[f"after-join {question.name}: {size}"].split(" ms")[0].isdecimal() for size in sizes)


def test_what_comes_before_a_query_is_measured() -> None:
    told = {figure.what: figure.value for figure in planning.measure(rounds=1, events=300)}
    (whole,) = [value for what, value in told.items() if what.startswith("all four")]
    assert float(whole.split()[0]) < 20


def test_a_part_can_be_run_alone_and_kept(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run.main(["startup", "--json", str(tmp_path / "figures.json")])
    kept = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert list(kept["parts"]) == ["startup"]
    figures = [Figure(**figure) for figure in kept["parts"]["startup"]]
    printed = capfd.readouterr().out
    assert len(figures) == 3
    assert all(str(figure) in printed for figure in figures)
    with pytest.raises(SystemExit):
        run.main(["nosuch"])
