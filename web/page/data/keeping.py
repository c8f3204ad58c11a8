"""What the service does once an import is done: it opens the new state, and reads texts ahead between questions."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import Final, Literal

from ....engine.importing.ahead import Ahead
from ....engine.knowledge import KnowledgeGraph
from ....errors import ConfigError, ReqapError
from ...holding import Held, Stopped
from ..frame.pages import Pages
from .apart import Apart
from .jobs import Job, State

_LOG: Final = logging.getLogger("reqap_kg.service")
_LOOK_SECONDS: Final = 0.3
_QUIET_SECONDS: Final = 1.5
"""How long nobody asks before texts are read on."""
_MOST_PATIENCE: Final = 16.0
_SHARES: Final = {
    "load the models": (0.0, 0.05), "embed": (0.05, 0.45), "read texts": (0.45, 0.55), "read events": (0.55, 0.9)
}  # fmt: skip
"""Which part of reading ahead each step is, as a rule."""


_Does = Callable[[KnowledgeGraph], tuple[Ahead] | None]


class _Wanted(BaseException):
    """Somebody asks: reading ahead makes room. No error of ours: nothing may take it for one and go on."""


@dataclass
class After:
    """How far the service is with what follows an import."""

    phase: Literal["waiting", "opening", "texts", "done"] = "waiting"
    share: float | None = None
    worked: float = 0.0
    """Seconds of work on the phase, but for what is worked on now."""
    working_since: float | None = None
    ahead: Ahead | None = None
    told: str = ""
    """Why texts were not read."""
    patience: float = 0.5
    """Seconds that it goes on though somebody waits; twice as long each time that it made room, so that whoever asks
    often does not keep it from its end."""
    stopped: Event = field(default_factory=Event)
    reached: int = 0
    """Per cent of the whole that were told: no less is told later."""

    def enter(self, phase: Literal["opening", "texts", "done"]) -> None:
        """Goes on to a phase."""
        self.phase, self.share, self.worked = phase, None, 0.0

    @property
    def spent(self) -> float:
        """Seconds of work on the phase."""
        since = self.working_since
        return self.worked + (monotonic() - since if since is not None else 0.0)

    @property
    def waits(self) -> bool:
        """Whether it makes room for questions."""
        return self.phase == "texts" and self.working_since is None

    @contextmanager
    def working(self) -> Iterator[None]:
        """Counts the time of work."""
        self.working_since = begun = monotonic()
        try:
            yield
        finally:
            self.working_since = None
            self.worked += monotonic() - begun


class Keeping:
    """Follows the imports of a service to their end."""

    def __init__(self, pages: Pages, apart: Apart) -> None:
        self._pages = pages
        self._apart = apart
        self._followed: dict[str, After] = {}
        self._guard = Lock()

    def follow(self, job: Job) -> None:
        """Follows a job that has begun to run, unless that is done already."""
        with self._guard:
            if self._followed.get(job.name, _DONE).phase != "done":
                return
            after = self._followed[job.name] = After()
        Thread(target=self._follow, args=(job, after), name="import", daemon=True).start()

    def after(self, job: Job) -> After | None:
        """How far what follows it is; None where nothing follows."""
        return self._followed.get(job.name)

    def stop(self, job: Job) -> None:
        """Reads no more texts."""
        after = self._followed.get(job.name)
        if after is not None:
            after.stopped.set()

    def _follow(self, job: Job, after: After) -> None:
        try:
            while self._apart.state(job, "run") is State.RUNS:
                self._pages.noticed()
                sleep(_LOOK_SECONDS)
            end = job.end("run")
            if end is not None and end.get("changed"):
                shutil.rmtree(job.files, ignore_errors=True)
                self._make_ready(after, reads=bool(end.get("reads")))
        except ReqapError as bad:
            after.told = self._pages.hidden.message(str(bad))
        except Exception:  # noqa: BLE001 - the last of a thread: it is logged
            _LOG.exception("what follows an import failed")
        finally:
            after.enter("done")

    def _make_ready(self, after: After, *, reads: bool) -> None:
        after.enter("opening")
        held = self._pages.held
        self._done(held, after, lambda _: None)
        if not reads:
            return
        after.enter("texts")
        while not after.stopped.is_set():
            self._wait_for_quiet(held, after)
            try:
                found = self._done(held, after, lambda known: (known.read_ahead(now=self._pages.now()),))
            except ConfigError as missing:
                after.told = self._pages.hidden.message(f"texts are not read ahead: {missing}")
                return
            if found is not None:
                after.ahead = found[0]
                return

    def _wait_for_quiet(self, held: Held, after: After) -> None:
        quiet_since = monotonic()
        while monotonic() - quiet_since < _QUIET_SECONDS and not after.stopped.is_set():
            self._pages.noticed()
            if held.is_busy:
                quiet_since = monotonic()
            sleep(_LOOK_SECONDS / 3)

    def _done(self, held: Held, after: After, does: _Does) -> tuple[Ahead] | None:
        """What a piece of the engine's work gives; None where it made room for somebody who asks, or was stopped."""
        begun = monotonic()

        def tell(step: str, done: int, total: int) -> None:
            begin, end = _SHARES.get(step, (None, None))
            if after.phase == "opening":
                after.share = done / total if total else None
            elif begin is not None and end is not None:
                reached = begin + (end - begin) * (done / total if total else 0.0)
                after.share = max(after.share or 0.0, reached)
            self._pages.noticed()
            makes_room = held.is_wanted and monotonic() - begun > after.patience
            if after.phase == "texts" and (makes_room or after.stopped.is_set()):
                raise _Wanted

        try:
            with after.working():
                return held.run(does, tell=tell)
        except (_Wanted, Stopped, CancelledError):
            after.patience = min(after.patience * 2, _MOST_PATIENCE)
            return None


_DONE: Final = After("done")
