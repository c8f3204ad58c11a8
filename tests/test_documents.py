"""Every command that a document shows does what is shown; every figure that one quotes was measured."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from documents import Command, File, Other, parts, reader, same

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/reference").glob("*.md"))]
_COMMAND = re.compile(r"^\s*(?:\$ |reqap-kg\b|make \w|pip |uv )", re.MULTILINE)
_QUOTED = re.compile(r"(?P<value>[\d.,]+)(?: ?%)?<!-- figure (?P<name>[\w.-]+) -->")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _is_changed(path: Path) -> bool:
    """Whether a document is another than at the commit that `make test` passed on last; not where that is not known."""
    passed = ROOT / ".venv" / "passed"
    if not passed.is_file():
        return False
    command = ["git", "diff", "--quiet", passed.read_text(encoding="ascii").strip(), "--", str(path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 1


def _shown() -> list[object]:
    """Documents with commands; `make test` runs the README, and those that were changed since it passed last."""
    found = [path for path in DOCUMENTS if "```console" in _text(path)]
    is_long = [path.name != "README.md" and not _is_changed(path) for path in found]
    return [pytest.param(p, id=p.name, marks=[pytest.mark.long] * one) for p, one in zip(found, is_long, strict=True)]


@pytest.mark.model
@pytest.mark.parametrize("path", _shown())
def test_commands_print_what_is_shown(path: Path, tmp_path: Path) -> None:
    follower = reader(tmp_path, ROOT / "examples" / "demo" / "exports")
    wrong = []
    for part in parts(_text(path)):
        if isinstance(part, File):
            follower.write(part)
        elif isinstance(part, Command):
            printed = follower.run(part)
            if not same(part.shown, printed):
                wrong.append(f"{path.name}:{part.line}: $ {part.text}\n" + "\n".join(printed))
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_no_command_stands_outside_a_fence_that_runs(path: Path) -> None:
    others = [part for part in parts(_text(path)) if isinstance(part, Other)]
    assert [f"{path.name}:{part.line}" for part in others if _COMMAND.search(part.text)] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_quoted_figures_were_measured(path: Path) -> None:
    measured = json.loads(_text(ROOT / "docs" / "figures.json"))
    quoted = {found["name"]: found["value"] for found in _QUOTED.finditer(_text(path))}
    assert {name: measured[name]["value"] for name in quoted} == quoted


def test_what_differs_is_seen() -> None:
    assert same(["a (12 ms)", "...", "z"], ["a (7.5 ms)", "b", "c", "z"])
    assert same(["when ┃ what", "━━━╇━━━"], ["when    ┃ what", "━━━━━━╇━━━"])
    assert not same(["a", "...", "z"], ["a", "b", "y"])
    assert not same(["57 (from 57 events)."], ["58 (from 58 events)."])
    assert not same(["a", "...", "m", "...", "z"], ["a", "b", "z"])
    assert not same(["a", "...", "a"], ["a"])
