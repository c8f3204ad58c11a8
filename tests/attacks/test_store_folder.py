"""The folder of a store: known by its marker, private, and without a word of what was forgotten."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stored_life import NOW, QUESTIONS, SECRET, answers, chat, exports, import_life

from reqap_kg.cli.app import run
from reqap_kg.store.folder import MARKER, inside
from reqap_kg.store.generations import current, open_graph


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("life")
    return import_life(root / "exports", root / "store")


def picture(folder: Path) -> dict[str, object]:
    """Everything in a folder: modes, times, contents, where links lead."""
    found: dict[str, object] = {}
    for path in sorted((folder, *folder.rglob("*"))):
        about = path.lstat()
        held = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        found[str(path.relative_to(folder))] = (about.st_mode, about.st_mtime_ns, held)
    return found


def commands(export: Path) -> Iterator[list[str]]:
    yield ["ingest", str(export), "--no-index"]
    yield ["ingest", str(export), "--dry-run"]
    yield ["forget", "diary"]
    yield ["forget", "--derived"]
    yield ["forget", "--dialogues"]
    yield ["status"]
    yield ["status", "--skipped"]
    yield ["index"]
    yield ["ask", QUESTIONS[0], "--now", NOW]
    yield ["plan", QUESTIONS[0]]
    yield ["run", 'APPLY(l=RETRIEVE(query="my runs"), fct=len)']
    yield ["retrieve", "runs"]
    yield ["extract", "distance", "--query", "runs"]
    yield ["sparql", "SELECT ?e { ?e a ev:Event }"]
    yield ["chat"]
    yield ["doctor"]
    yield ["doctor", "--repair"]
    yield ["demo", QUESTIONS[0]]


NAMES = st.sampled_from(
    [
        *("incoming/thesis.txt", "incoming/triples.nq", "letter.txt", "dialogue.jsonl", "db/CURRENT", "CURRENT"),
        *("gen-000001/photo.jpg", "gen-000002/db/000001.sst", "gen-000001.lock", "gen-000001/index/values.sqlite"),
        "cache/vectors.sqlite",
    ]
)


@given(names=st.sets(NAMES, min_size=1, max_size=5), link=st.booleans(), pick=st.integers(0, 17))
def test_nothing_is_touched_in_a_folder_that_is_no_store(
    names: set[str], link: bool, pick: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("root")
    folder = root / "mine"
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("gen-000001\n" if name == "CURRENT" else "mine")
    if link and not (folder / "incoming").exists():
        (folder / "incoming").symlink_to(root)
    command = [*commands(*[exports(root / "exports")[0]])][pick]
    before = picture(folder)
    assert run([*command, "--store", str(folder)]) == 2
    assert picture(folder) == before


def test_what_others_put_into_a_store_stays(life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    right = answers(store, capsys)
    outside = tmp_path / "outside"
    (outside / "db").mkdir(parents=True)
    for path in (outside / "letter.nq", outside / "db" / "000001.sst"):
        path.write_text("mine")
    mine = [f"gen-{n:06d}/photo.jpg" for n in range(1, 9)] + [
        "incoming/thesis.nq",
        "incoming-7/thesis.nq",
        "thesis.txt",
    ]
    for name in mine:
        (store / name).parent.mkdir(exist_ok=True)
        (store / name).write_text("mine")
    for name in ("gen-000009", "gen-000010", "incoming-8", "gen-000011.lock"):
        (store / name).symlink_to(outside)
    for path in exports(tmp_path / "exports"):
        path.write_text(path.read_text() + path.read_text().splitlines()[0].replace("2024", "2023") + "\n")
        assert run(["ingest", str(path), "--source", path.stem, "--no-index", "--store", str(store), "--now", NOW]) == 0
    assert run(["forget", "diary", "--store", str(store)]) == 0
    assert all((store / name).read_text() == "mine" for name in mine)
    assert (outside / "letter.nq").read_text() == (outside / "db" / "000001.sst").read_text() == "mine"
    assert answers(store, capsys)[0] == right[0]


def test_a_store_of_an_older_version_gets_its_marker(
    life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    right = answers(store, capsys)
    for path in (store / MARKER, *store.glob("*.seal")):
        path.unlink()
    shutil.rmtree(store / str(older_current(store)) / "copies")
    (store / "letter.txt").write_text("mine")
    for path in store.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert answers(store, capsys) == right
    assert (store / MARKER).read_text() == "reqap-kg store, version 2\n"
    assert open_to_others(store) == [store / "letter.txt"]
    assert run(["doctor", "--store", str(store)]) == 0
    (store / MARKER).write_text("reqap-kg store, version 3\n")
    assert run(["ask", QUESTIONS[0], "--store", str(store)]) == 1
    assert "newer" in capsys.readouterr().err


def older_current(store: Path) -> str:
    return (store / "CURRENT").read_text().strip()


def open_to_others(folder: Path) -> list[Path]:
    return [path for path in (folder, *folder.rglob("*")) if path.lstat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)]


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_all_files_are_for_their_owner_alone(mask: int, tmp_path: Path) -> None:
    store, out = tmp_path / "deep" / "store", tmp_path / "out.jsonl"
    asked = tmp_path / "in.jsonl"
    asked.write_text('{"id": "1", "question": "How many runs did I do in 2024?"}\n')
    out.write_text("of an earlier batch, for all to read")
    out.chmod(0o644)
    before = os.umask(mask)
    try:
        import_life(tmp_path / "exports", store)
        assert open_to_others(store) == []
        assert run(["ask", QUESTIONS[1], "--store", str(store), "--now", NOW]) == 0
        assert run(["ask", "--batch", str(asked), "--out", str(out), "--store", str(store), "--now", NOW]) == 0
        assert chat(store, *QUESTIONS) == 0
        assert open_to_others(store) == []
        assert run(["forget", "diary", "--store", str(store)]) == 0
        assert open_to_others(store) == []
        assert os.umask(mask) == mask
        with open_graph(store, write=True) as graph:
            (graph.index_directory / "x.json").write_text("{}")
            assert open_to_others(store) == []
    finally:
        os.umask(before)
    assert open_to_others(out) == []


def holding(store: Path, *words: str) -> list[str]:
    """Files of a store in which one of the words stands, in any case, as UTF-8 or UTF-16."""
    found = []
    for path in store.rglob("*"):
        if not path.is_file():
            continue
        held = path.read_bytes()
        if path.suffix == ".gz":
            import gzip

            held = gzip.decompress(held)
        low = held.lower()
        if any(word.lower().encode(form) in low for word in words for form in ("utf-8", "utf-16-le")):
            found.append(path.relative_to(store).as_posix())
    return found


def test_what_is_forgotten_is_in_no_file(life: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    assert holding(store, SECRET)
    for query in (f"lunch with {SECRET}", "Xylographic"):
        run(["retrieve", query, "--store", str(store)])
    assert holding(store, "Xylographic")
    assert run(["forget", "--derived", "--store", str(store)]) == 0
    assert holding(store, "Xylographic") == []
    chat(store, "How many runs did I do in 2024?", "Did I meet Zerbinetta?")
    assert holding(store, "Zerbinetta")
    run(["retrieve", f"lunch with {SECRET}", "--store", str(store)])
    assert run(["forget", "reqap-kg", "--store", str(store)]) == 0
    assert holding(store, "Zerbinetta") == []
    right = answers(store, capsys)
    with open_graph(store) as reader:
        assert run(["forget", "diary", "--store", str(store)]) == 0
        assert "another process still reads" in capsys.readouterr().out
        assert reader.count() > 0
    assert holding(store, SECRET) == []
    assert answers(store, capsys) == right
    assert run(["forget", "diary", "--store", str(store)]) == 2


READING = """
import sys
from pathlib import Path
from reqap_kg.store.generations import open_graph
with open_graph(Path(sys.argv[1])) as graph:
    print("open", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.smoke
def test_the_last_reader_takes_what_was_forgotten_away(life: Path, tmp_path: Path) -> None:
    store = shutil.copytree(life, tmp_path / "store")
    reader = subprocess.Popen(
        [sys.executable, "-c", READING, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert reader.stdout is not None
    assert reader.stdout.readline() == "open\n"
    old = str(current(store))
    assert run(["forget", "diary", "--store", str(store)]) == 0
    assert holding(store, SECRET)
    assert (store / old).is_dir()
    reader.communicate("\n")
    assert holding(store, SECRET) == []
    assert not (store / old).exists()


def test_what_a_killed_import_leaves_is_the_stores_own() -> None:
    """The files of a bulk load have names of their own in the database's folder."""
    assert inside("db/bulk-17-3.sst") == "db/bulk-17-3.sst"
    assert inside("db/bulk-../x.sst") is None
    assert inside("db/own.sst") is None
