"""`reqap-kg domain check`: single mistakes in a valid folder are told with their place; valid ones have no word."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest
from domain_mistakes import MISTAKES, Mistake

from reqap_kg.cli.app import run
from reqap_kg.config import Settings
from reqap_kg.engine.authoring.domain import WAYS
from reqap_kg.engine.checking.check import check_domain
from reqap_kg.engine.checking.shapes import listed_values
from reqap_kg.engine.checking.values import here
from reqap_kg.ontology.namespaces import WH
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


SEVERAL = (
    ("ontology.ttl", 'wh:aggregate "sum"', 'wh:agregate "sum"', "wh:agregate"),
    ("ontology.ttl", '"?riders * ?fare"', '"?riders * ?fair"', "?fair"),
    ("ontology.ttl", "wh:preference 0.9", "wh:preference 9", "wh:preference"),
    ("maps/trams.ttl", "fn:wallClock", "fn:wallClok", "fn:wallClok"),
    ("maps/trams.ttl", '[ rml:reference "district" ]', '[ rml:refrence "district" ]', "rml:refrence"),
    ("patterns/trams.ttl", "fn:date(?y, 6, 1)", "fn:date(?y, 6)", "2 arguments"),
    ("patterns/trams.ttl", "{v=@Value}", "{v=@Valeu}", "Valeu"),
    ("rules/trams.ttl", "sh:order 2", 'sh:order "ten"', "sh:order"),
    ("rules/trams.ttl", "pg:filters ?filters .", "pg:filters ?filtrs .", "?filters"),
    ("questions.ttl", "pg:rule tram:crowd", "pg:rule tram:croud", "tram:croud"),
)  # fmt: skip


def test_all_mistakes_are_told_in_one_run(trams: Path) -> None:
    for file, old, new, _ in SEVERAL:
        path = trams / file
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    found = findings(trams)
    told = [(f.place.path if f.place else "", f.message) for f in found]
    missing = [
        (file, word) for file, *_, word in SEVERAL if not any(str(trams / file) == p and word in m for p, m in told)
    ]
    assert missing == [], told


@pytest.mark.parametrize("file", ["ontology.ttl", "maps/trams.ttl", "rules/trams.ttl", "profile.ttl", "questions.ttl"])
def test_a_file_that_is_no_turtle_is_all_that_is_told(trams: Path, file: str) -> None:
    path = trams / file
    text = path.read_text(encoding="utf-8").replace(" ;", " ; ;;(", 1)
    path.write_text(text, encoding="utf-8")
    (only,) = findings(trams)
    assert only.place is not None
    assert only.place.path == str(path)


def test_a_missing_domain_is_refused(tmp_path: Path) -> None:
    assert run(["domain", "check", str(tmp_path)]) == 2


def test_the_command_prints_places_and_json(trams: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["domain", "check", str(trams)]) == 0
    assert capsys.readouterr().out == "fine: 7 files with 4 patterns and 2 rules\n"
    profile = trams / "profile.ttl"
    profile.write_text(profile.read_text(encoding="utf-8").replace("Köln", "Koln"), encoding="utf-8")
    assert run(["rules", "check", "--domain", str(trams)]) == 2
    assert (
        'profile.ttl:6:86: error: the data have no tram:district "Koln"; did you mean "Köln"?'
        in capsys.readouterr().err
    )
    assert run(["domain", "check", str(trams), "--json"]) == 2
    (finding,) = json.loads(capsys.readouterr().out)
    assert (finding["line"], finding["column"], finding["nearest"]) == (6, 86, '"Köln"')


def test_an_import_refuses_what_the_shapes_refuse(
    trams: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ontology = trams / "ontology.ttl"
    ontology.write_text(ontology.read_text(encoding="utf-8").replace("wh:weight tram:riders", "wh:weight tram:rider"))
    assert run(["ingest", "--domain", str(trams), "--dry-run", "--store", str(tmp_path / "store")]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "ontology.ttl:18:83: tram:minutes wh:weight tram:rider" in said
    assert "did you mean tram:riders?" in said


def test_the_shapes_and_the_engine_know_the_same_aggregates() -> None:
    assert set(listed_values(WH + "aggregate")) == set(WAYS)


def test_other_data_stand_in(trams: Path, tmp_path: Path) -> None:
    rides = tmp_path / "rides.csv"
    rides.write_text(
        "id,at,stop,line,passengers,minutes,fare\nr1,2024-05-03T08:10:00,1,red,42,11,2.5\n", encoding="utf-8"
    )
    found = check_domain(trams, Settings(), [rides], run=here).findings
    assert [one.message for one in found] == ["data/rides.csv has no column riders"]


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
