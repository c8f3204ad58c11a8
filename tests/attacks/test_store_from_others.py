"""A store that came from others, on a stick: whatever its files say, only files of its own folder are touched."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from stored_life import NOW, QUESTIONS, exports, import_life

from reqap_kg.cli.app import run
from reqap_kg.engine.conversation.journal import Journal
from reqap_kg.store.database import has_foreign_journal, open_database
from reqap_kg.store.folder import inside
from reqap_kg.store.generations import current
from reqap_kg.store.upkeep import repair
from reqap_kg.store.upkeep.seal import read_seal

MAGIC = bytes.fromhex("d9d505f920a163d7")
DATABASES = ("NOW/index/values.sqlite", "cache/vectors.sqlite", "cache/notes.sqlite")
PARTS = st.sampled_from(["db", "index", "copies", "", ".", "..", "/", "cache", "gen-000001", "db/..", "INDEX"])
STEPS = st.sampled_from(
    ["..", ".", "", "index", "victim", "CURRENT", "MANIFEST-000004", "x.json", "\0", "..\\..", "C:"]
)
NAMES = st.one_of(
    st.builds(lambda part, steps: "/".join((part, *steps)), PARTS, st.lists(STEPS, max_size=5)), st.text(max_size=20)
)


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("life")
    store = import_life(root / "exports", root / "store")
    run(["retrieve", "lunch with a friend", "--store", str(store)])
    return store


def commands(store: Path, export: Path, full: bool = False) -> list[list[str]]:
    """What people do first with a store, and what its messages tell them to do."""
    said = [
        ["retrieve", "lunch with a friend"],
        *([["ask", QUESTIONS[0], "--now", NOW], ["doctor"]] if full else []),
        ["doctor", "--repair"],
        *([["ingest", str(export), "--source", export.stem, "--now", NOW, "--no-index"]] if full else []),
        ["forget", "diary"],
        ["retrieve", "runs"],
    ]
    return [[*command, "--store", str(store)] for command in said]


def changed(export: Path) -> Path:
    """An export with one record more than was imported."""
    export.write_text(export.read_text() + export.read_text().splitlines()[0].replace("2024", "2023") + "\n")
    return export


def outside(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def sealed_with(store: Path, *names: str, spare: bool) -> None:
    """Puts names into the seal, of files that are not as they were sealed; with `spare`, with text to put there."""
    path = store / f"{current(store)}.seal"
    body = json.loads(path.read_text())
    for name in names:
        body["files"][name] = ["0" * 64, [1, 2, 3, 4]]
        if spare:
            body["spares"][name] = "written by a store"
    del body["check"]
    body["check"] = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps(body))


@given(name=NAMES)
def test_a_name_is_plain_and_in_a_part_of_the_generation_or_no_name(name: str) -> None:
    found = inside(name)
    if found is not None:
        assert found == name
        assert Path(os.path.normpath(Path("/gen") / name)) == Path("/gen") / name
        assert Path(name).parts[0] in ("db", "index", "copies")
        assert len(Path(name).parts) == 2
        assert not set(name) & set("\\:\0\n")


@pytest.mark.parametrize("spare", [False, True])
def test_a_seal_touches_nothing_outside(
    spare: bool, life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], full_attack: bool
) -> None:
    kept = tmp_path / "outside"
    kept.mkdir()
    (kept / "victim").write_text("mine")
    tails = ["../../../outside/victim", "../../../outside/new", "x/../../../../outside/victim"]
    names = [f"{part}/{tail}" for part in ("db", "index", "copies") for tail in tails]
    sets = [[*names, str(kept / "victim")], *([[name] for name in names] if full_attack else [])]
    for number, chosen in enumerate(sets):
        store = shutil.copytree(life, tmp_path / "store")
        sealed_with(store, *chosen, spare=spare)
        assert read_seal(store, str(current(store))) is None
        export = changed(exports(tmp_path / f"e{number}")[0])
        codes = [run(command) for command in commands(store, export, full_attack)]
        assert outside(kept) == {"victim": b"mine"}
        assert codes[-1] == 0
        assert "Traceback" not in capsys.readouterr().err
        shutil.rmtree(store)


@pytest.mark.smoke
@given(
    name=NAMES,
    digest=st.one_of(st.none(), st.text(max_size=3), st.just("0" * 64)),
    state=st.lists(st.text() | st.integers()),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_seal_of_other_things_is_no_seal(name: str, digest: object, state: list[object], tmp_path: Path) -> None:
    body: dict[str, object] = {"format": 1, "files": {name: [digest, state]}, "spares": {}}
    assume(inside(name) is None or digest is None or len(state) != 4)
    body["check"] = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    (tmp_path / "gen-000001.seal").write_text(json.dumps(body))
    assert read_seal(tmp_path, "gen-000001") is None


def picture(folder: Path) -> dict[str, object]:
    """Everything in a folder, with the time when it was last changed."""
    return {
        str(path): (path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else None)
        for path in (folder, *folder.rglob("*"))
    }


@pytest.mark.parametrize("damage", ["", "index/values.sqlite", "db/CURRENT", "../cache/vectors.sqlite"])
def test_a_store_that_may_only_be_read_is_looked_over(
    damage: str, life: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    if damage:
        path = store / str(current(store)) / damage
        path.write_bytes(path.read_bytes()[:-3] + b"xyz")
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and access(path, mode))
    before = picture(store)
    assert run(["doctor", "--store", str(store)]) == (1 if damage else 0)
    told = capsys.readouterr()
    assert ("damaged" in told.out) is bool(damage)
    assert told.err == ""
    assert run(["doctor", "--repair", "--store", str(store)]) == 1
    assert "may only be read" in capsys.readouterr().err
    assert picture(store) == before


def hot_journal(database: Path, victim: Path) -> bytes:
    """A journal left by a killed process, whose end says that it is one of several of a journal named `victim`."""
    page = struct.unpack(">H", database.read_bytes()[16:18])[0]
    page = 65536 if page == 1 else page
    head = MAGIC + struct.pack(">IIIII", 0, 1, database.stat().st_size // page, 512, page)
    name = os.fsencode(victim)
    tail = struct.pack(">I", 0x40000000 // page + 1) + name
    return head.ljust(512, b"\0") + tail + struct.pack(">II", len(name), sum(name)) + MAGIC


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("kind", ["super", "pipe", "link", "folder"])
def test_no_journal_leads_outside(
    kind: str, database: str, life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], full_attack: bool
) -> None:
    kept = tmp_path / "outside"
    kept.mkdir()
    (kept / "victim").write_text("mine")
    for suffix in ("-journal", "-wal", "-shm") if full_attack and kind != "super" else ("-journal",):
        store = shutil.copytree(life, tmp_path / f"store{suffix}")
        path = store / database.replace("NOW", str(current(store)))
        beside = path.with_name(path.name + suffix)
        if not path.exists():
            sqlite3.connect(path).execute("CREATE TABLE t (x)").close()
        beside.unlink(missing_ok=True)
        if kind == "super":
            beside.write_bytes(hot_journal(path, kept / "victim"))
        elif kind == "pipe":
            os.mkfifo(beside)
        elif kind == "link":
            beside.symlink_to(kept / "victim")
        else:
            beside.mkdir()
        codes = [run(command) for command in commands(store, changed(exports(tmp_path / f"e{suffix}")[0]), full_attack)]
        assert outside(kept) == {"victim": b"mine"}
        assert set(codes) <= {0, 1}
        assert kind != "super" or codes[-1] == codes[0] == 0
        assert "Traceback" not in capsys.readouterr().err


@pytest.mark.smoke
@pytest.mark.parametrize("part", ["db", "index", "copies", "index/x.json", "db/LOCK", "copies/x.nq.gz", "index/y.part"])
def test_no_part_of_a_generation_is_a_link(
    part: str, life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    kept = tmp_path / "outside"
    place = store / str(current(store)) / part
    if place.is_dir():
        shutil.move(place, kept)
    else:
        kept.write_text("mine")
        place.unlink(missing_ok=True)
    place.symlink_to(kept)
    before = outside(kept) if kept.is_dir() else kept.read_bytes()
    codes = [run(command) for command in commands(store, changed(exports(tmp_path / "e")[0]), full=True)]
    assert (outside(kept) if kept.is_dir() else kept.read_bytes()) == before
    assert set(codes) == {1}
    assert "take it away" in capsys.readouterr().err


@given(rows=st.lists(st.integers(), max_size=5), killed=st.booleans(), victim=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_own_journals_are_taken_back_and_foreign_ones_go(
    rows: list[int], killed: bool, victim: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("db")
    path, other = folder / "a?b %41#.sqlite", folder / "victim"
    other.write_text("mine")
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE t (x)")
        made.executemany("INSERT INTO t VALUES (?)", [(row % 1000,) for row in rows])
    made.close()
    if killed:
        journal = hot_journal(path, other)
        path.with_name(f"{path.name}-journal").write_bytes(journal if victim else journal[:512])
    assert has_foreign_journal(path) is (killed and victim)
    with open_database(path) as opened:
        tables = opened.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        assert tables == ((0,) if killed and victim else (1,))
    opened.close()
    with open_database(path, "read") as opened:
        assert opened.execute("SELECT count(*) FROM sqlite_schema").fetchone() == tables
    opened.close()
    assert other.read_text() == "mine"


@pytest.mark.parametrize("name", ["NOW.lock", "NOW.seal", "NOW.open"])
def test_a_folder_where_a_file_belongs_is_said(
    name: str, life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    place = store / name.replace("NOW", str(current(store)))
    place.unlink(missing_ok=True)
    place.mkdir()
    capsys.readouterr()
    for command in commands(store, changed(exports(tmp_path / "e")[0])):
        assert run(command) == 1
        told = capsys.readouterr().err
        assert place.name in told
        assert len(told.strip().splitlines()) <= 2, told


def test_a_copy_that_is_no_data_costs_its_graph_and_no_other(
    life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    generation = store / str(current(store))
    generation.with_suffix(".seal").unlink()
    copies = sorted((generation / "copies").glob("*source*.nq.gz"))
    lost, kept = copies[0], copies[1:]
    lost.write_bytes(gzip.compress(b"this is no N-Quads\n"))
    for manifest in (generation / "db").glob("MANIFEST-*"):
        manifest.write_bytes(b"\xff" * manifest.stat().st_size)
    capsys.readouterr()
    run(["doctor", "--repair", "--store", str(store)])
    told = capsys.readouterr()
    said = " ".join((told.out + told.err).split())
    assert "unexpected" not in said
    assert "can no longer be read; import it again" in said
    run(["status", "--store", str(store)])
    said = capsys.readouterr().out
    assert kept
    assert all(unquote(path.name).rpartition("/")[2].removesuffix(".nq.gz") in said for path in kept)


def test_a_store_whose_name_is_no_text_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Path(os.fsdecode(os.fsencode(tmp_path) + b"/s\xff"))
    for command in commands(store, exports(tmp_path / "e")[0]):
        assert run(command) in (1, 2)
        assert "not UTF-8" in capsys.readouterr().err
    assert not store.exists()


_TIMES = st.sampled_from(
    ["2024-01-01T00:00:00+00:00", "2024-01-01T00:05:00", "2024-01-01", "0001-01-01T00:00:00+14:00", 5]
)
_WORDS = st.sampled_from(["me", "reqap-kg", "\ud800", 7, None, ["a"], {}])
_TURNS = st.fixed_dictionaries({"reqap_kg_turn": st.just(0), "time": _TIMES, "sender": _WORDS, "text": _WORDS})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_TURNS, max_size=6))
def test_a_journal_of_other_making_is_read(tmp_path: Path, turns: list[dict[str, object]]) -> None:
    journal = Journal(tmp_path)
    journal.path.write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    journal.kept(20)
    said = list(journal.messages())
    assert all(message.at.tzinfo is None for message in said)
    whole = [turn for turn in turns if all(isinstance(turn[key], str) for key in ("time", "sender", "text"))]
    assert len(said) == len(whole)
    journal.rewrite(said)
    assert len(list(journal.messages())) == len(said)


@pytest.mark.parametrize("held", [b"a" * 2**20, b"a\n" * 2**19], ids=["one line", "many lines"])
def test_a_copy_that_unpacks_to_too_much_is_none(held: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "graph.nq.gz"
    monkeypatch.setattr(repair, "_LONGEST_LINE", 2**16)
    path.write_bytes(gzip.compress(held))
    assert not repair._is_bounded(path)
    quads = b"".join(b'<urn:s> <urn:p> "%d, some words of a text" <urn:g> .\n' % number for number in range(20_000))
    path.write_bytes(gzip.compress(quads, 1))
    assert repair._is_bounded(path)
    assert repair._reads(path)


_ENDLESS = "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n FROM more) SELECT '', '', '', 0 FROM more"


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("made", ["VIEW endless AS {}", "TRIGGER t INSERT ON own BEGIN INSERT INTO own {}; END"])
def test_no_database_has_a_view(made: str, database: str, life: Path, tmp_path: Path) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    path = store / database.replace("NOW", str(current(store)))
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE IF NOT EXISTS own (a, b, c, d)")
        db.execute(f"CREATE {made.format(_ENDLESS if 'VIEW' in made else 'SELECT 1, 2, 3, 4')}")
        db.commit()
    with pytest.raises(sqlite3.DatabaseError, match="which no store made"):
        open_database(path)
    assert run(["doctor", "--repair", "--store", str(store)]) == 0
    assert run(["retrieve", "runs", "--store", str(store)]) == 0
    open_database(path).close()
