"""Exit codes of `ask`: 0 answered, 3 nothing found, 4 not understood; with --json as without."""

from __future__ import annotations

from pathlib import Path

import pytest

from reqap_kg.cli.running import run


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("How many runs did I do in 2024?", 0),
        ("What did I watch in July 2019?", 3),
        ("How many books did I read?", 3),
        ("Why do I run?", 4),
        ("asdf qwer", 4),
    ],
)
def test_exit_codes(demo_store: Path, tmp_path: Path, question: str, code: int) -> None:
    config = tmp_path / "config.toml"
    config.write_text('proposers = ["rules"]\nread_texts = false\nclassifiers = false\n', encoding="utf-8")
    arguments = ["ask", question, "--store", str(demo_store), "--now", "2025-03-01T12:00:00", "--config", str(config)]
    assert run(arguments) == code
    assert run([*arguments, "--json"]) == code
