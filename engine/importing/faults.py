"""The last line of an import: an error that nobody foresaw costs the file that it came up in, and no other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ...errors import ReaderFault, ReqapError
from ...sources.text import plain

__all__ = ["each_of", "one_file"]

_SHOWN = 200
_Item = TypeVar("_Item")


@contextmanager
def one_file(path: str, *, debug: bool) -> Iterator[None]:
    """Raises ReaderFault in place of an error that nobody foresaw, while the file at `path` is recognised or read.

    With `debug`, the error itself is raised. Errors of the error tree, of the machine (OSError) and of its memory are
    none of the file's and go through.
    """
    try:
        yield
    except (ReqapError, OSError, MemoryError):
        raise
    # A broad except is right here, and only here: exports are written by strangers, and a reader that stumbles over
    # one value must not keep a person from all their other files. Nothing is hidden: the file is refused by name, as
    # a fault of ours to report, the exit code says so, and --debug raises.
    except Exception as bad:
        if debug:
            raise
        what = plain(f"{type(bad).__name__}: {bad}" if str(bad) else type(bad).__name__)[:_SHOWN]
        said = "please report it with what the same command prints with --debug; it may quote your data"
        raise ReaderFault(f"{path}: a fault of reqap-kg ({what}); {said}") from bad


def each_of(items: Iterable[_Item], path: str, *, debug: bool) -> Iterator[_Item]:
    """The items that are made of the file at `path`, one by one. Raises ReaderFault as `one_file` does."""
    with one_file(path, debug=debug):
        yield from items
