"""Every call is written down: what was asked, and which events were given away; nothing is given where it cannot be."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from reqap_kg.config import Settings
from reqap_kg.errors import StoreError
from reqap_kg.store.folder import CALLS
from reqap_kg.web.holding import Held
from reqap_kg.web.mcp.server import MOST_BYTES, Call, Calls, server

NOW = datetime(2025, 3, 1, 12)
TREE = 'APPLY(l=RETRIEVE(query="I ran"), fct=len)'


@pytest.fixture(scope="module")
def held(demo_store: Path) -> Iterator[Held]:
    with Held(demo_store, Settings()) as held:
        yield held


@pytest.fixture
def log(held: Held) -> Iterator[Path]:
    path = held.directory / CALLS
    path.unlink(missing_ok=True)
    yield path
    path.unlink(missing_ok=True)


def _called(held: Held, tool: str, **arguments: Any) -> Any:
    async def called() -> Any:
        async with Client(server(held, lambda: NOW), mode="legacy") as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(called())


def _lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text(encoding="ascii").splitlines()]


def test_a_call_is_a_line_with_the_events_that_it_gave_away(held, log):
    given = [event["iri"] for event in _called(held, "run_tree", tree=TREE).structured_content["events"]]
    (line,) = _lines(log)
    assert line == {
        "time": "2025-03-01T12:00:00",
        "tool": "run_tree",
        "arguments": {"tree": TREE},
        "rows": 1,
        "events": 20,
        "given": given,
    }
    assert log.stat().st_mode & 0o777 == 0o600


def test_events_in_rows_are_written_down_also_those_told_as_texts(held, log):
    query = "SELECT (STR(?e) AS ?name) ?f { { SELECT * { ?e a ev:Workout ; ev:start ?t BIND(?e AS ?f) } LIMIT 4 } }"
    rows = _called(held, "sparql", query=query).structured_content["rows"]
    _called(held, "evidence", events=[rows[0][0]])
    by_query, looked_up = _lines(log)
    assert (by_query["rows"], by_query["events"]) == (4, 4)
    assert by_query["given"] == sorted(row[0] for row in rows)
    assert looked_up["given"] == [rows[0][0]]


def test_calls_that_fail_are_written_down_with_the_reason(held, log):
    _called(held, "run_tree", tree="NOTHING(")
    _called(held, "plan", question="How many?", top="\u202e many")
    wrong, invalid = _lines(log)
    assert "line 1" in wrong["failed"]
    assert (wrong["events"], wrong["given"]) == (0, [])
    assert invalid["failed"].startswith("top: ")
    assert invalid["arguments"]["top"] == "\u202e many"


def test_nothing_is_given_away_where_it_cannot_be_written_down(held, log, monkeypatch):
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("reqap_kg.web.mcp.server.own_opener", full)
    for tool, arguments in (("run_tree", {"tree": TREE}), ("describe_data", {}), ("plan", {})):
        refused = _called(held, tool, **arguments)
        assert refused.is_error
        assert refused.structured_content is None
        assert tool == "plan" or "cannot be written down" in refused.content[0].text


def test_nothing_is_written_through_a_link(held, log, tmp_path):
    log.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="is a link"):
        Calls(held.directory).add(Call(NOW, "ask", {}))
    refused = _called(held, "run_tree", tree=TREE)
    assert refused.is_error
    assert str(held.directory) not in refused.content[0].text
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_of_other_names_is_not_written_to_under_these(held, log, tmp_path):
    other = held.directory.parent / "other"
    other.write_bytes(b"mine\n")
    os.link(other, log)
    _called(held, "describe_data")
    assert other.read_bytes() == b"mine\n"
    assert len(log.read_bytes().splitlines()) == 2


def test_what_others_could_read_is_for_the_owner_alone_again(held, log):
    log.touch()
    log.chmod(0o644)
    Calls(held.directory).add(Call(NOW, "ask", {}))
    assert log.stat().st_mode & 0o777 == 0o600


def test_of_a_long_file_the_older_half_is_dropped_at_a_line(held, log):
    calls = Calls(held.directory)
    for number in range(1_500):
        calls.add(Call(NOW, f"tool {number}", {"query": "x" * 1_000}))
        assert number % 100 or log.stat().st_size <= MOST_BYTES
    lines = _lines(log)
    assert MOST_BYTES / 2 < log.stat().st_size <= MOST_BYTES
    assert [line["tool"] for line in lines] == [f"tool {number}" for number in range(1_500 - len(lines), 1_500)]


def test_of_long_arguments_only_the_beginning_is_kept(held, log):
    Calls(held.directory).add(Call(NOW, "sparql", {"query": "x" * 50_000}))
    (line,) = _lines(log)
    assert line["arguments"].startswith('{"query": "xxx')
    assert len(line["arguments"]) == 4_000


def test_nothing_is_written_where_there_is_no_store(tmp_path):
    Calls(tmp_path).add(Call(NOW, "ask", {}))
    assert list(tmp_path.iterdir()) == []
