"""Progress of long work: a moving line on a terminal, now and then a plain line anywhere else.

A bar does not take over the standard streams: what is printed beside it stays on its own stream, and guarded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ...engine.importing.report import Progress, Silent
from .console import err_is_terminal, say, styled
from .layout import cut
from .safe_text import one_line

_TURNING = 4
"""Columns of a status line that are not its text."""
QUIET_SECONDS = 5.0
"""Where nothing moves (a log, a pipe), work that takes no longer says nothing."""
REPEAT_SECONDS = 10.0
"""How often it is said there how far work is."""
if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bars
    from rich.status import Status


@contextmanager
def progress_bar(*, visible: bool, text: str = "importing") -> Iterator[Progress]:
    """One bar for all of some work, which `text` names: the share that is done and the time that is left, on standard
    error; nothing when not `visible`."""
    if not visible:
        yield Silent()
        return
    whole = Whole()
    if not err_is_terminal():
        yield PlainLines(text, whole, _say, monotonic)
        return
    from rich.progress import BarColumn, SpinnerColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    text_column = TextColumn("{task.description}", markup=False)
    columns = SpinnerColumn(), text_column, BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Bars(*columns, console=styled(err=True), transient=True, redirect_stdout=False, redirect_stderr=False) as bars:
        yield _Bar(bars, text, whole)


def _say(line: str) -> None:
    say(line, err=True)


class _Shown:
    """Progress that is shown as the share of the whole; `shown` shows it, beside a file while one is read."""

    def __init__(self, whole: Whole) -> None:
        self.whole = whole
        self.file = self._named = ""
        self._records = 0

    def start(self, path: str, size: int) -> None:
        """A file of some size begins."""
        self._named, self._records = f"{path} ({size / 2**20:.1f} MiB)", 0
        self.file = self._named
        self.whole.file()
        self.shown()

    def advance(self, records: int) -> None:
        """So many more records of the file were read."""
        self._records += records
        self.file = f"{self._named}, {self._records:,} records"
        self.shown()

    def step(self, text: str) -> None:
        """A step begins."""
        self.counted(text, 0, 0)

    def counted(self, step: str, done: int, total: int) -> None:
        """So much of a step is done, where it is known."""
        self.file = ""
        self.whole.reach(step, done, total)
        self.shown()

    def shown(self) -> None:
        """Shows it."""


class PlainLines(_Shown):
    """Progress as lines of text, one every `REPEAT_SECONDS`, nothing in the first `QUIET_SECONDS`. `say` writes a line,
    `clock` gives seconds."""

    def __init__(self, text: str, whole: Whole, say: Callable[[str], None], clock: Callable[[], float]) -> None:
        super().__init__(whole)
        self._text = text
        self._say = say
        self._clock = clock
        self._said = clock() + QUIET_SECONDS - REPEAT_SECONDS

    def shown(self) -> None:
        """Says it now and then."""
        now = self._clock()
        if now - self._said >= REPEAT_SECONDS:
            said = (f"{self._text}: {self.whole.share:.0%}", self.file)
            self._say(f"  {', '.join(filter(None, said))} ...")
            self._said = now


class _Bar(_Shown):
    """Progress as a bar on a terminal."""

    def __init__(self, bars: Bars, text: str, whole: Whole) -> None:
        super().__init__(whole)
        self._bars = bars
        self._text = text
        self._task = bars.add_task(text, total=1.0)

    def shown(self) -> None:
        """Moves the bar."""
        said = f"{self._text} {one_line(self.file)}".strip()
        self._bars.update(self._task, description=said, completed=self.whole.share)


@contextmanager
def steps_bar(*, visible: bool, text: str = "") -> Iterator[Callable[[str, int, int], None] | None]:
    """The same for work that tells of its steps: what is being done, how much is done, and of how much (0: unknown);
    nothing when not `visible`, or before the first step, which names the work where no `text` does."""
    if not visible:
        yield None
        return
    with ExitStack() as stack:
        held: list[Progress] = []

        def tell(step: str, done: int, total: int) -> None:
            if not held:
                held.append(stack.enter_context(progress_bar(visible=True, text=text or step)))
            held[0].counted(step, done, total)

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


_READING: Final = 0.08
"""Share of an import that is the reading of its files, of which it is not known how many records they have."""
_STEPS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "computing values": (_READING, 0.09),
        "loading the store": (_READING, 0.1),
        "indexing": (0.1, 0.1),
        "index": (0.1, 0.18),
        "load the models": (0.18, 0.22),
        "embed": (0.22, 0.5),
        "read texts": (0.5, 0.6),
        "read events": (0.6, 0.98),
        "validating": (0.0, 1.0),
    }
)
"""At which share of the whole each step begins and ends, as a rule."""
_REPEATED: Final = frozenset({"embed", "read events"})
_EACH: Final = 0.6
"""Steps that are gone through several times, and what of the rest of one each pass takes."""


class Whole:
    """The share of all work that is done, which never falls."""

    def __init__(self) -> None:
        self._first: float | None = None
        self._reached = 0.0
        self._step, self._from, self._done = "", 0.0, 0

    @property
    def share(self) -> float:
        """From 0 to 1; work that begins in the middle begins at 0, too."""
        first = self._first or 0.0
        return (self._reached - first) / (1 - first)

    def file(self) -> None:
        """A file begins."""
        self._first = self._first or 0.0
        self._reached += max(_READING - self._reached, 0.0) * 0.3

    def reach(self, step: str, done: int, total: int) -> None:
        """A step is so far; one of unknown length only begins."""
        begin, end = _STEPS.get(step, (0.0, 1.0))
        if self._first is None:
            self._first = self._reached = begin
        if step != self._step or done < self._done:
            self._from = max(self._reached, begin)
        self._step, self._done = step, done
        part = (end - self._from) * (done / total if total else 0.0)
        self._reached = max(self._reached, self._from + part * (_EACH if step in _REPEATED else 1.0))
