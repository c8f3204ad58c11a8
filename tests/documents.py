"""Runs what the documents show: the commands of their ```console fences, whose output must be as printed there.

A fence after a line "`path/name.ttl`:" is a file of the reader's folder. In a console fence a line that begins with
"$ " is a command (continued by a backslash or an open quote), lines that begin with "> " are typed into it, all others
are its output. A line "..." of the output stands for any lines; times, sizes and digests count as equal, and so do
widths of columns.

    python tests/documents.py README.md docs/planner.md      writes what the commands print today into the documents
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(
    r"(?:^`(?P<file>[\w./~-]+)`:\n\n)?^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
_CHANGING = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\d \d\d:\d\d$|\b[0-9a-f]{8,}(?:…|\b)"
    r"|\b\d[\d,]*(?:\.\d+)? ?(?:ms|s|MiB)\b|\b\d[\d,]*\.\d(?= +(?:query|computed))"
)
_PROGRESS = re.compile(r"  \S.* \.\.\.")
_LINES = re.compile(r"[ \t─━┼╇┃│]+")


@dataclass(frozen=True)
class Command:
    """One command of a document, what is typed into it, and the output that the document shows."""

    line: int
    text: str
    typed: tuple[str, ...]
    shown: tuple[str, ...]


@dataclass(frozen=True)
class File:
    """A file that the document has its reader write."""

    name: str
    text: str


@dataclass(frozen=True)
class Other:
    """A fence that is neither."""

    line: int
    text: str


def parts(document: str) -> Iterator[File | Command | Other]:
    """What a document holds, in its order."""
    for found in _FENCE.finditer(document):
        line = document.count("\n", 0, found.start("body")) + 1
        if found["file"]:
            yield File(found["file"], found["body"])
        elif found["language"] == "console":
            yield from _commands(found["body"].splitlines(), line)
        else:
            yield Other(line, found["body"])


def _commands(lines: Sequence[str], first: int) -> Iterator[Command]:
    starts = [at for at, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        at, text = start + 1, lines[start][2:]
        while text.endswith("\\") or text.count("'") % 2:
            text, at = f"{text}\n{lines[at]}", at + 1
        rest = lines[at:end]
        typed = tuple(line[2:] for line in rest if line.startswith("> "))
        yield Command(first + start, text, typed, tuple(line for line in rest if not line.startswith("> ")))


def same(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether a document shows what was printed, the echo of what was typed aside."""
    printed = [line for line in printed if not line.startswith("> ")]
    shown, printed = (tuple(filter(None, map(_plain, lines))) for lines in (shown, printed))
    if "..." not in shown:
        return shown == printed
    gaps = [[]]
    for line in shown:
        if line == "...":
            gaps.append([])
        else:
            gaps[-1].append(line)
    head, *middle, tail = gaps
    at, end = len(head), len(printed) - len(tail)
    if list(printed[:at]) != head or list(printed[end:]) != tail:
        return False
    for block in middle:
        places = [i for i in range(at, end - len(block) + 1) if list(printed[i : i + len(block)]) == block]
        if not places:
            return False
        at = places[0] + len(block)
    return at <= end


def _plain(line: str) -> str:
    return _LINES.sub(" ", _CHANGING.sub("#", line)).strip()


class Reader:
    """Somebody who follows a document in a folder of their own, with the demo life's exports at home."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder = folder
        self._environment = environment

    def write(self, file: File) -> None:
        """Writes a file of the document."""
        path = self._folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, encoding="utf-8")

    def run(self, command: Command) -> list[str]:
        """What a command prints, errors included; not what it says while it works."""
        done = subprocess.run(
            ["bash", "-c", command.text],
            input="".join(f"{line}\n" for line in command.typed),
            cwd=self._folder, env=self._environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=300, check=False,
        )  # fmt: skip
        shown = done.stdout.replace(str(self._folder), "~")
        return [line for line in shown.splitlines() if not _PROGRESS.fullmatch(line)]


def reader(folder: Path, exports: Path) -> Reader:
    """A reader with an empty home but for `~/exports`, whose shell finds the commands of this environment."""
    home = folder / "home"
    home.mkdir(parents=True)
    (home / "exports").symlink_to(exports)
    environment = {
        "HOME": str(home),
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        "TZ": "Europe/Amsterdam",
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
        **{name: os.environ[name] for name in ("OMP_NUM_THREADS",) if name in os.environ},
    }
    return Reader(home, environment)


def updated(document: str, follow: Reader) -> str:
    """The document with what its commands print now; what it shows already stays as it is."""
    lines = document.split("\n")
    changes: list[tuple[int, int, list[str]]] = []
    for part in parts(document):
        if isinstance(part, File):
            follow.write(part)
        elif isinstance(part, Command):
            printed = follow.run(part)
            begin = part.line - 1 + len(part.text.split("\n"))
            if not same(part.shown, printed):
                changes.append((begin, begin + len(part.typed) + len(part.shown), printed))
    for begin, end, new in reversed(changes):
        lines[begin:end] = new
    return "\n".join(lines)


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    root = Path(__file__).resolve().parents[1]
    for name in sys.argv[1:]:
        with TemporaryDirectory() as temporary:
            follower = reader(Path(temporary), root / "examples" / "demo" / "exports")
            path = Path(name)
            path.write_text(updated(path.read_text(encoding="utf-8"), follower), encoding="utf-8")
