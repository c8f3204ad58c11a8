"""A proxy on the loopback between a client and a server, that does to requests what a fault says."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import httpx

_PASSED = ("Content-Type", "Accept", "Authorization")
Fault = str | int | float | None
"""None: nothing; `before`, `after`, `amid`: the connection is cut then; `half`: half of an answer that does not say how
long it is; `garbage`, `nonsense`: no HTTP, no results; `lost`: it is done, and 502 answered; `redirect`; a status; a
float: so many seconds later."""


@dataclass
class Proxy:
    """`fault` says what happens to a request, by its number and its method and path."""

    target: str
    fault: Callable[[int, str], Fault] = lambda _number, _what: None
    seen: list[str] = field(default_factory=list)
    port: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def through(self, address: str) -> str:
        """An address of a store on the server, by way of the proxy."""
        return address.replace(urlsplit(self.target).netloc, f"127.0.0.1:{self.port}")

    def chosen(self, what: str) -> Fault:
        with self._lock:
            self.seen.append(what)
            return self.fault(len(self.seen) - 1, what)


class _Handler(BaseHTTPRequestHandler):
    """Answers one request; its server has the proxy and the client to pass it on with."""

    protocol_version = "HTTP/1.1"
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_POST(self) -> None:
        proxy = self.server.proxy
        fault = proxy.chosen(f"{self.command} {urlsplit(self.path).path}")
        if fault == "before":
            self._cut()
            return
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if isinstance(fault, float):
            time.sleep(fault)
        early = _EARLY.get(str(fault))
        if isinstance(fault, int):
            early = b"HTTP/1.1 %d Fault\r\nContent-Length: 9\r\n\r\nnot\ntoday" % fault
        if early is not None:
            self.wfile.write(early)
            self._cut()
            return
        headers = {name: self.headers[name] for name in _PASSED if name in self.headers}
        try:
            url = proxy.target + self.path
            self._answer(self.server.client.request(self.command, url, content=body, headers=headers), fault)
        except httpx.TransportError:
            self._cut()

    do_GET = do_PUT = do_POST

    def _answer(self, reply: httpx.Response, fault: Fault) -> None:
        """What the server said, or what the fault leaves of it."""
        if fault == "after":
            self._cut()
            return
        if fault == "lost":
            self.wfile.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            return
        body = reply.content
        kind = reply.headers.get("Content-Type", "text/plain")
        length = "" if fault == "half" else f"Content-Length: {len(body)}\r\n"
        head = f"HTTP/1.1 {reply.status_code} Said\r\nContent-Type: {kind}\r\nServer: proxy\r\n{length}\r\n"
        self.wfile.write(head.encode() + (body[: len(body) // 2] if fault in ("half", "amid") else body))
        if fault in ("half", "amid"):
            self._cut()

    def _cut(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, proxy: Proxy, client: httpx.Client) -> None:
        self.proxy, self.client = proxy, client
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Nothing: clients go away in these tests."""


@contextmanager
def proxied(address: str) -> Iterator[Proxy]:
    """A proxy before the server of a store's address."""
    parts = urlsplit(address.removeprefix("sparql+"))
    proxy = Proxy(f"{parts.scheme}://{parts.netloc}")
    with httpx.Client(timeout=60, limits=httpx.Limits(max_keepalive_connections=0)) as client:
        server = _Server(proxy, client)
        proxy.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield proxy
        finally:
            server.shutdown()
            server.server_close()


_EARLY = {
    "garbage": b"\x00\xfe\xff no HTTP at all\r\n\r\n",
    "nonsense": b"HTTP/1.1 200 OK\r\nContent-Length: 26\r\nContent-Type: text/html\r\n\r\n<html>come in, come in<br>",
    "redirect": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/elsewhere\r\nContent-Length: 0\r\n\r\n",
}
"""What is answered without asking the server."""
