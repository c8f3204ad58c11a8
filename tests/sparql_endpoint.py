"""The SPARQL endpoint over a small store of its own, for tests: asked in this process, or by a socket."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from time import sleep

import uvicorn
from starlette.applications import Starlette
from starlette.testclient import TestClient

from reqap_kg.config import Settings
from reqap_kg.store.generations import begin_import
from reqap_kg.web.holding import Held
from reqap_kg.web.sparql.endpoint import routes

NOW = datetime(2025, 3, 1, 12)
EX = "http://example.org/"
GRAPHS = tuple(f"{EX}data{number}" for number in (1, 2, 3))
"""Each says of itself that it is a document, and of `EX + "name"` what its number is."""
SLOW = (
    "SELECT (COUNT(*) AS ?n) { { SELECT ?a { ?a ?p ?o } LIMIT 140 } { SELECT ?b { ?b ?p ?o } LIMIT 140 }"
    " { SELECT ?c { ?c ?p ?o } LIMIT 140 } FILTER(STR(?a) != STR(?b)) }"
)
"""Takes a second or more, and ends."""


def small_store(folder: Path) -> Path:
    """A store of three small graphs; the project's own vocabulary stands in graphs beside them."""
    lines = []
    for number, graph in enumerate(GRAPHS, 1):
        kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://xmlns.com/foaf/0.1/Document>"
        lines.append(f"<{graph}> {kind} <{graph}> .\n")
        lines.append(f'<{EX}name> <{EX}is> "no. {number}"@en <{graph}> .\n')
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "graphs.nq").write_text("".join(lines), encoding="utf-8")
    with begin_import(folder / "store") as new:
        new.build(frozenset(), [folder / "graphs.nq"])
        new.commit()
    return folder / "store"


@contextmanager
def served(store: Path, settings: Settings | None = None) -> Iterator[TestClient]:
    """A client of the endpoint in this process."""
    with Held(store, settings or Settings()) as held, TestClient(_application(held)) as client:
        yield client


@contextmanager
def listening(store: Path) -> Iterator[str]:
    """The address of the endpoint on a port of this machine."""
    with Held(store, Settings()) as held:
        server = uvicorn.Server(uvicorn.Config(_application(held), port=0, log_level="warning"))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive()
            sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/sparql"
        server.should_exit = True
        thread.join(10)


def _application(held: Held) -> Starlette:
    return Starlette(routes=list(routes(held, lambda: NOW)))
