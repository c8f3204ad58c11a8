"""Whether words name somebody, looked up at once, against looking at every mention."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st
from reading_life import LIFE

from reqap_kg.extraction.page import Page
from reqap_kg.texts.document import Document, TextKind
from reqap_kg.texts.lexicon.lexicon import Lexicon

PARTS = ["Maja", "Otto", "Lisbon", "my sister", "and", "Sotis", "went", "Jonas Ek", ","]


@given(st.lists(st.sampled_from(PARTS), max_size=9), st.integers(0, 50), st.integers(1, 12))
def test_agrees_with_looking_at_every_mention(parts: list[str], start: int, size: int) -> None:
    body = " ".join(parts)
    page = Page(Document("e:1", TextKind.NOTE, "", body, datetime(2024, 3, 14)), LIFE, Lexicon(()))
    held = [m for m in page.mentions if m.start < m.end]
    every = any(m.start < start + size and start < m.end for m in held)
    assert page.names_person(start, start + size) == every
