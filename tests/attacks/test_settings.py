"""Settings as attackers, or slips of the finger, write them: refused with the place, in bounded time and memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from pydantic import BaseModel

from reqap_kg.config import Settings, load_settings, read_toml
from reqap_kg.errors import ConfigError


def numbers(table: type[BaseModel], place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Places of all settings that are numbers."""
    for name, field in table.model_fields.items():
        kind: Any = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from numbers(kind, (*place, name))
        elif kind in (int, float):
            yield (*place, name)


PLACES = sorted(numbers(Settings))


def test_there_are_settings_that_are_numbers() -> None:
    assert ("horizon_days",) in PLACES
    assert len(PLACES) > 30


@pytest.mark.smoke
@pytest.mark.parametrize("place", PLACES, ids=".".join)
@pytest.mark.parametrize("value", ["99999999999999999999", "1e300", "inf", "nan", "-1"])
def test_every_number_has_a_bound(place: tuple[str, ...], value: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f"# first\n{'.'.join(place)} = {value}\n")
    with pytest.raises(ConfigError, match=rf"config\.toml:2: {'.'.join(place)}"):
        load_settings(path)


TEXTS = {
    "parts": "a" + ".a" * 50_000 + " = 1\n",
    "parts of a table": "[a" + ".a" * 50_000 + "]\n",
    "many keys of parts": ("b" + ".b" * 190 + "{n} = 1\n") * 160,
    "nested": "a = " + "[" * 30_000 + "]" * 30_000 + "\n",
    "nested tables": "a = " + "{a=" * 15_000 + "1" + "}" * 15_000 + "\n",
    "long": "a = 1\n" * 10**6,
    "digits": "horizon_days = " + "9" * 50_000 + "\n",
    "lines": "".join(f"a{n} = {n}\n" for n in range(5000)),
    "a list of lines": "rules = [\n" + "1,\n" * 20_000 + "]\n",
}


@pytest.mark.parametrize("text", sorted(TEXTS))
def test_settings_that_cost_much(text: str, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(
        "".join(line.replace("{n}", str(n)) for n, line in enumerate(TEXTS[text].splitlines(keepends=True)))
    )
    began = process_time()
    with pytest.raises(ConfigError, match=r"config\.toml"):
        load_settings(path)
    assert process_time() - began < 5


@pytest.mark.parametrize("before", [0, 1, 7, 30])
def test_the_line_of_a_wrong_setting(before: int, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    fine = ["keep_dialogue = true\n", "rules = [\n", '  "a.ttl",\n', '  "b.ttl",\n', "]\n"]
    path.write_text("".join([*["#\n"] * before, *fine, "[limits]\n", "depth = 0\n", "[ranking]\n", "unused = 0.5\n"]))
    with pytest.raises(ConfigError, match=rf"config\.toml:{before + 7}: limits\.depth"):
        load_settings(path)


def test_what_is_no_slip_is_read() -> None:
    assert read_toml('a.b = 1\nc = "x.y.z"\n') == {"a": {"b": 1}, "c": "x.y.z"}
    assert math.isfinite(Settings(query_seconds=3600).query_seconds)
