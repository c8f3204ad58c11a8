"""The map of the house in CONTRIBUTING.md, drawn from the real imports.

python tests/house.py CONTRIBUTING.md      writes it into the document
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import grimp

_FENCE = re.compile(r"(?<=```mermaid\n).*?(?=```)", re.DOTALL)


def picture() -> str:
    """The top-level packages as a mermaid graph: each arrow is an import that no chain of other arrows stands for."""
    graph = grimp.build_graph("reqap_kg", cache_dir=None)
    rooms = sorted(name.removeprefix("reqap_kg.") for name in graph.find_children("reqap_kg"))
    below = {room: _imported(graph, room, rooms) for room in rooms}
    lines = ["graph TD"]
    for room in rooms:
        for other in sorted(below[room]):
            if not any(other in _reached(below, between, {room}) for between in below[room] - {other}):
                lines.append(f"  {room} --> {other}")
    return "\n".join(lines) + "\n"


def _imported(graph: grimp.ImportGraph, room: str, rooms: list[str]) -> set[str]:
    found: set[str] = set()
    inside = {f"reqap_kg.{room}", *graph.find_descendants(f"reqap_kg.{room}")}
    for module in inside:
        found |= {name.split(".")[1] for name in graph.find_modules_directly_imported_by(module) if "." in name}
    return (found & set(rooms)) - {room}


def _reached(below: dict[str, set[str]], room: str, seen: set[str]) -> set[str]:
    found = set(below[room])
    for other in below[room] - seen:
        found |= _reached(below, other, seen | {room})
    return found


def drawn(document: str) -> str:
    """The document with the picture of today's imports."""
    return _FENCE.sub(lambda _: picture(), document)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(drawn(path.read_text(encoding="utf-8")), encoding="utf-8")
