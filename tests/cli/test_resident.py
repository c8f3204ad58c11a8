"""Commands that a resident service runs: what they print, and how they end, is that of a process of their own."""

import os
import pty
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest
import typer

from reqap_kg.cli.app import app, run
from reqap_kg.cli.resident.client import answered
from reqap_kg.cli.resident.protocol import Closed, address_of, receive, send
from reqap_kg.cli.resident.serving import Commands
from reqap_kg.config import Settings
from reqap_kg.web.holding import Held

PROGRAM = str(Path(sys.executable).with_name("reqap-kg"))
NOW = ("--now", "2025-03-01T12:00:00")
RUNS = "How many runs did I do in 2024?"
COMMANDS = [
    ("ask", RUNS),
    ("ask", RUNS, "--json"),
    ("ask", RUNS, "--explain"),
    ("ask", RUNS, "--now", "never"),
    ("ask", "What is a zwybqx?"),
    ("ask", RUNS, "--no-such-option"),
    ("plan", RUNS),
    ("run", 'APPLY(l=RETRIEVE(query="my runs"), fct=len)'),
    ("run", "APPLY("),
    ("ask", "--batch", "in.jsonl", "--out", "-"),
    ("sparql", "SELECT ?song { ?e ev:songName ?song } ORDER BY ?song LIMIT 5", "--format", "csv"),
    ("sparql", "-f", "-"),
    ("sparql", "SELECT"),
    ("ask", RUNS, "--chart", "-"),
    ("ask", RUNS, "--table", "runs.csv"),
    ("chat", "--no-keep"),
]
_MILLISECONDS = re.compile(rb" *\b[0-9.,]+ ms\b| *\b[0-9]+\.[0-9](?= +query$)|^timings .*")
TYPED = f"{RUNS}\nand in 2023?\n/plan\n/nothing\n/quit\nunheard\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A configuration folder with no settings in it, for the service and for its callers."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def environment(home):
    return {**os.environ, "XDG_CONFIG_HOME": str(home)}


@pytest.fixture
def served(demo_store):
    """The demo store, served."""
    with Held(demo_store, Settings()) as held, _commands(held):
        yield demo_store


@contextmanager
def _commands(held):
    program = typer.main.get_command(app)
    with Commands(
        held, program, noticed=lambda: None, quit=lambda: None, status=lambda: {"state": held.state}
    ) as listens:
        yield listens
    listens.remove()


def _ran(arguments, folder, environment, typed=""):
    done = subprocess.run(
        [PROGRAM, *arguments], cwd=folder, env=environment, input=typed.encode(), capture_output=True, timeout=120
    )
    files = {file.name: file.read_bytes() for file in sorted(folder.glob("runs.*"))}
    for name in files:
        (folder / name).unlink()
    return done.returncode, _timeless(done.stdout), _timeless(done.stderr), files


def _timeless(said: bytes) -> list[bytes]:
    lines, times = [], False
    for line in said.splitlines():
        times = b'"timings_ms"' in line or (times and not line.lstrip().startswith(b"}"))
        if not times and not (line.startswith(b"  ") and line.endswith(b" ...")):  # progress: the second has it easier
            lines.append(re.sub(rb" +", b" ", _MILLISECONDS.sub(b"", line)))  # columns are as wide as times are
    return lines


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command)[:40])
def test_output_is_that_of_a_process_of_its_own(command, demo_store, environment, tmp_path):
    (tmp_path / "in.jsonl").write_text(f'{{"id": 1, "question": "{RUNS}"}}\n{{"id": 2}}\n')
    typed = TYPED if command[0] == "chat" else "SELECT (1 AS ?one) {}"
    now = () if command[0] in ("sparql",) or "--now" in command else NOW
    arguments = [*command, *now, "--store", str(demo_store)]
    alone = _ran(arguments, tmp_path, environment, typed)
    with Held(demo_store, Settings()) as held, _commands(held):
        began = held.state
        elsewhere = _ran(arguments, tmp_path, environment, typed)
        assert held.state != began, "the service was not asked"
    assert elsewhere == alone


def test_a_command_costs_no_start(served, environment, tmp_path):
    _ran(["ask", RUNS, *NOW, "--store", str(served)], tmp_path, environment)
    begin = os.times()
    _ran(["ask", RUNS, *NOW, "--store", str(served)], tmp_path, environment)
    end = os.times()
    assert end.children_user - begin.children_user < 0.5


def test_a_terminal_is_seen_as_one(served, environment):
    def shown(columns: int) -> str:
        at, terminal = pty.openpty()
        with os.fdopen(at, "rb", 0) as reader:
            import fcntl
            import struct
            import termios

            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
            given = {name: value for name, value in environment.items() if name not in ("COLUMNS", "LINES")}
            child = subprocess.Popen(
                [PROGRAM, "ask", RUNS, "--no-pager", *NOW, "--store", str(served)],
                stdin=terminal, stdout=terminal, stderr=terminal, env={**given, "TERM": "xterm"},
            )  # fmt: skip
            os.close(terminal)
            held = b""
            while part := _part(reader):
                held += part
            assert child.wait(60) == 0
            return held.decode()

    wide, narrow = shown(120), shown(44)
    assert max(map(len, narrow.splitlines())) <= 44 < max(map(len, wide.splitlines()))


