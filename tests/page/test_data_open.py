"""`serve --open` and `demo --open`: the page in a browser, also of a store that is still empty."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
from typer.testing import CliRunner

from reqap_kg.cli import demo as demo_module
from reqap_kg.cli import serve as serve_module
from reqap_kg.cli.app import app

pytestmark = pytest.mark.long

PROGRAM = [sys.executable, "-m", "reqap_kg.cli"]


@pytest.fixture
def browser_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A browser that writes down what it is to open."""
    program, told = tmp_path / "browser", tmp_path / "opened.txt"
    program.write_text(f'#!/bin/sh\necho "$1" >> {told}\n')
    program.chmod(0o700)
    monkeypatch.setenv("BROWSER", f"{program} %s")
    return told


def _lines(path: Path, number: int) -> list[str]:
    """The lines of a file, once there are so many."""
    end = monotonic() + 60
    while monotonic() < end:
        found = path.read_text().split() if path.exists() else []
        if len(found) >= number:
            return found
        sleep(0.1)
    raise AssertionError(f"{path} has no {number} lines")


def test_a_page_is_opened_where_there_is_no_store_yet(tmp_path, browser_told):
    store = ["--store", str(tmp_path / "store")]
    ran = subprocess.run(
        [*PROGRAM, "serve", "--open", "--background", "--port", "0", "--now", "2025-03-01T12:00:00", *store],
        env=os.environ, capture_output=True, text=True, timeout=90,
    )  # fmt: skip
    try:
        assert ran.returncode == 0, ran.stderr
        (address,) = _lines(browser_told, 1)
        with httpx.Client(headers={"Accept": "text/html"}, follow_redirects=True) as client:
            client.get(address).raise_for_status()
            assert "Bring your data" in client.get(address.partition("?")[0] + "data").text
        again = subprocess.run([*PROGRAM, "serve", "--open", *store], capture_output=True, text=True, timeout=60)
        assert again.returncode == 0
        assert "runs for this store already" in again.stdout
        assert _lines(browser_told, 2) == [address, address]
    finally:
        subprocess.run([*PROGRAM, "serve", "--stop", *store], capture_output=True, timeout=90)


def test_a_folder_of_other_things_is_left_alone(tmp_path, browser_told):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("mine")
    ran = CliRunner().invoke(app, ["serve", "--open", "--port", "0", "--store", str(tmp_path / "other")])
    assert ran.exit_code != 0
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["letter.txt"]
    assert not browser_told.exists()


def test_the_demo_life_is_served_at_its_own_time(imported_demo, monkeypatch):
    asked = {}
    monkeypatch.setattr(serve_module, "serve_command", lambda *args, **more: asked.update(more, store=args[1]))
    monkeypatch.setattr(demo_module, "_import_once", lambda *_: False)
    ran = CliRunner().invoke(app, ["demo", "--open", "--store", str(imported_demo)])
    assert ran.exit_code == 0, ran.output
    assert asked == {"opens": True, "reads": True, "now": "2025-03-01T12:00:00", "store": imported_demo}


@pytest.mark.parametrize(
    "wrong", [["serve", "--open", "--stop"], ["serve", "--open", "--now", "soon"], ["demo", "--open", "How many?"]]
)
def test_what_does_not_go_together_is_refused(wrong, tmp_path):
    store = tmp_path / "store"
    assert CliRunner().invoke(app, [*wrong, "--store", str(store)]).exit_code != 0
    assert not store.exists()
