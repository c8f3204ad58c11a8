"""The list of what people are told is of today, and is in plain English."""

from __future__ import annotations

import re

import pytest
from messages import DOCUMENT, document

BROKEN = re.compile(r"\b1 texts|\ba [aeiou]\w+|\ban [bcdfgjklmnpqrstvwxyz]\w+|  |\bcandidates?\b|\blambda\b")


def test_the_list_is_of_today() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "python tests/messages.py writes it anew"


@pytest.mark.parametrize("line", [one for one in document().splitlines() if one.startswith("- ")])
def test_sentences_are_plain_english(line: str) -> None:
    assert BROKEN.search(line[2:]) is None
