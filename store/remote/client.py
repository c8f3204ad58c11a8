"""Requests to a SPARQL server, from any thread, with a time limit, and again where an answer was cut off.

Queries of this package are evaluated on threads to which the network is closed (store/queries). So one thread of the
connection's own, on which an event loop runs, sends all requests. A loop is woken through a socket, which is closed to
these threads, too: so another thread, which waits at a queue, hands over. Whoever waits for a request and gives up
cancels it, which closes the connection to the server.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, ThreadPoolExecutor
from concurrent.futures import TimeoutError as WaitedTooLong
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx

from ...config.parts import Access
from ...errors import QueryRefused, QueryTimeout, StoreError
from ..queries.deadline import seconds_left
from .address import Address

T = TypeVar("T")
_TRIES: Final = 4
_PAUSE: Final = 0.25
"""Seconds before the second try; twice as long before each further one."""
_AGAIN: Final = frozenset({429, 502, 503, 504})
_QUERY: Final = "the query"
_CUT: Final = ("X-SPARQL-MaxRows", "X-SQL-State", "X-SPARQL-Anytime")
"""Headers by which Virtuoso says that it gave a part of the answer."""
_SHOWN: Final = 300
_TRIPLES: Final = "application/n-triples"


class Connection:
    """Requests to one server. `requests` counts them."""

    def __init__(self, address: Address, access: Access) -> None:
        self.address = address
        self.requests = 0
        self._access = access
        self._auth = _auth_of(address, access)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="sparql")
        self._thread.start()
        self._hands = ThreadPoolExecutor(1, "sparql-hand")
        self._hands.submit(int).result()  # now: a thread that one of those starts is closed off like it
        self._client = self._run(self._opened(), access.seconds)

    async def _opened(self) -> httpx.AsyncClient:
        access, headers = self._access, {}
        if access.token is not None:
            headers["Authorization"] = f"Bearer {access.token.get_secret_value()}"
        return httpx.AsyncClient(headers=headers, timeout=httpx.Timeout(None, connect=10.0), follow_redirects=False)

    def close(self) -> None:
        """Ends all that is under way."""
        if self._loop.is_running():
            self._run(self._client.aclose(), 5.0)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(5.0)
        self._hands.shutdown(wait=False)
        if not self._loop.is_running():
            self._loop.close()

    # ------------------------------------------------------------ what is asked for
    def server(self) -> str:
        """What the server calls itself."""
        url, headers = self.address.query, {"Accept": "application/sparql-results+json, application/sparql-results+xml"}
        return self._tried(
            lambda: self._client.get(url, params={"query": "ASK {}"}, headers=headers, auth=self._auth),
            lambda reply: str(reply.headers.get("Server", "")),
            "a first question",
        )

    def query(self, text: str, accept: str, read: Callable[[bytes], T]) -> T:
        """What `read` makes of the answer; again where it was cut off, which `read` tells by a SyntaxError. Raises
        QueryRefused where the server does not take the query, QueryTimeout, StoreError."""
        return self._tried(
            lambda: self._client.post(
                self.address.query, data={"query": text}, headers={"Accept": accept}, auth=self._auth
            ),
            lambda reply: read(_whole(reply)),
            _QUERY,
        )

    def update(self, text: str) -> None:
        """Runs an update; it may run twice where the answer to the first got lost."""
        self._tried(
            lambda: self._client.post(self.address.update, data={"update": text}, auth=self._auth),
            _nothing,
            "an update",
        )

    def put(self, graph: str, triples: bytes, *, add: bool = False) -> None:
        """Puts N-Triples in place of a graph, or adds them."""
        send = self._client.post if add else self._client.put
        kind = {"Content-Type": _TRIPLES}

        async def loaded() -> httpx.Response:
            if isinstance(self._auth, httpx.DigestAuth):  # whoever sends megabytes before the challenge is cut off
                await self._client.get(self.address.update, params={"query": "ASK {}"}, auth=self._auth)
            return await send(
                self.address.data, params={"graph": graph}, content=triples, headers=kind, auth=self._auth
            )

        self._tried(loaded, _nothing, "loading")

    def fetch(self, graph: str, path: Path) -> None:
        """Writes a graph as N-Triples to a file."""

        async def download() -> httpx.Response:
            headers = {"Accept": _TRIPLES}
            where = {"graph": graph}
            async with self._client.stream(
                "GET", self.address.data, params=where, headers=headers, auth=self._auth
            ) as reply:
                if reply.is_error:
                    await reply.aread()
                    return reply
                if not _ends(reply):
                    raise httpx.ReadError("its answer does not say where it ends")
                with path.open("wb") as out:
                    async for chunk in reply.aiter_bytes():
                        out.write(chunk)
                return reply

        self._tried(download, _nothing, "reading a graph", whole=True)

    # ------------------------------------------------------------ how it is asked for
    def _tried(
        self,
        ask: Callable[[], Coroutine[Any, Any, httpx.Response]],
        read: Callable[[httpx.Response], T],
        what: str,
        *,
        whole: bool = False,
    ) -> T:
        """What `read` makes of the reply, asked for up to _TRIES times. A `whole` graph may take any time."""
        wrong = ""
        for number in range(_TRIES):
            self.requests += 1
            try:
                reply = self._run(self._asked(ask, number), None if whole else seconds_left(self._access.seconds))
                if reply.status_code not in _AGAIN:
                    self._refuse(reply, what)
                    return read(reply)
                wrong = f"it answered {reply.status_code}"
            except httpx.TransportError as bad:
                wrong = _said(bad)
            except SyntaxError:
                wrong = "its answer was cut off or is none"
        raise StoreError(
            f"the store at {self.shown} did not do {what}, tried {_TRIES} times: {wrong}; begin again when it answers"
        )

    @staticmethod
    async def _asked(ask: Callable[[], Coroutine[Any, Any, httpx.Response]], number: int) -> httpx.Response:
        if number:
            await asyncio.sleep(_PAUSE * 2 ** (number - 1))
        return await ask()

    def _refuse(self, reply: httpx.Response, what: str) -> None:
        if reply.is_success:
            if any(name in reply.headers for name in _CUT):
                raise StoreError(
                    f"the store at {self.shown} gives no whole answers: raise its limits (ResultSetMaxRows,"
                    " MaxQueryExecutionTime)"
                )
            return
        if reply.is_redirect:
            where = reply.headers.get("Location", "elsewhere")
            raise StoreError(f"the store at {self.shown} is not there: it sends on to {where}; give that address")
        said = " ".join(reply.text.split())[:_SHOWN]
        if reply.status_code in (401, 403):
            raise StoreError(
                f"the store at {self.shown} lets nobody in for {what} ({reply.status_code}):"
                " set REQAP_KG_SPARQL_USER and REQAP_KG_SPARQL_PASSWORD, or REQAP_KG_SPARQL_TOKEN"
            )
        if reply.status_code in (400, 500) and what == _QUERY:
            raise QueryRefused(f"the store at {self.shown} does not evaluate the query: {said}")
        raise StoreError(
            f"the store at {self.shown} failed at {what} ({reply.status_code}): {said or 'no reason said'}"
        )

    def _run(self, work: Coroutine[Any, Any, T], seconds: float | None) -> T:
        future = self._hands.submit(asyncio.run_coroutine_threadsafe, work, self._loop).result()
        try:
            return future.result(seconds)
        except (WaitedTooLong, CancelledError) as late:
            if not future.done():
                self._hands.submit(future.cancel)
                raise QueryTimeout(f"the store at {self.shown} did not answer within {seconds or 0:g} s") from late
            raise
        except BaseException:
            self._hands.submit(future.cancel)
            raise

    @property
    def shown(self) -> str:
        """The address, as errors say it."""
        return self.address.text.partition("?")[0]


def _auth_of(address: Address, access: Access) -> httpx.Auth:
    """What lets one in; one that is kept need not be challenged for every request."""
    if access.user is None:
        return httpx.Auth()
    password = access.password.get_secret_value() if access.password else ""
    is_virtuoso = address.update.endswith("-auth")
    return httpx.DigestAuth(access.user, password) if is_virtuoso else httpx.BasicAuth(access.user, password)


def _ends(reply: httpx.Response) -> bool:
    """Whether an answer says where it ends: of one that does not, nobody sees that it was cut off."""
    return reply.http_version == "HTTP/2" or any(
        name in reply.headers for name in ("Content-Length", "Transfer-Encoding")
    )


def _whole(reply: httpx.Response) -> bytes:
    """What was answered. Raises SyntaxError for triples of which nobody can tell whether they are all."""
    if not _ends(reply) and reply.headers.get("Content-Type", "").startswith(_TRIPLES):
        raise SyntaxError("triples without an end")
    return reply.content


def _nothing(_reply: httpx.Response) -> None:
    return None


def _said(bad: httpx.TransportError) -> str:
    if isinstance(bad, httpx.ConnectError | httpx.ConnectTimeout):
        return "nobody answers there"
    if isinstance(bad, httpx.RemoteProtocolError | httpx.ReadError | httpx.WriteError):
        return "the connection was cut"
    return str(bad) or type(bad).__name__
