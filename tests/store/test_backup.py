"""Backups: what comes back, and that a file which is not what was written is refused as a whole."""

from __future__ import annotations

import gzip
import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from reqap_kg.errors import ReqapError, StoreError, UsageError
from reqap_kg.ontology.namespaces import DERIVED
from reqap_kg.store.backup import restore_backup, write_backup
from reqap_kg.store.folder import JOURNAL
from reqap_kg.store.generations import begin_import, open_graph
from reqap_kg.store.rdf import NamedNode, Triple
from reqap_kg.store.upkeep.repair import Outcome, verify

QUADS = """<urn:e1> <urn:p> "one \\"quoted\\"\\nline"@en <urn:g1> .
<urn:e1> <urn:q> "2.50"^^<http://www.w3.org/2001/XMLSchema#decimal> <urn:g1> .
_:b <urn:p> <urn:e1> <urn:g1> .
<urn:e2> <urn:p> "Å" <urn:g2> .
"""
SECRET = "correct horse battery"


def no_passphrase() -> str:
    raise AssertionError("nobody asked for it")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    directory = tmp_path / "store"
    with begin_import(directory) as new:
        (new.work / "a.nq").write_text(QUADS, encoding="utf-8")
        new.build(frozenset(), [new.work / "a.nq"])
        new.commit()
    with open_graph(directory, write=True) as graph:
        graph.replace_graph(f"{DERIVED}x", [Triple(NamedNode("urn:d"), NamedNode("urn:p"), NamedNode("urn:e1"))])
    (directory / JOURNAL).write_text('{"asked": "x"}\n', encoding="utf-8")
    return directory


def held(directory: Path) -> dict[str, list[str]]:
    """What a store holds, without the names of blank nodes."""
    with open_graph(directory) as graph:
        return {
            iri: sorted(
                f"{subject[:2] if subject.startswith('_:') else subject} {predicate} {value}"
                for subject, pairs in graph.described(iri)
                for predicate, value in pairs
            )
            for iri in graph.graphs()
        }


@pytest.mark.parametrize("secret", [None, SECRET])
def test_all_that_was_imported_comes_back(store: Path, tmp_path: Path, secret: str | None) -> None:
    written = write_backup(store, tmp_path / "b", secret)
    assert (written.graphs, written.quads) == (2, 4)
    assert (b"urn:g1" in (tmp_path / "b").read_bytes()) is (secret is None)
    assert (tmp_path / "b").stat().st_mode & 0o077 == 0
    restore_backup(tmp_path / "b", tmp_path / "new", lambda: SECRET if secret else no_passphrase())
    before = held(store)
    assert held(tmp_path / "new") == {iri: lines for iri, lines in before.items() if not iri.startswith(DERIVED)}
    assert (tmp_path / "new" / JOURNAL).read_text(encoding="utf-8") == '{"asked": "x"}\n'
    assert {found.outcome for found in verify(tmp_path / "new", repair=False, lock_seconds=1)} == {Outcome.FINE}


def test_nothing_is_written_over(store: Path, tmp_path: Path) -> None:
    write_backup(store, tmp_path / "b")
    with pytest.raises(UsageError, match="there already"):
        write_backup(store, tmp_path / "b")
    with pytest.raises(UsageError, match="has a store"):
        restore_backup(tmp_path / "b", store, no_passphrase)
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "letter.txt").write_text("mine")
    with pytest.raises(UsageError, match="has other files"):
        restore_backup(tmp_path / "b", tmp_path / "others", no_passphrase)


def test_another_passphrase_opens_nothing(store: Path, tmp_path: Path) -> None:
    write_backup(store, tmp_path / "b", SECRET)
    with pytest.raises(UsageError, match="passphrase"):
        restore_backup(tmp_path / "b", tmp_path / "new", lambda: "another one")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("secret", [None, SECRET])
