"""A server on this machine that speaks as a language model does: what tests put behind an address."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answering = Callable[[dict[str, object]], list[str]]
"""From the request's body to the answers."""


@dataclass
class Chat:
    """The server's address, and all that came over the wire: (path, headers, body)."""

    address: str
    requests: list[tuple[str, dict[str, str], str]] = field(default_factory=list)

    @property
    def wire(self) -> str:
        """Everything that was sent."""
        return "\n".join(f"{path}\n{headers}\n{body}" for path, headers, body in self.requests)

    def messages(self, at: int) -> list[dict[str, str]]:
        """The messages of a request."""
        return json.loads(self.requests[at][2])["messages"]


@contextmanager
def chat(answer: Answering, raw: bytes | None = None, status: int = 200) -> Iterator[Chat]:
    """A server that answers by `answer`; `raw` replaces its body."""
    told: list[Chat] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            told[0].requests.append((self.path, dict(self.headers), body))
            found = raw if raw is not None else completion(answer(json.loads(body)))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(found)))
            self.end_headers()
            self.wfile.write(found)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.append(Chat(f"http://127.0.0.1:{server.server_port}/v1"))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield told[0]
    finally:
        server.shutdown()
        server.server_close()


def completion(texts: list[str]) -> bytes:
    """The body of a chat completion."""
    choices = [{"index": n, "message": {"role": "assistant", "content": text}} for n, text in enumerate(texts)]
    return json.dumps({"id": "x", "object": "chat.completion", "choices": choices}).encode()


def asked(body: dict[str, object]) -> str:
    """The open question of a request: what stands in the last QUD("…")."""
    messages = body["messages"]
    assert isinstance(messages, list)
    return messages[-1]["content"].rpartition('QUD("')[2].removesuffix('")')
