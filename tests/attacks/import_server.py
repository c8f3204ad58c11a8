"""Runs imports in forked children under limits of processor time and memory; one JSON object a line, in and out.

Forking after everything is imported makes a child cost milliseconds instead of a second, so that many attacks fit.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

from reqap_kg.cli.app import run
from reqap_kg.engine import knowledge
from reqap_kg.engine.importing import ingest
from reqap_kg.sources.registry import formats

WALL_SECONDS = 240
"""A child that waits for something that never comes (a FIFO, a socket) is ended then."""


def main() -> None:
    """Serves until standard input ends."""
    formats()
    _ = (ingest, knowledge)
    for line in sys.stdin:
        print(json.dumps(serve(json.loads(line))), flush=True)


def serve(task: dict[str, Any]) -> dict[str, Any]:
    """One command line in a child: its status, the processor seconds and memory it took, what it said."""
    out, err = Path(task["folder"]) / "stdout", Path(task["folder"]) / "stderr"
    child = os.fork()
    if child == 0:
        os._exit(_command(task, out, err))
    _, status, used = os.wait4(child, 0)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "seconds": used.ru_utime + used.ru_stime,
        "mib": used.ru_maxrss // 1024,
        "out": out.read_text(encoding="utf-8", errors="replace"),
        "err": err.read_text(encoding="utf-8", errors="replace"),
    }


def _command(task: dict[str, Any], out: Path, err: Path) -> int:
    sys.stdin.close()
    for path, descriptor in ((out, 1), (err, 2)):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(opened, descriptor)
    signal.alarm(WALL_SECONDS)
    seconds, size = task["seconds"], task["bytes"]
    if seconds:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
    if size:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + size
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        return run(task["arguments"])
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # a child must say what ended it, whatever it was  # noqa: BLE001
        traceback.print_exc()
        return 99
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


if __name__ == "__main__":
    main()
