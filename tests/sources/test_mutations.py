"""Damaged exports: whatever is cut, doubled or overwritten, a reader gives records, bad records or a SourceError."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from damaged_exports import EXPORTS, mutated

from reqap_kg.config import Limits
from reqap_kg.errors import SourceError
from reqap_kg.sources.base import ReadContext
from reqap_kg.sources.detect import detect
from reqap_kg.sources.registry import format_named


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_damage_never_becomes_a_traceback(make_file: Any, name: str) -> None:
    form = format_named(name)
    assert form is not None
    context = ReadContext(ZoneInfo("Europe/Dublin"), "2025-01-01T00:00:00", limits=Limits(record_bytes=100_000))
    assert detect(make_file(EXPORTS[name])) is form
    luck = random.Random(name)
    read = 0
    for _ in range(300):
        file = make_file(mutated(EXPORTS[name].encode(), luck))
        with suppress(SourceError):
            read += len(list(form.read(file, context)))
        with suppress(SourceError):
            detect(file)
    assert read > 0
