"""Which files are one source: those of one name and one format, and single entries that lie in one folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from ...sources.base import Format, InputFile
from ...sources.registry import formats
from ...sources.text import slug

__all__ = ["Groups", "by_format", "folder_of", "shared_folders"]

Groups = Mapping[str, list[tuple[Format, InputFile]]]
"""Files with their formats, by the name of their source."""


def by_format(groups: Groups) -> Groups:
    """Sources of one format each: of several formats under one name, the first of the registry keeps it.

    So a list that happens to be called `spotify.json` does not become a part of what Spotify exports.
    """
    order = {form.name: place for place, form in enumerate(formats())}
    out: dict[str, list[tuple[Format, InputFile]]] = {}
    for name, files in groups.items():
        keeper = min((kind.name for kind, _ in files), key=lambda kind: order.get(kind, len(order)))
        for kind, file in files:
            out.setdefault(name if kind.name == keeper else f"{name}-{kind.name}", []).append((kind, file))
    mixed = any(len({kind.name for kind, _ in files}) > 1 for files in out.values())
    return by_format(out) if mixed else out


def folder_of(path: str) -> str:
    """The folder in which a file lies, or the archive."""
    return re.sub(r"[^/\\!]*$", "", path)


def shared_folders(parts: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Names of the sources of single entries, by format and folder, for folders that have several of them.

    A single entry in a folder of other things stays a source of its own, as it comes.
    """
    counts = Counter((kind, folder_of(path)) for kind, path in parts)
    return {
        (kind, folder): slug(re.split(r"[/\\!]", folder.rstrip("/\\!"))[-1])
        for (kind, folder), count in counts.items()
        if count > 1
    }
