"""The server: calls of tools in, results out; each call is done by the engine, bounded, and written down.

    with Held(directory, settings) as held:
        main_stdio(held, datetime.now)

Over standard input and output, these belong to the protocol: what else is printed goes to standard error.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Final

import mcp_types as types
import portalocker
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from ...engine.knowledge import KnowledgeGraph
from ...errors import ReqapError, StoreError
from ...store.folder import CALLS, break_links, is_store, own_opener, private_files
from ..holding import Held, Progress, Stopped
from ..http.problems import STOPPED, UNEXPECTED
from .bounds import Bounds
from .models import Arguments, Given
from .tools import INSTRUCTIONS, TOOLS, Tool

NAME: Final = "reqap-kg"
_MOST_WRONG: Final = 5
_LOGGER: Final = logging.getLogger(__name__)
Context = ServerRequestContext[Any, Any]


def server(held: Held, now: Callable[[], datetime]) -> Server[Any]:
    """The server over a store; `now` is the time of asking."""
    answering = _Answering(held, now, Bounds.of(held), Calls(held.directory))
    return Server(
        NAME,
        version=version(NAME),
        title="Your own life",
        instructions=INSTRUCTIONS,
        on_list_tools=answering.listed,
        on_call_tool=answering.call,
    )


async def run_stdio(held: Held, now: Callable[[], datetime]) -> None:
    """Answers over standard input and output, until the input ends."""
    made = server(held, now)
    async with stdio_server() as (incoming, outgoing):
        await made.run(incoming, outgoing, made.create_initialization_options())


def main_stdio(held: Held, now: Callable[[], datetime]) -> None:
    """The same for whoever has no event loop; an interrupt ends it, too."""
    with suppress(KeyboardInterrupt):
        asyncio.run(run_stdio(held, now))


@dataclass(frozen=True)
class _Answering:
    """Answers calls over a store."""

    held: Held
    now: Callable[[], datetime]
    bounds: Bounds
    calls: Calls

    async def listed(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """The tools that the settings leave in."""
        return types.ListToolsResult(tools=[tool.listed for tool in self._tools.values()])

    @property
    def _tools(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in TOOLS if tool.name in self.held.settings.mcp.tools}

    async def call(self, context: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        """The result of a call; errors are results that say so, as the assistant is to read them."""
        tool = self._tools.get(asked.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {self.bounds.said(asked.name[:100])}")
        begun = Call(self.now(), tool.name, dict(asked.arguments or {}))
        try:
            given = tool.takes.model_validate(begun.arguments)
        except ValidationError as bad:
            return self._failed(begun, _wrong(bad))
        return await self._answered(context, tool, given, begun)

    async def _answered(self, context: Context, tool: Tool, arguments: Arguments, begun: Call) -> types.CallToolResult:
        """The result of a call whose arguments are right."""
        does = partial(_done, tool=tool, arguments=arguments, now=begun.at, bounds=self.bounds)
        try:
            async with telling(context.session) as tell:
                given = await self.held.do(does, tell=tell)
            self.calls.add(Call(begun.at, begun.tool, begun.arguments, given.rows, given.events))
        except ReqapError as bad:
            return self._failed(begun, str(bad))
        except Stopped:
            return self._failed(begun, STOPPED.detail)
        except asyncio.CancelledError:
            self._failed(begun, STOPPED.detail)
            raise
        except Exception:
            _LOGGER.exception("a call of %s failed unexpectedly", tool.name)
            return self._failed(begun, UNEXPECTED.detail)
        content = given.content.as_json()
        text = types.TextContent(type="text", text=json.dumps(content, ensure_ascii=False))
        return types.CallToolResult(content=[text], structured_content=content)

    def _failed(self, begun: Call, why: str) -> types.CallToolResult:
        """The result of a call that is given nothing."""
        why = self.bounds.error(why)
        try:
            self.calls.add(Call(begun.at, begun.tool, begun.arguments, failed=why))
        except StoreError as bad:
            _LOGGER.error("a call of %s cannot be written down: %s", begun.tool, bad)
        return types.CallToolResult(content=[types.TextContent(type="text", text=why)], is_error=True)


def _done(known: KnowledgeGraph, *, tool: Tool, arguments: Arguments, now: datetime, bounds: Bounds) -> Given:
    return tool.does(known, arguments, now, bounds)


def _wrong(bad: ValidationError) -> str:
    """What is wrong with arguments, without their values."""
    errors = bad.errors(include_url=False, include_input=False, include_context=False)[:_MOST_WRONG]
    return "; ".join(dict.fromkeys(f"{_place(error)}{error['msg']}" for error in errors))


def _place(error: Mapping[str, Any]) -> str:
    """Which argument is meant; of one that there is not, no more than its beginning."""
    return f"{'.'.join(map(str, error['loc']))[:100]}: " if error["loc"] else ""


_PAUSE_SECONDS: Final = 0.1
"""What lies between two steps that are told, at least; those between are left out."""
Steps = asyncio.Queue[tuple[str, int, int]]


@asynccontextmanager
async def telling(session: ServerSession) -> AsyncIterator[Progress]:
    """What hears the steps, on any thread; the client is told of them until the end."""
    steps: Steps = asyncio.Queue(1)
    loop = asyncio.get_running_loop()

    def tell(step: str, done: int, total: int) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            loop.call_soon_threadsafe(_put, steps, (step, done, total))

    sending = asyncio.create_task(_send(session, steps))
    try:
        yield tell
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


def _put(steps: Steps, step: tuple[str, int, int]) -> None:
    """Keeps the latest step."""
    if steps.full():
        steps.get_nowait()
    steps.put_nowait(step)


async def _send(session: ServerSession, steps: Steps) -> None:
    """Tells one step after the other. What is told always grows, as the protocol wants it, though each step of the
    engine begins at 0."""
    told = 0
    while True:
        step, done, total = await steps.get()
        told += 1
        await session.report_progress(told, message=f"{step}: {done} of {total}" if total else step)
        await asyncio.sleep(_PAUSE_SECONDS)


MOST_BYTES: Final = 2**20
"""What is kept: of a longer file, the older half is dropped."""
_LONGEST: Final = 4_000
"""Characters of the arguments of a call that are kept."""


@dataclass(frozen=True)
class Call:
    """One call: how many rows it was given, and of which events; `failed` says why it was given nothing."""

    at: datetime
    tool: str
    arguments: object
    rows: int = 0
    events: tuple[str, ...] = ()
    failed: str = ""

    def as_json(self) -> dict[str, Any]:
        """Its object."""
        failed = {"failed": self.failed} if self.failed else {}
        return {
            "time": self.at.isoformat(timespec="seconds"),
            "tool": self.tool[:_LONGEST],
            "arguments": _short(self.arguments),
            "rows": self.rows,
            "events": len(self.events),
            "given": list(self.events),
            **failed,
        }


class Calls:
    """The file of a store's calls."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.path = directory / CALLS

    def add(self, call: Call) -> None:
        """Writes a call down; nothing where there is no store. Raises StoreError where it cannot be."""
        if not is_store(self._directory):
            return
        line = json.dumps(call.as_json()).encode() + b"\n"
        opened = partial(open, self.path, "ab+", buffering=0, opener=own_opener)
        try:
            with private_files():
                break_links(self.path)
                out = opened()
            with out:
                os.fchmod(out.fileno(), 0o600)
                portalocker.lock(out, portalocker.LockFlags.EXCLUSIVE)
                _shorten(out, len(line))
                out.write(line)
        except (OSError, portalocker.LockException) as bad:
            raise StoreError("what is given away cannot be written down, so nothing is") from bad


