"""`reqap-kg domain check`: single mistakes in a valid folder are told with their place; valid ones have no word."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from domain_mistakes import MISTAKES, Mistake

from reqap_kg.config import Settings
from reqap_kg.engine.checking.check import check_domain
from reqap_kg.engine.checking.values import here
from reqap_kg.planner.authoring.findings import Finding, Severity

TRAMS = Path(__file__).parent / "trams"
SHIPPED = Path(__file__).parents[2] / "examples"


def findings(folder: Path) -> tuple[Finding, ...]:
    return check_domain(folder, Settings(), run=here).findings


@pytest.fixture
def trams(tmp_path: Path) -> Path:
    return copytree(TRAMS, tmp_path / "trams")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: f"{one.file} {one.new[:40]}")
def test_a_mistake_is_told_with_its_place_and_the_nearest_name(trams: Path, mistake: Mistake) -> None:
    path = trams / mistake.file
    text = path.read_text(encoding="utf-8")
    assert text.count(mistake.old) == 1
    path.write_text(text.replace(mistake.old, mistake.new), encoding="utf-8")
    line = text[: text.index(mistake.old)].count("\n") + 1 + mistake.later
    found = findings(trams)
    told = [
        f for f in found if f.place and f.place.path == str(path) and f.place.line == line and mistake.told in f.message
    ]
    assert told, [str(one) for one in found]
    assert mistake.nearest is None or mistake.nearest in [one.nearest for one in told]
    assert sum(one.severity == Severity.ERROR for one in found) <= 1, [str(one) for one in found]


@pytest.mark.parametrize(
    "name",
    [
        "resorts",
        "qa-forum",
        pytest.param("timelineqa", marks=pytest.mark.long),
        pytest.param("music", marks=pytest.mark.long),
        pytest.param("census", marks=pytest.mark.long),
    ],
)
def test_shipped_domains_are_fine(name: str) -> None:
    assert findings(SHIPPED / name) == ()
