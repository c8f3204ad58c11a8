"""A store that may only be read, opened for questions all the same: what they write goes to a folder of this process.

Tables of the database never change, so links to them do; the few small files that do change are copied. The folder is
private and goes when the store is closed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from .folder import JOURNAL

_LEFT_OUT: Final = ("LOG", "LOCK")
NOTE: Final = "the store may only be read: what was found for this answer is not kept"


def is_writable(directory: Path, generation: str | None = None) -> bool:
    """Whether this process may write to the store: to its folders, and to the files of the generation."""
    folders = [directory, *((directory / name) for name in ("cache", generation or "") if name)]
    if generation:
        folders += [directory / generation / "db", directory / generation / "index"]
    there = [folder for folder in folders if folder.is_dir()]
    files = [path for folder in there[1:] for path in folder.iterdir() if path.is_file() and path.suffix != ".sst"]
    return all(os.access(path, os.W_OK) for path in (*there, *files))


@contextmanager
def overlay(directory: Path, generation: str) -> Iterator[Path]:
    """A private folder in which the store's generation, caches and journal stand like in its own."""
    with tempfile.TemporaryDirectory(prefix="reqap-kg-", ignore_cleanup_errors=True) as made:
        for part in (f"{generation}/db", f"{generation}/index", "cache"):
            (Path(made) / part).mkdir(parents=True, exist_ok=True)
            if (directory / part).is_dir():
                for path in (directory / part).iterdir():
                    _stand_in(path.absolute(), Path(made) / part / path.name)
        _stand_in((directory / JOURNAL).absolute(), Path(made) / JOURNAL)
        yield Path(made)


def _stand_in(path: Path, other: Path) -> None:
    if not path.is_file() or path.name.startswith(_LEFT_OUT):
        return
    if path.suffix == ".sst":
        other.symlink_to(path)
    else:
        shutil.copyfile(path, other)
