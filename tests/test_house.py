"""The house is as its map says: every package tells what it is for, folders stay small, the picture is of today."""

from __future__ import annotations

import ast
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import grimp
from house import drawn

ROOT = Path(__file__).parents[1]
MOST_FILES = 24
MOST_LINES = 400
CROWDED = {"bench": 30}
"""Folders that are still to be taken apart, with as many files as they may have until then."""


def _modules() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    names = (Path(name) for name in listed.split("\n") if name)
    return [name for name in names if name.parts[0] != "tests" and (ROOT / name).is_file()]


def test_every_package_that_is_used_is_installed() -> None:
    """bench and training run from a checkout."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    found = {".".join(("reqap_kg", *name.parent.parts)) for name in _modules() if name.name == "__init__.py"}
    left_out = ("reqap_kg.bench", "reqap_kg.training", "reqap_kg.corpus")
    assert {name for name in found if not name.startswith(left_out)} == set(settings["packages"])


def test_every_package_says_where_to_begin() -> None:
    silent = []
    for name in _modules():
        if name.name == "__init__.py" and not ast.get_docstring(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
            silent.append(str(name))
    assert silent == []


def test_no_folder_is_crowded() -> None:
    counts = Counter(str(name.parent) for name in _modules())
    assert {folder: count for folder, count in counts.items() if count > CROWDED.get(folder, MOST_FILES)} == {}


def test_no_file_is_long() -> None:
    lines = {str(name): (ROOT / name).read_text(encoding="utf-8").count("\n") for name in _modules()}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_the_picture_is_of_todays_imports() -> None:
    document = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert drawn(document) == document, "python tests/house.py CONTRIBUTING.md draws it anew"


def test_no_imports_go_round() -> None:
    """Imports for the type checker count, too. An import of a module is found again from there only in a circle."""
    graph = grimp.build_graph("reqap_kg", cache_dir=None)
    round_about = []
    for module in sorted(graph.modules):
        for imported in graph.find_modules_directly_imported_by(module):
            if graph.chain_exists(importer=imported, imported=module):
                round_about.append(f"{module} → {imported}")
    assert round_about == []


def test_nothing_prints_but_the_console() -> None:
    """Printing that goes round the console would go unseen by tests/attacks/test_terminal.py."""
    scripts = ("bench", "training")  # run from a checkout by hand: they print figures
    wrong = []
    for name in _modules():
        if set(name.parts) & {*scripts, "examples"}:
            continue
        if name.name in ("console.py", "mapping_process.py"):  # the latter is read by the process that began it
            continue
        wrong += [f"{name}:{line}: {what}" for line, what in _prints((ROOT / name).read_text(encoding="utf-8"))]
    assert wrong == []


def _prints(code: str) -> Iterator[tuple[int, str]]:
    allowed = {"sys.stdout.flush", "sys.stdout.fileno"}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in ("print", "typer.echo", "typer.secho", "rich.print", "warnings.warn"):
                yield node.lineno, name
            if name.startswith(("sys.stdout", "sys.stderr", "sys.__std")) and name not in allowed:
                yield node.lineno, name
            if name.split(".")[-1] == "Console" and not any(word.arg == "width" for word in node.keywords):
                yield node.lineno, name
