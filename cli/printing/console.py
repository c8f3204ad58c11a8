"""The one way out: everything that the command line prints goes through here, and is made safe on its way.

`say` prints a line, `block` a text of several, `data` a format for programs, `print_table` rows. While `guarded`, the
standard streams themselves make safe what others write to them (the library of the command line, warnings, logging), so
that nothing can be forgotten. Styles, bars and the pager are this module's alone.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

from ...errors import OutputError
from .layout import laid_out, plain_table, wrapped
from .safe_text import json_escaped, one_line, rdf_escaped, shown

if TYPE_CHECKING:
    from rich.console import Console

_PAGER: Final = "less"
_LESS: Final = "FRX"
"""What `less` does unless LESS says otherwise: leaves where all fits, shows styles, lets the text stand."""


def page(text: str, height: int) -> bool:
    """Shows a text in the pager that PAGER names, else in `less`, without a shell; False where it fits or there is
    none."""
    command = _pager()
    if command is None or text.count("\n") < height:
        return False
    try:
        run = subprocess.Popen(command, stdin=subprocess.PIPE, env={"LESS": _LESS, **os.environ})
    except OSError:
        return False  # PAGER names something that does not start: the text is printed
    with suppress(KeyboardInterrupt):  # Ctrl-C belongs to the pager, which goes on until it is left
        run.communicate(text.encode("utf-8", "backslashreplace"))
    run.wait()
    return True


def _pager() -> list[str] | None:
    """The program and its options; None for none, `cat`, or what is not installed."""
    try:
        words = shlex.split(os.environ.get("PAGER", _PAGER))
    except ValueError:
        words = [_PAGER]
    found = shutil.which(words[0]) if words else None
    if found is None or words[0] == "cat":
        return None
    return [found, *words[1:]]


_HELD: ContextVar[list[str] | None] = ContextVar("held", default=None)
"""What a pager will show, while a command prints."""
_PAGE: ContextVar[Callable[[str, int], bool]] = ContextVar("page", default=page)
paging: ContextVar[bool] = ContextVar("paging", default=True)
"""Whether `paged` may show a pager; --no-pager switches it off."""
_CUT_AT_TERMINAL: Final = 60
_CUT_ELSEWHERE: Final = 200
_DRAWN: Final = (80, 20)


class Guard:
    """A standard stream that shows controls instead of passing them on; all else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Writes a text, safe."""
        self.stream.write(_encodable(shown(text), self.stream))
        return len(text)

    def writelines(self, lines: Sequence[str]) -> None:
        """Writes texts, safe."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def guarded() -> Iterator[None]:
    """Guards standard output and standard error."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast(TextIO, Guard(_raw(before[0]))), cast(TextIO, Guard(_raw(before[1])))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def say(text: str = "", *, err: bool = False) -> None:
    """Prints a line; a line feed within it is shown as a sign. At a terminal it is broken between words."""
    _write(_broken(one_line(text), err) + "\n", err)


def block(text: str, *, err: bool = False, indent: str = "") -> None:
    """Prints a text of several lines; those after the first begin with `indent`."""
    lines = shown(text.replace("\r\n", "\n")).rstrip("\n").split("\n")
    _write("\n".join([lines[0], *(f"{indent}{line}" for line in lines[1:])]) + "\n", err)


def query(text: str) -> None:
    """Prints a query in SPARQL, with the language's own escapes: copied from the terminal, it asks the same."""
    _write(rdf_escaped(text).rstrip("\n") + "\n", err=False)


def data(text: str) -> None:
    """Prints a format for programs to standard output, which the caller made safe by the format's own escapes."""
    _write(text, err=False)


def print_json(value: Any) -> None:
    """One JSON value on standard output. Text is UTF-8 as it is, but controls and what cannot be seen are escaped."""
    data(json_text(value, indent=2) + "\n")


def json_text(value: Any, *, indent: int | None = None) -> str:
    """A value as JSON that is safe to print."""
    return json_escaped(json.dumps(value, ensure_ascii=False, indent=indent))


def print_table(rows: Sequence[tuple[str, ...]]) -> None:
    """A header and rows: at a terminal as a table that fits it, or row by row where none would; else plain columns that
    are not cut."""
    safe = [tuple(one_line(cell) for cell in row) for row in rows]
    if not out_is_terminal():
        block(plain_table(safe))
        return
    console = styled()
    with console.capture() as captured:
        console.print(laid_out(safe, console.width), end="")
    _write("\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n")) + "\n", err=False)


def most_of_a_cell() -> int:
    """Columns of a title in a table, beyond which it is cut."""
    return _CUT_AT_TERMINAL if out_is_terminal() else _CUT_ELSEWHERE


def out_is_terminal() -> bool:
    """Whether somebody reads standard output on a terminal."""
    return _raw(sys.stdout).isatty()


def drawing_size() -> tuple[int, int]:
    """Columns and lines of a drawing: of the terminal, or what fits into most."""
    if not out_is_terminal():
        return _DRAWN
    found = shutil.get_terminal_size(_DRAWN)
    return found.columns, min(found.lines - 4, _DRAWN[1])


def err_is_terminal() -> bool:
    """Whether progress can be shown on standard error."""
    return _raw(sys.stderr).isatty()


def styled(*, err: bool = False) -> Console:
    """Where this module's styles and bars go. Texts from outside are made safe, and `Text`, before."""
    from rich.console import Console

    stream = _raw(sys.stderr if err else sys.stdout)
    return Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=False)


def terminal_out() -> TextIO | None:
    """The terminal itself, for what edits lines on it and makes safe what it shows; None where nothing guards it."""
    return sys.stdout.stream if isinstance(sys.stdout, Guard) else None


@contextmanager
def paged() -> Iterator[None]:
    """Shows what is printed meanwhile in a pager, where it is longer than the terminal."""
    if not paging.get() or not out_is_terminal() or not sys.stdin.isatty() or _HELD.get() is not None:
        yield
        return
    held: list[str] = []
    token = _HELD.set(held)
    try:
        yield
    finally:
        _HELD.reset(token)
        text = "".join(held)
        if not _PAGE.get()(text, styled().height):
            _write(text, err=False)


@contextmanager
def paging_elsewhere(show: Callable[[str, int], bool]) -> Iterator[None]:
    """Hands what goes to a pager to `show`: another process is at the terminal."""
    before = _PAGE.set(show)
    try:
        yield
    finally:
        _PAGE.reset(before)


def _write(text: str, err: bool) -> None:
    held = _HELD.get()
    if held is not None and not err:
        held.append(text)
        return
    stream = _raw(sys.stderr if err else sys.stdout)
    try:
        stream.write(_encodable(text, stream))
    except BrokenPipeError:
        raise
    except OSError as bad:
        if err:  # nobody can be told that nothing can be told
            return
        raise OutputError(f"what was to be printed cannot be written ({bad.strerror}); what was done is done") from bad


def _broken(text: str, err: bool) -> str:
    return wrapped(text, styled(err=err).width) if (err_is_terminal() if err else out_is_terminal()) else text


def _raw(stream: TextIO) -> TextIO:
    return stream.stream if isinstance(stream, Guard) else stream


def _encodable(text: str, stream: TextIO) -> str:
    """The text as far as the stream's encoding can say it; other signs as escapes, so that printing never fails."""
    coding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(coding, "backslashreplace").decode(coding)
