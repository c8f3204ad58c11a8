"""SPARQL servers of this machine for the tests: Oxigraph's, from PyPI, and Virtuoso, from Debian's packages.

`make services` runs both until they are stopped, and says their addresses.
"""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from reqap_kg.config.parts import Access

_SECONDS = 60.0
_VIRTUOSO = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx
[Parameters]
ServerPort = {port}
DisableUnixSocket = 1
CaseMode = 2
DirsAllowed = {folder}
NumberOfBuffers = 20000
MaxDirtyBuffers = 12000
ThreadsPerQuery = 1
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerThreads = 10
MaxClientConnections = 10
[SPARQL]
ResultSetMaxRows = {rows}
MaxQueryExecutionTime = 60
"""


@dataclass
class Server:
    """A server that runs: its address (a further `&` parameter may follow), and what lets one in."""

    name: str
    address: str
    access: Access
    command: list[str]
    process: subprocess.Popen[bytes] | None = field(default=None)

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        url = self.address.removeprefix("sparql+").partition("?")[0]
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end:
            try:
                if httpx.get(url, params={"query": "ASK {}"}, timeout=5).is_success:
                    return
            except httpx.TransportError:
                pass
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError(f"{self.name} does not start")

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


def missing(name: str) -> str | None:
    """Why a server cannot be had here; None where it can."""
    if name == "oxigraph":
        return None if _oxigraph() else "the package oxigraph is not installed"
    return None if shutil.which("virtuoso-t") else "Debian's package virtuoso-opensource is not installed"


def _oxigraph() -> str | None:
    beside = Path(sys.executable).with_name("oxigraph")
    return str(beside) if beside.is_file() else shutil.which("oxigraph")


def _port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


@contextmanager
def served(name: str, *, rows: int = 10_000_000) -> Iterator[Server]:
    """A server with nothing in it; Virtuoso gives so many rows or triples of an answer."""
    with tempfile.TemporaryDirectory(prefix="served-") as made:
        folder, port, access = Path(made), _port(), Access(seconds=120)
        if name == "oxigraph":
            command = [str(_oxigraph()), "serve", "--location", str(folder / "db"), "--bind", f"127.0.0.1:{port}"]
            server = Server(name, f"sparql+http://127.0.0.1:{port}/query?", access, command)
        else:
            ini = folder / "virtuoso.ini"
            ini.write_text(_VIRTUOSO.format(folder=folder, port=_port(), http=port, rows=rows))
            command = ["virtuoso-t", "+foreground", "+configfile", str(ini)]
            access = Access(user="dba", password="dba", seconds=120)  # type: ignore[arg-type]  # pydantic reads it
            server = Server(name, f"sparql+http://127.0.0.1:{port}/sparql?", access, command)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def main() -> None:
    """Runs all servers that can be had until it is interrupted."""
    with ExitStack() as stack:
        for name in ("oxigraph", "virtuoso"):
            why = missing(name)
            if why is not None:
                print(f"{name}: {why}")
                continue
            server = stack.enter_context(served(name))
            let_in = " (REQAP_KG_SPARQL_USER=dba REQAP_KG_SPARQL_PASSWORD=dba)" if server.access.user else ""
            print(f"{name}: {server.address.rstrip('?')}{let_in}", flush=True)
        signal.sigwait({signal.SIGINT, signal.SIGTERM})


if __name__ == "__main__":
    main()
