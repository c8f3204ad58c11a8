"""`reqap-kg serve`: begun, shown, asked, killed, ended."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from shutil import copytree
from time import monotonic, sleep
from urllib.parse import quote

import httpx
import pytest

from reqap_kg.cli.app import run
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.store.folder import kind_of
from reqap_kg.store.generations import current

PROGRAM = str(Path(sys.executable).with_name("reqap-kg"))
NOW = ("--now", "2025-03-01T12:00:00")
RUNS = "How many runs did I do in 2024?"
TOKEN = "a token that nobody guesses"
SOURCES = "SELECT DISTINCT ?g { GRAPH ?g { ?e ev:start ?t } }"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    return {**os.environ, "XDG_CONFIG_HOME": str(tmp_path_factory.mktemp("home")), "REQAP_KG_TOKEN": TOKEN}


@pytest.fixture
def demo_store(imported_demo, tmp_path):
    """A store that is a test's own: some take sources out of it."""
    return Path(copytree(imported_demo, tmp_path / "store"))


@pytest.fixture
def served(demo_store, environment):
    """The address of a service of the demo store, in a process of its own."""
    _said(["serve", "--background", "--port", "0", "--store", str(demo_store)], environment)
    yield json.loads((demo_store / "service.json").read_text())
    subprocess.run([PROGRAM, "serve", "--stop", "--store", str(demo_store)], env=environment, capture_output=True)


def _said(arguments, environment, code=0):
    done = subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stderr
    return done.stdout


