"""Records of files that are no known export, for a user's map."""

from __future__ import annotations

import pytest

from reqap_kg.errors import DataError
from reqap_kg.mappings.rml import plain_records
from reqap_kg.sources.base import BadRecord


def _records(tmp_path, text: str) -> list[dict]:
    path = tmp_path / "any"
    path.write_text(text, encoding="utf-8")
    found = list(plain_records(path))
    assert all(isinstance(record, dict) and record["_path"] == str(path) for record in found)
    return [
        {key: value for key, value in record.items() if key[0] != "_"} for record in found if isinstance(record, dict)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
        ('{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}]),
        ('{"a": {"b": []}}', [{"a": {"b": []}}]),
        ("[1, null]", [{"value": 1}, {"value": None}]),
        ("\ufeffa,b\n1,x\n2,y\n", [{"a": "1", "b": "x"}, {"a": "2", "b": "y"}]),
        (
            '<r xmlns:n="http://n"><p id="1"><x>a</x><x>b</x><n:y k="v">t</n:y></p><q>only text</q></r>',
            [{"id": "1", "x": ["a", "b"], "y": {"k": "v", "text": "t"}}, {"text": "only text"}],
        ),
    ],
)
def test_by_content(tmp_path, text, expected) -> None:
    assert _records(tmp_path, text) == expected


def test_identifiers_are_stable_and_differ(tmp_path) -> None:
    path = tmp_path / "any"
    path.write_text('[{"a": 1, "b": 2}, {"a": 2}, {"b": 2, "a": 1}]')
    first = [record["_id"] for record in plain_records(path) if isinstance(record, dict)]
    path.write_text('[{"a": 2}, {"b": 2, "a": 1}, {"a": 1, "b": 2}, {"a": 3}]')
    second = [record["_id"] for record in plain_records(path) if isinstance(record, dict)]
    assert len(set(second)) == 4
    assert set(first) < set(second)


def test_own_identifiers_are_kept_and_broken_lines_reported(tmp_path) -> None:
    path = tmp_path / "any"
    path.write_text('{"_id": "own"}\n{"a": 1}\nbroken\n')
    found = list(plain_records(path))
    assert isinstance(found[0], dict)
    assert found[0]["_id"] == "own"
    assert isinstance(found[2], BadRecord)
    assert found[2].where == "line 3"


def test_what_is_none_of_these(tmp_path) -> None:
    path = tmp_path / "any"
    path.write_bytes(b"PK\x03\x04\x00\x00")
    with pytest.raises(DataError, match="neither"):
        list(plain_records(path))
