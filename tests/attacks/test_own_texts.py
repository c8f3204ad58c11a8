"""Files that a person wrote are plain files of a size: pipes, devices, long files and links out are told at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from reqap_kg.cli.batch import check_lines, check_readable, lines_of, lines_or_errors, turns_in, write_lines
from reqap_kg.cli.query import read_text
from reqap_kg.config import load_settings
from reqap_kg.engine.authoring.domain import load_domain, rulebook_with
from reqap_kg.engine.importing.loading import map_for_user
from reqap_kg.errors import ReqapError, UsageError
from reqap_kg.texts.lexicon.lexicon import load_lexicon

READERS: dict[str, Callable[[Path], Any]] = {
    "settings": load_settings,
    "rules": lambda path: rulebook_with([path]),
    "lexicon": lambda path: load_lexicon([path]),
    "map": lambda path: map_for_user(path, ZoneInfo("UTC")),
    "batch": lambda path: list(lines_of(path)),
    "context": turns_in,
    "query": lambda path: read_text(None, path, "a query"),
}


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe.ttl")
    return folder / "pipe.ttl"


def _long(folder: Path) -> Path:
    with (folder / "long.ttl").open("wb") as out:
        out.truncate(1 << 33)
    return folder / "long.ttl"


WRONG: dict[str, Callable[[Path], Path]] = {
    "pipe": _pipe,
    "device": lambda folder: Path("/dev/zero"),
    "long": _long,
    "folder": lambda folder: folder,
    "no file": lambda folder: folder / "nowhere.ttl",
    "NUL": lambda folder: folder / "a\0b",
}


@pytest.mark.smoke
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_plain_file_is_told_at_once(reader: str, wrong: str, tmp_path: Path) -> None:
    if reader == "settings" and wrong in ("no file", "NUL"):
        pytest.skip("settings that are not there are the defaults")
    if reader == "batch" and wrong == "long":
        pytest.skip("a batch is read line by line")
    with pytest.raises(ReqapError):
        READERS[reader](WRONG[wrong](tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
@pytest.mark.parametrize("part", ["ontology", "maps", "patterns", "rules"])
@pytest.mark.parametrize("wrong", ["pipe", "device", "link"])
def test_a_domain_reads_plain_files_of_its_own_folder(part: str, wrong: str, tmp_path: Path) -> None:
    folder = tmp_path / "domain"
    (folder / part).mkdir(parents=True)
    shipped = Path(__file__).parents[2] / "examples" / "census" / "domain.ttl"
    (folder / "domain.ttl").write_bytes(shipped.read_bytes())
    (tmp_path / "secret.txt").write_text("a secret", encoding="utf-8")
    if wrong == "pipe":
        os.mkfifo(folder / part / "a.ttl")
    else:
        (folder / part / "a.ttl").symlink_to("/dev/zero" if wrong == "device" else tmp_path / "secret.txt")
    with pytest.raises(ReqapError) as told:
        _read_all(folder)
    assert "secret'" not in str(told.value)


def _read_all(folder: Path) -> None:
    domain = load_domain(folder)
    rulebook_with(domain.rules)
    _ = domain.ontology
    for path in domain.maps:
        map_for_user(path, ZoneInfo("UTC"))


@pytest.mark.parametrize(
    "broken",
    ["{", "[]", "5", '{"a": NaN,}', '{"a": NaN}', '{"id": 1e999}', '{"a": ["\\ud800"]}', "[" * 100_000, '"text"'],
)
def test_a_broken_line_of_a_batch_costs_that_line(broken: str, tmp_path: Path) -> None:
    batch = tmp_path / "b.jsonl"
    batch.write_text(f'{{"question": "one"}}\n{broken}\n{{"question": "three"}}\n', encoding="utf-8")
    found = dict(lines_or_errors(batch))
    assert isinstance(found[2], UsageError)
    assert f"{batch}:2" in str(found[2])
    assert [found[at] for at in (1, 3)] == [{"question": "one"}, {"question": "three"}]


def test_a_batch_is_never_written_over(tmp_path: Path) -> None:
    batch = tmp_path / "b.jsonl"
    batch.write_text('{"question": "one"}\n', encoding="utf-8")
    (tmp_path / "link.jsonl").hardlink_to(batch)
    for out in (batch, tmp_path / "link.jsonl"):
        with pytest.raises(UsageError, match="is the batch itself"):
            write_lines(out, ({"line": found} for found in lines_or_errors(batch)), batch)
    assert batch.read_text(encoding="utf-8") == '{"question": "one"}\n'


def test_answers_are_kept_where_the_batch_is_missing(tmp_path: Path) -> None:
    answers = tmp_path / "a.jsonl"
    answers.write_text("kept", encoding="utf-8")
    with pytest.raises(UsageError, match="there is no such file"):
        write_lines(answers, iter(()), tmp_path / "none.jsonl")
    assert answers.read_text(encoding="utf-8") == "kept"


@pytest.mark.parametrize("context", ['["How many songs?",]', '{"question": "How many', '["half \\ud800 of a sign"]'])
def test_broken_context_is_no_question(context: str, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(context, encoding="utf-8")
    with pytest.raises(UsageError, match="begins like JSON"):
        turns_in(tmp_path / "c.json")
    (tmp_path / "c.json").write_text('How many songs?\n{"question": "And in 2023?"}\n', encoding="utf-8")
    assert turns_in(tmp_path / "c.json") == ["How many songs?", {"question": "And in 2023?"}]


def test_a_batch_is_read_whole_before_answers_are_written(tmp_path: Path) -> None:
    batch = tmp_path / "b.jsonl"
    batch.write_bytes(b'{"query": "x"}\nnope\n')
    with pytest.raises(UsageError, match=":2: not JSON"):
        check_lines(batch)
    check_readable(batch)
    batch.write_bytes(b'{"query": "x"}\n\xff\n')
    with pytest.raises(UsageError, match="cannot be read"):
        check_readable(batch)
