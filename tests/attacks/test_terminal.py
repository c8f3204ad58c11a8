"""Whatever exports, questions, files and options hold, nothing that is printed steers a terminal, reorders or hides.

Every command is run over a life with hostile text in every field; a pseudo-terminal shows what is printed there.
"""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hostile_life import FILE_NAME, LINES, PAYLOAD, hostile_life
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reqap_kg.cli.app import app, run

NOW = ["--now", "2024-06-30T12:00:00"]
STYLES = re.compile(r"\x1b\[[0-9;]*m")
"""Colours and bold, of tables."""
BAR = re.compile(r"\x1b\[(?:\?25[lh]|2K|[0-9]*[AK])|\x1b\[[0-9;]*m|\r")
"""How a bar draws itself anew."""
SEEN = {"\n", "\t", *map(chr, (0x0890, 0x0891, 0x08E2, 0x06DD, 0x070F, 0x110BD, 0x110CD, *range(0x0600, 0x0606)))}
"""Ends of lines, tabs, and the signs of category Cf that a reader sees, such as the Arabic sign of a number."""
Print = Callable[..., tuple[int, str, str]]


def dangerous(text: str) -> list[str]:
    """Characters that no output may have: those of the payload among them."""
    wrong = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return sorted({repr(c) for c in text if unicodedata.category(c) in wrong and c not in SEEN})


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_life(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def store(life: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store") / "store"
    assert run(["ingest", str(life), "--store", str(folder), *NOW]) == 0
    return folder


@pytest.fixture(autouse=True, scope="module")
def _without_models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is printed is looked at, not what is understood."""
    config = tmp_path_factory.mktemp("config") / "config.toml"
    config.write_text('proposers = ["rules"]\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REQAP_KG_CONFIG", str(config))
        yield


@pytest.fixture
def printed(capfd: pytest.CaptureFixture[str]) -> Print:
    """What a command line prints, of which nothing is dangerous."""

    def printing(*arguments: str, csv_lines: bool = False) -> tuple[int, str, str]:
        capfd.readouterr()
        code = run(list(arguments))
        out, err = capfd.readouterr()
        checked = out.replace("\r\n", "\n") if csv_lines else out
        assert not dangerous(checked), arguments
        assert not dangerous(err), arguments
        # A cell of CSV may have several lines: they are within quotation marks.
        assert csv_lines or not [line for line in (out + "\n" + err).splitlines() if line.startswith("FORGED")], (
            arguments
        )
        assert "Traceback" not in out + err, arguments
        return code, out, err

    return printing


def test_the_life_is_hostile(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What the tests look for is really in the store, in titles, keys, names of sources and of files."""
    query = "SELECT ?t { ?s ?p ?t FILTER(isLiteral(?t)) }"
    assert run(["sparql", query, "--format", "json", "--store", str(store)]) == 0
    values = [row["t"]["value"] for row in json.loads(capfd.readouterr().out)["results"]["bindings"]]
    assert sum("\x1b]0;owned" in value for value in values) > 20
    assert any("\x9b" in value for value in values)


TREES = (
    'RETRIEVE(query="workouts")',
    'EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["workout_type"], attr_types=[str])',
    'EXTRACT(l=RETRIEVE(query="songs I listened to"), attr_names=["song"], attr_types=[str])',
    'EXTRACT(l=RETRIEVE(query="songs I listened to"), attr_names=["song", "artist", "start_date"], '
    "attr_types=[str, str, date.fromisoformat])",
    f"APPLY({PAYLOAD}",
    f'RETRIEVE(query="{PAYLOAD}',
    f'FILTER(l=RETRIEVE(query="workouts"), filter=lambda attr: attr["{PAYLOAD}"] == 1)',
)
QUESTIONS = (
    "How many workouts did I do in May 2024?",
    "List my workouts in May 2024",
    "Which songs did I listen to in May 2024?",
    "What did I buy in 2024?",
    "Which artist did I listen to most?",
    f"Why {PAYLOAD[:9]}?",
    f"\u202e{PAYLOAD[:9]}\x9b?",
    "\x1b\u202e\x9b",
    "",
)
FORMS = ([], ["--json"], ["--explain"])


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("tree", TREES, ids=range(len(TREES)))
def test_run(tree: str, form: list[str], store: Path, printed: Print) -> None:
    code, out, _ = printed("run", tree, *form, "--store", str(store), *NOW)
    if tree == TREES[1]:
        assert code == 0
        assert ("\x1b]0;owned" in json.loads(out)["answer"][0]) if "--json" in form else "␛]0;owned" in out


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("question", QUESTIONS, ids=range(len(QUESTIONS)))
def test_ask(question: str, form: list[str], store: Path, printed: Print) -> None:
    code, out, _ = printed("ask", question, *form, "--store", str(store), *NOW)
    assert code in (0, 2, 3, 4)
    if "--json" in form:
        assert json.loads(out)["question"] == question


@pytest.mark.parametrize("command", [["plan"], ["plan", "--json"], ["plan", "--parse-graph"], ["plan", "--top", "2"],
                                     ["rules", "explain"], ["rules", "explain", "--json"]], ids=" ".join)  # fmt: skip
@pytest.mark.parametrize("question", QUESTIONS[1:7:2], ids=range(3))
def test_plan(command: list[str], question: str, store: Path, printed: Print) -> None:
    assert printed(*command, question, "--store", str(store), *NOW)[0] in (0, 2, 3, 4)


def test_import(life: Path, tmp_path: Path, printed: Print) -> None:
    for form in ([], ["--dry-run"], ["--json"], ["--dry-run", "--json"]):
        code, out, err = printed("ingest", str(life), "--store", str(tmp_path / "s"), *NOW, *form)
        assert code == 0
        assert "owned" in out + err
    code, _, err = printed("ingest", str(life / f"junk{FILE_NAME}.json"), "--store", str(tmp_path / "s"), *NOW)
    assert (code, "␛]0;owned" in err) == (1, True)
    code, _, err = printed("ingest", str(tmp_path / f"none{FILE_NAME}"), "--store", str(tmp_path / "s"))
    assert (code, "␛]0;owned" in err) == (2, True)


def test_status_and_forget(store: Path, printed: Print) -> None:
    assert printed("retrieve", "workouts", "--store", str(store))[0] == 0
    assert "␛]0;owned" in printed("status", "--skipped", "--store", str(store))[1]
    printed("status", "--validate", "--store", str(store))
    assert printed("doctor", "--store", str(store))[0] == 0
    assert printed("doctor", "--json", "--repair", "--store", str(store))[0] == 0
    json.loads(printed("status", "--skipped", "--json", "--store", str(store))[1])
    for more in ([PAYLOAD], [PAYLOAD, "--json"], ["--derived", PAYLOAD], ["--derived", PAYLOAD, "--json"]):
        printed("forget", *more, "--store", str(store))


def test_operators_alone(store: Path, tmp_path: Path, printed: Print) -> None:
    common = ["--store", str(store)]
    assert "␛]0;owned" in printed("retrieve", "workouts", *common)[1]
    assert json.loads(printed("retrieve", "workouts", "--json", *common)[1])["events"]
    assert "␛]0;owned" in printed("extract", "workout_type", PAYLOAD, "--query", "workouts", *common)[1]
    json.loads(printed("extract", "workout_type", "--query", "workouts", "--json", *common)[1])
    rows = json.loads(printed("sparql", "SELECT ?e { ?e a ev:Workout }", "--format", "json", *common)[1])
    event = rows["results"]["bindings"][0]["e"]["value"]
    assert "␛]0;owned" in printed("related", event, *common)[1]
    assert json.loads(printed("related", PAYLOAD, "--json", *common)[1])["related"]
    assert printed("related", event, "--kind", PAYLOAD, *common)[0] == 2
    batch = tmp_path / f"in{FILE_NAME}.jsonl"
    rows = [{"id": PAYLOAD, "query": "workouts"}, {"id": 2, "query": PAYLOAD}, {"id": 3}]
    batch.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert printed("retrieve", "--batch", str(batch), "--out", "-", *common)[1].count("\n") == 3
    batch.write_text(PAYLOAD)
    for command in ("retrieve", "extract", "ask"):
        _, out, err = printed(command, "--batch", str(batch), "--out", "-", *common)
        assert "owned" in out + err


def test_batches_and_contexts(store: Path, tmp_path: Path, printed: Print) -> None:
    batch, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    batch.write_text("".join(json.dumps({"id": n, "question": q}) + "\n" for n, q in enumerate(QUESTIONS)))
    assert printed("ask", "--batch", str(batch), "--out", str(out), "--store", str(store), *NOW)[0] == 0
    text = out.read_text(encoding="utf-8")
    assert not dangerous(text)
    assert [json.loads(line)["question"] for line in text.splitlines()] == list(QUESTIONS)
    context = tmp_path / "context.json"
    context.write_text(json.dumps([f"How many runs {PAYLOAD}?", {"speaker": PAYLOAD, "text": LINES}]))
    printed("ask", "And in 2023?", "--context", str(context), "--store", str(store), *NOW)
    context.write_text(json.dumps([{PAYLOAD: LINES}]))
    assert printed("ask", "And in 2023?", "--context", str(context), "--store", str(store), *NOW)[0] == 2


def test_chat(store: Path, printed: Print, monkeypatch: pytest.MonkeyPatch) -> None:
    said = [*QUESTIONS[:6], "/why", "/plan", "/sparql", "/events", "/events 2", f"/{PAYLOAD}", "/help", "/new", "/quit"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in said)))
    assert "␛]0;owned" in printed("chat", "--store", str(store), *NOW)[1]


