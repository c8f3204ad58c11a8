"""`--domain DIR` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest
from warehouse import RESORTS

from reqap_kg.cli.app import run


@pytest.fixture
def store(imported_resorts: Path, tmp_path: Path) -> list[str]:
    return ["--store", str(copytree(imported_resorts, tmp_path / "store"))]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("before", [True, False])
def test_it_stands_before_or_after_the_command(
    store: list[str], capsys: pytest.CaptureFixture[str], before: bool
) -> None:
    option = ["--domain", str(RESORTS)]
    asked = ["ask", "revenue by country", "--json", *store]
    assert run([*option, *asked] if before else [*asked, *option]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["analysis"], answer["table"]["columns"]) == ("places", ["country", "revenue"])


def test_the_environment_names_it_too(
    store: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQAP_KG_DOMAIN", str(RESORTS))
    assert run(["plan", "revenue by country", "--json", *store]) == 0
    assert json.loads(capsys.readouterr().out)["analysis"] == "places"


@pytest.mark.long
def test_it_is_forgotten_by_the_next_command_line(store: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--domain", str(RESORTS), "status", *store]) == 0
    assert run(["plan", "revenue by country", *store]) == 4
    assert "revenue" in capsys.readouterr().err


def test_a_domain_has_a_store_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / name)
    assert run(["ingest", "--domain", str(RESORTS), "--no-index"]) == 0
    assert (tmp_path / "reqap-kg" / "domains" / "resorts" / "CURRENT").is_file()


def test_ingest_without_a_domain_needs_paths(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ingest", "--store", str(tmp_path / "store")]) == 2
    assert "expected files" in capsys.readouterr().err


def test_a_folder_that_is_no_domain_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["status", "--domain", str(tmp_path), "--store", str(tmp_path / "s")]) in (1, 2)
    assert run(["ingest", "--domain", str(tmp_path), "--store", str(tmp_path / "s")]) == 2
    assert "no domain.ttl" in capsys.readouterr().err
