"""What the service does once an import is done: it opens the new state, and reads texts ahead between questions."""

from __future__ import annotations

import logging
import shutil
from threading import Lock, Thread
from time import sleep
from typing import Final

from ....errors import ReqapError
from ...readying import After, Readying
from ..frame.pages import Pages
from .apart import Apart
from .jobs import Job, State

_LOG: Final = logging.getLogger("reqap_kg.service")
_LOOK_SECONDS: Final = 0.3


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
            if self.follows(job):
                return
            after = self._followed[job.name] = After()
        Thread(target=self._follow, args=(job, after), name="import", daemon=True).start()

    def after(self, job: Job) -> After | None:
        """How far what follows it is; None where nothing follows."""
        return self._followed.get(job.name)

    def follows(self, job: Job) -> bool:
        """Whether something that follows it is still under way."""
        return self._followed.get(job.name, _DONE).phase != "done"

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
                readying = Readying(self._pages.held, self._pages.now, self._pages.noticed)
                readying.run(after, reads=bool(end.get("reads")))
                after.told = self._pages.hidden.message(after.told)
        except ReqapError as bad:
            after.told = self._pages.hidden.message(str(bad))
        except Exception:  # noqa: BLE001 - the last of a thread: it is logged
            _LOG.exception("what follows an import failed")
        finally:
            after.enter("done")


_DONE: Final = After("done")
