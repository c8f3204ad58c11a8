"""What a command line and the resident service say to each other, over a socket in the store's folder.

Every message is a JSON object after its length in bytes (four bytes, the highest first). The first one carries the
standard streams as open files. Only the standard library is imported here: this is part of every start.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

SOCKET: Final = "service.sock"
STREAMS: Final = 3
_LENGTH_BYTES: Final = 4
_MOST_BYTES: Final = 16 * 2**20
_LONGEST_PATH: Final = 100
"""Bytes of a socket's path that all systems take."""


class Closed(Exception):
    """The other side is gone, or says what is no message."""


def send(connection: socket.socket, message: dict[str, Any], streams: Sequence[int] = ()) -> None:
    """Sends a message, with open files if any. Raises OSError where the other side is gone."""
    data = json.dumps(message).encode()
    held = len(data).to_bytes(_LENGTH_BYTES, "big") + data
    sent = socket.send_fds(connection, [held], list(streams)) if streams else 0
    if sent < len(held):  # to send nothing is an error, too, once the other side has heard all and gone
        connection.sendall(held[sent:])


def receive(connection: socket.socket) -> dict[str, Any]:
    """The next message. Raises Closed where there is none."""
    return _read(connection, _exactly(connection, _LENGTH_BYTES))


def receive_with_streams(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The first message, with the files that came with it; whoever asks closes them. Raises Closed."""
    start, streams, _, _ = socket.recv_fds(connection, _LENGTH_BYTES, STREAMS)
    try:
        if not start or len(streams) != STREAMS:
            raise Closed("no streams")
        message = _read(connection, start + _exactly(connection, _LENGTH_BYTES - len(start)))
    except BaseException:
        for stream in streams:
            os.close(stream)
        raise
    return message, streams


def _read(connection: socket.socket, length: bytes) -> dict[str, Any]:
    size = int.from_bytes(length, "big")
    if size > _MOST_BYTES:
        raise Closed("too long")
    try:
        message = json.loads(_exactly(connection, size))
    except ValueError as bad:
        raise Closed("no message") from bad
    if not isinstance(message, dict):
        raise Closed("no message")
    return message


def _exactly(connection: socket.socket, size: int) -> bytes:
    held = b""
    while len(held) < size:
        try:
            part = connection.recv(size - len(held))
        except ConnectionError as bad:
            raise Closed("gone") from bad
        if not part:
            raise Closed("gone")
        held += part
    return held


@contextmanager
def address_of(directory: str) -> Iterator[str]:
    """The path of a store's socket as systems take it: one that is too long is said by way of the open folder, where
    that can be said. Raises OSError where it cannot."""
    path = os.path.join(directory, SOCKET)
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield path
        return
    folder = os.open(directory, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{folder}/{SOCKET}"
    finally:
        os.close(folder)
