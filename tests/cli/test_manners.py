"""The manners of a command line: help, versions, suggestions, errors as sentences or objects, interruptions, pipes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_lives import life

from reqap_kg.cli.app import app, run
from reqap_kg.config import Settings, load_settings
from reqap_kg.errors import ConfigError

Out = pytest.CaptureFixture[str]
MAIN = "from reqap_kg.cli import main; main()"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("manners")
    assert run(["ingest", str(life(folder / "life")), "--store", str(folder / "store")]) == 0
    return str(folder / "store")


def started(code: str, *arguments: str, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, **more},
    )


def test_version(capsys: Out) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"reqap-kg {version('reqap-kg')}\n"


@pytest.mark.parametrize("group", [[], ["rules"], ["bench"]])
def test_a_group_alone_prints_its_help(group: list[str], capsys: Out) -> None:
    assert run(group) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Usage: reqap-kg")
    assert not said.err


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["statu"], "status"),
        (["ask", "--evnts", "3"], "--events"),
        (["rules", "chek"], "check"),
        (["ingst", "x"], "ingest"),
    ],
)
def test_the_nearest_name_is_suggested(arguments: list[str], near: str, capsys: Out) -> None:
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert near in said.err
    assert not said.out


def test_every_help_has_an_example(capsys: Out) -> None:
    groups = [(group.name, group.typer_instance) for group in app.registered_groups]
    for prefix, commands in [(None, app), *groups]:
        assert commands is not None
        for command in commands.registered_commands:
            name = command.name or getattr(command.callback, "__name__", "")
            path = " ".join(filter(None, ["reqap-kg", prefix, name]))
            assert run([*path.split()[1:], "--help"]) == 0
            said = capsys.readouterr().out
            assert f"  {path}" in said.partition("\n")[2], f"{path} --help has no example"


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["ask", "--json"], 2, "usage"),
        (["ask", "x", "--json", "--now", "never"], 2, "usage"),
        (["ask", "--json", "--nonsense"], 2, "usage"),
        (["run", "APPLY(", "--json"], 2, "tree"),
        (["forget", "nothing", "--json"], 2, "usage"),
        (["status", "--json", "--config", "none.toml"], 2, "usage"),
    ],
)
def test_errors_are_objects_for_programs(arguments: list[str], code: int, reason: str, store: str, capsys: Out) -> None:
    assert run([*arguments, "--store", store]) == code
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["reason"] == reason
    assert found["error"]


def test_what_is_not_understood_is_an_object_with_the_question(store: str, capsys: Out) -> None:
    assert run(["ask", "Why do I frobnicate?", "--json", "--store", store]) in (3, 4)
    found = json.loads(capsys.readouterr().out)
    assert (found["question"], found["answer"], found["answer_type"]) == ("Why do I frobnicate?", [], "none")
    assert (found["reason"], found["text"][-1]) == ("asks_why", ".")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('home_zon = "Europe/Oslo"', 1, "there is no setting home_zon; did you mean home_zone?"),
        ('# zone\nhome_zone = "Europe/Oslo"\nquery_secnds = 3', 3, "did you mean query_seconds?"),
        (
            "[limits]\ndepth = 3\nrecord_byte = 4",
            3,
            "there is no setting limits.record_byte; did you mean record_bytes?",
        ),
        ('rules = [\n  "a.ttl",\n  "b.ttl",\n]\nhorizon_days = -1\n', 5, "horizon_days: "),
        ('home_zone = "Europe/Oslo"\nxyzzy = [\n1,\n2]', 2, "there is no setting xyzzy; settings here are "),
        ("[no_table]\na = 1", 1, "there is no setting no_table"),
        ('\nproposers = ["rules", "magic"]', 2, "proposers.1: "),
        ('home_zone = "Europe/Osloo"', 1, "Europe/Osloo"),
    ],
)
def test_a_wrong_setting_is_told_with_its_line(text: str, line: int, said: str, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as bad:
        load_settings(file)
    assert str(bad.value).startswith(f"{file}:{line}: ")
    assert said in str(bad.value)
    assert "Extra inputs" not in str(bad.value)


@given(st.sampled_from(sorted(Settings.model_fields)), st.data())
def test_a_slip_of_the_finger_finds_the_setting(name: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(name) - 1))
    slip = name[:at] + name[at + 1 :]
    if len(name) < 6 or slip in Settings.model_fields:
        return
    file = Path("/tmp") / f"reqap-kg-{os.getpid()}.toml"
    file.write_text(f"{slip} = 1\n", encoding="utf-8")
    try:
        with pytest.raises(ConfigError, match=rf":1: there is no setting {slip}; did you mean {name}\?"):
            load_settings(file)
    finally:
        file.unlink()


def test_an_unexpected_error_is_a_sentence() -> None:
    code = (
        "import reqap_kg.cli.data as d, reqap_kg.cli as c\n"
        "def broken(*_, **__): raise KeyError('\\x1b]0;owned')\n"
        "d.status = broken\nc.main()"
    )
    said = [started(code, "status", *more).communicate() for more in ((), ("--debug",), ("--json",))]
    assert not said[0][0]
    assert "Traceback" not in said[0][1]
    assert said[0][1].startswith("reqap-kg: an unexpected error, which is a fault of reqap-kg (KeyError: ")
    assert "--debug" in said[0][1]
    assert "Traceback" in said[1][1]
    assert json.loads(said[2][0])["reason"] == "unexpected"
    assert not any("\x1b" in out + err for out, err in said)
    process = started(code, "status")
    process.communicate()
    assert process.returncode == 1


def test_ctrl_c_ends_with_a_line() -> None:
    code = "import signal, time, reqap_kg.cli.data as d, reqap_kg.cli as c\n"
    code += "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # it may be ignored where tests run
    code += "def slow(*_, **__): print('ready', flush=True); time.sleep(60)\nd.status = slow\nc.main()"
    process = started(code, "status")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    assert process.communicate() == ("", "reqap-kg: stopped\n")
    assert process.returncode == 130


def test_a_broken_pipe_is_silent(store: str) -> None:
    query = "SELECT ?a ?b ?c ?d { ?a ?x ?b . ?c ?y ?d } LIMIT 20000"
    process = started(MAIN, "sparql", query, "--format", "tsv", "--store", store)
    assert process.stdout is not None
    assert process.stdout.readline()
    process.stdout.close()
    process.wait(timeout=120)
    assert process.stderr is not None
    assert process.stderr.read() == ""


@pytest.mark.long
def test_any_encoding_can_be_printed_to(store: str) -> None:
    out, err = started(MAIN, "ask", "Why “日本”?", "--store", store, PYTHONIOENCODING="ascii").communicate()
    assert "UnicodeEncodeError" not in out + err
    assert "\\u201c" in out + err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete(shell: str) -> None:
    words = "reqap-kg ask --exp"
    more = {"_REQAP_KG_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": words}
    more |= {"COMP_WORDS": words, "COMP_CWORD": "2"}
    code = "import sys; sys.argv[0] = 'reqap-kg'; " + MAIN
    out, _ = started(code, **more).communicate()
    if shell == "fish":
        more["_TYPER_COMPLETE_FISH_ACTION"] = "get-args"
        out, _ = started(code, **more).communicate()
    assert "--explain" in out


def test_a_first_error_says_what_to_do_and_pastes_no_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / "data")
    assert run(["status"]) == 1
    assert capsys.readouterr().err == "reqap-kg: nothing was imported yet; begin with: reqap-kg ingest PATH\n"
    assert run(["status", "--store", str(tmp_path / "mine")]) == 1
    assert f"reqap-kg ingest PATH --store {tmp_path / 'mine'}" in capsys.readouterr().err


def test_a_whole_store_is_told_in_a_sentence(small_life: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--store", str(small_life)]) == 0
    assert re.fullmatch(r"Store is healthy \(\d checks\)\n", capsys.readouterr().out)


def test_a_life_does_not_end_with_its_calendar(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plans.ics").write_text(
        "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:1\nDTSTAMP:20240101T000000Z\n"
        "DTSTART:20270105T090000\nSUMMARY:Dentist\nEND:VEVENT\nEND:VCALENDAR\n",
        encoding="utf-8",
    )
    rows = [
        {"source": "workout", "workout_type": "running", "start_datetime": f"2024-0{n}-02T09:00:00"} for n in (3, 5)
    ]
    (tmp_path / "runs.json").write_text(json.dumps(rows), encoding="utf-8")
    store = str(tmp_path / "store")
    assert run(["ingest", str(tmp_path / "plans.ics"), str(tmp_path / "runs.json"), "--store", store]) == 0
    capsys.readouterr()
    assert run(["status", "--store", store]) == 0
    assert "recorded from 2024-03-02 to 2024-05-02; calendar entries until 2027-01-05" in capsys.readouterr().out
