"""Servers that run once for all tests, and stores of their own on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count

import pytest
from remote.places import Place
from remote.servers import Server, missing, served

from reqap_kg.store.remote.generations import keep_address

KINDS = ("embedded", "oxigraph", "virtuoso")
_NAMES = count()
Serving = Callable[[str], Server]
Placing = Callable[[str], Place]


@pytest.fixture(scope="session")
def serving() -> Iterator[Serving]:
    """Starts a server by its name when it is first wanted; skips where it cannot be had."""
    running: dict[str, Server] = {}
    with ExitStack() as stack:

        def found(name: str) -> Server:
            why = missing(name)
            if why is not None:
                pytest.skip(why)
            if name not in running:
                running[name] = stack.enter_context(served(name))
            return running[name]

        yield found


@pytest.fixture(scope="session")
def placing(serving: Serving, tmp_path_factory: pytest.TempPathFactory) -> Placing:
    """Makes an empty store: in a folder, or of a name of its own on a server."""

    def made(kind: str) -> Place:
        folder = tmp_path_factory.mktemp(kind) / "place"
        if kind == "embedded":
            return Place(kind, folder)
        server = serving(kind)
        keep_address(folder, f"{server.address}name=t{next(_NAMES)}")
        return Place(kind, folder, server.access)

    return made


@pytest.fixture(params=KINDS)
def place(placing: Placing, request: pytest.FixtureRequest) -> Place:
    """An empty store, embedded and on each server."""
    return placing(request.param)


@pytest.fixture(params=KINDS[1:])
def remote(placing: Placing, request: pytest.FixtureRequest) -> Place:
    """An empty store on each server."""
    return placing(request.param)
