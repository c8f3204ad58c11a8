"""What is found out once for each state of a store: kept whole, and only for that state."""

import json

import pytest

from reqap_kg.errors import StoreError
from reqap_kg.execution.derivations.values_read import CacheFile


def test_what_was_written_is_read_again(tmp_path):
    held = {"urn:å": ["cuisine Thai", 1.5, None], "": {}}
    CacheFile(tmp_path, "facts", "gen 1").write(held)
    assert CacheFile(tmp_path, "facts", "gen 1").read() == held
    assert [path.name for path in tmp_path.iterdir()] == ["facts.json"]


def test_each_name_and_state_has_its_own(tmp_path):
    CacheFile(tmp_path, "facts", "gen 1").write([1])
    assert CacheFile(tmp_path, "hints", "gen 1").read() is None
    assert CacheFile(tmp_path, "facts", "gen 2").read() is None
    CacheFile(tmp_path, "facts", "gen 2").write([2])
    assert CacheFile(tmp_path, "facts", "gen 2").read() == [2]
    assert CacheFile(tmp_path, "facts", "gen 1").read() is None


@pytest.mark.parametrize("damage", [b'{"state": "gen 1", "facts": [', b"", b"[]", b"null", b"\xff\xfe\x00", b"{}"])
def test_a_half_written_or_foreign_file_holds_nothing(tmp_path, damage):
    (tmp_path / "facts.json").write_bytes(damage)
    kept = CacheFile(tmp_path, "facts", "gen 1")
    assert kept.read() is None
    kept.write([1])
    assert json.loads((tmp_path / "facts.json").read_text(encoding="utf-8")) == {"state": "gen 1", "facts": [1]}


def test_without_a_folder_nothing_is_kept():
    kept = CacheFile(None, "facts", "gen 1")
    kept.write([1])
    assert kept.read() is None


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(StoreError, match=r"facts\.json"):
        CacheFile(tmp_path / "missing", "facts", "gen 1").write([1])
