"""A map in a process of its own: what it says arrives as it was said, and the process never outlives its limits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from test_parallel import ANY

from reqap_kg.config import Limits
from reqap_kg.engine.importing.mapping_process import seconds_for
from reqap_kg.engine.importing.mapping_subprocess import (
    MappingRun,
    MappingTask,
    RecordTask,
    bad_as_json,
    error_as_json,
    error_of_json,
    place_as_json,
    place_of_json,
    task_of,
)
from reqap_kg.errors import DataError, HostileInput, MappingError, Place, ReqapError
from reqap_kg.mappings.rml import load_map
from reqap_kg.parallel import Workers
from reqap_kg.sources.base import BadRecord

TURTLE = """@prefix rml: <http://w3id.org/rml/> . @prefix ev: <https://w3id.org/reqap-kg/event#> .
<#A> a rml:TriplesMap ; rml:logicalSource [ rml:source "x.FORMAT" ; rml:iterator "ITERATOR" ;
    rml:referenceFormulation rml:KIND ] ;
  rml:subjectMap [ rml:template "https://example.org/{id}" ; rml:class ev:Event ] ;
  rml:predicateObjectMap [ rml:predicate ev:with ; rml:objectMap [ rml:reference "id" ] ] .
"""


def _run(folder: Path, kind: str, iterator: str, limits: Limits) -> MappingRun:
    turtle = TURTLE.replace("KIND", kind).replace("ITERATOR", iterator).replace("FORMAT", kind.lower())
    compiled = load_map(turtle, path="map.ttl", base_iri="urn:x:", home_zone=ZoneInfo("UTC"))
    return MappingRun(task_of(compiled, folder, {}, limits, source="test"))


@pytest.mark.parametrize(
    "bad",
    [
        DataError("no such file"),
        HostileInput("too large"),
        MappingError("wrong", place=Place(3, 4, "m.ttl"), expected="right", nearest="rml:right"),
        MappingError("wrong"),
    ],
)
def test_errors_arrive_as_they_were_raised(bad: ReqapError) -> None:
    said = error_of_json(json.loads(json.dumps(error_as_json(bad))))
    assert type(said) is type(bad)
    assert str(said) == str(bad)


def test_tasks_and_bad_records_arrive_whole(tmp_path: Path) -> None:
    task = _run(tmp_path, "JSONPath", "$[*]", Limits(depth=7)).task
    records = RecordTask(("a", "b"), "2025-01-01T00:00:00", 3, 20.0)
    task = replace(task, records=records, instead=(("x", "y"),), own_kinds="test", workers=Workers(2, "local"))
    assert MappingTask.of_json(json.loads(json.dumps(task.as_json()))) == task
    bad = BadRecord("x", "line 1", "wrong", 3, "key")
    assert BadRecord(*json.loads(json.dumps(bad_as_json(bad)))) == bad
    assert place_of_json(place_as_json(Place(1, 2, "m"))) == Place(1, 2, "m")
    assert place_of_json(place_as_json(None)) is None


def test_a_run_gives_what_the_map_gives_in_this_process(tmp_path: Path) -> None:
    rows = [{"id": "é\ud83d\ude00\n"}, {"id": 2}, {"id": [3]}, {}]
    (tmp_path / "x.jsonpath").write_text(json.dumps(rows), encoding="utf-8")
    run = _run(tmp_path, "JSONPath", "$[*]", Limits())
    compiled = load_map(run.task.turtle, path="map.ttl", base_iri="urn:x:", home_zone=ZoneInfo("UTC"))
    here = list(compiled.map_sources(tmp_path, graph=run.task.graph, strict=False))
    assert list(run.chunks()) == here
    assert (run.records, run.unmapped, run.warnings) == (4, compiled.records_unmapped, compiled.warnings)


@pytest.mark.parametrize("workers", ANY)
def test_a_run_that_deals_records_to_workers_gives_the_same(tmp_path: Path, workers: Workers) -> None:
    (tmp_path / "x.jsonpath").write_text(json.dumps([{"id": n % 7 and n} for n in range(1_000)]), encoding="utf-8")
    run = _run(tmp_path, "JSONPath", "$[*]", Limits())
    shared = MappingRun(replace(run.task, workers=workers))
    assert list(shared.chunks()) == list(run.chunks())
    assert (shared.records, shared.unmapped, shared.warnings) == (run.records, run.unmapped, run.warnings)


def test_processor_time_is_bounded_by_the_size_of_the_data(tmp_path: Path) -> None:
    (tmp_path / "x.xpath").write_text("<r>" + "<a><id>x</id></a>" * 2600 + "</r>", encoding="utf-8")
    far = _run(tmp_path, "XPath", "//*[count(//*[count(//*)>1])>1]", Limits(map_seconds=0.5))
    with pytest.raises(MappingError, match=r"map\.ttl:2:43: this map takes more processor time"):
        list(far.chunks())
    assert seconds_for(Limits(map_seconds=3, map_seconds_per_mib=5), 2**21) == 13


def test_memory_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "x.jsonpath").write_text(json.dumps([[[{"id": "x" * 9}] * 400_000]]), encoding="utf-8")
    run = _run(tmp_path, "JSONPath", "$[0:][0:][0:]", Limits(map_bytes=300 * 2**20))
    with pytest.raises(ReqapError, match="memory"):
        list(run.chunks())


def test_what_a_map_makes_is_bounded_by_the_size_of_the_data(tmp_path: Path) -> None:
    row = json.dumps({"id": "x" * 500_000}) + "\n"
    (tmp_path / "x.jsonpath").write_text(row * 3, encoding="utf-8")
    limits = Limits(map_growth=1)
    assert len(list(_run(tmp_path, "JSONPath", "$", limits).chunks())) == 3
    (tmp_path / "x.jsonpath").write_text(row * 40, encoding="utf-8")
    with pytest.raises(MappingError, match="bytes of triples of each byte"):
        list(_run(tmp_path, "JSONPath", "$", limits).chunks())


def test_a_run_that_is_left_ends_its_process(tmp_path: Path) -> None:
    (tmp_path / "x.jsonpath").write_text('{"id": 1}\n' * 200_000, encoding="utf-8")
    chunks = _run(tmp_path, "JSONPath", "$", Limits()).chunks()
    assert isinstance(next(chunks), str)
    chunks.close()  # type: ignore[attr-defined]
    with pytest.raises(StopIteration):
        next(chunks)