SELECT = "SELECT ?label ?p ?o { ?e rdfs:label ?label ; ?p ?o FILTER(isLiteral(?o)) }"


def test_sparql(store: Path, printed: Print) -> None:
    def asked(query: str, form: str) -> str:
        code, out, _ = printed("sparql", query, "--format", form, "--store", str(store), csv_lines=form == "csv")
        assert code == 0
        return out

    exact = {row["o"]["value"] for row in json.loads(asked(SELECT, "json"))["results"]["bindings"]}
    assert any("\x1b]0;owned" in value and "\u202e" in value for value in exact)
    assert r"\u001B]0;owned" in asked(SELECT, "tsv")
    assert "␛]0;owned" in asked(SELECT, "table")
    cells = [cell for row in csv.reader(io.StringIO(asked(SELECT, "csv"), newline="")) for cell in row]
    assert any("␛]0;owned" in cell for cell in cells)
    assert any(cell.startswith("'=1+1") for cell in cells)
    assert not [cell for cell in cells if cell.startswith(("=", "@", "\t", "\r"))]
    assert r"\u001B]0;owned" in asked("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o FILTER(isLiteral(?o)) }", "turtle")
    asked("DESCRIBE ?s { ?s a ev:Workout }", "table")
    for bad in (
        PAYLOAD,
        f"SELECT ?x {{ ?x <{PAYLOAD}> ?y }}",
        f'SELECT ?x {{ SERVICE <http://x> {{ ?x ?y "{LINES}" }} }}',
    ):
        assert printed("sparql", bad, "--store", str(store))[0] == 2


