"""The service as a whole: a store kept open, HTTP around it, and an end when it is told to, or is idle."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from json import dumps
from pathlib import Path
from time import monotonic
from typing import Any, Final
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette

from ..errors import StoreError, UsageError
from ..store.folder import ADDRESS, MARKER, write_whole
from ..store.queries.deadline import MOST_BYTES, still_running
from .api.routes import routes as api_routes
from .holding import Held
from .http.access import Access, in_address
from .http.guarding import application
from .http.serving import server_settings
from .http.tokens import PARAMETER
from .mcp.server import lifespan
from .mcp.server import routes as mcp_routes
from .page.routes import pages_of, told_by
from .page.routes import routes as page_routes
from .sparql.endpoint import routes as sparql_routes

_LOG: Final = logging.getLogger("reqap_kg.service")
_LOOK_SECONDS: Final = 0.5
_STUCK_SECONDS: Final = 5.0
"""How long a query that was given up may go on before the service begins anew, which ends it, once no other runs."""
_MOST_STUCK_SECONDS: Final = 120.0
"""How long others are waited for."""


@dataclass
class Service:
    """A store served until it is told to end; `idle_seconds` without a request end it, too (None: never).

    `begun` is when it began, `version` that of the package.
    """

    held: Held
    host: str
    port: int
    token: str
    begun: datetime
    version: str
    idle_seconds: float | None = None
    is_stuck: bool = field(default=False, init=False)
    """Whether it ended as a query that was given up ran on: it is to begin anew."""
    _last: float = field(default_factory=monotonic, init=False)
    _server: uvicorn.Server | None = field(default=None, init=False)

    @property
    def address(self) -> str:
        """Where it answers, without what lets one in."""
        return f"http://{in_address(self.host)}:{self.port}/"

    @property
    def _marker(self) -> Path:
        return self.held.directory / MARKER

    @property
    def url(self) -> str:
        """Where a browser opens it."""
        return f"{self.address}?{PARAMETER}={quote(self.token, safe='')}"

    def notice(self) -> None:
        """Says that somebody asks: the service is not idle."""
        self._last = monotonic()

    def quit(self) -> None:
        """Ends the service, once what runs is done."""
        if self._server is not None:
            self._server.should_exit = True

    def status(self) -> dict[str, Any]:
        """How it is."""
        return {
            "pid": os.getpid(),
            "address": self.address,
            "url": self.url,
            "since": self.begun.isoformat(timespec="seconds"),
            "version": self.version,
            "state": self.held.state,
            "memory_mb": round(_memory() / 2**20),
        }

    def run(self, listening: socket.socket, made: Starlette) -> None:
        """Answers requests that come there until the end. The socket goes on to listen: who comes later waits for the
        service that may take its place."""
        self._server = uvicorn.Server(server_settings(made))
        threading.Thread(target=self._watch, name="watch", daemon=True).start()
        self._server.run(sockets=[listening.dup()])

    @contextmanager
    def announced(self) -> Iterator[None]:
        """Keeps the file that says where the service is. Raises StoreError where it cannot be written."""
        file = self.held.directory / ADDRESS
        try:
            write_whole(file, dumps(self.status(), indent=2) + "\n")
        except OSError as bad:
            raise StoreError(f"{self.held.directory} cannot be written to; its address is kept there") from bad
        try:
            yield
        finally:
            file.unlink(missing_ok=True)

    def _watch(self) -> None:
        """Ends the service where it is idle, its store is gone, or a query that was given up runs on."""
        stuck_since, before, was_there = monotonic(), _memory(), self._marker.exists()
        while self._server is not None and not self._server.should_exit:
            threading.Event().wait(_LOOK_SECONDS)
            if not still_running():
                stuck_since, before = monotonic(), _memory()
            stuck = monotonic() - stuck_since
            waits = self.held.is_busy and stuck < _MOST_STUCK_SECONDS and _memory() - before < MOST_BYTES
            self.is_stuck = stuck > _STUCK_SECONDS and not waits
            is_idle = self.idle_seconds is not None and monotonic() - self._last > self.idle_seconds
            is_there = self._marker.exists()  # a store that has not begun yet is not gone
            if self.is_stuck or is_idle or (was_there and not is_there):  # nobody finds it without its store
                self.quit()
            was_there = is_there


def application_of(service: Service, now: Callable[[], datetime], zone: str = "UTC") -> Starlette:
    """All that the service answers by HTTP; `now` is the time of asking, `zone` that of this machine."""
    held = service.held
    access = Access.of(service.token, service.host, service.port, held.settings.service)
    pages = pages_of(held, now, _LOG, zone, service.notice)
    routes = [*api_routes(held, now, _LOG), *sparql_routes(held, now), *mcp_routes(held, now), *page_routes(pages)]
    return application(
        held, access, routes, logger=_LOG, noticed=service.notice, told=told_by(pages), lifespan=lifespan
    )


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises UsageError where nobody may."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen()  # who comes before the service is there waits for it
    except OSError as bad:
        made.close()
        raise UsageError(
            f"nothing can listen at {host}, port {port}: {bad.strerror}; name another with --port"
        ) from bad
    return made


def _memory() -> int:
    """Bytes of memory that this process holds now; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as told:
            return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
