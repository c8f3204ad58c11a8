"""Progress of long work: a moving line on a terminal, now and then a plain line anywhere else.

A bar does not take over the standard streams: what is printed beside it stays on its own stream, and guarded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from ...engine.importing.report import Progress, Silent
from .console import err_is_terminal, say, styled
from .layout import cut
from .safe_text import one_line

_TURNING = 4
"""Columns of a status line that are not its text."""
QUIET_SECONDS = 5.0
"""Where nothing moves (a log, a pipe), work that takes no longer says nothing."""
REPEAT_SECONDS = 10.0
"""How often a step that goes on is said again there."""
_LEAST_SECONDS = 1.0
"""Steps that follow one another faster are not all said."""
if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID
    from rich.status import Status


@contextmanager
def progress_bar(*, visible: bool) -> Iterator[Progress]:
    """Shows file or step, how many records were read and the time, on standard error; nothing when not `visible`."""
    if not visible:
        yield Silent()
        return
    if not err_is_terminal():
        yield PlainLines(_say, monotonic)
        return
    from rich.progress import Progress as Bars
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
    )
    with Bars(*columns, console=styled(err=True), transient=True, redirect_stdout=False, redirect_stderr=False) as bars:
        yield _Lines(bars)


def _say(line: str) -> None:
    say(line, err=True)


class PlainLines:
    """Progress as lines of text: a file or step when it begins, again every `REPEAT_SECONDS`, nothing in the first
    `QUIET_SECONDS`. `say` writes a line, `clock` gives seconds."""

    def __init__(self, say: Callable[[str], None], clock: Callable[[], float]) -> None:
        self._say = say
        self._clock = clock
        self._said = clock() + QUIET_SECONDS - REPEAT_SECONDS
        self._step = self._file = ""
        self._records = 0

    def start(self, path: str, size: int) -> None:
        """Says a file and its size."""
        self._file, self._records = f"{path} ({size / 2**20:.1f} MiB)", 0
        self._show(self._file, "")

    def advance(self, records: int) -> None:
        """Says now and then how many records of the file were read."""
        self._records += records
        self._show(self._file, f": {self._records:,} records")

    def step(self, text: str) -> None:
        """Says a step."""
        self._show(text, "")

    def counted(self, step: str, done: int, total: int) -> None:
        """Says how much of a step is done, where it is known."""
        self._show(step, f": {done:,} of {total:,}" if total else "")

    def _show(self, step: str, much: str) -> None:
        now = self._clock()
        if now - self._said >= (REPEAT_SECONDS if step == self._step or not self._step else _LEAST_SECONDS):
            self._say(f"  {step}{much} ...")
            self._step, self._said = step, now


class _Lines:
    """One line per file or step; the one before is closed when the next begins."""

    def __init__(self, bars: object) -> None:
        from rich.progress import Progress as Bars

        assert isinstance(bars, Bars)
        self._bars = bars
        self._task = bars.add_task("reading", total=None, count="")
        self._records = 0

    def start(self, path: str, size: int) -> None:
        """Shows a file and its size."""
        self._records = 0
        self._bars.update(self._task, description=f"{one_line(path)} ({size / 2**20:.1f} MiB)", count="")

    def advance(self, records: int) -> None:
        """Shows how many records of the file were read."""
        self._records += records
        self._bars.update(self._task, count=f"{self._records:,} records")

    def counted(self, step: str, done: int, total: int) -> None:
        """Shows how much of a step is done."""
        self._bars.update(self._task, description=step, count=f"{done:,} of {total:,}" if total else "")

    def step(self, text: str) -> None:
        """Shows a step."""
        self._bars.update(self._task, description=one_line(text), count="")


@contextmanager
def steps_bar(*, visible: bool) -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar for indexing and embedding, which tell what is being done, how much is done, and of how much (0: unknown);
    on standard error, nothing when not `visible`."""
    if not visible:
        yield None
        return
    if not err_is_terminal():
        yield PlainLines(_say, monotonic).counted
        return
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=styled(err=True), transient=True, redirect_stdout=False, redirect_stderr=False) as bars:
        tasks: dict[str, TaskID] = {}

        def tell(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(f"{one_line(step)} ...", total=total or None)
            bars.update(tasks[step], completed=done, total=total or None)

        yield tell


class StatusLine:
    """A line beneath a conversation that says what is being done; what is told stays above it."""

    def __init__(self, console: Console | None) -> None:
        self._console = console
        self._status: Status | None = None

    @contextmanager
    def doing(self, text: str) -> Iterator[None]:
        """Shows a text, turning, while something is done."""
        if self._console is None:
            yield
            return
        from rich.text import Text

        with self._console.status(Text(one_line(f"{text} ..."))) as self._status:
            try:
                yield
            finally:
                self._status = None

    def tell(self, step: str, text: str) -> None:
        """Shows a step as soon as it is known, until the next. One line will do: how a question was read is told with
        the answer, its tree by `/plan`."""
        if self._console is None or self._status is None:
            return
        from rich.text import Text

        room = max(self._console.width - len(step) - _TURNING, 0)
        self._status.update(Text(f"{one_line(step)}: {cut(one_line(' '.join(text.split())), room)}"))

    def progress(self, step: str, done: int, total: int) -> None:
        """Shows how much of a step is done."""
        if self._status is not None:
            from rich.text import Text

            self._status.update(Text(f"{one_line(step)}: {done:,} of {total:,} ..."))


@contextmanager
def status_line(*, visible: bool) -> Iterator[StatusLine]:
    """A line for a conversation's progress on standard error; it shows nothing when not `visible`."""
    if not visible:
        yield StatusLine(None)
        return
    yield StatusLine(styled(err=True))
