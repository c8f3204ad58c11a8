"""Runs commands of other processes over a store that is kept open, as those processes would themselves."""

from __future__ import annotations

import io
import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from contextvars import Context, copy_context
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, Final, TextIO, cast

from ...config import Settings
from ...engine.knowledge import KnowledgeGraph
from ...errors import ReqapError, StoreBusy
from ...store.folder import private_files
from ...web.holding import Held, Work
from ..chat import COMMANDS, Chat
from ..common import settings
from ..ending import ended, flushed, outcome, ran
from ..opening import Lent, lent, same_settings
from ..options import choose
from ..printing.console import paging_elsewhere
from ..printing.failing import STOPPED
from .client import code
from .protocol import Closed, address_of, receive, receive_with_streams, send
from .starting import RUNS_ALREADY

_NAME: Final = "reqap-kg"
_WAITING: Final = 64
_LOOK_SECONDS: Final = 0.1
_PATIENCE_SECONDS: Final = 10.0
"""How long whoever connects may take to say what is wanted."""


class Commands:
    """Listens for commands in the store's folder, for this user alone; each runs on the engine's thread. `inherited` is
    a socket that listens there already.

    `program` is what runs them; `noticed` is called whenever somebody asks, `quit` where the service is to end, and
    `status` tells how it is."""

    def __init__(
        self,
        held: Held,
        program: Any,
        noticed: Callable[[], None],
        quit: Callable[[], None],
        status: Callable[[], dict[str, Any]],
        inherited: int | None = None,
    ) -> None:
        self._held, self._program = held, program
        self._noticed, self._quit, self._status = noticed, quit, status
        self._code = code()
        self._is_inherited = inherited is not None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=inherited)
        self._ends = threading.Event()
        self._accepting = threading.Thread(target=self._accept, name="commands", daemon=True)
        self.is_left = False
        """Whether the socket goes on to listen at the end, for the service that takes the place of this one."""

    def __enter__(self) -> Commands:
        if not self._is_inherited:
            with address_of(str(self._held.directory)) as address, private_files():
                _remove_left(address)
                self._socket.bind(address)
                os.chmod(address, 0o600)
            self._socket.listen(_WAITING)
        self._socket.settimeout(_LOOK_SECONDS)
        self._accepting.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._accepting.join()
        if not self.is_left:
            self._socket.close()

    def remove(self) -> None:
        """Removes the socket, by which others see that the service has ended, once its store is closed."""
        with address_of(str(self._held.directory)) as address, suppress(OSError):
            os.unlink(address)

    def fileno(self) -> int:
        """The socket, for the service that takes the place of this one."""
        return self._socket.fileno()

    def _accept(self) -> None:
        while not self._ends.is_set():
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            connection.setblocking(True)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError, Closed):
            if not _is_mine(connection):
                return
            connection.settimeout(_PATIENCE_SECONDS)
            request, files = receive_with_streams(connection)
            connection.settimeout(None)
            if "service" in request:
                for file in files:
                    os.close(file)
                self._obey(connection, request["service"])
                return
            self._noticed()
            with Borrowed.of(request, files) as borrowed:
                if request["code"] != self._code:
                    send(connection, {"declined": "another version"})
                    return
                _Session(self._held, self._program, connection, request, borrowed).run()

    def _obey(self, connection: socket.socket, wish: str) -> None:
        """Tells how the service is, or ends it."""
        if wish == "quit":
            self._quit()
        send(connection, self._status())