def test_no_changed_byte_goes_unseen(store: Path, tmp_path: Path, secret: str | None) -> None:
    write_backup(store, tmp_path / "b", secret)
    whole = (tmp_path / "b").read_bytes()
    places = range(0, len(whole), max(1, len(whole) // (100 if secret is None else 2)))
    for at, place in enumerate(places):
        damaged = tmp_path / f"damaged-{at}"
        damaged.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        target = tmp_path / f"new-{at}"
        try:
            restore_backup(damaged, target, lambda: SECRET)
        except ReqapError:
            assert not (target / "CURRENT").exists(), place
        else:  # a byte of the zip's own times or comments says nothing of the life
            assert held(target) == {iri: one for iri, one in held(store).items() if not iri.startswith(DERIVED)}
    for size in (0, 10, len(whole) // 2, len(whole) - 1) if secret is None else (len(whole) // 2,):
        damaged = tmp_path / f"cut-{size}"
        damaged.write_bytes(whole[:size])
        with pytest.raises(ReqapError):
            restore_backup(damaged, tmp_path / f"cut-new-{size}", lambda: SECRET)


def packed(path: Path, parts: Mapping[str, bytes], change: Callable[[dict[str, object]], None], **how: int) -> Path:
    """A file like a backup, whose head is changed."""
    told = [
        {"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "graph": f"urn:g{at}"}
        for at, (name, data) in enumerate(parts.items())
    ]
    head: dict[str, object] = {"format": "reqap-kg backup", "version": 1, "quads": 1, "parts": told}
    change(head)
    with zipfile.ZipFile(path, "w", **how) as pack:  # type: ignore[arg-type]
        for name, data in parts.items():
            pack.writestr(name, data)
        pack.writestr("backup.json", json.dumps(head))
    return path


def graph(text: str) -> bytes:
    return gzip.compress(text.encode())


GOOD = {"graphs/0001.nq.gz": graph('<urn:e> <urn:p> "x" <urn:g0> .\n')}


@pytest.mark.parametrize(
    ("parts", "change", "how"),
    [
        ({"graphs/0001.nq.gz": graph('<urn:e> <urn:p> "x" <urn:other> .\n')}, lambda head: None, {}),
        ({"graphs/0001.nq.gz": graph('<urn:e> <urn:p> "x" .\n')}, lambda head: None, {}),
        ({"graphs/0001.nq.gz": graph("no quads at all")}, lambda head: None, {}),
        ({"graphs/0001.nq.gz": b"no gzip"}, lambda head: None, {}),
        ({"graphs/0001.nq.gz": graph("#" * 200_000_000)}, lambda head: None, {}),
        (GOOD, lambda head: None, {"compression": zipfile.ZIP_DEFLATED}),
        (GOOD, lambda head: head.update(version=2), {}),
        (GOOD, lambda head: head.update(version="1"), {}),
        (GOOD, lambda head: head.update(parts=[]), {}),
        (GOOD, lambda head: head.update(parts=None), {}),
        (GOOD, lambda head: head.update(parts=[*head["parts"], *head["parts"]]), {}),
        (GOOD, lambda head: head["parts"][0].update(graph=None), {}),
        (GOOD, lambda head: head["parts"][0].update(graph=f"{DERIVED}x"), {}),
        (GOOD, lambda head: head["parts"][0].update(bytes=3), {}),
        (GOOD, lambda head: head["parts"][0].update(sha256="0"), {}),
        (GOOD, lambda head: head["parts"][0].update(more=1), {}),
        ({**GOOD, "../../escaped": b"x"}, lambda head: head["parts"].pop(), {}),
        ({**GOOD, "../../escaped": b"x"}, lambda head: None, {}),
    ],
)
def test_what_no_backup_would_hold_is_refused(tmp_path: Path, parts, change, how) -> None:
    with pytest.raises(StoreError):
        restore_backup(packed(tmp_path / "b", parts, change, **how), tmp_path / "x" / "y" / "new", no_passphrase)
    assert not (tmp_path / "escaped").exists()
    assert not (tmp_path / "x" / "y" / "new" / "CURRENT").exists()


def test_what_is_good_is_taken(tmp_path: Path) -> None:
    restore_backup(packed(tmp_path / "b", GOOD, lambda head: None), tmp_path / "new", no_passphrase)
    assert held(tmp_path / "new") == {"urn:g0": ['urn:e urn:p "x"']}


def test_other_files_are_no_backups(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as pack:
        pack.writestr("holiday.txt", "x")
    with pytest.raises(UsageError, match="no backup"):
        restore_backup(tmp_path / "z.zip", tmp_path / "new", no_passphrase)
    with pytest.raises(UsageError, match="no backup"):
        restore_backup(tmp_path / "nowhere", tmp_path / "new", no_passphrase)
