"""The records that a user's map over ev:Records gets: those of a format's reader, or those of any JSON, CSV or XML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...errors import UnknownFormat
from ...mappings.rml import plain_records
from ...sources.base import BadRecord, ReadContext, Record
from .recognise import recognise


def mapped_records(paths: Sequence[Path], context: ReadContext) -> Iterator[Record | BadRecord]:
    """The records of files, folders and archives; files that are refused are bad records."""
    for path in paths:
        try:
            found = recognise([path], context.limits)
        except UnknownFormat:
            yield from plain_records(path, context.limits)
            continue
        for refused in found.refused:
            yield BadRecord(refused.path, "file", refused.reason)
        for kind, file in found.files:
            yield from kind.read(file, context)
