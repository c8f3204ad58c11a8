"""An analyst's questions to three domains, each held against SQL over the same tables: every kind in each domain."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from documents import File, parts
from ferry_tables import write_tables
from warehouse import NOW as RESORTS_NOW
from warehouse import SETTINGS as RESORTS
from warehouse import tables as resort_tables

from reqap_kg.bench.domains import fits, tables
from reqap_kg.config import Settings
from reqap_kg.engine.authoring.domain import load_domain
from reqap_kg.engine.checking.check import check_domain
from reqap_kg.engine.importing.ingest_domain import ingest_domain
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.importing.report import Silent
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import NotUnderstood

HERE = Path(__file__).parent
NOW = datetime(2025, 9, 14, 10, 30)
Asked = tuple[KnowledgeGraph, sqlite3.Connection, datetime]


def _cases(name: str) -> list[Any]:
    lines = (HERE / "tables" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    read = [json.loads(line) for line in lines]
    return [pytest.param(one["question"], one["sql"], id=f"{one['kind']}-{one['id']}") for one in read]


def _opened(domain: Path, store: Path) -> AbstractContextManager[KnowledgeGraph]:
    settings = Settings(domain=domain, home_zone="Europe/Oslo")
    ingest_domain(load_domain(domain), [], store, IngestOptions(settings, NOW), Silent())
    return KnowledgeGraph.open(store, settings)


@pytest.fixture(scope="module")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    folder = tmp_path_factory.mktemp("ferries") / "ferries"
    shutil.copytree(HERE / "ferries", folder)
    (folder / "data").mkdir()
    write_tables(folder / "data")
    with _opened(folder, folder.parent / "store") as known:
        yield known, tables(folder / "data"), NOW


@pytest.fixture(scope="module")
def bees(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """The domain of docs/authoring.md, without its patterns and rules."""
    folder = tmp_path_factory.mktemp("bees")
    for part in parts((HERE.parents[1] / "docs" / "authoring.md").read_text(encoding="utf-8")):
        if isinstance(part, File) and part.name.startswith("bees/") and "/patterns/" not in part.name:
            path = folder / part.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(part.text, encoding="utf-8")
    shutil.rmtree(folder / "bees" / "rules", ignore_errors=True)
    with _opened(folder / "bees", folder / "store") as known:
        yield known, tables(folder / "bees" / "data"), NOW


@pytest.fixture(scope="module")
def sales(resorts: Path) -> Iterator[Asked]:
    with KnowledgeGraph.open(resorts, RESORTS) as known:
        yield known, resort_tables(), RESORTS_NOW


def _holds(asked: Asked, question: str, sql: str) -> None:
    known, db, now = asked
    answer = known.ask(question, now=now)
    assert fits(answer, db.execute(sql).fetchall()), (answer.values, answer.table, answer.plan, answer.doubt)
    assert not answer.doubt


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("question", "sql"), _cases("ferries"))
def test_ferries(ferries: Asked, question: str, sql: str) -> None:
    _holds(ferries, question, sql)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("question", "sql"), _cases("bees"))
def test_bees(bees: Asked, question: str, sql: str) -> None:
    _holds(bees, question, sql)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("question", "sql"), _cases("resorts"))
def test_resorts(sales: Asked, question: str, sql: str) -> None:
    _holds(sales, question, sql)


def test_each_kind_of_question_is_there_for_each_domain() -> None:
    kinds = {
        name: {json.loads(line)["kind"] for line in (HERE / "tables" / f"{name}.jsonl").read_text("utf-8").splitlines()}
        for name in ("ferries", "bees", "resorts")
    }
    assert kinds["bees"] - kinds["ferries"] == set()
    assert kinds["resorts"] - kinds["ferries"] == set()
    assert len(kinds["bees"]) > 13


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("passengers by vessel without grumbling captains", "grumbling"),
        ("How many crossings were nicer than the Aurora?", "nicer"),
        ("passengers on the purple vessels", "purple"),
        ("compound annual passengers", "compound"),
        ("How many crossings had no wibble?", "wibble"),
    ],
)
def test_words_that_nothing_stands_for_are_told(ferries: Asked, question: str, word: str) -> None:
    known, _, now = ferries
    try:
        told = list(known.ask(question, now=now).doubt)
    except NotUnderstood as refused:  # as good
        told = [*refused.words, str(refused)]
    assert any(word in said for said in told)


def test_what_does_not_add_up_is_declined(tmp_path: Path) -> None:
    folder = tmp_path / "ferries"
    shutil.copytree(HERE / "ferries", folder)
    (folder / "data").mkdir()
    write_tables(folder / "data")
    ontology = (folder / "ontology.ttl").read_text(encoding="utf-8")
    units = "f:units a owl:DatatypeProperty, qb:MeasureProperty ; wh:notOver f:vessel ;"
    changed = ontology.replace("f:units a owl:DatatypeProperty, qb:MeasureProperty ;", units)
    assert changed != ontology
    (folder / "ontology.ttl").write_text(changed, encoding="utf-8")
    with _opened(folder, tmp_path / "store") as known:
        with pytest.raises(NotUnderstood, match="does not add up over vessel"):
            known.ask("How many units sold in 2024?", now=NOW)
        assert known.ask("units sold by vessel", now=NOW).table is not None


def test_the_domain_of_ferries_is_without_fault(ferries: Asked, tmp_path: Path) -> None:
    known, *_ = ferries
    assert known.settings.domain is not None
    assert [str(one) for one in check_domain(known.settings.domain, Settings()).findings] == []
