"""Standard streams that take nothing: a full disk, a closed stream, a reader that has gone."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from stored_life import NOW, QUESTIONS, exports, import_life

FULL = Path("/dev/full")
MANY = "SELECT ?a ?b { ?a ?p ?q . ?b ?r ?s } LIMIT 20000"


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("life")
    return import_life(root / "exports", root / "store")


def commands(store: Path) -> dict[str, list[str]]:
    (path, *_) = exports(store.parent / "more")
    path.write_text(path.read_text() + path.read_text().splitlines()[0].replace("2024", "2023") + "\n")
    return {
        "status": ["status", "--json"],
        "ask": ["ask", QUESTIONS[0], "--now", NOW],
        "many": ["sparql", MANY, "--format", "csv"],
        "import": ["ingest", str(path), "--source", path.stem, "--no-index", "--now", NOW],
        "wrong": ["forget", "nothing"],
        "wrong as JSON": ["ask", "Zorp blimf?", "--now", NOW, "--json"],
    }


def ran(arguments: list[str], store: Path, redirected: str) -> subprocess.CompletedProcess[str]:
    line = shlex.join([sys.executable, "-m", "reqap_kg.cli", *arguments, "--store", str(store)])
    line = f"{{ {line}; echo code $? >&3; }} {redirected}"
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("name", ["status", "ask", "many", "import", "wrong", "wrong as JSON"])
def test_a_full_disk_is_said_in_a_sentence(name: str, life: Path) -> None:
    found = ran(commands(life)[name], life, "3>&1 >/dev/full")
    lines = found.stderr.strip().splitlines()
    assert [line for line in lines if line.startswith("reqap-kg: ")] == lines[-1:]
    assert "unexpected" not in found.stderr
    assert "Traceback" not in found.stderr
    assert found.stdout == ("code 2\n" if name == "wrong" else "code 1\n")
    assert name == "wrong" or "cannot be written" in lines[-1]
    assert ran(commands(life)[name], life, "3>&1 >/dev/full 2>/dev/full").stdout == found.stdout


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
@pytest.mark.parametrize("name", ["status", "import", "wrong"])
def test_a_closed_stream_is_like_one_that_nobody_reads(closed: str, name: str, life: Path) -> None:
    open_ = ran(commands(life)[name], life, "3>&1 >/dev/null 2>&1 </dev/null")
    found = ran(commands(life)[name], life, f"3>&1 {closed}")
    assert found.stdout.splitlines()[-1] == open_.stdout.strip()
    assert "Traceback" not in found.stderr
    assert "unexpected" not in found.stderr


@pytest.mark.parametrize("name", ["many", "status"])
def test_a_reader_that_has_gone_is_no_error(name: str, life: Path) -> None:
    found = ran(commands(life)[name], life, "3>&2 | true")
    assert found.stderr in ("code 0\n", "code 1\n", "code 141\n")


@pytest.mark.smoke
def test_what_is_printed_stays_json(life: Path) -> None:
    found = ran(commands(life)["status"], life, "3>/dev/null")
    assert json.loads(found.stdout)["generation"]