def test_maps_and_rules(store: Path, tmp_path: Path, printed: Print) -> None:
    rows = [{"id": 1, "title": LINES, "at": "2024-05-01"}, {"id": LINES}]
    (tmp_path / f"rows{FILE_NAME}.json").write_text(json.dumps(rows))
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    good = (
        "@prefix rml: <http://w3id.org/rml/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        '<#M> a rml:TriplesMap ; rml:logicalSource [ rml:source [ a rml:RelativePathSource ; rml:path "rows.json" ;'
        ' rml:root rml:MappingDirectory ] ; rml:iterator "$[*]" ; rml:referenceFormulation rml:JSONPath ] ;'
        ' rml:subjectMap [ rml:template "urn:e:{id}" ] ;'
        ' rml:predicateObjectMap [ rml:predicate rdfs:label ; rml:objectMap [ rml:reference "title" ] ] .\n'
    )
    file = tmp_path / f"map{FILE_NAME}.ttl"
    file.write_text(good)
    assert r"\u001B]0;owned" in printed("map", str(file))[1]
    for bad in (
        good.replace('"title"', json.dumps(PAYLOAD)),
        f"<#M> rml:{PAYLOAD} .",
        good.replace("rml:template", "rml:x"),
    ):
        file.write_text(bad)
        printed("map", str(file))
        printed("ingest", str(tmp_path / "rows.json"), "--mapping", str(file), "--store", str(tmp_path / "s"))
        for command in (["check"], ["check", "--json"], ["test"]):
            printed("rules", *command, str(file))
    printed("rules", "explain", QUESTIONS[0], "--rule", PAYLOAD, "--store", str(store))
    printed("rules", "new", "--from", f"How many {PAYLOAD}?", "--tree", TREES[0])
    printed("rules", "new", "--from", f"How many {PAYLOAD}?", "--tree", TREES[4])
    for command in (["list"], ["list", "--patterns"], ["list", "--json"]):
        assert printed("rules", *command)[0] == 0


