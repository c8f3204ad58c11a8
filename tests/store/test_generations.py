"""The store on disk: what an import shows, when, and what it leaves behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reqap_kg.errors import StoreBusy, StoreError
from reqap_kg.store.generations import begin_import, current, open_graph
from reqap_kg.store.rdf import Literal, NamedNode, Triple
from reqap_kg.store.upkeep.repair import Outcome, verify


def quads(graph: str, count: int) -> str:
    return "".join(f'<urn:e{i}> <urn:p> "{graph} {i}" <urn:{graph}> .\n' for i in range(count))


def load(directory: Path, files: dict[str, str], drop: frozenset[str] = frozenset(), commit: bool = True) -> None:
    with begin_import(directory) as new:
        paths = []
        for name, text in files.items():
            path = new.work / name
            path.write_text(text, encoding="utf-8")
            paths.append(path)
        new.build(drop, paths)
        if commit:
            new.commit()


def counts(directory: Path) -> dict[str, int]:
    with open_graph(directory) as graph:
        return {iri: graph.count(iri) for iri in graph.graphs()}


def test_an_import_adds_and_a_second_replaces(tmp_path: Path) -> None:
    load(tmp_path, {"a.nq": quads("a", 10)})
    load(tmp_path, {"b.nq": quads("b", 100)})
    assert counts(tmp_path) == {"urn:a": 10, "urn:b": 100}
    load(tmp_path, {"a.nq": quads("a", 3)}, drop=frozenset({"urn:a"}))
    assert counts(tmp_path) == {"urn:a": 3, "urn:b": 100}
    load(tmp_path, {"b.nq": quads("b", 7)}, drop=frozenset({"urn:b"}))
    assert counts(tmp_path) == {"urn:a": 3, "urn:b": 7}


def test_nothing_shows_without_commit_and_leftovers_go(tmp_path: Path) -> None:
    load(tmp_path, {"a.nq": quads("a", 10)})
    load(tmp_path, {"b.nq": quads("b", 5)}, commit=False)
    assert counts(tmp_path) == {"urn:a": 10}
    load(tmp_path, {"c.nq": quads("c", 5)})
    assert counts(tmp_path) == {"urn:a": 10, "urn:c": 5}
    assert sorted(p.name for p in tmp_path.glob("gen-*") if p.is_dir()) == [current(tmp_path)]
    assert not (tmp_path / "incoming").exists()


def test_what_a_running_process_writes_is_no_leftover(tmp_path: Path) -> None:
    load(tmp_path, {"a.nq": quads("a", 3)})
    writes, gone = (tmp_path / f"gen-000001.seal.{number}.new" for number in (os.getppid(), 2**22 + 1))
    for path in (writes, gone):
        path.write_text("{")
    load(tmp_path, {"a.nq": quads("a", 3)})
    assert writes.exists()
    assert not gone.exists()


def test_the_index_of_a_store_that_is_in_use_is_not_called_damaged(tmp_path: Path) -> None:
    load(tmp_path, {"a.nq": quads("a", 3)})
    with open_graph(tmp_path, write=True) as graph:
        (graph.index_directory / "new.npy").write_bytes(b"not sealed yet")
        found = list(verify(tmp_path, repair=False, lock_seconds=0))
        assert "in use" in next(one.said for one in found if one.part == "index")
    assert {one.outcome for one in [*found, *verify(tmp_path, repair=False, lock_seconds=0)]} == {Outcome.FINE}


def test_a_reader_keeps_its_generation_through_an_import(tmp_path: Path) -> None:
    load(tmp_path, {"a.nq": quads("a", 10)})
    with open_graph(tmp_path) as reader:
        load(tmp_path, {"b.nq": quads("b", 5)})
        assert reader.graphs() == ["urn:a"]
        assert reader.count("urn:a") == 10
    assert counts(tmp_path) == {"urn:a": 10, "urn:b": 5}


def test_one_import_at_a_time_and_writers_are_alone(tmp_path: Path) -> None:
    load(tmp_path, {"a.nq": quads("a", 10)})
    with begin_import(tmp_path), pytest.raises(StoreBusy, match="in use"), begin_import(tmp_path, lock_seconds=0.1):
        pass
    with (
        open_graph(tmp_path, write=True),
        pytest.raises(StoreBusy, match="in use"),
        open_graph(tmp_path, lock_seconds=0.1),
    ):
        pass


def test_derived_graphs_are_written_in_place(tmp_path: Path) -> None:
    load(tmp_path, {"a.nq": quads("a", 10)})
    triple = Triple(NamedNode("urn:e1"), NamedNode("urn:seen"), Literal(True))
    with open_graph(tmp_path, write=True) as graph:
        graph.replace_graph("urn:derived", [triple])
    assert counts(tmp_path) == {"urn:a": 10, "urn:derived": 1}
    with open_graph(tmp_path, write=True) as graph:
        graph.drop_graphs(["urn:derived"])
    assert counts(tmp_path) == {"urn:a": 10}


def test_no_store_and_a_damaged_pointer_say_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store at"), open_graph(tmp_path):
        pass
    load(tmp_path, {"a.nq": quads("a", 10)})
    (tmp_path / "CURRENT").write_text("../../etc\n")
    with pytest.raises(StoreError, match="damaged"), open_graph(tmp_path):
        pass


def test_a_file_that_is_no_nquads_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    load(tmp_path, {"a.nq": quads("a", 10)})
    with pytest.raises(SyntaxError):
        load(tmp_path, {"bad.nq": "<urn:a> nonsense\n"})
    assert counts(tmp_path) == {"urn:a": 10}


def test_a_generation_begins_with_what_was_derived_from_the_one_before(tmp_path: Path) -> None:
    load(tmp_path, {"a.nq": quads("a", 10)})
    with open_graph(tmp_path) as graph:
        index = graph.index_directory
    for name in ("values.sqlite", "facts.json", "dense-1.npy", "columns-2.npz", "values.7.new", "other.sqlite"):
        (index / name).write_text(name)
    (index / "other.sqlite-journal").write_text("an update was interrupted")
    unused = index / "dense-0.npy"
    unused.write_text("of a scope that nobody asked for")
    os.utime(unused, (0, 0))
    load(tmp_path, {"b.nq": quads("b", 5)})
    with open_graph(tmp_path) as graph:
        assert graph.index_directory != index
        kept = {path.name: path.read_text() for path in graph.index_directory.iterdir()}
    assert kept == {name: name for name in ("values.sqlite", "facts.json", "dense-1.npy", "columns-2.npz")}


def test_without_links_what_was_derived_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(tmp_path, {"a.nq": quads("a", 10)})
    with open_graph(tmp_path) as graph:
        (graph.index_directory / "facts.json").write_text("{}")

    def refused(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    load(tmp_path, {"b.nq": quads("b", 5)})
    with open_graph(tmp_path) as graph:
        assert (graph.index_directory / "facts.json").read_text() == "{}"
