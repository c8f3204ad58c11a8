"""`reqap-kg demo`: a life to try things on."""

from __future__ import annotations

import hashlib
import json
import sys
from datetime import datetime
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import typer

from ..config import Settings
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph
from ..errors import UsageError
from ..store.generations import exists
from .asking import ask_command
from .common import time_of
from .options import chosen_domain
from .printing.console import err_is_terminal, say
from .printing.progress import progress_bar, steps_bar

_MARK = "demo.sha256"


def demo_command(question: str | None, store: Path | None, as_json: bool, explain: bool) -> None:
    """Imports the demo life once, then answers; without a question it shows some to ask. Where somebody sits at a
    terminal, texts are read ahead after the answer."""
    store = _store(store)
    with as_file(files("reqap_kg.examples").joinpath("demo")) as folder:
        now = _now_of(folder)
        is_new = _import_once(folder / "exports", store, now)
        if question is None:
            _suggest(folder, store)
    leave = typer.Exit(0)
    if question is not None:
        try:
            ask_command(question, store, now, as_json, explain, 1000, None, None, None, None)
        except typer.Exit as unanswered:
            leave = unanswered
    if is_new and err_is_terminal():  # a script need not wait for what only later questions want
        _read_ahead(store, time_of(now))
    raise leave


def open_command(program: Any, question: str | None, store: Path | None) -> None:
    """Imports the demo life once, then serves it at its own time and opens its page; texts are read between questions.
    `program` is what `serve` has."""
    from .serve import serve_command

    if question is not None:
        raise UsageError("a question is asked on the page: --open goes without one")
    store = _store(store)
    with as_file(files("reqap_kg.examples").joinpath("demo")) as folder:
        now = _now_of(folder)
        _import_once(folder / "exports", store, now)
    serve_command(program, store, None, 0, "127.0.0.1", None, None, False, opens=True, now=now, reads=True)


def _store(given: Path | None) -> Path:
    """The store as given, else one of the demo life's own. Raises UsageError where a domain is chosen."""
    if chosen_domain() is not None:
        raise UsageError("the demo life is of personal events: it goes without --domain and REQAP_KG_DOMAIN")
    return given or _own_store()


def _own_store() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("reqap-kg") / "demo"


def _now_of(folder: Path) -> str:
    """The time at which the demo life ends."""
    return str(json.loads((folder / "exports" / "profile.json").read_text(encoding="utf-8"))["now"])


def _import_once(folder: Path, store: Path, now: str) -> bool:
    """Whether it was imported now: not where the store holds it already."""
    digest = _digest(folder)
    mark = store / _MARK
    if exists(store) and mark.is_file() and mark.read_bytes() == digest.encode():
        return False
    say("importing the demo life (once; some ten seconds) ...", err=True)
    with progress_bar(visible=True) as progress:
        options = IngestOptions(Settings(), time_of(now), replace=True, debug=True)
        ingest([folder], store, options, progress)
    mark.write_text(digest, encoding="ascii")
    return True


def _read_ahead(store: Path, now: datetime) -> None:
    """Reads the texts; whoever stops it loses nothing but time, later."""
    sys.stdout.flush()
    say(
        "reading its texts ahead (once, half a minute to a minute; Ctrl-C leaves that to the first question) ...",
        err=True,
    )
    with (
        steps_bar(visible=True, text="reading its texts") as progress,
        KnowledgeGraph.open(store, progress=progress) as known,
    ):
        known.read_ahead(now=now)


def _digest(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        found.update(path.relative_to(folder).as_posix().encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def _suggest(folder: Path, store: Path) -> None:
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    say(f"The demo life is in {store}. Some questions to ask it:")
    say()
    for line in lines[:12]:
        say(f"  reqap-kg demo {json.dumps(json.loads(line)['question'], ensure_ascii=False)}")
