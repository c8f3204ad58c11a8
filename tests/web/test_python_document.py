"""Every Python block of docs/python.md runs, in order and in one namespace, and gives what is shown.

What stands behind "# →" at the end of an expression is its repr; "…" there stands for anything.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from demo_stores import EXPORTS, ROOT

DOCUMENT = ROOT / "docs" / "python.md"
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SHOWN = re.compile(r"  # → (.+)$")


def _blocks(document: str) -> Iterator[tuple[int, str]]:
    """Blocks with the line before each."""
    for found in _BLOCK.finditer(document):
        yield document.count("\n", 0, found.start(1)), found[1]


def _differing(block: str, before: int, namespace: dict[str, Any]) -> Iterator[str]:
    """Runs a block; tells where it shows another value than there is."""
    lines = block.splitlines()
    for statement in ast.parse(block).body:
        ast.increment_lineno(statement, before)
        shown = _SHOWN.search(lines[(statement.end_lineno or 0) - before - 1])
        if not isinstance(statement, ast.Expr):
            assert shown is None, f"line {statement.end_lineno}: only expressions have values"
            exec(compile(ast.Module([statement], []), DOCUMENT.name, "exec"), namespace)
            continue
        value = eval(compile(ast.Expression(statement.value), DOCUMENT.name, "eval"), namespace)
        if shown is not None and not _is(repr(value), shown[1]):
            yield f"{DOCUMENT.name}:{statement.lineno}: {value!r}, not {shown[1]}"


def _is(told: str, shown: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, shown.split("…"))), told, re.DOTALL) is not None


@pytest.mark.model
def test_every_block_gives_what_is_shown(demo_store: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(demo_store.parent)
    Path("exports").symlink_to(EXPORTS)
    namespace: dict[str, Any] = {}
    text = DOCUMENT.read_text(encoding="utf-8")
    wrong = [one for before, block in _blocks(text) for one in _differing(block, before, namespace)]
    assert not wrong, "\n".join(wrong)


def test_what_differs_is_seen():
    assert list(_differing("x = 2\nx + 1  # → 3\nx * 'ab'  # → 'a…b'\n", 0, {})) == []
    assert list(_differing("\n'a'  # → 'b'\n", 10, {})) == ["python.md:12: 'a', not 'b'"]
    assert list(_differing("(\n  'abc'\n)  # → 'a…d'\n", 0, {})) != []
    with pytest.raises(AssertionError, match="only expressions"):
        list(_differing("x = 1  # → 1\n", 0, {}))
