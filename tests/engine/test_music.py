"""The catalogue of music: questions that list artists and albums, against plain Python over the same files."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from shutil import copytree

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.authoring.authoring import Workshop
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

MUSIC = Path(str(files("reqap_kg.examples"))) / "music"
NOW = datetime(2025, 9, 14, 10, 30)
ARTISTS = 250
"""The first of them: enough for the questions, and imported in no time."""
Row = dict[str, str]


def _rows(name: str) -> list[Row]:
    with (MUSIC / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    keys = {"artists": "id", "albums": "artist"}
    return [row for row in rows if name not in keys or int(row[keys[name]]) <= ARTISTS]


def _some_of_it(folder: Path) -> Path:
    """The domain with the rows of the first artists."""
    copytree(MUSIC, folder)
    for name in ("artists", "albums"):
        rows = _rows(name)
        with (folder / "data" / f"{name}.csv").open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return folder


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(home_zone="Etc/UTC", domain=_some_of_it(tmp_path_factory.mktemp("domain") / "music"))


@pytest.fixture(scope="module")
def known(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    store = tmp_path_factory.mktemp("music")
    ingest([], store, IngestOptions(settings, NOW))
    with KnowledgeGraph.open(store, settings) as opened:
        yield opened


def _named(table: str, column: str, key: str = "id") -> dict[str, str]:
    return {row[key]: row[column] for row in _rows(table)}


def test_nothing_is_wrong_with_its_files(settings: Settings) -> None:
    assert [str(finding) for finding in Workshop.of((), settings).check()] == []


def test_its_cases_pass(known: KnowledgeGraph, settings: Settings) -> None:
    workshop = Workshop.of((), settings)
    results = workshop.test(workshop.cases(), known)
    assert len(results) >= 12
    assert [(result.case.question, result.problem) for result in results if not result.passed] == []


def _expected(question: str) -> list[Row]:
    countries, continents = _named("countries", "name"), _named("countries", "continent")
    families, names = _named("genres", "family"), _named("artists", "name")
    artists = {
        "Which artists were born on May 30th?": lambda row: row["born"].endswith("-05-30"),
        "Which artists were born in 1974?": lambda row: row["born"].startswith("1974"),
        "Which artists were not born in 1974?": lambda row: row["born"] and not row["born"].startswith("1974"),
        "Who was born before 1900?": lambda row: row["born"] and row["born"] < "1900",
        "Show me jazz artists": lambda row: families[row["genre"]] == "jazz",
        "Which artists are from Norway?": lambda row: countries[row["country"]] == "Norway",
        "Which European bands are still active?": lambda row: (
            continents[row["country"]] == "Europe" and row["background"] == "group or band" and row["active"] == "true"
        ),
        "Which female singers are alive?": lambda row: (
            row["gender"] == "female" and row["background"] == "solo singer" and not row["died"]
        ),
        "Which artists with more than 5 albums are there?": lambda row: int(row["albums"]) > 5,
    }
    albums = {
        "Show me all albums of 1999": lambda row: row["year"] == "1999",
        "Which albums came out after 2015?": lambda row: int(row["year"]) > 2015,
        "Which albums are by Bess Yelverridge?": lambda row: names[row["artist"]] == "Bess Yelverridge",
        "albums with a rating over 4.5": lambda row: row["rating"] and float(row["rating"]) > 4.5,
    }
    if question in artists:
        return [row for row in _rows("artists") if artists[question](row)]
    return [row for row in _rows("albums") if albums[question](row)]


@pytest.mark.parametrize(
    "question",
    [
        "Which artists were born on May 30th?",
        "Which artists were born in 1974?",
        "Which artists were not born in 1974?",
        "Who was born before 1900?",
        "Show me jazz artists",
        "Which artists are from Norway?",
        "Which European bands are still active?",
        "Which female singers are alive?",
        "Which artists with more than 5 albums are there?",
        "Show me all albums of 1999",
        "Which albums came out after 2015?",
        "Which albums are by Bess Yelverridge?",
        "albums with a rating over 4.5",
    ],
)
def test_things_themselves_are_the_answer(known: KnowledgeGraph, question: str) -> None:
    expected = sorted(row.get("name") or row["title"] for row in _expected(question))
    answer = known.ask(question, now=NOW, most_events=ARTISTS)
    assert expected
    assert answer.as_json()["answer_type"] == "events"
    assert sorted(map(str, answer.values)) == expected
    assert len(answer.events) == len(expected)


def test_of_each_genre_there_are_so_many_artists(known: KnowledgeGraph) -> None:
    names = _named("genres", "name")
    counted: dict[str, int] = {}
    for row in _rows("artists"):
        counted[names[row["genre"]]] = counted.get(names[row["genre"]], 0) + 1
    table = known.ask("How many artists are there by genre?", now=NOW).table
    assert table is not None
    assert {str(genre): count for genre, count in table.rows} == counted


def test_one_artist_has_a_day_of_birth(known: KnowledgeGraph) -> None:
    born = _named("artists", "born", "name")
    assert known.ask("When was Bess Yelverridge born?", now=NOW).values == (born["Bess Yelverridge"],)
