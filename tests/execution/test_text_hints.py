"""Hints of texts: read once by content, kept beside the generation, read anew when what they depend on changes."""

import json
from dataclasses import replace
from datetime import datetime

import pytest

from reqap_kg.execution.context import Tables
from reqap_kg.extraction import hints as text_hints
from reqap_kg.extraction.documents import documents
from reqap_kg.extraction.hints import fingerprint, hints_of, open_hints, read_hints, with_hints
from reqap_kg.store.cache_file import NoteCache
from reqap_kg.texts.document import Document, TextKind
from reqap_kg.texts.lexicon.lexicon import Lexicon, load_lexicon
from reqap_kg.texts.people.mentions import Person, Profile

T = "https://w3id.org/reqap-kg/data/t/"
PROFILE = Profile(Person("Tove Lind"), (Person("Maja Lind", ("Majsan",), "sister"),))
DINNER, OTHER = "Dinner with Majsan at a trattoria", "Dentist: filling"


@pytest.fixture
def reads(monkeypatch):
    """The texts that are really read, in order."""
    found: list[str] = []
    original = text_hints.hints

    def counted(document, *rest):
        found.append(document.text)
        return original(document, *rest)

    monkeypatch.setattr(text_hints, "hints", counted)
    return found


@pytest.fixture
def cache():
    found = NoteCache(None)
    yield found
    found.close()


def note(event: str, text: str, **more) -> Document:
    return Document(event, TextKind.NOTE, "", text, datetime(2024, 1, 1), **more)


def test_hints_by_event(cache):
    found = read_hints([note("a", DINNER), note("b", OTHER), note("c", "...")], load_lexicon(), PROFILE, cache)
    assert {"Majsan is sister Maja Lind", "cuisine Italian"} <= set(found["a"])
    assert found["b"] == ("doctor type dentist",)
    assert found["c"] == ()


def test_only_new_texts_are_read_whatever_event_has_them(cache, reads):
    lexicon = load_lexicon()
    first = read_hints([note("a", DINNER)], lexicon, PROFILE, cache)
    again = read_hints([note("x", DINNER), note("y", OTHER)], lexicon, PROFILE, cache)
    assert reads == [DINNER, OTHER]
    assert again["x"] == first["a"]


def test_a_text_without_hints_is_not_read_again(cache, reads):
    for _ in range(2):
        assert read_hints([note("a", "...")], load_lexicon(), PROFILE, cache) == {"a": ()}
    assert reads == ["..."]


@pytest.mark.parametrize("change", [{"sender": "Otto", "by_owner": False}, {"recipients": ("Otto",)}])
def test_the_same_words_by_another_are_another_text(cache, reads, change):
    read_hints([note("a", DINNER), note("b", DINNER)], load_lexicon(), PROFILE, cache)
    assert reads == [DINNER]
    read_hints([replace(note("b", DINNER), **change)], load_lexicon(), PROFILE, cache)
    assert reads == [DINNER, DINNER]


def test_another_profile_or_lexicon_reads_anew(cache, reads):
    lexicon = load_lexicon()
    read_hints([note("a", DINNER)], lexicon, PROFILE, cache)
    found = read_hints([note("a", DINNER)], lexicon, Profile(), cache)
    assert not any("Maja" in hint for hint in found["a"])
    found = read_hints([note("a", DINNER)], Lexicon(()), PROFILE, cache)
    assert found["a"] == ("Majsan is sister Maja Lind",)
    assert len(reads) == 3


def test_the_fingerprint_is_of_what_is_said_and_not_of_its_order():
    lexicon = load_lexicon()
    assert fingerprint(replace(lexicon, entries=lexicon.entries[::-1]), PROFILE) == fingerprint(lexicon, PROFILE)
    assert fingerprint(replace(lexicon, entries=lexicon.entries[1:]), PROFILE) != fingerprint(lexicon, PROFILE)
    assert fingerprint(lexicon, Profile(PROFILE.owner)) != fingerprint(lexicon, PROFILE)


def test_progress_is_told(cache):
    told: list[tuple[str, int, int]] = []
    many = [note(str(n), f"text {n}") for n in range(250)]
    read_hints(many, load_lexicon(), PROFILE, cache, lambda *said: told.append(said))
    assert told == [("read texts", at, 250) for at in (0, 100, 200)]


def opened(folder, life, cache, state="gen 1"):
    return open_hints(folder, life.graph, life.lexicon, PROFILE, state=state, cache=cache)


def test_a_generation_is_opened_from_its_file(tmp_path, life, cache, reads):
    first = opened(tmp_path, life, cache)
    assert first[T + "c1"] == ("doctor type dentist",)
    assert T + "w1" not in first
    done = len(reads)
    assert done > 0
    assert opened(tmp_path, life, NoteCache(None)) == first
    assert len(reads) == done


def test_another_state_reads_the_store_anew_but_no_text_twice(tmp_path, life, cache, reads):
    opened(tmp_path, life, cache)
    done = len(reads)
    path = tmp_path / "hints.json"
    path.write_text(json.dumps({"state": "gen 1", "hints": {T + "c1": ["false"]}}))
    assert opened(tmp_path, life, cache) == {T + "c1": ("false",)}
    found = opened(tmp_path, life, cache, state="gen 2")
    assert found[T + "c1"] == ("doctor type dentist",)
    assert len(reads) == done
    assert json.loads(path.read_text(encoding="utf-8"))["state"] == "gen 2"


@pytest.mark.parametrize("damage", ['{"state": "gen 1", "hints": {"', "", "[]", "null", b"\xff\xfe\x00", "{}"])
def test_a_half_written_or_foreign_file_is_read_anew(tmp_path, life, cache, damage):
    whole = opened(tmp_path, life, cache)
    path = tmp_path / "hints.json"
    path.write_bytes(damage if isinstance(damage, bytes) else damage.encode())
    assert opened(tmp_path, life, cache) == whole
    assert json.loads(path.read_text(encoding="utf-8"))["state"] == "gen 1"
    assert [p.name for p in tmp_path.iterdir()] == ["hints.json"]


def test_a_context_opens_them_once_and_by_its_own_state(tmp_path, life, reads):
    context = replace(life, index_folder=tmp_path)
    found = hints_of(context)
    done = len(reads)
    assert hints_of(context) is found
    later = replace(context, generation="gen-000002", known=Tables(), notes=NoteCache(None))
    assert hints_of(later) == found
    assert len(reads) == 2 * done


def test_documents_get_their_hints(life):
    read = documents([T + "c1", T + "c2"], life.graph)
    found = with_hints(read, {T + "c1": ("doctor type dentist",)})
    assert found[T + "c1"].hints == ("doctor type dentist",)
    assert found[T + "c2"].hints == ()
    assert replace(found[T + "c1"], hints=()) == read[T + "c1"]
