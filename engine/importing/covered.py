"""Files whose events another file of the import tells, too: tracks beside the list of activities that names them."""

from __future__ import annotations

import posixpath
import re
from contextlib import suppress
from dataclasses import replace

from ...config import Limits
from ...errors import SourceError
from .recognise import RecognisedFiles
from .report import Refused, one_file


def folder_of(path: str) -> str:
    """The folder in which a file lies, or the archive."""
    return re.sub(r"[^/\\!]*$", "", path)


def without_covered(found: RecognisedFiles, limits: Limits, *, debug: bool) -> RecognisedFiles:
    """What was found without the files that others name as told (`Format.covers`); these are ignored, with the reason.

    A file that cannot be read covers nothing; it is refused when its turn to be imported comes.
    """
    told: dict[str, str] = {}
    for kind, file in found.files:
        if kind.covers is not None:
            with suppress(SourceError), one_file(file.path, debug=debug):
                told |= {_place(file.path, name): kind.label for name in kind.covers(file, limits)}
    if not told:
        return found
    out: list[Refused] = []
    kept = list(found.files)
    for pair in found.files:
        path = pair[1].path.replace("\\", "/")
        label = told.get(path) or told.get(path.rpartition("!")[0])  # packed with gzip
        if label is not None:
            kept.remove(pair)
            out.append(Refused(pair[1].path, f"its events are in {label}"))
    return replace(found, files=tuple(kept), ignored=(*found.ignored, *out))


def _place(path: str, name: str) -> str:
    """Where a file lies that another names by the path from its own folder."""
    archive, mark, inside = path.replace("\\", "/").rpartition("!")
    return archive + mark + posixpath.normpath(posixpath.join(posixpath.dirname(inside), name.replace("\\", "/")))
