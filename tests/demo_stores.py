"""Stores of the demo life that are built once for a checkout, not once for each process of a test run.

They lie in .venv/demo-stores, under a digest of all that an import reads: code, maps, ontology, models, exports. Tests
get copies (24 MiB, some 20 ms): a store that is asked is written to.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from time import time

import portalocker

ROOT = Path(__file__).resolve().parents[1]
EXPORTS = ROOT / "examples" / "demo" / "exports"
NOW = "2025-03-01T12:00:00"
_NOT_READ = frozenset(
    {
        "tests",
        "bench",
        "training",
        "corpus",
        "docs",
        "build",
        "dist",
        "evaluation",
        "cli",
        "web",
        "planner",
        "templates",
    }
)
"""Folders that change no import."""
_IN_USE_SECONDS = 3600
"""How long another run, begun before the code was changed, may still copy what was built for it."""
_KEPT = ROOT / ".venv" / "demo-stores"


@cache
def _digest() -> str:
    digest = hashlib.sha256()
    rooms = (path for path in ROOT.iterdir() if path.name not in _NOT_READ and not path.name.startswith("."))
    for room in sorted(rooms):
        for path in [room] if room.suffix == ".py" else sorted(room.rglob("*")) if room.is_dir() else ():
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"{path.relative_to(ROOT)}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def demo_store(*, read: bool) -> Path:
    """The demo life as `reqap-kg ingest` leaves it; `read`: with its texts read ahead, as a user has it. For copies."""
    folder = _KEPT / _digest()
    store = folder / ("read" if read else "imported")
    _KEPT.mkdir(parents=True, exist_ok=True)
    with portalocker.Lock(_KEPT / "lock", timeout=600):
        if not store.is_dir():
            for old in _KEPT.iterdir():
                if old.is_dir() and old != folder and old.stat().st_mtime < time() - _IN_USE_SECONDS:
                    shutil.rmtree(old)
            _build(folder / "unfinished", read=read)
            (folder / "unfinished").rename(store)
    return store


def _build(store: Path, *, read: bool) -> None:
    shutil.rmtree(store, ignore_errors=True)
    program = str(Path(sys.executable).with_name("reqap-kg"))
    command = [program, "ingest", str(EXPORTS), "--store", str(store), "--now", NOW]
    subprocess.run([*command, *(() if read else ("--no-index",))], check=True, capture_output=True)
