"""One task over many items, on several processors or machines; the results keep the order of the items.

In: a function of a module (or a partial or a method of one that pickles), which depends on nothing but its argument,
and items of plain data. Out: what it returns, item by item. How many workers there are changes no result.

Workers are processes of this machine, or those of a Ray cluster. What goes to them and comes back is pickled: objects
of this program between its own processes, never a byte that came from elsewhere. They get no store and no settings.
Begin with `ordered_map`.
"""

from __future__ import annotations

import io
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, islice
from typing import Any, BinaryIO, Final, Protocol, TypeVar

from .errors import ConfigError, WorkerLost

TRIES: Final = 3
"""How often an item is tried whose worker dies."""
AHEAD: Final = 3
"""Items per worker that are read before their turn to be given out has come."""
LOCAL: Final = "local"
"""The address of a cluster that is started on this machine, and ends with this process."""

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Workers:
    """How many processes work at once, and the Ray cluster that has them: an address, "auto", "local", or none."""

    count: int = 1
    ray: str | None = None

    @property
    def are_none(self) -> bool:
        """Whether this process does everything itself."""
        return self.count <= 1 and self.ray is None


ALONE: Final = Workers()


class _Chosen(Protocol):
    @property
    def workers(self) -> int: ...
    @property
    def ray(self) -> str | None: ...


def workers_of(settings: _Chosen) -> Workers:
    """The workers of a user's settings."""
    return Workers(settings.workers, settings.ray)


@dataclass(frozen=True)
class _Backend:
    """Where jobs go, how many run at once, and what is raised where a worker dies for good."""

    submit: Callable[[bytes], Future[bytes]]
    count: int
    deaths: tuple[type[Exception], ...] = ()


def ordered_map(
    task: Callable[[Item], Result],
    items: Iterable[Item],
    workers: Workers = ALONE,
    progress: Callable[[int], None] | None = None,
) -> Generator[Result, None, None]:
    """What `task` makes of each item, in the order of the items.

    At most AHEAD items per worker are read ahead of what was taken. `progress` is told how many are done. An item whose
    worker dies is tried again, TRIES times in all; then WorkerLost is raised. What a task raises is raised here, in its
    turn; so is what the items raise, after the results of those before. A single item needs no worker.
    """
    rest = iter(items)
    first = [] if workers.are_none else list(islice(rest, 2))
    if len(first) < 2:
        results = map(task, chain(first, rest))
    else:
        backend = _cluster(workers) if workers.ray else _pool(workers.count)
        results = _submitted(backend, task, chain(first, rest))
    for done, result in enumerate(results, 1):
        if progress is not None:
            progress(done)
        yield result


def connect(workers: Workers) -> None:
    """Connects to the Ray cluster, if there is one: for a process that closes its network before it begins."""
    if workers.ray is not None:
        _cluster(workers)


def _submitted(backend: _Backend, task: Callable[[Item], Result], items: Iterator[Item]) -> Iterator[Result]:
    waiting: deque[Future[bytes]] = deque()
    failed: Exception | None = None
    try:
        while failed is None:
            try:
                item = next(items)
            except StopIteration:
                break
            except Exception as bad:  # raised after the results that come before it  # noqa: BLE001
                failed = bad
                break
            waiting.append(backend.submit(pickle.dumps((task, item), pickle.HIGHEST_PROTOCOL)))
            if len(waiting) >= AHEAD * backend.count:
                yield _result(waiting.popleft(), backend)
        while waiting:
            yield _result(waiting.popleft(), backend)
    finally:
        for future in waiting:
            future.cancel()
    if failed is not None:
        raise failed


def _result(future: Future[bytes], backend: _Backend) -> Any:
    try:
        good, result = pickle.loads(future.result())  # noqa: S301 - from our own worker
    except backend.deaths as died:
        raise _lost(None) from died
    if good:
        return result
    raise result


