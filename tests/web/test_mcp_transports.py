"""Assistants over standard input and output, and by HTTP: progress, cancellation, several calls at once."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from shutil import copytree
from time import sleep
from typing import Any

import httpx
import pytest
import uvicorn
from mcp import Client, StdioServerParameters, stdio_client
from starlette.applications import Starlette

from reqap_kg.config import Settings
from reqap_kg.engine.answers.answer import Answer
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.store.folder import CALLS
from reqap_kg.web.holding import Held
from reqap_kg.web.http.access import Access
from reqap_kg.web.http.guarding import application
from reqap_kg.web.mcp.server import PATH, lifespan, routes, server

NOW = datetime(2025, 3, 1, 12)
TREE = 'APPLY(l=RETRIEVE(query="I ran"), fct=len)'
CHILD = """
import sys
from datetime import datetime
from pathlib import Path
from reqap_kg.config import Settings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.web.holding import Held
from reqap_kg.web.mcp.server import main_stdio

answered = KnowledgeGraph.ask
KnowledgeGraph.ask = lambda *given, **more: print("STRAY", flush=True) or answered(*given, **more)
with Held(Path(sys.argv[1]), Settings()) as held:
    main_stdio(held, lambda: datetime(2025, 3, 1, 12))
"""


@pytest.fixture(scope="module")
def held(demo_store: Path) -> Iterator[Held]:
    with Held(demo_store, Settings()) as held:
        yield held


# ---------------------------------------------------------------- standard input and output
def test_a_client_of_another_process_gets_messages_and_nothing_else(imported_demo, tmp_path):
    store, noise = copytree(imported_demo, tmp_path / "store"), tmp_path / "noise"
    child = StdioServerParameters(command=sys.executable, args=["-c", CHILD, str(store)])
    strange: list[object] = []

    async def hear(message: object) -> None:
        strange.append(message)

    async def used() -> tuple[Any, ...]:
        with noise.open("w") as errors:
            async with Client(stdio_client(child, errlog=errors), message_handler=hear) as client:
                tools = await client.list_tools()
                asked = await client.call_tool("run_tree", {"tree": TREE})
                wrong = await client.call_tool("run_tree", {"tree": "NOTHING("})
                return tools.tools, asked, wrong, client.server_info

    tools, asked, wrong, server_info = asyncio.run(used())
    assert len(tools) == 6
    assert asked.structured_content["values"] == [104]
    assert wrong.is_error
    assert server_info.name == "reqap-kg"
    assert strange == []
    assert "STRAY" in noise.read_text()


def _message(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


# ---------------------------------------------------------------- HTTP
@contextmanager
def _served(made: Starlette) -> Iterator[str]:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    running = uvicorn.Server(uvicorn.Config(made, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}{PATH}"
    finally:
        running.should_exit = True
        thread.join(timeout=20)
        listening.close()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_gets_answers_by_http(held, mode):
    async def used(url: str) -> tuple[Any, ...]:
        async with Client(url, mode=mode) as client:
            return await client.list_tools(), await client.call_tool("run_tree", {"tree": TREE})

    with _served(Starlette(routes=routes(held, lambda: NOW), lifespan=lifespan)) as url:
        for _ in range(2):
            tools, asked = asyncio.run(used(url))
            assert len(tools.tools) == 6
            assert asked.structured_content["values"] == [104]


def test_it_stands_behind_the_guard_of_the_service(held):
    access = Access("the-token", frozenset({"127.0.0.1:1"}), requests_per_minute=1_000)
    logger = logging.getLogger("test.mcp")
    made = application(held, access, routes(held, lambda: NOW), logger=logger, lifespan=lifespan)
    asked = _message(
        1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": ""}
    )

    async def sent(**more: str) -> list[int]:
        transport = httpx.ASGITransport(app=made)
        accepted = {"Accept": "application/json, text/event-stream"}
        async with (
            made.router.lifespan_context(made),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as client,
        ):
            statuses = [(await client.post(PATH, json=asked, headers={**accepted, **more})).status_code]
            large = {**asked, "more": "x" * held.settings.service.request_bytes}
            return [*statuses, (await client.post(PATH, json=large, headers={**accepted, **more})).status_code]

    assert asyncio.run(sent()) == [401, 401]
    assert asyncio.run(sent(Authorization="Bearer the-token")) == [200, 413]


def test_outside_the_lifespan_nothing_is_answered(held):
    async def sent() -> int:
        transport = httpx.ASGITransport(app=Starlette(routes=routes(held, lambda: NOW)))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as client:
            return (await client.post(PATH, json={})).status_code

    assert asyncio.run(sent()) == 503


# ---------------------------------------------------------------- long work
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_steps_are_told_to_a_client_that_wants_them(held, monkeypatch, mode):
    answered = KnowledgeGraph.ask

    def slow(known: KnowledgeGraph, question: str, **more: Any) -> Answer:
        assert known._progress
        for done in range(3):
            known._progress("embed", done, 3)
            sleep(0.15)
        return answered(known, question, **more)

    monkeypatch.setattr(KnowledgeGraph, "ask", slow)
    told: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def used() -> Any:
        async with Client(server(held, lambda: NOW), mode=mode) as client:
            return await client.call_tool("run_tree", {"tree": TREE}, progress_callback=hear)

    assert asyncio.run(used()).structured_content["values"] == [104]
    assert [message for _, _, message in told] == [f"embed: {done} of 3" for done in range(3)]
    assert [progress for progress, _, _ in told] == sorted({progress for progress, _, _ in told})


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_call_that_is_cancelled_ends_the_work_and_the_next_is_answered(held, monkeypatch, mode):
    begun, ended = threading.Event(), threading.Event()

    def endless(*_: object, **__: object) -> None:
        begun.set()
        try:
            while True:
                sleep(0.01)
        finally:
            ended.set()

    async def used() -> Any:
        async with Client(server(held, lambda: NOW), mode=mode) as client:
            with monkeypatch.context() as patched:
                patched.setattr(KnowledgeGraph, "run", endless)
                running = asyncio.create_task(client.call_tool("run_tree", {"tree": TREE}))
                assert await asyncio.to_thread(begun.wait, 30)
                running.cancel()
                assert await asyncio.to_thread(ended.wait, 10)
            return await client.call_tool("run_tree", {"tree": TREE})

    assert asyncio.run(used()).structured_content["values"] == [104]
    lines = [json.loads(line) for line in (held.directory / CALLS).read_text().splitlines()]
    assert [line.get("failed") for line in lines[-2:]] == ["the work was stopped", None]


def test_calls_at_once_are_all_answered_each_with_its_own(held):
    kinds = {"workouts": 230, "music streams": 1361, "purchases": 68, "mails": 117}

    async def used() -> list[Any]:
        async with Client(server(held, lambda: NOW), mode="legacy") as client:
            trees = [f'APPLY(l=RETRIEVE(query="{kind}"), fct=len)' for kind in [*kinds, *kinds]]
            found = await asyncio.gather(*(client.call_tool("run_tree", {"tree": tree}) for tree in trees))
            return [one.structured_content["values"][0] for one in found]

    assert asyncio.run(used()) == [*kinds.values(), *kinds.values()]
