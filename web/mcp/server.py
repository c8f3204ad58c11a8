"""The server: calls of tools in, results out; each call is done by the engine, bounded, and written down.

    with Held(directory, settings) as held:
        main_stdio(held, datetime.now)

Over standard input and output, these belong to the protocol: what else is printed goes to standard error.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from importlib.metadata import version
from typing import Any, Final

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from ...engine.knowledge import KnowledgeGraph
from ...errors import ReqapError, StoreError
from ..holding import Held, Stopped
from ..http.problems import STOPPED, UNEXPECTED
from .bounds import Bounds
from .calls import Call, Calls
from .given import Given
from .models import Arguments
from .progress import telling
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