def _asked(served, path="api/ask", **body):
    answered = httpx.post(served["address"] + path, json=body, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
    assert answered.status_code == 200, answered.text
    return answered.json()


def test_it_answers_commands_and_programs_until_it_is_ended(served, demo_store, environment):
    told = json.loads(_said(["serve", "--status", "--json", "--store", str(demo_store)], environment))
    assert told["running"]
    assert told["url"] == f"{served['address']}?token={quote(TOKEN)}"
    printed = json.loads(_said(["ask", RUNS, "--json", *NOW, "--store", str(demo_store)], environment))
    asked = _asked(served, question=RUNS, now=NOW[1])
    assert asked["answer"] == printed["answer"] == [57]
    assert (demo_store / "service.json").stat().st_mode & 0o777 == 0o600
    _said(["serve", "--stop", "--store", str(demo_store)], environment)
    assert not (demo_store / "service.json").exists()
    _said(["serve", "--status", "--store", str(demo_store)], environment, code=3)
    _said(["serve", "--stop", "--store", str(demo_store)], environment, code=3)
    assert TOKEN not in (demo_store / "service.log").read_text()


def test_an_import_is_taken_up_without_a_restart_and_no_question_waits_for_it(served, demo_store, environment):
    before, waits, failed, done = current(demo_store), [], [], threading.Event()

    def ask() -> None:
        while not done.is_set():
            begin = monotonic()
            try:
                assert _asked(served, question=RUNS, now=NOW[1])["answer"] == [57]
            except (AssertionError, httpx.TransportError) as bad:
                failed.append(repr(bad))
            waits.append(monotonic() - begin)

    asking = threading.Thread(target=ask)
    asking.start()
    _said(["forget", "spotify", "--store", str(demo_store)], environment)
    done.set()
    asking.join()
    assert current(demo_store) != before
    assert _asked(served, question=RUNS, now=NOW[1])["answer"] == [57]
    told = _said(["sparql", SOURCES, "--format", "csv", "--store", str(demo_store)], environment)
    assert "spotify" not in told
    assert "apple-health" in told
    assert not failed
    assert len(waits) > 1
    assert max(waits) < 10


def test_ctrl_c_stops_a_query_and_what_runs_on_ends_with_the_process(served, demo_store, environment):
    child = subprocess.Popen(
        [PROGRAM, "sparql", ENDLESS, "--timeout", "60", "--store", str(demo_store)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    sleep(1.5)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=20)
    assert (child.returncode, out, err) == (130, b"", b"reqap-kg: stopped\n")
    before = _since(demo_store, environment)
    end = monotonic() + 60
    while _since(demo_store, environment) == before:  # it begins anew, in the same place, with the same token
        assert monotonic() < end
        httpx.get(served["address"] + "api/health", timeout=60).raise_for_status()  # nobody is refused meanwhile
    assert _asked(served, question=RUNS, now=NOW[1])["answer"]


def _since(store, environment):
    return json.loads(_said(["serve", "--status", "--json", "--store", str(store)], environment))["since"]


def test_the_store_may_be_named_by_the_environment(served, demo_store, environment):
    there = {**environment, "REQAP_KG_STORE": str(demo_store), "PYTHONPROFILEIMPORTTIME": "1"}
    done = subprocess.run([PROGRAM, "ask", RUNS, *NOW], env=there, capture_output=True, text=True, timeout=120)
    assert "57 runs" in done.stdout
    assert "reqap_kg.engine" not in done.stderr  # it was the service that answered


def test_a_service_whose_store_is_gone_ends(served, demo_store):
    subprocess.run(["rm", "-rf", str(demo_store)], check=True)
    end = monotonic() + 30
    while monotonic() < end:
        try:
            httpx.get(served["address"] + "api/health", timeout=5)
        except httpx.TransportError:
            return
        sleep(0.1)
    pytest.fail("it goes on")


@pytest.mark.parametrize(
    "wait", [0.3, pytest.param(0.0, marks=pytest.mark.long), pytest.param(1.5, marks=pytest.mark.long)]
)
def test_a_service_that_is_killed_leaves_the_store_as_it_was(demo_store, environment, wait):
    with KnowledgeGraph.open(demo_store) as known:
        before = (known.graph.generation, known.graph.count())
    service = subprocess.Popen(
        [PROGRAM, "serve", "--port", "0", "--store", str(demo_store)], env=environment, stdout=subprocess.PIPE
    )
    assert service.stdout
    assert service.stdout.readline()
    question = "When did I last eat ramen?" if wait else RUNS
    asking = subprocess.Popen(
        [PROGRAM, "ask", question, *NOW, "--store", str(demo_store)], env=environment, stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    sleep(wait)
    service.kill()
    service.wait()
    asking.kill()  # else it would answer by itself, which takes a minute
    asking.wait()
    assert kind_of(demo_store)
    assert run(["doctor", "--store", str(demo_store)]) == 0
    with KnowledgeGraph.open(demo_store) as known:
        assert known.graph.generation == before[0]
        assert known.graph.count() >= before[1]
    _said(["serve", "--background", "--port", "0", "--store", str(demo_store)], environment)
    _said(["serve", "--stop", "--store", str(demo_store)], environment)


@pytest.mark.long
def test_an_idle_service_ends(demo_store, environment):
    service = subprocess.Popen(
        [PROGRAM, "serve", "--port", "0", "--idle", "0.02", "--store", str(demo_store)], env=environment,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    assert service.wait(60) == 0


@pytest.mark.long
def test_the_first_question_begins_a_resident_service(demo_store, environment, tmp_path):
    (tmp_path / "config.toml").write_text("resident = true\n")
    here = ["--store", str(demo_store), "--config", str(tmp_path / "config.toml")]
    _said(["ask", RUNS, *NOW, *here], environment)
    end = monotonic() + 60
    while not (demo_store / "service.sock").exists() and monotonic() < end:
        sleep(0.1)
    try:
        assert (demo_store / "service.sock").exists()
        assert "57 runs" in _said(["ask", RUNS, *NOW, *here], environment)
    finally:
        _said(["serve", "--stop", "--store", str(demo_store)], environment)


@pytest.mark.parametrize(
    "wrong",
    [("--host", "0.0.0.0"), ("--token", "short"), ("--port", "65536"), ("--status", "--stop"), ("--store", "nowhere")],
)
def test_what_is_not_meant_is_refused(demo_store, wrong, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    store = () if wrong[0] == "--store" else ("--store", str(demo_store))
    assert run(["serve", *wrong, *store]) in (1, 2)
    assert capfd.readouterr().err.startswith("reqap-kg: ")


@pytest.mark.long
def test_a_port_that_is_taken_is_told(served, demo_store, environment, tmp_path):
    port = served["address"].rsplit(":", 1)[1].strip("/")
    other = tmp_path / "other"
    subprocess.run(["cp", "-r", str(demo_store), str(other)], check=True)
    for name in ("service.sock", "service.json"):
        (other / name).unlink()
    for how, code in ((), 2), (("--background",), 1):
        done = subprocess.run(
            [PROGRAM, "serve", *how, "--port", port, "--store", str(other)],
            env=environment, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == code
        assert "--port" in done.stderr
