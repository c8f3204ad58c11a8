"""What the service makes ready between questions: it opens a store, and reads its texts ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from threading import Event
from time import monotonic, sleep
from typing import Final, Literal

from ..engine.importing.precompute import Precomputed
from ..engine.knowledge import KnowledgeGraph
from ..errors import ConfigError
from .holding import Held, Stopped

_LOOK_SECONDS: Final = 0.3
_QUIET_SECONDS: Final = 1.5
"""How long nobody asks before texts are read on."""
_MOST_PATIENCE: Final = 2.0
_SHARES: Final = {
    "load the models": (0.0, 0.05), "embed": (0.05, 0.45), "read texts": (0.45, 0.55), "read events": (0.55, 0.9)
}  # fmt: skip
"""Which part of reading ahead each step is, as a rule."""


_Does = Callable[[KnowledgeGraph], tuple[Precomputed] | None]


class _Wanted(BaseException):
    """Somebody asks: reading ahead makes room. No error of ours: nothing may take it for one and go on."""


@dataclass
class After:
    """How far the service is with it."""

    phase: Literal["waiting", "opening", "texts", "done"] = "waiting"
    share: float | None = None
    worked: float = 0.0
    """Seconds of work on the phase, but for what is worked on now."""
    working_since: float | None = None
    ahead: Precomputed | None = None
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


@dataclass(frozen=True)
class Readying:
    """Makes a store ready; `noticed` is told that the service is used, so that it does not end meanwhile."""

    held: Held
    now: Callable[[], datetime]
    noticed: Callable[[], None] = lambda: None

    def run(self, after: After, *, reads: bool) -> None:
        """Opens the store, and `reads` its texts, unless it is stopped. Raises as Held.run."""
        after.enter("opening")
        self._done(after, lambda _: None)
        if not reads:
            return
        after.enter("texts")
        while not after.stopped.is_set():
            self._wait_for_quiet(after)
            try:
                found = self._done(after, lambda known: (known.read_ahead(now=self.now()),))
            except ConfigError as missing:
                after.told = f"texts are not read ahead: {missing}"
                return
            if found is not None:
                after.ahead = found[0]
                return

    def _wait_for_quiet(self, after: After) -> None:
        quiet_since = monotonic()
        while monotonic() - quiet_since < _QUIET_SECONDS and not after.stopped.is_set():
            self.noticed()
            if self.held.is_busy:
                quiet_since = monotonic()
            sleep(_LOOK_SECONDS / 3)

    def _done(self, after: After, does: _Does) -> tuple[Precomputed] | None:
        """What a piece of the engine's work gives; None where it made room for somebody who asks, or was stopped."""
        begun = monotonic()

        def tell(step: str, done: int, total: int) -> None:
            begin, end = _SHARES.get(step, (None, None))
            if after.phase == "opening":
                after.share = done / total if total else None
            elif begin is not None and end is not None:
                reached = begin + (end - begin) * (done / total if total else 0.0)
                after.share = max(after.share or 0.0, reached)
            self.noticed()
            makes_room = self.held.is_wanted and monotonic() - begun > after.patience
            if after.phase == "texts" and (makes_room or after.stopped.is_set()):
                raise _Wanted

        try:
            with after.working():
                return self.held.run(does, tell=tell)
        except (_Wanted, Stopped, CancelledError):
            after.patience = min(after.patience * 2, _MOST_PATIENCE)
            return None
