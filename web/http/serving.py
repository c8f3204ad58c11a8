"""What the server bounds before a request reaches the application: connections, headers, patience."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

_CONNECTIONS: Final = 200
_HEAD_BYTES: Final = 65_536
"""The longest head of a request."""
_HEAD_SECONDS: Final = 10.0
"""Time in which the head of a request comes whole."""
_KEEP_ALIVE_SECONDS: Final = 5
_END_SECONDS: Final = 10
"""How long requests may go on once the service is to end."""


class _Impatient(H11Protocol):
    """HTTP/1.1 with clients that say in time what they want; a connection that does not is closed."""

    head_seconds = _HEAD_SECONDS
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins to wait for the head of a request."""
        super().connection_made(transport)
        self.access_log = False  # however loggers are configured: addresses may say the token
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Reads on; waits no longer where a request has begun."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no longer."""
        self._forget()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if not self._is_between_requests():
            self._forget()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.head_seconds, self._give_up)

    def _is_between_requests(self) -> bool:
        cycle: Any = self.cycle
        return cycle is None or cycle.response_complete

    def _give_up(self) -> None:
        self._waiting = None
        if self._is_between_requests() and not self.transport.is_closing():
            self.transport.close()

    def _forget(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def server_settings(made: ASGIApp) -> uvicorn.Config:
    """How the application is served. No line of a log says what was asked for; what a client claims about proxies and
    its own address is not believed."""
    return uvicorn.Config(
        made,
        http=_Impatient,
        ws="none",
        loop="asyncio",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_END_SECONDS,
        h11_max_incomplete_event_size=_HEAD_BYTES,
    )