def work(job: bytes) -> bytes:
    """A worker's side: runs one task; its result, or what it raised, with whether it is a result."""
    try:
        task, item = pickle.loads(job)  # noqa: S301 - from the process that started this one
        return pickle.dumps((True, task(item)), pickle.HIGHEST_PROTOCOL)
    except Exception as bad:  # raised by the process that waits for it  # noqa: BLE001
        try:
            return pickle.dumps((False, bad), pickle.HIGHEST_PROTOCOL)
        except Exception:  # an error that holds what does not pickle  # noqa: BLE001
            return pickle.dumps((False, RuntimeError(traceback.format_exc())), pickle.HIGHEST_PROTOCOL)


# Processes of this machine: one thread waits for each of them.

_OWN: Final = threading.local()


@lru_cache(maxsize=4)
def _pool(count: int) -> _Backend:
    """Processes that start when they are first needed, and end when this one does."""
    return _Backend(partial(ThreadPoolExecutor(count, "worker").submit, _tried), count)


def _tried(job: bytes) -> bytes:
    """The answer of this thread's process; one that dies is replaced."""
    code = None
    for _ in range(TRIES):
        process = getattr(_OWN, "process", None) or _started()
        try:
            _send(process.stdin, job)
            assert process.stdout is not None
            return pickle.load(process.stdout)  # noqa: S301 - from our own worker
        except (EOFError, OSError, pickle.UnpicklingError):
            process.kill()
            code = process.wait()
            _OWN.process = None
    raise _lost(code)


def _started() -> subprocess.Popen[bytes]:
    one = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **one},
    )
    _OWN.process = process
    with suppress(BrokenPipeError):  # it ended before it began: told when the first job is sent
        _send(process.stdin, sys.path)
    return process


def _send(stream: Any, what: object) -> None:
    pickle.dump(what, stream, pickle.HIGHEST_PROTOCOL)
    stream.flush()


def _lost(code: int | None) -> WorkerLost:
    told = f" (it ended with {code})" if code is not None else ""
    return WorkerLost(f"a worker died {TRIES} times over the same item{told}; most likely memory ran out", code)


def main() -> None:
    """A worker: jobs on standard input, answers on standard output, until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this one ends it
    jobs: BinaryIO = io.BufferedReader(io.FileIO(os.dup(0)), 1 << 16)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    with suppress(EOFError, BrokenPipeError):
        sys.path[:] = pickle.load(jobs)  # noqa: S301 - from the process that started this one
        while True:
            _send(answers, work(pickle.load(jobs)))  # noqa: S301


# A Ray cluster.


@lru_cache(maxsize=1)
def _cluster(workers: Workers) -> _Backend:
    """The cluster at an address. Raises ConfigError where Ray or the cluster is not there."""
    try:
        import ray  # pyright: ignore[reportMissingImports] - an extra
        from ray.exceptions import RayError  # pyright: ignore[reportMissingImports]
    except ImportError as missing:
        raise ConfigError("Ray is not installed; install it with: pip install 'reqap-kg[ray]'") from missing
    here = workers.ray == LOCAL
    try:
        if not ray.is_initialized():
            ray.init(
                address=None if here else workers.ray,
                num_cpus=max(workers.count, 1) if here else None,
                include_dashboard=False if here else None,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
    except (ConnectionError, OSError, RuntimeError, ValueError) as bad:
        raise ConfigError(f"no Ray cluster answers at {workers.ray}: {bad}") from bad
    run = ray.remote(max_retries=TRIES - 1)(_work_with_path)
    path = ray.put(sys.path)
    count = int(ray.cluster_resources().get("CPU", 1))
    return _Backend(lambda job: run.remote(path, job).future(), count, (RayError,))


def _work_with_path(path: list[str], job: bytes) -> bytes:
    sys.path += [place for place in path if place not in sys.path]
    return work(job)


if __name__ == "__main__":
    main()
