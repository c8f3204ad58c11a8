"""Maps whose records are dealt to workers make, byte for byte, what one process makes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_parallel import ANY

from reqap_kg.config import Limits
from reqap_kg.errors import DataError, HostileInput, MappingError
from reqap_kg.mappings.rml import CompiledMap
from reqap_kg.parallel import ALONE, Workers
from reqap_kg.sources.base import BadRecord

CSV = "rml:CSV"


def _records() -> list[Any]:
    """Records of which some are broken in ways that are told, some counted, and one was never read."""
    found: list[Any] = [
        {"_id": str(n), "x": n if n % 7 else "no number", "more": {f"k{n % 3}": n}, "at": f"2024-01-{n % 28 + 1:02}"}
        for n in range(1_500)
    ]
    found[600] = BadRecord("x", "line 601", "broken", 2)
    found[700] = {"_id": "700"}
    del found[900]["_id"]
    return found


def _everything(compiled: CompiledMap, chunks: list[str | BadRecord]) -> tuple[Any, ...]:
    return chunks, compiled.records_read, compiled.records_unmapped, compiled.warnings


@pytest.mark.parametrize("workers", ANY)
def test_records_are_mapped_alike(kit: Any, workers: Workers) -> None:
    number = kit.call("number", ("value", 'rml:reference "x"'))
    turtle = kit.stream(
        kit.pair("ex:x", number), kit.pair("ex:at", 'rml:reference "at"'), flags="ev:keepOtherKeys true ;"
    )
    turtle += kit.stream(kit.pair("ex:never", 'rml:reference "nothing"'), name="N", subject='rml:reference "nothing"')
    alone, shared = kit.load(turtle), kit.load(turtle)
    expected = _everything(alone, list(alone.map_records(_records(), graph="urn:g", source="test")))
    found = _everything(shared, list(shared.map_records(_records(), graph="urn:g", source="test", workers=workers)))
    assert found == expected
    assert any(isinstance(chunk, BadRecord) and chunk.count > 100 for chunk in expected[0])


@pytest.mark.parametrize("workers", ANY)
@pytest.mark.parametrize("form", ["rml:JSONPath", CSV])
def test_files_are_mapped_alike(kit: Any, tmp_path: Path, workers: Workers, form: str) -> None:
    rows = [{"id": f"é{n}", "x": str(n) if n % 11 else ""} for n in range(1_200)]
    if form == CSV:
        lines = ["id,x", *(f"{row['id']},{row['x']}" for row in rows)]
        lines[500] = "a,b,c"
        (tmp_path / "f").write_text("\n".join(lines), encoding="utf-8")
    else:
        (tmp_path / "f").write_text(json.dumps(rows), encoding="utf-8")
    typed = 'rml:reference "x" ; rml:datatype xsd:integer'
    turtle = kit.file("f", kit.pair("ex:x", typed), form=form, iterator=None if form == CSV else "$[*]")
    alone, shared = kit.load(turtle), kit.load(turtle)
    expected = _everything(alone, list(alone.map_sources(tmp_path, graph=None, strict=False)))
    found = _everything(shared, list(shared.map_sources(tmp_path, graph=None, strict=False, workers=workers)))
    assert found == expected


def test_what_needs_other_records_is_mapped_by_one(kit: Any, tmp_path: Path) -> None:
    (tmp_path / "f").write_text(json.dumps([{"id": n, "of": n // 2} for n in range(1_000)]), encoding="utf-8")
    join = 'rml:parentTriplesMap <#M> ; rml:joinCondition [ rml:child "of" ; rml:parent "id" ]'
    joined = kit.file(
        "f", f"rml:predicateObjectMap [ rml:predicate ex:of ; rml:objectMap [ {join} ] ]", iterator="$[*]"
    )
    fresh = kit.file("f", kit.pair("ex:x", "rml:termType rml:BlankNode"), iterator="$[*]")
    for turtle in (joined, fresh):
        expected = list(kit.load(turtle).map_sources(tmp_path, graph=None))
        assert list(kit.load(turtle).map_sources(tmp_path, graph=None, workers=Workers(2))) == expected


def test_what_comes_before_an_error_is_mapped_all_the_same(kit: Any, tmp_path: Path) -> None:
    rows = [{"id": n, "x": [1] if n == 700 else n} for n in range(1_000)]
    (tmp_path / "f").write_text(json.dumps(rows), encoding="utf-8")
    cut = json.dumps(rows[:700])[:-1]
    for workers in (ALONE, Workers(2)):
        _fails(kit, tmp_path, workers, DataError, "a list where one value is asked for")
    (tmp_path / "f").write_text(cut, encoding="utf-8")
    for workers in (ALONE, Workers(2)):
        _fails(kit, tmp_path, workers, DataError, "f: ")


def _fails(kit: Any, folder: Path, workers: Workers, kind: type[Exception], told: str) -> None:
    turtle = kit.file("f", kit.pair("ex:x", 'rml:reference "x"'), iterator="$[*]")
    found: list[str | BadRecord] = []
    with pytest.raises(kind, match=told):
        found.extend(kit.load(turtle).map_sources(folder, graph=None, workers=workers))
    assert len(found) == 700


def test_keys_that_no_map_names_are_counted_over_all_blocks(kit: Any) -> None:
    turtle = kit.stream(kit.pair("ex:x", 'rml:reference "x"'), flags="ev:keepOtherKeys true ;")
    records = [{"_id": str(n), "x": 1, f"k{n // 100}": 2} for n in range(1_000)]
    for workers in (ALONE, Workers(2)):
        for most in (10, 9):
            chunks = kit.load(turtle).map_records(
                records, graph=None, source="t", limits=Limits(source_keys=most), workers=workers
            )
            if most == 10:
                assert len(list(chunks)) == 1_000
            else:
                with pytest.raises(HostileInput, match="more than 9 different keys"):
                    list(chunks)


def test_a_map_that_is_wrong_is_told_before_a_worker_starts(kit: Any) -> None:
    with pytest.raises(MappingError):
        kit.load(kit.stream(kit.pair("ex:x", 'rml:reference "$["'))).map_records([], graph=None, source="t")
