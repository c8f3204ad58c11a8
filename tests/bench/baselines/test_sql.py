"""The baseline that translates into SQL: over records it answers as the engine does, and it reads no texts."""

# ruff: noqa: E501 (trees stand as they are written)

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from reqap_kg.bench.baselines.choosing import choose
from reqap_kg.bench.baselines.relations import Relations
from reqap_kg.bench.baselines.sql import finished, open_sql, result
from reqap_kg.bench.baselines.tables import Tables
from reqap_kg.config import Settings
from reqap_kg.engine.answers.answer_values import shape
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import TreeTypeError
from reqap_kg.evaluation.suites.base import Life, Question
from reqap_kg.evaluation.systems import Tracing
from reqap_kg.operators.syntax.text import read_tree
from reqap_kg.planner.search.plan import AnswerForm

NOW = datetime(2024, 6, 30, 12)
SONGS = [("Nine Mile Sky", ["Low Tide"]), ("Amber", ["Low Tide", "Ida Vane"]), ("Kites", ["Ida Vane"])]
KINDS = ["running", "cycling", "running", "rowing", "running"]


def records() -> Iterator[dict[str, Any]]:
    """Songs every third day, some of them during workouts; purchases; a calendar; a mail that tells of a run."""
    for day in range(60):
        on = date(2024, 1, 1) + timedelta(days=3 * day)
        song, artists = SONGS[(day * day + day // 4) % 3]
        yield _timed("music_stream", on, "07:10:00", "07:14:00", song_name=song, song_artist=artists, duration=240)
        if day % 4 == 0:
            kind = KINDS[day % 5]
            more = {"workout_type": kind, "duration": 30 + day % 7, "duration_unit": "min"}
            if kind != "rowing":
                more |= {"distance": 5.5 + day % 3, "distance_unit": "km"}
            yield _timed("workout", on, "07:00:00", "07:40:00", **more)
        if day % 10 == 0:
            price = f"{12 + day}.50 EUR"
            product = ("Kettle", "Rope", "Lamp")[day // 10 % 3]
            yield _timed("online_purchase", on, "21:00:00", "21:00:00", shop="Hearth", product=product, price=price)
    dinner = date(2024, 3, 2)
    for week in range(3):
        on = dinner + timedelta(weeks=week)
        summary = f"Dinner with {('Ruth', 'Ruth', 'Otto')[week]}"
        yield _timed("calendar", on, "19:00:00", "21:00:00", summary=summary, location="Alba")
    told = "Ran along the river yesterday, 9 km, nobody about."
    yield _timed("mail", dinner, "09:00:00", None, sender="Mia Lund", recipient="Ruth", subject="Hello", text=told)


def _timed(source: str, on: date, start: str, end: str | None, **more: Any) -> dict[str, Any]:
    day = on.isoformat()
    times = {"start_date": day, "start_time": start, "end_date": day if end else None, "end_time": end}
    return {"source": source, **times, **more}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    folder = tmp_path_factory.mktemp("sql")
    rows = (json.dumps({"id": number, **record}) for number, record in enumerate(records()))
    (folder / "observables.jsonl").write_text("\n".join(rows), encoding="utf-8")
    settings = Settings(home_zone="UTC", read_texts=False, classifiers=False)
    ingest([folder / "observables.jsonl"], folder / "store", IngestOptions(settings, NOW))
    with KnowledgeGraph.open(folder / "store", settings) as opened:
        yield opened


@pytest.fixture(scope="module")
def tables(known: KnowledgeGraph) -> Tables:
    return Tables(known.graph, known.index, known.vocabulary)


RUNS = 'RETRIEVE(query="runs")'
SONG = 'RETRIEVE(query="songs")'
TREES = [
    f"APPLY(l={SONG}, fct=len)",
    f"APPLY(l={RUNS}, fct=len)",
    'APPLY(l=RETRIEVE(query="songs by Ida Vane"), fct=len)',
    f'APPLY(l=FILTER(l={SONG}, filter=lambda e: e["start_date"] >= date(2024, 2, 1) and e["start_date"].month != 5), fct=len)',
    f'APPLY(l=FILTER(l={SONG}, filter=lambda e: e["start_date"].weekday() == 0 or e["start_time"] < time(6, 0)), fct=len)',
    f'SUM(l=EXTRACT(l={RUNS}, attr_names=["distance"], attr_types=[float]), attr_name="distance")',
    f'AVG(l=EXTRACT(l={RUNS}, attr_names=["duration"], attr_types=[float]), attr_name="duration")',
    'MAX(l=EXTRACT(l=RETRIEVE(query="purchases"), attr_names=["price"], attr_types=[float]), attr_name="price")',
    f'MIN(l={RUNS}, attr_name="start_date")',
    f'ARGMAX(l=MAP(l=GROUP_BY(l=EXTRACT(l={SONG}, attr_names=["song"], attr_types=[str]), attr_names=["song"]), fct=len, '
    'res_name="n"), arg_attr_name="n", val_attr_name="song")',
    f'ARGMAX(l=MAP(l=GROUP_BY(l=UNNEST(l=EXTRACT(l={SONG}, attr_names=["artist"], attr_types=[list]), '
    'nested_attr_name="artist"), attr_names=["artist"]), fct=len, res_name="n"), arg_attr_name="n", val_attr_name="artist")',
    'ARGMAX(l=MAP(l=GROUP_BY(l=MAP(l=EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["distance"], attr_types=[float]), '
    'fct=lambda e: e["start_date"].month, res_name="month"), attr_names=["month"]), '
    'fct=lambda g: sum(e["distance"] for e in g), res_name="km"), arg_attr_name="km", val_attr_name="month")',
    'ARGMIN(l=EXTRACT(l=RETRIEVE(query="purchases"), attr_names=["price", "product"], attr_types=[float, str]), '
    'arg_attr_name="price", val_attr_name="product")',
    f'APPLY(l=APPLY(l={RUNS}, fct=lambda events: sorted(set(e["start_date"] for e in events))), '
    "fct=lambda days: max((b - a).days for a, b in zip(days, days[1:])))",
    'APPLY(l=EXTRACT(l=RETRIEVE(query="purchases"), attr_names=["price"], attr_types=[float]), fct=lambda events: '
    'max(events, key=lambda e: e["start_datetime"])["price"] - min(events, key=lambda e: e["start_datetime"])["price"])',
    f'APPLY(l=MAP(l=GROUP_BY(l=EXTRACT(l={SONG}, attr_names=["song"], attr_types=[str]), attr_names=["song"]), fct=len, '
    'res_name="n"), fct=lambda rows: [r["song"] for r in sorted(rows, key=lambda r: r["n"], reverse=True)[:2]])',
    f'APPLY(l=JOIN(l1={SONG}, l2={RUNS}, condition="i2.start_datetime <= i1.start_datetime and '
    'i1.start_datetime < i2.end_datetime"), fct=len)',
    f'APPLY(l=FILTER(l={SONG}, filter=lambda e: e["start_date"] not in APPLY(l={RUNS}, fct=lambda events: '
    'set(e["start_date"] for e in events)).result), fct=len)',
    f'APPLY(l=MAX(l={RUNS}, attr_name="start_date"), fct=lambda d: (date.today() - d).days)',
    f'APPLY(l=FILTER(l={RUNS}, filter=lambda e: e["start_date"] == MIN(l={RUNS}, attr_name="start_date").result), '
    'fct=lambda events: events[0]["start_date"].strftime("%A"))',
    'EXTRACT(l=FILTER(l=RETRIEVE(query="purchases"), filter=lambda e: e["start_date"] >= date.today() - '
    'timedelta(days=120)), attr_names=["product"], attr_types=[str])',
    'APPLY(l=RETRIEVE(query="runs"), fct=lambda events: len(events) > 3)',
    'APPLY(l=FILTER(l=EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["distance"], attr_types=[float]), filter=lambda '
    'e: e["distance"] is None), fct=len)',
]


@pytest.mark.parametrize("tree", TREES)
def test_over_records_sql_answers_as_the_engine_does(tree: str, known: KnowledgeGraph, tables: Tables) -> None:
    relation = Relations(tables, NOW).query(read_tree(tree).node)
    query = finished(relation)
    found = shape(result(relation, *tables.rows(query), query), AnswerForm("any"), known.vocabulary)
    expected = known.run(tree, now=NOW)
    assert expected.values
    assert [_rounded(value) for value in found.values] == [_rounded(value) for value in expected.values]


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value


@pytest.mark.parametrize(
    ("query", "chosen"),
    [
        ("songs I listened to", {"music_stream"}),
        ("Amber by Ida Vane", {"music_stream"}),
        ("I went rowing", {"workout"}),
        ("things I bought at Hearth", {"purchase"}),
        ("dinner with Otto", {"calendar_entry"}),
        ("unheard of zeppelins", set()),
    ],
)
def test_a_query_chooses_a_table(query: str, chosen: set[str], tables: Tables) -> None:
    assert {table.name for table in choose(query, tables).tables} == chosen


def test_what_no_column_holds_is_looked_for_in_the_texts(tables: Tables) -> None:
    dinners = 'EXTRACT(l=RETRIEVE(query="dinners"), attr_names=["participants"], attr_types=[list])'
    tree = f"""APPLY(l=FILTER(l={dinners}, filter=lambda e: "Ruth Bell" in e["participants"]), fct=len)"""
    assert tables.rows(Relations(tables, NOW).query(read_tree(tree).node).sql)[1] == [(2,)]
    with pytest.raises(TreeTypeError, match="participants"):
        finished(Relations(tables, NOW).query(read_tree(dinners).node))


def test_a_run_that_a_mail_tells_of_is_not_in_the_tables(known: KnowledgeGraph, tables: Tables) -> None:
    assert {table.name for table in choose("runs", tables).tables} == {"workout"}
    system = open_sql(known, Life("x", (), NOW, ()), Tracing())
    found = system(Question("q", "How many times did I go running?", NOW))
    assert found.answer == (sum(r.get("workout_type") == "running" for r in records()),)
    assert "SELECT" in found.more["sql"]
    assert system(Question("q", "Frobnicate the gizmo sideways", NOW)).reason.startswith("not understood")


def test_quotes_in_questions_and_data_stay_texts(tables: Tables) -> None:
    assert choose("songs by O'Brien'; DROP TABLE workout; --", tables).tables
    tree = """APPLY(l=FILTER(l=EXTRACT(l=RETRIEVE(query="songs"), attr_names=["song"], attr_types=[str]), filter=lambda e: e["song"] == "x' OR '1'='1"), fct=len)"""
    assert tables.rows(Relations(tables, NOW).query(read_tree(tree).node).sql)[1] == [(0,)]
