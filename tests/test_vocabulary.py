"""The reference of the vocabulary is of today, and leaves no term and no function out."""

from __future__ import annotations

import pytest
from vocabulary import FOLDER, pages, undescribed
from vocabulary_functions import RULES, registered

PAGES = pages()


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_of_today(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == PAGES[name], "python tests/vocabulary.py writes it anew"


def test_there_are_no_other_pages() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


def test_every_term_is_described() -> None:
    assert undescribed() == []


def test_every_function_of_rules_is_there() -> None:
    assert set(RULES) == registered()