def _part(reader) -> bytes:
    try:
        return reader.read(4096)
    except OSError:
        return b""


def test_a_caller_that_is_killed_leaves_the_service_to_others(served, environment, tmp_path):
    chat = subprocess.Popen(
        [PROGRAM, "chat", "--no-keep", *NOW, "--store", str(served)], env=environment, stdin=subprocess.PIPE
    )
    sleep(1.0)
    chat.kill()
    chat.wait(20)
    code, out, _, _ = _ran(["ask", RUNS, *NOW, "--store", str(served)], tmp_path, environment)
    assert code == 0
    assert out


def test_other_settings_run_in_a_process_of_their_own(demo_store, environment, tmp_path):
    (tmp_path / "other.toml").write_text('locale = "de_DE"\n')
    with Held(demo_store, Settings()) as held, _commands(held):
        arguments = ["ask", "How far did I run in 2024?", *NOW]
        german = _ran([*arguments, "--config", "other.toml", "--store", str(demo_store)], tmp_path, environment)
        british = _ran([*arguments, "--store", str(demo_store)], tmp_path, environment)
    assert german[0] == british[0] == 0
    assert german[1] != british[1]


def test_a_socket_that_nobody_listens_at_is_no_service(demo_store, environment, tmp_path):
    with socket.socket(socket.AF_UNIX) as left, address_of(str(demo_store)) as address:
        left.bind(address)
    assert _ran(["ask", RUNS, *NOW, "--store", str(demo_store)], tmp_path, environment)[0] == 0
    with Held(demo_store, Settings()) as held, _commands(held):
        assert (demo_store / "service.sock").stat().st_mode & 0o777 == 0o600
    assert not (demo_store / "service.sock").exists()


def test_a_service_that_dies_meanwhile_is_told(demo_store, capfd):
    """The caller neither hangs nor asks twice."""
    with address_of(str(demo_store)) as address, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()

        def die() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1)
                send(connection, {"page": "", "height": 1})

        thread = threading.Thread(target=die)
        thread.start()
        assert answered(["ask", RUNS, "--store", str(demo_store)]) == 1
        thread.join()
    (demo_store / "service.sock").unlink()
    assert "the resident service ended" in capfd.readouterr().err


@pytest.mark.parametrize("sent", [b"", b"\xff" * 64, b"\0\0\0\2{]", b"\0\0\0\2[]", b"\x7f\xff\xff\xff"])
def test_what_is_no_request_is_let_go(served, sent):
    with socket.socket(socket.AF_UNIX) as connection, address_of(str(served)) as address:
        connection.connect(address)
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        with pytest.raises(Closed):
            receive(connection)
    with socket.socket(socket.AF_UNIX) as connection, address_of(str(served)) as address:
        connection.connect(address)
        with open(os.devnull, "r+b") as nothing:
            send(connection, {"service": "status"}, [nothing.fileno()] * 3)
        assert "state" in receive(connection)


def test_a_second_service_is_refused(served):
    assert run(["serve", "--store", str(served)]) == 2


def test_chat_lines_of_two_callers_are_answered_in_turn(served, environment):
    chats = [
        subprocess.Popen(
            [PROGRAM, "chat", "--no-keep", *NOW, "--store", str(served)],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    said = []
    for chat, year in zip(chats, ("2024", "2023"), strict=True):
        assert chat.stdin
        chat.stdin.write(f"How many runs did I do in {year}?\n")
        chat.stdin.flush()
    for chat in chats:
        said.append(chat.communicate("/quit\n", timeout=60)[0])
    assert "runs in 2024" in said[0]
    assert "runs in 2024" not in said[1]
    assert "runs in 2023" in said[1]


def test_a_long_path_to_a_store_works(demo_store, environment, tmp_path):
    deep = tmp_path / ("d" * 100)
    deep.symlink_to(demo_store)
    with Held(deep, Settings()) as held, _commands(held):
        begin = monotonic()
        assert _ran(["ask", RUNS, *NOW, "--store", str(deep)], tmp_path, environment)[0] == 0
        assert held.state
        assert monotonic() - begin < 60


def test_ctrl_c_ends_a_command_that_waits_for_others(demo_store, environment):
    with Held(demo_store, Settings()) as held, _commands(held):
        release = threading.Event()
        others = held.submit(lambda _: release.wait(60))
        child = subprocess.Popen(
            [PROGRAM, "sparql", "ASK { ?s ?p ?o }", "--store", str(demo_store)],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        end = monotonic() + 30
        while not held.is_wanted and monotonic() < end:
            sleep(0.05)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
        assert not others.result.done()
        release.set()
    assert (child.returncode, out, err) == (130, b"", b"reqap-kg: stopped\n")
