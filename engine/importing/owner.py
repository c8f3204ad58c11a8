"""Whose life it is: names, addresses and home zone, found in the files of an import before anything is mapped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...config import zone
from ...errors import ConfigError
from ...sources.base import Format, InputFile, Record

_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++\.[\w.-]+")
_CALENDAR_ZONE = re.compile(rb"^X-WR-TIMEZONE(?:;[^:\r\n]*)?:([A-Za-z0-9_+/-]{1,64})\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Owner:
    """The person: names, then mail addresses; `home_zone` an IANA name, None when nothing tells."""

    names: tuple[str, ...] = ()
    home_zone: str | None = None


def owner_of_profile(profile: Record) -> Owner:
    """What a profile record tells of its owner."""
    keys = ("name", "full_name", "first_name", "nickname")
    names = [str(profile[key]) for key in keys if isinstance(profile.get(key), str)]
    addresses = list(dict.fromkeys(_addresses(profile)))
    stated = profile.get("time_zone") or profile.get("timezone")
    return Owner(
        tuple(dict.fromkeys(names + addresses)), stated if isinstance(stated, str) and _known(stated) else None
    )


def _addresses(profile: Mapping[str, Any]) -> Iterator[str]:
    for key in ("email", "emails", "mail", "email_address", "email_addresses", "addresses"):
        value = profile.get(key)
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                yield from _ADDRESS.findall(text)


def zone_of_calendars(files: Iterable[tuple[Format, InputFile]]) -> str | None:
    """The first X-WR-TIMEZONE of the calendars among the files."""
    for kind, file in files:
        found = _CALENDAR_ZONE.search(file.head()) if kind.name == "icalendar" else None
        if found and _known(found[1].decode("ascii")):
            return found[1].decode("ascii")
    return None


def _known(name: str) -> bool:
    try:
        zone(name)
    except ConfigError:
        return False
    return True
