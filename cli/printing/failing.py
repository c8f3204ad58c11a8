"""What is said when a command does not work: one sentence for people, one object for programs, and the exit code."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import typer

from ...errors import (
    ConfigError,
    DomainError,
    NoStore,
    NoSuchData,
    NotUnderstood,
    OutputError,
    QueryError,
    ReqapError,
    RuleError,
    TreeSyntaxError,
    TreeTypeError,
    UsageError,
)
from ..common import store_directory
from ..options import debugging, running
from .console import block, print_json, say

STOPPED: Final = 130
"""Exit code after Ctrl-C."""
FAILED: Final = 1
NOTHING_FOUND: Final = 3
"""Exit code of a question that was understood and has no answer in the data."""
NOT_UNDERSTOOD: Final = 4
"""Exit code of a question that was not understood."""
_KINDS: Final[tuple[tuple[type[ReqapError], str, int], ...]] = (
    (NoSuchData, "no_such_data", NOTHING_FOUND),
    (NotUnderstood, "not_understood", NOT_UNDERSTOOD),
    (UsageError, "usage", 2),
    (ConfigError, "configuration", 2),
    (DomainError, "domain", 2),
    (QueryError, "query", 2),
    (RuleError, "rule", 2),
    (TreeSyntaxError, "tree", 2),
    (TreeTypeError, "tree", 2),
    (ReqapError, "failed", FAILED),
)
"""The reason and the exit code of an error; the first that fits."""
Misused: Final[type[Exception]] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""A command line that does not parse; typer exports only some of its kinds."""


def kind_of(bad: ReqapError) -> tuple[str, int]:
    """The reason and the exit code of an error of the error tree."""
    reason, code = next((reason, code) for kind, reason, code in _KINDS if isinstance(bad, kind))
    return (bad.reason if isinstance(bad, NotUnderstood) else reason), code


def refused(bad: ReqapError, as_json: bool) -> int:
    """Says an error of the error tree; its exit code."""
    reason, code = kind_of(bad)
    _said(_told(bad), reason, as_json and not isinstance(bad, OutputError))
    return code


def _told(bad: ReqapError) -> str:
    """The sentence; where the store is that which every command takes, it need not be named."""
    if isinstance(bad, NoStore) and _is_usual(bad.directory):
        return "nothing was imported yet; begin with: reqap-kg ingest PATH"
    return str(bad)


def _is_usual(directory: Path) -> bool:
    """Whether a store is that which commands take that name none."""
    try:
        return directory == store_directory(None)
    except ReqapError:  # a domain that is none has no store
        return False


def misused(bad: Any, as_json: bool) -> int:
    """Says what is wrong with a command line, and where its help is; a group alone is answered with its help."""
    context = bad.ctx if hasattr(bad, "ctx") else None
    if type(bad).__name__ == "NoArgsIsHelpError" and context is not None:
        block(context.get_help())
        return 0
    text = bad.format_message()
    _said(text[:1].lower() + text[1:].rstrip("."), "usage", as_json)
    if context is not None and not as_json:
        say(f"`{context.command_path} --help` shows how it is used", err=True)
    return bad.exit_code


def stopped() -> int:
    """Says that the command was stopped by Ctrl-C."""
    say("reqap-kg: stopped", err=True)
    return STOPPED


def unexpected(kind: type[BaseException], bad: BaseException, trace: TracebackType | None, *, as_json: bool) -> None:
    """Print an unexpected error as one sentence; with --debug, with its traceback."""
    what = f"{kind.__name__}: {bad}" if str(bad) else kind.__name__
    _said(f"an unexpected error, which is a fault of reqap-kg ({what})", "unexpected", as_json)
    if debugging():
        block("".join(traceback.format_exception(kind, bad, trace)), err=True)
    else:
        say("Please report it with what the same command prints with --debug; it may quote your data.", err=True)


def _said(text: str, reason: str, as_json: bool) -> None:
    if not as_json:
        first, *rest = text.splitlines() or [""]
        say(f"reqap-kg: {first}", err=True)
        for line in rest:
            say(f"  {line}", err=True)
        return
    none = {"answer": [], "answer_type": "none", "warnings": [text]}
    asked = {"question": running()["question"], **none} if "question" in running() else {}
    print_json({**asked, "error": text, "reason": reason})
