"""Records of a file that is no known export, for a user's map: JSON, JSON Lines, CSV or XML by content."""

from __future__ import annotations

import codecs
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ....config import Limits
from ....errors import DataError
from ....sources.base import BadRecord, Record
from ....texts.import_budget import passed_limit
from .csv_file import csv_iterations
from .file_input import DEFAULT_LIMITS, FileInput, Iterations
from .json_file import json_iterations
from .xml_file import xml_iterations

_HEAD = 4096


def plain_records(path: Path, limits: Limits = DEFAULT_LIMITS) -> Iterator[Record | BadRecord]:
    """The members of a JSON list, the lines of JSON Lines, the rows of CSV, the children of an XML root.

    Any other JSON value is one record. `_id` is what the record itself has as its `_id`, as documents of a database do,
    else a hash of the record, with a number from the second of its equals on;
    `_path` and `_where` say where it stands. Raises DataError for a file that is none of these.
    """
    seen: Counter[str] = Counter()
    for iteration in _iterations(FileInput(path, str(path), limits=limits)):
        if isinstance(iteration, BadRecord):
            yield iteration
            continue
        record = _record(iteration.value)
        if (reason := passed_limit(record, limits)) is not None:
            yield BadRecord(str(path), iteration.where, reason)
            continue
        name = _digest(record)
        seen[name] += 1
        own = name if seen[name] == 1 else f"{name}-{seen[name]}"
        stated = record.get("_id")
        held = isinstance(stated, str | int) and not isinstance(stated, bool) and stated != ""
        yield {**record, "_id": stated if held else own, "_path": str(path), "_where": iteration.where}


def _iterations(file: FileInput) -> Iterations:
    with file.open() as stream:
        head = stream.read(_HEAD).removeprefix(codecs.BOM_UTF8).lstrip()
    if head[:1] == b"<":
        return xml_iterations(file, "/*/*", (), whole=False)
    if head[:1] == b"[":
        return json_iterations(file, "$[*]")
    if head[:1] == b"{":
        return json_iterations(file, "$")
    if b"\0" in head:
        raise DataError(f"{file.name}: neither JSON, CSV nor XML")
    return csv_iterations(file)


def _record(value: Any) -> Record:
    if isinstance(value, dict):
        return value
    if isinstance(value, str | int | float | bool | list) or value is None:
        return {"value": value}
    return _element(value)


def _element(element: Any) -> Record:
    """An XML element as a record: attributes, then children by their local names; text is `text` beside others."""
    record: Record = dict(element.items())  # not `attrib`: that looks every key up
    several: set[str] = set()
    for child in element.iterchildren("*"):
        value: Any = _element(child) if len(child) or child.attrib else child.text or ""
        name = child.tag.rpartition("}")[2]
        if name in record:
            if name not in several:
                several.add(name)
                record[name] = [record[name]]
            record[name].append(value)
        else:
            record[name] = value
    text = (element.text or "").strip()
    return {**record, "text": text} if text else record


def _digest(record: Record) -> str:
    text = json.dumps(record, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
