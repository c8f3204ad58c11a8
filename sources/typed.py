"""What a reader counts on, out of records in which any value may stand under any key.

Exports are JSON of unknown making: under a key that is a text in all records but one, that one may hold a list. Where
a value is looked up in a set, cut or counted, it is taken through here; of another type it is as good as missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .base import Record

__all__ = ["as_list", "as_object", "as_objects", "as_text", "as_told"]


def as_text(value: Any) -> str:
    """The value where it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def as_object(value: Any) -> dict[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; none where the value is no list."""
    return [item for item in as_list(value) if isinstance(item, dict)]


def as_told(pairs: Iterable[tuple[str, Any]]) -> Record:
    """A record of the keys and values that an export holds, to which a reader adds what it says itself.

    Keys that begin with _ are the reader's own and the importer's (`_id`, `_source`): an export's such keys stand
    behind `key`, so that nothing an export holds takes their place and nothing of it is lost.
    """
    told = dict(pairs)
    record: Record = {}
    for key, value in told.items():
        name = key
        while name[:1] == "_" or (name != key and (name in told or name in record)):
            name = f"key{name}"
        record[name] = value
    return record
