"""`ordered_map`: the same results for any number of workers, whatever happens to them."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from itertools import count, islice
from pathlib import Path

import parallel_tasks as tasks
import pytest

from reqap_kg.errors import ConfigError, MappingError, Place, WorkerLost
from reqap_kg.parallel import AHEAD, Workers, ordered_map

TWO = Workers(2)
RAY = pytest.param(
    Workers(2, "local"),
    id="ray",
    marks=pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'reqap-kg[ray]'"),
)
ANY = [Workers(1), TWO, Workers(3), RAY]


@pytest.mark.parametrize("workers", ANY)
def test_results_keep_the_order_of_items(workers: Workers) -> None:
    found = list(ordered_map(tasks.squared_slowly, range(60), workers))
    assert found == [number * number for number in range(60)]


def test_items_go_to_as_many_processes_as_are_asked_for() -> None:
    found = set(ordered_map(tasks.process, range(40), TWO))
    assert len(found) == 2
    assert os.getpid() not in found
    assert set(ordered_map(tasks.process, range(40))) == {os.getpid()}


@pytest.mark.parametrize("workers", ANY)
def test_a_single_item_or_none_needs_no_worker(workers: Workers) -> None:
    assert list(ordered_map(tasks.process, [1], workers)) == [os.getpid()]
    assert list(ordered_map(tasks.process, [], workers)) == []


@pytest.mark.parametrize("workers", ANY)
def test_what_a_task_raises_comes_in_its_turn_as_it_is(workers: Workers) -> None:
    found: list[int] = []
    with pytest.raises(MappingError, match="no fives") as raised:
        found.extend(ordered_map(tasks.refused, range(10), workers))
    assert (raised.value.place, raised.value.nearest) == (Place(1, 5, "map.ttl"), "4")
    assert found == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("workers", ANY)
def test_what_the_items_raise_comes_after_the_results_before(workers: Workers) -> None:
    def items() -> Iterator[int]:
        yield from range(4)
        raise ValueError("cut off")

    found: list[int] = []
    with pytest.raises(ValueError, match="cut off"):
        found.extend(ordered_map(tasks.squared, items(), workers))
    assert found == [0, 1, 4, 9]


@pytest.mark.parametrize("workers", ANY)
def test_items_without_end_are_not_read_ahead_beyond_the_bound(workers: Workers) -> None:
    read = 0

    def items() -> Iterator[int]:
        nonlocal read
        while True:
            read += 1
            yield read

    results = ordered_map(tasks.squared, items(), workers)
    for taken in range(1, 30):
        assert next(results) == taken * taken
        assert read <= taken + AHEAD * workers.count
    results.close()


@pytest.mark.parametrize("workers", [TWO, RAY])
def test_an_item_whose_worker_dies_is_tried_again(workers: Workers, tmp_path: Path) -> None:
    task = partial(tasks.dying_once, str(tmp_path))
    assert list(ordered_map(task, range(20), workers)) == list(range(20))


@pytest.mark.parametrize("workers", [TWO, RAY])
def test_workers_killed_at_random_lose_nothing_and_double_nothing(workers: Workers, tmp_path: Path) -> None:
    ended = threading.Event()

    def kill() -> None:
        chance = random.Random(4)
        for _ in range(2 if workers.ray else 8):  # a worker of Ray takes a second to be replaced
            ended.wait(0.25)
            alive = [int(mark.name) for mark in tmp_path.iterdir()]
            if alive:
                with suppress(ProcessLookupError):
                    victim = chance.choice(alive)
                    os.kill(victim, signal.SIGKILL)
                    (tmp_path / str(victim)).unlink()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        found = list(ordered_map(partial(tasks.noted, str(tmp_path)), range(200), workers))
    finally:
        ended.set()
        killer.join()
    assert found == list(range(200))


@pytest.mark.parametrize("workers", [TWO, RAY])
def test_an_item_that_always_kills_its_worker_ends_in_an_error(workers: Workers) -> None:
    found: list[int] = []
    with pytest.raises(WorkerLost, match="died 3 times over the same item"):
        found.extend(ordered_map(tasks.dying, range(20), workers))
    assert found == list(range(7))
    assert list(ordered_map(tasks.squared, range(5), workers)) == [0, 1, 4, 9, 16]


def test_results_left_untaken_stop_the_work() -> None:
    assert list(islice(ordered_map(tasks.squared, count(), TWO), 3)) == [0, 1, 4]
    assert list(ordered_map(tasks.squared, range(3), TWO)) == [0, 1, 4]


def test_what_a_task_prints_is_no_answer() -> None:
    assert list(ordered_map(tasks.printing, range(5), TWO)) == list(range(5))


def test_progress_is_told_item_by_item() -> None:
    told: list[int] = []
    list(ordered_map(tasks.squared, range(5), TWO, told.append))
    assert told == [1, 2, 3, 4, 5]


def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    code = (
        "import os, signal, parallel_tasks as t\nfrom reqap_kg.parallel import Workers, ordered_map\n"
        "print(*set(ordered_map(t.process, range(20), Workers(2))), flush=True)\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    workers = [int(number) for number in done.stdout.split()]
    assert len(workers) == 2
    until = time.monotonic() + 5
    while any(_is_alive(number) for number in workers):
        assert time.monotonic() < until, "a worker outlives its master"
        time.sleep(0.05)


def _is_alive(number: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{number}/status").read_text()
    except FileNotFoundError:
        return False


def test_a_cluster_that_does_not_answer_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"pip install 'reqap-kg\[ray\]'"):
        list(ordered_map(tasks.squared, range(3), Workers(1, "nowhere:1")))
