"""Whose life it is: names, addresses and home zone, found in the files of an import before anything is mapped."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...config import zone
from ...errors import ConfigError
from ...ontology.namespaces import KEY
from ...sources.base import InputFile, Record
from ...store.graph import Graph

_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++\.[\w.-]+")
_CALENDAR_ZONE = re.compile(rb"^X-WR-TIMEZONE(?:;[^:\r\n]*)?:([A-Za-z0-9_+/-]{1,64})\s*$", re.MULTILINE)

_ADDRESS_KEYS: Final = ("email", "emails", "mail", "email_address", "email_addresses", "addresses")
_OWNER: Final = f"""SELECT DISTINCT ?p ?v WHERE {{ ?person a ev:Person ; ?p ?v
  FILTER(?p IN (foaf:name, rdfs:label, ev:nickname) || STRSTARTS(STR(?p), "{KEY}"))
  FILTER EXISTS {{ ?person ev:ownerOf ?part }} }} ORDER BY ?p ?v"""


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


def owner_in(graph: Graph) -> tuple[str, ...]:
    """Names and mail addresses of the owner whom a profile in the store tells of."""
    rows = [(prop.value, value.value) for prop, value in graph.select(_OWNER) if prop is not None and value is not None]
    names, keys = [value for prop, value in rows if not prop.startswith(KEY)], defaultdict[str, list[str]](list)
    for prop, value in rows:
        keys[prop.removeprefix(KEY)].append(value)
    return tuple(dict.fromkeys([*names, *_addresses(keys)]))


def _addresses(profile: Mapping[str, Any]) -> Iterator[str]:
    for key in _ADDRESS_KEYS:
        value = profile.get(key)
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str):
                yield from _ADDRESS.findall(text)


def zone_of_calendar(file: InputFile) -> str | None:
    """A calendar's X-WR-TIMEZONE."""
    found = _CALENDAR_ZONE.search(file.head())
    return found[1].decode("ascii") if found and _known(found[1].decode("ascii")) else None


def _known(name: str) -> bool:
    try:
        zone(name)
    except ConfigError:
        return False
    return True