@pytest.mark.smoke
def test_usage(store: Path, life: Path, tmp_path: Path, printed: Print) -> None:
    config = tmp_path / f"config{FILE_NAME}.toml"
    for text in (f"home_zon = 1 # {FILE_NAME}", f'"{PAYLOAD}" = 1', 'home_zone = "\\u001b]0;owned\\u202e"',
                 '"\\u001b]0;owned\\u202e" = 1', "[limits]\n\"\\u009b\" = 2", 'proposers = ["\\u001b"]'):  # fmt: skip
        config.write_text(text)
        assert printed("status", "--config", str(config), "--store", str(store))[0] == 2
        assert printed("status", "--json", "--config", str(config), "--store", str(store))[0] == 2
    here = ["--store", str(store)]
    for wrong in ([PAYLOAD], ["ask", f"--{PAYLOAD}"], ["plan", "x", "--now", PAYLOAD, *here],
                  ["ask", "x", "--events", PAYLOAD],
                  ["rules", PAYLOAD], ["sparql", "-f", FILE_NAME], ["sparql", "x", "--format", PAYLOAD],
                  ["status", "--domain", FILE_NAME], ["bench", "run", PAYLOAD, str(life), "--out", FILE_NAME],
                  ["bench", "score", PAYLOAD, str(life), FILE_NAME], ["run", "-f", str(life)]):  # fmt: skip
        code, _, err = printed(*wrong)
        assert code == 2, wrong
        assert err
    assert printed("status", "--store", str(tmp_path / FILE_NAME))[0] in (1, 2)


@pytest.mark.smoke
def test_help_of_every_command(printed: Print) -> None:
    for command in commands():
        code, out, _ = printed(*command, "--help")
        assert code == 0
        assert out.startswith("Usage: reqap-kg")


def commands() -> Iterator[tuple[str, ...]]:
    """All commands, by name."""
    for command in app.registered_commands:
        yield (str(command.name or getattr(command.callback, "__name__", "")),)
    for group in app.registered_groups:
        assert group.typer_instance is not None
        for command in group.typer_instance.registered_commands:
            name = str(command.name or getattr(command.callback, "__name__", ""))
            yield (str(group.name), name) if group.name else (name,)


def test_every_command_is_attacked() -> None:
    """A new command must be added to these tests."""
    told = Path(__file__).read_text(encoding="utf-8")
    peaceful = {"index", "demo", "generate", "install"}
    """They print counts, and what ships with the project."""
    missing = [command for command in commands() if command[-1] not in peaceful and f'"{command[-1]}"' not in told]
    assert not missing


def test_on_a_terminal(store: Path, life: Path) -> None:
    for arguments in (["run", TREES[0], "--explain"], ["run", TREES[3]], ["ask", QUESTIONS[5]],
                      ["ingest", str(life), "--no-index"], ["chat"], ["plan", PAYLOAD.replace("\0", "")]):  # fmt: skip
        out = at_terminal([*arguments, "--store", str(store), *NOW], typed=f"{QUESTIONS[1]}\n/quit\n")
        assert "\x1b]" not in out.replace("\x1b]11;?", ""), arguments
        assert "\x9b" not in out
        assert "\x1b[2J" not in out
        if arguments[0] != "chat":
            assert not dangerous(BAR.sub("", out).replace("\r\n", "\n")), arguments


def at_terminal(arguments: list[str], *, typed: str = "", columns: int = 80) -> str:
    """What a command shows at a terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "LINES": "24", "PAGER": "cat", "TERM": "xterm"}
    code = "import sys; from reqap_kg.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as child:
        os.close(theirs)
        os.write(ours, typed.encode())
        found = b"".join(iter(lambda: _read(ours), b""))
        os.close(ours)
        child.wait(timeout=60)
    return found.decode(errors="surrogateescape")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says so when the last program left the terminal
        return b""


HOSTILE = st.text(st.one_of(st.characters(categories=["Cc", "Cf", "Zl", "Zp"]), st.sampled_from("[]a/\\b ;0;m")))


def test_any_text(full_attack: bool, store: Path, tmp_path: Path) -> None:
    """Random controls through words of the command line: queries that give them back, names, questions."""

    @settings(max_examples=600 if full_attack else 15, suppress_health_check=[HealthCheck.too_slow])
    @given(HOSTILE)
    def attacked(text: str) -> None:
        literal = json.dumps(text)
        for arguments in (
            ["sparql", f"SELECT ?x {{ BIND({literal} AS ?x) }}"],
            ["sparql", f"SELECT ?x {{ BIND({literal} AS ?x) }}", "--format", "csv"],
            ["sparql", f"SELECT ?x {{ BIND({literal} AS ?x) }}", "--format", "tsv"],
            ["sparql", f"SELECT ?x {{ BIND({literal} AS ?x) }}", "--format", "json"],
            ["sparql", text],
            ["run", f"APPLY({text}"],
            ["forget", text],
        ):
            out, err = io.StringIO(), io.StringIO()
            before = sys.stdout, sys.stderr
            sys.stdout, sys.stderr = out, err
            try:
                run([*arguments[:1], "--store", str(store), *arguments[2:], "--", arguments[1]])
            finally:
                sys.stdout, sys.stderr = before
            assert not dangerous(out.getvalue().replace("\r\n", "\n") + err.getvalue()), arguments

    attacked()
