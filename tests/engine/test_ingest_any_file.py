"""Import of a file that is no known export, by a user's map over its records."""

from __future__ import annotations

from datetime import datetime

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions

MAP = """@prefix rml: <http://w3id.org/rml/> .
@prefix ev: <https://w3id.org/reqap-kg/event#> .
<#Run> a rml:TriplesMap ; ev:keepOtherKeys true ;
  rml:logicalSource [ rml:source ev:Records ; rml:referenceFormulation rml:JSONPath ; rml:iterator "$" ] ;
  rml:subjectMap [ rml:template "https://w3id.org/reqap-kg/data/{_source}/{_id}" ; rml:class ev:Workout ] .
"""


def _import(tmp_path, text: str):
    (tmp_path / "runs.ttl").write_text(MAP, encoding="utf-8")
    (tmp_path / "my runs").write_text(text, encoding="utf-8")
    options = IngestOptions(Settings(), datetime(2025, 3, 1, 12), mapping=tmp_path / "runs.ttl")
    return ingest([tmp_path / "my runs"], tmp_path / "store", options).sources[0]


@pytest.mark.long
def test_rows_of_any_csv(tmp_path) -> None:
    report = _import(tmp_path, "when,how far\n2024-06-01,5\n2024-06-02,7\n")
    assert (report.name, report.triples, report.state) == ("runs", 6, "new")
    assert _import(tmp_path, "when,how far\n2024-06-01,5\n2024-06-02,7\n").state == "unchanged"
    assert _import(tmp_path, "when,how far\n2024-06-02,7\n").state == "replaced"


def test_a_broken_line_is_kept_out_alone(tmp_path) -> None:
    report = _import(tmp_path, '{"km": 5}\n{"km": 6}\n{"km":\n')
    assert report.triples == 4
    assert [(bad.where, bad.count) for bad in report.skipped] == [("line 3", 1)]
