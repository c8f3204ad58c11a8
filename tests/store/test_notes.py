"""Notes by content: kept apart by what found them, across openings, all or none."""

import sqlite3
import time

import pytest

from reqap_kg.errors import StoreError
from reqap_kg.store.cache_file import NoteCache


@pytest.fixture
def notes():
    found = NoteCache(None)
    yield found
    found.close()


def test_only_what_is_known_comes_back(notes):
    notes.put({"a": "1", "b": ""}, "reader 1")
    assert notes.get(["b", "a", "c", "a"], "reader 1") == {"a": "1", "b": ""}
    assert notes.get([], "reader 1") == {}


def test_what_another_found_out_is_not_told(notes):
    notes.put({"a": "1"}, "reader 1")
    assert notes.get(["a"], "reader 2") == {}
    notes.put({"a": "2"}, "reader 2")
    assert notes.get(["a"], "reader 1") == {"a": "1"}
    assert notes.get(["a"], "reader 2") == {"a": "2"}


def test_a_later_note_replaces_an_earlier(notes):
    notes.put({"a": "1", "b": "1"}, "x")
    notes.put({"a": "2"}, "x")
    assert notes.get(["a", "b"], "x") == {"a": "2", "b": "1"}


@pytest.mark.parametrize("said", ['it\'s "so"', "☃ ünï", "a\x1fb\nc", "1e5", "null", "'; DROP TABLE note; --"])
def test_any_text_is_a_key_and_a_note(notes, said):
    notes.put({said: said}, said)
    assert notes.get([said, "other"], said) == {said: said}


def test_many_keys_at_once(notes):
    many = {f"key {n}": str(n) for n in range(50_000)}
    notes.put(many, "x")
    begin = time.perf_counter()
    assert notes.get(many, "x") == many
    assert time.perf_counter() - begin < 10, "each key is looked up: going through all for each takes minutes"


def test_notes_outlast_their_opening_and_are_seen_by_others(tmp_path):
    first, second = NoteCache(tmp_path), NoteCache(tmp_path)
    first.put({"a": "1"}, "x")
    assert second.get(["a"], "x") == {"a": "1"}
    first.close()
    second.close()
    again = NoteCache(tmp_path)
    assert again.get(["a"], "x") == {"a": "1"}
    again.close()


def test_in_memory_nothing_is_shared():
    first, second = NoteCache(None), NoteCache(None)
    first.put({"a": "1"}, "x")
    assert second.get(["a"], "x") == {}
    first.close()
    second.close()


def test_what_cannot_be_kept_leaves_nothing_and_does_no_harm(notes):
    """A lone surrogate is no text that SQLite holds."""
    with pytest.raises(UnicodeEncodeError):
        notes.put({"a": "1", "b": "\ud800"}, "x")
    assert notes.get(["a", "b"], "x") == {}
    notes.put({"c": "3"}, "x")
    assert notes.get(["a", "c"], "x") == {"c": "3"}


def test_a_file_that_is_no_database_is_made_anew(tmp_path):
    (tmp_path / "notes.sqlite").write_bytes(b"not a database " * 100)
    NoteCache(tmp_path).put({"k": "told"}, "about")
    assert NoteCache(tmp_path).get(["k"], "about") == {"k": "told"}


def test_a_file_that_cannot_be_opened_is_said_so(tmp_path):
    (tmp_path / "notes.sqlite").mkdir()
    with pytest.raises(StoreError, match=r"notes\.sqlite"):
        NoteCache(tmp_path)


def test_a_row_with_other_bytes_than_were_written_is_not_there(tmp_path):
    NoteCache(tmp_path).put({"k": "a lunch with Ana", "l": "nothing"}, "about")
    with sqlite3.connect(tmp_path / "notes.sqlite") as db:
        db.execute("UPDATE notes SET told = 'a lunch with Ann' WHERE key = 'k'")
    assert NoteCache(tmp_path).get(["k", "l"], "about") == {"l": "nothing"}