def _shorten(out: IO[bytes], more: int) -> None:
    """Drops the older half of the lines where there is no room for more."""
    if out.seek(0, os.SEEK_END) + more <= MOST_BYTES:
        return
    out.seek(-MOST_BYTES // 2, os.SEEK_END)
    _, _, kept = out.read().partition(b"\n")
    out.truncate(0)
    out.write(kept)


def _short(arguments: object) -> object:
    """Arguments as they are; of long ones, the beginning of what they say."""
    said = json.dumps(arguments) if isinstance(arguments, Mapping | list | str) else ""
    return arguments if len(said) <= _LONGEST else said[:_LONGEST]


PATH: Final = "/mcp"
_MOST_SESSIONS: Final = 100


def routes(held: Held, now: Callable[[], datetime]) -> list[BaseRoute]:
    """The route over a store; `now` is the time of asking. Who is let in is decided before. It answers while the
    application's `lifespan` is entered."""
    return [Route(PATH, _Sessions(server(held, now), held.settings.service.request_bytes))]


@asynccontextmanager
async def lifespan(application: Starlette) -> AsyncIterator[None]:
    """Keeps sessions of assistants for the routes of an application."""
    async with AsyncExitStack() as entered:
        for route in application.routes:
            if isinstance(route, Route) and isinstance(route.endpoint, _Sessions):
                await entered.enter_async_context(route.endpoint.kept())
        yield


class _Sessions:
    """Sessions of assistants, for as long as they are kept."""

    def __init__(self, served: Server[Any], most_bytes: int) -> None:
        self._served = served
        self._most_bytes = most_bytes
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Keeps them."""
        manager = StreamableHTTPSessionManager(
            self._served, max_request_body_size=self._most_bytes, max_sessions=_MOST_SESSIONS
        )
        async with manager.run():
            self._manager = manager
            try:
                yield
            finally:
                self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if self._manager is None:
            await PlainTextResponse("the service ends, or has not begun", 503)(scope, receive, send)
        else:
            await self._manager.handle_request(scope, receive, send)