class _Session:
    """One command of one process, with what it borrows; of a chat, all its lines."""

    def __init__(
        self, held: Held, program: Any, connection: socket.socket, request: Mapping[str, Any], borrowed: Borrowed
    ) -> None:
        self._held, self._program = held, program
        self._connection = connection
        self._request = request
        self._borrowed = borrowed
        self._context: Context = copy_context()
        self._pages: list[tuple[str, int]] = []
        self._chats: list[Chat] = []
        self._said: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._work: Work[Any] | None = None
        self._read = False

    def run(self) -> None:
        """Runs the command, and tells its exit code."""
        threading.Thread(target=self._listen, daemon=True).start()
        arguments = list(self._request["arguments"])
        found = self._done(
            lambda lends: ran(self._program, arguments, _NAME) if self._is_ours(lends.known.settings) else None
        )
        if found is None:
            send(self._connection, {"declined": "other settings"})
            return
        while self._chats and found == 0:
            found = self._next_line(self._chats[0], arguments)
        for text, height in self._pages:
            send(self._connection, {"page": text, "height": height})
        send(self._connection, {"exit": found or 0})

    def _next_line(self, chat: Chat, arguments: list[str]) -> int | None:
        """Has a line of the chat read there and answers it here: 0 where the chat goes on, None at its end."""
        at_terminal = not chat.echo
        about = {"prompt": at_terminal, "history": str(chat.history or ""), "commands": list(COMMANDS)}
        names = self._done(lambda _: chat.names) if at_terminal and not self._read else []
        self._read = True
        send(self._connection, {"read": {**about, "names": names}})
        said = self._said.get()
        if said is None or said.get("line", "") is None:
            return None
        if "line" not in said:
            return self._done(lambda _: outcome(_interrupt, arguments))

        def answered(lends: Lent) -> int | None:
            chat.known = lends.known
            if chat.kept is not None:
                chat.kept.known = lends.known
            goes_on = False

            def hear() -> None:
                nonlocal goes_on
                goes_on = chat.hear(said["line"])

            failed = outcome(hear, arguments)
            return failed or (0 if goes_on else None)

        return self._done(answered)

    def _done(self, does: Callable[[Lent], Any]) -> Any:
        """What a piece of work gives on the engine's thread, with the caller's streams, folder and environment."""
        lends: list[Lent] = []

        def work(known: KnowledgeGraph) -> Any:
            lends.append(Lent(known, self._held.directory, chat=self._chats.append))
            return self._context.run(self._in_place, lends[0], does)

        def tell(step: str, done: int, total: int) -> None:
            for one in lends:
                one.tell(step, done, total)

        self._work = self._held.submit(work, tell=tell)
        try:
            return self._work.result.result()
        except (ReqapError, KeyboardInterrupt) as bad:  # before it was begun: the store could not be opened
            return self._refused(bad)
        finally:
            self._work = None

    def _refused(self, bad: BaseException) -> int | None:
        """Why no store could be opened: for a chat that is under way; else the caller finds out itself."""
        stopped = isinstance(bad, KeyboardInterrupt)
        if not stopped and not self._chats:
            return None
        with suppress(OSError):
            self._borrowed.streams[2].write(f"reqap-kg: {'stopped' if stopped else bad}\n")
            self._borrowed.streams[2].flush()
        return STOPPED if stopped else 1

    def _in_place(self, lends: Lent, does: Callable[[Lent], Any]) -> Any:
        with self._borrowed.in_force(), _set(lends), paging_elsewhere(self._page):
            found = ended(lambda: does(lends), self._request["arguments"])
            code = flushed(found if isinstance(found, int) else 0)
            return code or found

    def _page(self, text: str, height: int) -> bool:
        self._pages.append((text, height))
        return True

    def _is_ours(self, mine: Settings) -> bool:
        """Whether the caller's settings answer as this service's do."""
        config, domain = self._request["config"], self._request["domain"]
        try:
            choose(Path(domain) if domain else None)
            return same_settings(settings(Path(config) if config else None), mine)
        except Exception:  # noqa: BLE001 - whatever is wrong with them, a process of its own says it
            return False

    def _listen(self) -> None:
        """Hears what the caller says while the command runs; where it is gone, the command is stopped."""
        while True:
            try:
                said = receive(self._connection)
            except (OSError, Closed):
                self._said.put(None)
                self._stop()
                return
            if "stop" in said and self._work is not None:
                self._stop()
            else:
                self._said.put(said)

    def _stop(self) -> None:
        work = self._work
        if work is not None:
            self._held.stop(work, KeyboardInterrupt)


@contextmanager
def _set(lends: Lent) -> Iterator[None]:
    before = lent.set(lends)
    try:
        yield
    finally:
        lent.reset(before)


def _interrupt() -> None:
    raise KeyboardInterrupt


def _remove_left(address: str) -> None:
    """Removes the socket of a service that was killed."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as one:
        try:
            one.connect(address)
        except FileNotFoundError:
            return
        except ConnectionRefusedError:
            os.unlink(address)
            return
    raise StoreBusy(RUNS_ALREADY)


def _is_mine(connection: socket.socket) -> bool:
    """Whether the same user asks, where the system tells."""
    if sys.platform != "linux":
        return True
    held = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", held)
    return user == os.geteuid()


_SEEN: Final = frozenset({
    "COLUMNS", "LINES", "TERM", "NO_COLOR", "FORCE_COLOR", "COLORTERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "TZ",
    "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "REQAP_KG_DOMAIN", "REQAP_KG_STORE", "LANG", "LC_ALL", "LC_TIME",
})  # fmt: skip
"""Variables that a command reads; the others of its caller stay unread."""


@dataclass(frozen=True)
class Borrowed:
    """Standard streams of another process, its working folder, and what a command reads of its environment."""

    streams: tuple[TextIO, TextIO, TextIO]
    folder: str
    environment: Mapping[str, str]

    @classmethod
    @contextmanager
    def of(cls, request: Mapping[str, Any], files: Sequence[int]) -> Iterator[Borrowed]:
        """What came with a request; the files are closed in the end."""
        with ExitStack() as stack:
            raw = [os.fdopen(file, "wb" if at else "rb", 0) for at, file in enumerate(files)]
            for stream in raw:
                stack.enter_context(closing(stream))
            streams = [_text(stream, *said) for stream, said in zip(raw, request["streams"], strict=True)]
            given = request["environment"]
            read = {name: given[name] for name in _SEEN if name in given}
            yield cls((streams[0], streams[1], streams[2]), request["folder"], read)

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Puts them in the place of this process's own. One thread at a time may do so."""
        before = sys.stdin, sys.stdout, sys.stderr
        folder, environment = os.getcwd(), {name: os.environ[name] for name in _SEEN if name in os.environ}
        try:
            os.chdir(self.folder)
            _set_borrowed(self.environment)
            sys.stdin, sys.stdout, sys.stderr = self.streams
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
            _set_borrowed(environment)
            os.chdir(folder)


def _text(stream: IO[bytes], encoding: str, errors: str) -> TextIO:
    """A stream of texts as Python makes its standard streams: line by line at a terminal."""
    raw = cast(io.RawIOBase, stream)
    if stream.readable():
        return io.TextIOWrapper(io.BufferedReader(raw), encoding, errors)
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, errors, line_buffering=stream.isatty() or errors == _ALL)


_ALL: Final = "backslashreplace"
"""How standard error writes what its encoding cannot; it is never held back."""


def _set_borrowed(wanted: Mapping[str, str]) -> None:
    """Makes the environment say what is wanted. What says so already is not touched: other threads may read it."""
    zone = os.environ.get("TZ")
    for name in _SEEN:
        if name not in wanted:
            os.environ.pop(name, None)
        elif os.environ.get(name) != wanted[name]:
            os.environ[name] = wanted[name]
    if os.environ.get("TZ") != zone and hasattr(time, "tzset"):
        time.tzset()
