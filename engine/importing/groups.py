"""Which files are one source: those of one name and one format."""

from __future__ import annotations

from collections.abc import Mapping

from ...sources.base import Format, InputFile
from ...sources.registry import formats

__all__ = ["Groups", "by_format"]

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
