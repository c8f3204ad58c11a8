"""Starts the processes that work on jobs, ends them when somebody says so, and takes up what an import changed: the
service opens the new state, and reads texts ahead between questions."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, Final

from ....config import Settings
from ....errors import ReqapError, UsageError
from ....store.upkeep.disk_space import disk_errors
from ...readying import After, Readying
from ..frame.pages import Pages
from .jobs import Job, Stage, State, read_json, write_json
from .process import Task

_PROCESS: Final = f"{__package__}.process"
_PATIENCE_SECONDS: Final = 10.0
"""How long a process may take to end by itself, once it is told to."""
_OWN: Final = ("access", "language_model", "service", "mcp", "resident")
"""Settings that no job needs, one of them with a secret."""
_PID: Final = "pid"
_LOG: Final = logging.getLogger("reqap_kg.service")
_LOOK_SECONDS: Final = 0.3
_DONE: Final = After("done")


class JobProcesses:
    """The processes that work on jobs."""

    def __init__(self) -> None:
        self._processes: dict[tuple[str, Stage], subprocess.Popen[bytes]] = {}
        self._guard = Lock()

    def begin(self, job: Job, stage: Stage, task: Task) -> None:
        """Starts a stage of a job, unless it runs already. Raises UsageError where it does."""
        with self._guard, disk_errors(Path(task.directory)):
            if self.state(job, stage) is State.RUNS:
                raise UsageError("that is under way already")
            for ending in ("end", "step"):
                (job.folder / f"{stage}.{ending}.json").unlink(missing_ok=True)
            write_json(job.folder / f"{stage}.task.json", task.as_json())
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", _PROCESS, str(job.folder), stage],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                cwd=job.folder,
            )
            self._processes[job.name, stage] = process
            write_json(job.folder / f"{_PID}.json", {"pid": process.pid})

    def state(self, job: Job, stage: Stage) -> State:
        """How a stage is."""
        process = self._processes.get((job.name, stage))
        if process is not None and process.poll() is None:
            return State.RUNS
        return job.state(stage)

    def stop(self, job: Job, stage: Stage) -> None:
        """Ends a stage: what it was to do is not done."""
        pid = self._pid(job, stage)
        if pid is None:
            return
        _signal(pid, signal.SIGINT)
        Thread(target=self._insist, args=(job, stage, pid), daemon=True).start()

    def _pid(self, job: Job, stage: Stage) -> int | None:
        """The process of a stage that runs: one that this service started, or that of one before it."""
        process = self._processes.get((job.name, stage))
        if process is not None:
            return process.pid if process.poll() is None else None
        told = _read_pid(job)
        return told if told is not None and job.is_locked() else None

    def _insist(self, job: Job, stage: Stage, pid: int) -> None:
        end = monotonic() + _PATIENCE_SECONDS
        while monotonic() < end:
            if self.state(job, stage) is not State.RUNS:
                return
            sleep(0.1)
        if self._pid(job, stage) == pid:
            _signal(pid, signal.SIGKILL)


def settings_for(settings: Settings) -> dict[str, Any]:
    """Settings as a process is told them."""
    return settings.model_dump(mode="json", exclude={*_OWN}, exclude_unset=True)


def _read_pid(job: Job) -> int | None:
    told = (read_json(job.folder / f"{_PID}.json") or {}).get("pid")
    return told if isinstance(told, int) and told > 1 else None


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


class ImportFollower:
    """Follows the imports of a service to their end."""

    def __init__(self, pages: Pages, processes: JobProcesses) -> None:
        self._pages = pages
        self._processes = processes
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
            while self._processes.state(job, "run") is State.RUNS:
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
