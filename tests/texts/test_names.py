"""Names of the calendar, and that nothing else in the package lists them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import reqap_kg
from reqap_kg.operators.reading.names import (
    english_month,
    month_of,
    month_said,
    months_abroad,
    spoken_weekdays,
    weekday_of,
    whole_months,
    whole_weekdays,
)

PACKAGE = Path(reqap_kg.__file__).parent
NO_PRODUCT = {"tests", "bench", ".venv", "examples"}


@pytest.mark.parametrize(
    ("name", "month"),
    [("January", 1), ("mrz", 3), ("maerz", 3), ("MÄRZ", 3), ("Sept.", 9), ("août", 8), ("ottobre", 10),
     ("lokakuuta", 10), ("мая", 5), ("grudnia", 12), ("set", 9), ("Smarch", None), ("", None), ("13", None)],
)  # fmt: skip
def test_months(name, month):
    assert month_of(name) == month


@pytest.mark.parametrize(
    ("name", "weekday"),
    [("Monday", 0), ("tues", 1), ("weds", 2), ("thurs", 3), ("Fr", 4), ("sábado", 5), ("so", 6), ("terça-feira", 1),
     ("lørdag", 5), ("to", None), ("Someday", None)],
)  # fmt: skip
def test_weekdays(name, weekday):
    assert weekday_of(name) == weekday


def test_words_of_a_sentence_are_no_months():
    assert [month_said(word) for word in ("set", "out", "ago")] == [None, None, None]
    assert english_month("enero") is None
    assert "march" not in months_abroad()
    assert "to" not in spoken_weekdays()


def _strings(tree: ast.AST) -> Iterator[str]:
    """The texts of a module that are no docstrings."""
    said = {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in said:
            yield node.value


def test_no_module_and_no_pattern_lists_months_or_weekdays():
    """A list names at least three; what a single name is needed for ("May" is a verb, too) may stand."""
    names = re.compile(rf"\b(?:{'|'.join((*whole_months(), *whole_weekdays()))})\b", re.IGNORECASE)
    listing = []
    for path in PACKAGE.rglob("*.py"):
        if NO_PRODUCT.isdisjoint(path.relative_to(PACKAGE).parts):
            texts = list(_strings(ast.parse(path.read_text(encoding="utf-8"))))
            found = {name.lower() for text in texts for name in names.findall(text)}
            if (
                len(found) > 3 and path != PACKAGE / "texts/people/profile.py"
            ):  # april, june and august are first names, too
                listing.append(str(path.relative_to(PACKAGE)))
    for path in (PACKAGE / "mappings").rglob("*.ttl"):
        for extract in re.findall(r'pg:extract\s+((?:"(?:[^"\\]|\\.)*"[\s,]*)+)', path.read_text(encoding="utf-8")):
            if len(set(map(str.lower, names.findall(extract)))) > 2:
                listing.append(f"{path.name}: {extract[:60]}")
    assert listing == []
