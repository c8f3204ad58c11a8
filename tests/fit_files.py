"""FIT files out of messages: enough of the protocol for tests (header, definitions, data, checksum)."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from datetime import datetime

EPOCH = datetime.fromisoformat("1989-12-31T00:00:00+00:00")
FILE_ID, SPORT, SESSION, RECORD, ACTIVITY = 0, 12, 18, 20, 34
_KINDS = {"B": 0x02, "H": 0x84, "I": 0x86, "i": 0x85, "b": 0x00}

Field = tuple[int, str, int]
"""The number of a field, its struct character, its value."""
Message = tuple[int, list[Field]]


def moment(text: str) -> int:
    """Seconds since the epoch of FIT, of an ISO text in UTC."""
    return int((datetime.fromisoformat(text + "+00:00") - EPOCH).total_seconds())


def checksum(data: bytes) -> int:
    table = [0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401]
    table += [0xA001, 0x6C00, 0x7800, 0xB401, 0x5000, 0x9C01, 0x8801, 0x4400]
    crc = 0
    for byte in data:
        for nibble in (byte & 15, byte >> 4):
            crc = ((crc >> 4) & 0x0FFF) ^ table[crc & 15] ^ table[nibble]
    return crc


def fit(messages: Iterable[Message]) -> bytes:
    """A file of these messages, each with its own definition."""
    body = b""
    for number, fields in messages:
        body += struct.pack("<BBBHB", 0x40, 0, 0, number, len(fields))
        body += b"".join(bytes([name, struct.calcsize(kind), _KINDS[kind]]) for name, kind, _ in fields)
        body += b"\0" + b"".join(struct.pack("<" + kind, value) for _, kind, value in fields)
    head = struct.pack("<BBHI4s", 14, 0x10, 2132, len(body), b".FIT")
    data = head + struct.pack("<H", checksum(head)) + body
    return data + struct.pack("<H", checksum(data))


def file_id(kind: int = 4, made: str = "2024-07-05T06:00:00") -> Message:
    return FILE_ID, [(0, "B", kind), (1, "H", 1), (4, "I", moment(made))]


def session(start: str, seconds: int, metres: int, sport: int = 2, sub: int = 0) -> Message:
    ended = moment(start) + seconds
    fields: list[Field] = [(253, "I", ended), (2, "I", moment(start)), (5, "B", sport), (6, "B", sub)]
    fields += [(7, "I", seconds * 1000), (8, "I", (seconds - 60) * 1000), (9, "I", metres * 100), (11, "H", 300)]
    return SESSION, [*fields, (16, "B", 140), (17, "B", 171), (15, "H", 12_500), (22, "H", 120)]


def activity(time: str, local: str) -> Message:
    return ACTIVITY, [(253, "I", moment(time)), (5, "I", moment(local))]


def record(time: str, degrees: float, beats: int) -> Message:
    return RECORD, [(253, "I", moment(time)), (0, "i", 0), (1, "i", int(degrees * 2**31 / 180)), (3, "B", beats)]
