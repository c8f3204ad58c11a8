"""RML-Core's own test cases (W3C community group on knowledge graph construction), error cases included."""

from __future__ import annotations

import csv
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from isomorphism import isomorphic

from reqap_kg.errors import DataError, MappingError
from reqap_kg.mappings.rml import load_map
from reqap_kg.store.rdf import parse_nquads

NAMES = [
    "0000",
    "0001a",
    "0001b",
    "0002a",
    "0002b",
    "0002e",
    "0002g",
    "0003c",
    "0004a",
    "0004b",
    "0005a",
    "0006a",
    "0007a",
    "0007b",
    "0007c",
    "0007d",
    "0007e",
    "0007f",
    "0007g",
    "0007h",
    "0008a",
    "0008b",
    "0008c",
    "0009a",
    "0009b",
    "0010a",
    "0010b",
    "0010c",
    "0011b",
    "0012a",
    "0012b",
    "0012c",
    "0012d",
    "0012e",
    "0013a",
    "0015a",
    "0015b",
    "0019a",
    "0019b",
    "0020a",
    "0021a",
    "0022a",
    "0022b",
    "0022c",
    "0022d",
    "0022e",
    "0023a",
    "0023b",
    "0023c",
    "0023d",
    "0023e",
    "0023f",
    "0024a",
    "0025a",
    "0025b",
    "0025c",
    "0026a",
    "0026b",
    "0026c",
    "0026d",
    "0027a",
    "0027b",
    "0027c",
    "0028a",
    "0028b",
    "0028c",
    "0029a",
    "0030a",
    "0030b",
    "0030c",
    "0030d",
    "0030e",
    "0030f",
    "0031a",
    "0031b",
    "0031c",
]


@pytest.fixture(scope="module")
def cases(shared_data: Path) -> dict[str, dict[str, str]]:
    with (shared_data / "rml-core" / "metadata.csv").open(encoding="utf-8") as file:
        return {row["ID"]: row for row in csv.DictReader(file)}


def _run(folder: Path, row: dict[str, str]) -> str:
    path = folder / row["mapping"]
    compiled = load_map(
        path.read_text(encoding="utf-8"), path=str(path), base_iri=row["base_iri"], home_zone=ZoneInfo("UTC")
    )
    chunks = list(compiled.map_sources(folder, graph=None))
    assert all(isinstance(chunk, str) for chunk in chunks), chunks
    return "".join(chunk for chunk in chunks if isinstance(chunk, str))


@pytest.mark.shared_data
@pytest.mark.parametrize("name", NAMES)
def test_case(name: str, cases: dict[str, dict[str, str]], shared_data: Path) -> None:
    row = cases[f"RMLTC{name}-JSON"]
    folder = shared_data / "rml-core" / row["ID"]
    if row["error"] == "true":
        with pytest.raises((MappingError, DataError)):
            _run(folder, row)
        return
    expected = (folder / row["output1"]).read_text(encoding="utf-8")
    # One case makes an IRI with a space (rml:UnsafeIRI), which only a lenient reader takes.
    assert isomorphic(parse_nquads(_run(folder, row), lenient=True), parse_nquads(expected, lenient=True))


@pytest.mark.shared_data
def test_no_case_is_left_out(cases: dict[str, dict[str, str]]) -> None:
    assert {f"RMLTC{name}-JSON" for name in NAMES} == set(cases)
    assert len(cases) == 76
