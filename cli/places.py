"""Where a store is that a command line names: a folder, or one of this machine that stands for an address."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

SCHEME = "sparql+"
_SIGNS = re.compile(r"[^a-z0-9.]+")


def place_of(text: str) -> Path:
    """The folder that is named, or that stands for an address of a SPARQL server."""
    if not text.startswith(SCHEME):
        return Path(text)
    from platformdirs import user_data_path

    host = _SIGNS.sub("-", text.partition("://")[2].partition("/")[0].casefold()).strip("-")[:40]
    return user_data_path("reqap-kg") / "remote" / f"{host or 'store'}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def store_place(text: str) -> Path:
    """The same; the folder of an address says so afterwards. Raises UsageError for an address that is none."""
    found = place_of(text)
    if text.startswith(SCHEME):
        from ..store.remote.generations import keep_address

        keep_address(found, text)
    return found
