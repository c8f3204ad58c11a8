"""Links between generations, for what does not change."""

from __future__ import annotations

import shutil
from pathlib import Path


def link(file: Path, other: Path) -> None:
    """Gives a file a second name; a copy where the file system has no links."""
    try:
        other.hardlink_to(file)
    except OSError:  # some file systems have none
        shutil.copyfile(file, other)
