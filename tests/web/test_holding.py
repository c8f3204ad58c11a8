"""A store that is kept open: taken up anew, lent to others, stopped, read beside."""

import asyncio
import threading
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.admin.manage import forget
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import QueryTimeout, StoreError
from reqap_kg.store.generations import current, held_before
from reqap_kg.web.holding import MOST_WAITING, Held, Stopped

NOW = datetime(2025, 3, 1, 12)
RUNS = "How many runs did I do in 2024?"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


@pytest.fixture
def held(demo_store):
    with Held(demo_store, Settings()) as held:
        yield held


def _runs(held: Held) -> list[object]:
    return list(held.run(lambda known: known.ask(RUNS, now=NOW)).values)


def test_a_question_gets_the_answer_that_a_store_opened_for_it_gives(held, demo_store):
    kept = _runs(held), _runs(held)
    with KnowledgeGraph.open(demo_store) as known:
        assert kept == (list(known.ask(RUNS, now=NOW).values),) * 2


def test_whoever_waits_for_the_store_gets_it_and_the_service_goes_on(held, demo_store):
    before = _runs(held)
    begin = monotonic()
    with KnowledgeGraph.open(demo_store) as known:
        assert list(known.ask(RUNS, now=NOW).values) == before
    assert monotonic() - begin < 5
    assert _runs(held) == before


def test_what_another_process_changes_is_taken_up_and_the_old_generation_goes(held, demo_store):
    before, state = _runs(held), held.state
    forget("spotify", demo_store, Settings())
    assert not any("spotify" in graph for graph in held.run(lambda known: known.graph.graphs()))
    assert _runs(held) == before
    assert held.state.split("-")[:2] != state.split("-")[:2]
    _until(lambda: not held_before(demo_store))


def test_an_idle_service_lets_go_of_a_generation_that_was_replaced(held, demo_store):
    _runs(held)
    forget("netflix", demo_store, Settings())
    _until(lambda: not held_before(demo_store))
    assert current(demo_store)


def test_work_that_is_stopped_ends_and_the_next_is_done(held):
    begun = threading.Event()

    def endless(_: KnowledgeGraph) -> None:
        begun.set()
        while True:
            sleep(0.01)

    work = held.submit(endless)
    assert begun.wait(30)
    held.stop(work)
    with pytest.raises(Stopped):
        work.result.result(timeout=10)
    assert _runs(held)


def test_work_that_is_stopped_before_it_begins_is_not_done(held):
    release, done = threading.Event(), []
    first = held.submit(lambda _: release.wait(30))
    second, third = held.submit(lambda _: done.append(True)), held.submit(lambda _: done.append(True))
    held.stop(second)
    held.stop(third, KeyboardInterrupt)
    with pytest.raises(Stopped):
        second.result.result(timeout=10)
    with pytest.raises(KeyboardInterrupt):  # as whoever stopped it said, and before the first is done
        third.result.result(timeout=10)
    release.set()
    assert first.result.result(timeout=30)
    assert _runs(held)
    assert not done


def test_no_more_than_some_may_wait(held):
    begun, release = threading.Event(), threading.Event()
    works = [held.submit(lambda _: begun.set() or release.wait(30))]
    assert begun.wait(30)
    works += [held.submit(lambda _: True) for _ in range(MOST_WAITING)]
    with pytest.raises(StoreError, match="wait already"):
        held.submit(lambda _: True)
    release.set()
    assert all(work.result.result(timeout=60) for work in works)


def test_readers_read_while_the_engine_works(held):
    count = held.run(lambda known: known.graph.count())
    release = threading.Event()
    work = held.submit(lambda _: release.wait(30))
    assert held.read(lambda graph: graph.count(), seconds=5) == count
    release.set()
    assert work.result.result(timeout=30)


def test_a_reader_that_takes_too_long_is_given_up(held):
    with pytest.raises(QueryTimeout):
        held.read(lambda graph: sleep(2), seconds=0.2)


def test_steps_are_told_to_whoever_asked(held):
    told = []
    held.run(lambda known: known._progress("embed", 1, 2), tell=lambda *step: told.append(step))
    assert ("embed", 1, 2) in told


def test_a_store_that_is_not_there_is_an_error_of_each_question(tmp_path: Path):
    with Held(tmp_path / "none", Settings()) as held:
        for _ in range(2):
            with pytest.raises(StoreError, match="no store"):
                _runs(held)


def _until(holds) -> None:
    end = monotonic() + 10
    while not holds():
        assert monotonic() < end
        sleep(0.05)


def test_a_cancelled_task_stops_its_work(held):
    begun = threading.Event()

    def endless(_: KnowledgeGraph) -> None:
        begun.set()
        while True:
            sleep(0.01)

    async def cancelled() -> None:
        task = asyncio.create_task(held.do(endless))
        await asyncio.to_thread(begun.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert _runs(held)


def test_a_module_is_imported_whole_even_where_the_work_that_wants_it_is_stopped(held, tmp_path, monkeypatch):
    (tmp_path / "slow_to_import.py").write_text(
        "from time import sleep\nfor _ in range(50):\n    sleep(0.02)\nwhole = 1\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    begun = threading.Event()

    def does(_: KnowledgeGraph) -> None:
        begun.set()
        import slow_to_import  # type: ignore[import-not-found]

        while slow_to_import.whole:
            sleep(0.01)

    work = held.submit(does)
    begun.wait()
    sleep(0.2)
    held.stop(work)
    with pytest.raises(Stopped):
        work.result.result(timeout=20)
    import slow_to_import  # type: ignore[import-not-found]

    assert slow_to_import.whole == 1
