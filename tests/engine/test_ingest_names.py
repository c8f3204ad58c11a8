"""People and chats that other files of an export name: Slack's and Discord's."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.store.generations import open_graph

OPTIONS = IngestOptions(Settings(home_zone="Europe/Oslo"), datetime(2025, 3, 1, 12))

Rows = set[tuple[str | None, ...]]


def write(root: Path, files: dict[str, Any]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return root


def told(store: Path) -> Rows:
    query = "SELECT ?c ?w ?t { ?e a ev:ChatMessage ; ev:chat ?c ; ev:sender ?w ; ev:text ?t }"
    with open_graph(store) as graph:
        return {tuple(term.value if term else None for term in row) for row in graph.select(query)}


def slack(user: str, text: str, second: int) -> dict[str, str]:
    return {"type": "message", "user": user, "text": text, "ts": f"17095428{second:02}.000100"}


def person(key: str, name: str, **more: object) -> dict[str, object]:
    return {"id": key, "name": name.split()[0].lower(), "profile": {"real_name": name, "display_name": ""}, **more}


def test_slacks_people_and_chats_have_their_names(tmp_path: Path) -> None:
    export = write(
        tmp_path / "in",
        {
            "users.json": [
                person("U01A", "Ann Lee", real_name="Ann Lee"),
                person("U02B", "Bo Moss", real_name="Bo Moss"),
            ],
            "channels.json": [{"id": "C01", "name": "club", "created": 1704067200, "members": ["U01A"]}],
            "dms.json": [{"id": "D07", "created": 1704067200, "members": ["U01A", "U02B"]}],
            "club/2024-03-04.json": [slack("U01A", "Who?", 1), slack("U02B", "<@U01A> me", 2)],
            "D07/2024-03-04.json": [slack("U02B", "Psst", 3)],
        },
    )
    report = ingest([export], tmp_path / "store", OPTIONS)
    assert told(tmp_path / "store") == {
        ("club", "Ann Lee", "Who?"),
        ("club", "Bo Moss", "@Ann Lee me"),
        ("Ann Lee and Bo Moss", "Bo Moss", "Psst"),
    }
    assert not report.refused
    assert sorted(Path(ignored.path).name for ignored in report.ignored) == ["channels.json", "dms.json", "users.json"]


def test_two_exports_do_not_mix_their_people(tmp_path: Path) -> None:
    for name in ("one", "two"):
        files = {"users.json": [person("U01A", f"Ann {name}")], f"{name}/2024-03-04.json": [slack("U01A", "Hi", 1)]}
        write(tmp_path / "in" / name, files)
    ingest([tmp_path / "in"], tmp_path / "store", OPTIONS)
    assert told(tmp_path / "store") == {("one", "Ann one", "Hi"), ("two", "Ann two", "Hi")}


def test_names_without_messages_are_refused(tmp_path: Path) -> None:
    export = write(tmp_path / "in", {"users.json": [person("U01A", "Ann Lee"), person("U02B", "Bo Moss")]})
    report = ingest([export], tmp_path / "store", OPTIONS)
    assert not report.sources
    assert [refused.reason for refused in report.refused] == [
        "names of people and chats of an export, without its messages"
    ]


@pytest.mark.parametrize("as_csv", [False, True])
def test_discords_package(tmp_path: Path, as_csv: bool) -> None:
    row = {"ID": 111111111111111111, "Timestamp": "2024-03-01 10:00:00", "Contents": "Hi, all", "Attachments": ""}
    line = 'ID,Timestamp,Contents,Attachments\n111111111111111111,2024-03-01 10:00:00+00:00,"Hi, all",\n'
    here = "messages/c222222222222222222/"
    export = write(
        tmp_path / "in",
        {
            "account/user.json": {"id": "5", "username": "ann5", "global_name": "Ann", "relationships": []},
            "messages/index.json": {"222222222222222222": "general in Club", "333333333333333333": None},
            f"{here}channel.json": {
                "id": "222222222222222222",
                "type": 0,
                "name": "general",
                "guild": {"name": "Club"},
            },
            f"{here}messages.{'csv' if as_csv else 'json'}": line if as_csv else [row],
        },
    )
    report = ingest([export], tmp_path / "store", OPTIONS)
    assert [(source.name, source.events) for source in report.sources] == [("discord", 2)]
    assert told(tmp_path / "store") == {("general in Club", "Ann", "Hi, all")}


ODD: list[Any] = [None, 5, [], {}, "", [None, 7], {"name": 3}, "\ud83d", True]


@pytest.mark.parametrize("odd", ODD, ids=repr)
@pytest.mark.parametrize("key", ["real_name", "profile", "members", "name", "recipients", "guild", "global_name"])
def test_odd_values_under_names_cost_nothing_else(tmp_path: Path, key: str, odd: Any) -> None:
    export = write(
        tmp_path / "in",
        {
            "users.json": [person("U01A", "Ann Lee"), person("U02B", "Bo Moss") | {key: odd}],
            "dms.json": [{"id": "D07", "created": 1704067200, "members": ["U01A"]} | {key: odd}],
            "channel.json": {"id": "222222222222222222", "type": 0, "name": "x"} | {key: odd},
            "user.json": {"id": "5", "username": "ann5", "relationships": []} | {key: odd},
            "D07/2024-03-04.json": [slack("U01A", "Hi", 1)],
        },
    )
    report = ingest([export], tmp_path / "store", OPTIONS)
    assert not report.faults
    assert {row[1:] for row in told(tmp_path / "store")} == {("Ann Lee", "Hi")}
