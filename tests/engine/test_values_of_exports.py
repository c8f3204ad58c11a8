"""A list of somebody's own with dates, times, lengths and amounts as people write them, imported and asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.admin.extraction import ExtractionRequest
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

NOW = datetime(2025, 1, 1, 12)
RECORDS = [
    {"booked": "3/4/22", "opens": "9:05 PM", "rest": "1 h 30 min", "fee": "5,99 €", "load": "80 kg", "outdoor": "Yes"},
    {"booked": "14/3/22", "opens": "7:30 AM", "rest": "45:10", "fee": "1.234,50 €", "load": "100 lb", "outdoor": "no"},
    {"booked": "15/3/22", "opens": "12:15 AM", "rest": "PT2H", "fee": "3,50 €", "load": "60 kg", "outdoor": "Yes"},
    {"booked": "soon", "opens": "10:00 AM", "rest": "20 min", "fee": "4,00 €", "load": "61 kg", "outdoor": "no"},
]


@pytest.fixture
def known(tmp_path: Path) -> Iterator[KnowledgeGraph]:
    base = {"source": "workout", "workout_type": "Climbing"}
    records = [{**base, "id": f"w{n}", "start_date": f"2022-05-0{n}", **own} for n, own in enumerate(RECORDS, start=1)]
    (tmp_path / "climbs.json").write_text(json.dumps(records), encoding="utf-8")
    ingest([tmp_path / "climbs.json"], tmp_path / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), NOW))
    with KnowledgeGraph.open(tmp_path / "store") as opened:
        yield opened


def extracted(key: str, kind: str) -> str:
    """The key of all workouts, read as a type."""
    return f'EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["{key}"], attr_types=[{kind}])'


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("tree", "values", "unit"),
    [
        (f'MAX(l={extracted("booked", "date.fromisoformat")}, attr_name="booked")', ("2022-04-03",), None),
        (f'MIN(l={extracted("opens", "time.fromisoformat")}, attr_name="opens")', ("00:15",), None),
        (f'SUM(l={extracted("fee", "float")}, attr_name="fee")', (1247.99,), "EUR"),
        (f'MAX(l={extracted("load", "float")}, attr_name="load")', (80,), "kg"),
        (
            f'APPLY(l=FILTER(l={extracted("outdoor", "bool")}, filter=lambda attr: attr["outdoor"]), fct=len)',
            (2,),
            None,
        ),
        (
            f"APPLY(l=FILTER(l={extracted('rest', 'timedelta')}, "
            'filter=lambda attr: attr["rest"] > timedelta(minutes=60)), fct=len)',
            (2,),
            None,
        ),
    ],
)
def test_values_answer_however_they_are_written(known: KnowledgeGraph, tree: str, values: tuple, unit: str | None):
    answer = known.run(tree, now=NOW)
    assert (answer.values, answer.unit) == (values, unit)


def test_the_query_of_an_answer_runs_again_without_any_reader(known: KnowledgeGraph) -> None:
    answer = known.run(f'SUM(l={extracted("fee", "float")}, attr_name="fee")', now=NOW)
    ((total,),) = known.graph.select(answer.sparql).rows
    assert total is not None
    assert float(total.value) == 1247.99


def test_what_is_no_value_is_told_each_time(known: KnowledgeGraph) -> None:
    tree = f'MAX(l={extracted("booked", "date.fromisoformat")}, attr_name="booked")'
    for _ in range(2):
        assert "1 of 4 values of 'booked' is no date, e.g. 'soon'" in known.run(tree, now=NOW).warnings


def test_one_value_comes_with_the_text_it_was_read_from(known: KnowledgeGraph) -> None:
    asked = [
        ExtractionRequest("w1", "fee", "float"),
        ExtractionRequest("w2", "booked", "date"),
        ExtractionRequest("w4", "booked", "date"),
    ]
    found = [(one.value, one.evidence) for one in known.extract_many(asked, now=NOW)]
    assert found == [(5.99, "5,99 €"), ("2022-03-14", "14/3/22"), (None, None)]


def test_what_was_read_is_kept_until_the_next_import(known: KnowledgeGraph) -> None:
    tree = f'MAX(l={extracted("load", "float")}, attr_name="load")'
    known.run(tree, now=NOW)
    graphs = known.graph.graphs()
    known.run(tree, now=datetime(2025, 6, 1))
    assert known.graph.graphs() == graphs
