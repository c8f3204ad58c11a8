"""The built wheel, installed alone in a clean environment, carries everything and answers the demo question."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DATA_FOLDERS = ("ontology", "mappings", "templates", "models", "examples")

pytestmark = pytest.mark.long
FROM_A_CHECKOUT = ("tests/", "bench/", "training/")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    # Built from a copy, so that the checkout gets no build folder and the wheel no leftovers of one.
    source = out / "source"
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\n")  # fmt: skip
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(source)],
        check=True, capture_output=True,
    )  # fmt: skip
    (found,) = out.glob("*.whl")
    return found


def test_every_file_is_in_the_wheel(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        f"reqap_kg/{path.relative_to(ROOT).as_posix()}"
        for folder in DATA_FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    wanted |= {f"reqap_kg/{name}" for name in listed.split("\n") if name and not name.startswith(FROM_A_CHECKOUT)}
    assert len(wanted) > 500
    assert wanted - packed == set()
    assert not [name for name in packed if name.removeprefix("reqap_kg/").startswith(FROM_A_CHECKOUT)]


def test_the_wheel_alone_answers_the_demo_question(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "env"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", str(wheel)],
        check=True,
    )
    # Third-party packages by path only: a line in a .pth file does not run the .pth files it leads to, so the
    # development install of this checkout stays invisible.
    (site,) = home.glob("lib/python*/site-packages")
    (site / "third_party.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    where = "import reqap_kg; print(reqap_kg.__file__)"
    shown = subprocess.run(
        [python, "-c", where], check=True, capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert Path(shown.stdout.strip()).is_relative_to(home)
    question = "Which artist did I listen to most in 2024?"
    command = [home / "bin" / "reqap-kg", "demo", question, "--json", "--store", str(tmp_path / "store")]
    asked = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert json.loads(asked.stdout)["answer"] == ["Gwenno"]
