"""No regular expression of the package takes more than linear time, whatever text it meets.

Each is fed with texts derived from its own syntax tree (tests/pumping.py). The short form tries every pattern with
fewer texts; `--attacks full` with all of them.
"""

from __future__ import annotations

import re
from functools import cache
from time import thread_time

import pytest
from package_patterns import Used, modules, used_patterns
from pumping import Pump, generic_pumps, pumps, slowest

from reqap_kg.planner.patterns.extraction import sub_patterns
from reqap_kg.planner.patterns.limits import MOST_WORDS
from reqap_kg.planner.patterns.patterns import CompiledPattern
from reqap_kg.planner.patterns.tokens import encode, tokenise
from reqap_kg.planner.rules.rulebook import shipped_rulebook

BAD = (
    (r"(a+)+$", "search"),
    (r"\s+$", "search"),
    (r"-+>", "search"),
    (r"\d+\.\d+x", "search"),
    (r"<!--.*?-->", "finditer"),
    (r"\s*,\s*", "split"),
    (r"(?s)a.*b", "search"),
    (r"a(?=.*b)", "findall"),
    (r"(\w+\s?)*$", "fullmatch"),
    (r"\s*(?:utc)?\s*z", "match"),
    (r"\([^)]*\)", "sub"),
    (r"[\w.+-]+@[\w-]+", "findall"),
    (r"(?:x{1,30}y?){1,30}z", "match"),
)
GOOD = (
    (r"(?<!\s)\s++$", "search"),
    (r"\s+$", "match"),
    (r"-{1,20}>", "search"),
    (r"\bfoo\s+bar", "finditer"),
    (r"\([^()]*\)", "sub"),
    (r"[^x]+x", "match"),
    (r"(?<![\w.+-])[\w.+-]++@[\w-]++", "findall"),
)
FEW = 20
"""Texts tried on each pattern in the short form."""


@pytest.mark.parametrize(("pattern", "method"), BAD)
def test_slow_patterns_are_found(pattern: str, method: str) -> None:
    assert slowest(re.compile(pattern), [method])


@pytest.mark.smoke
@pytest.mark.parametrize(("pattern", "method"), GOOD)
def test_linear_patterns_pass(pattern: str, method: str) -> None:
    assert not slowest(re.compile(pattern), [method])


@cache
def _every() -> tuple[Used, ...]:
    """Each pattern once for each way of using it."""
    found: dict[tuple[object, frozenset[str]], Used] = {}
    for used in used_patterns():
        found.setdefault((used.pattern, used.methods), used)
    return tuple(found.values())


def test_patterns_of_all_kinds_are_collected() -> None:
    held = {used.where for used in _every()}
    assert len(held) > 600
    assert any(where.startswith("reqap_kg.operators.reading.read_times.DATES.") for where in held)  # of a tuple
    assert any(where.startswith("reqap_kg.operators.reading.read_amounts._GROUPS") for where in held)  # of a mapping
    assert any(re.search(r"actuality:\d+$", where) for where in held)  # in a call, with the module's own names put in
    assert {module.__name__ for module in modules()} > {"reqap_kg.cli.app", "reqap_kg.texts.time.times"}


def test_every_pattern_is_linear(full_attack: bool) -> None:
    slow = {}
    for used in _every():
        derived = pumps(used.pattern.pattern, used.pattern.flags) if isinstance(used.pattern, re.Pattern) else []
        tried = [*derived, *generic_pumps()] if full_attack or not derived else derived[:FEW]
        if found := slowest(used.pattern, used.methods, tried=tried):
            slow[used.where] = found
    assert slow == {}


def _rows(compiled: CompiledPattern, full: bool) -> list[str]:
    """Rows of as many tokens as a question may have: words of a pattern again and again, each annotated as all that it
    asks for."""
    kinds = {
        "Property",
        "Class",
        "Value",
        *(sub.pattern for tree in compiled.expressions for sub in sub_patterns(tree.read())),
    }
    tags = {f"{kind}{length}" for kind in kinds for length in (1, 2, 12)}
    said = [" ".join(re.findall(r"[^\W_]+", source)) for source in compiled.pattern.extracts]
    words = sorted({word for text in said for word in text.split()})
    bodies = [*said, *(words if full else words[:3]), "1", "of", "in 2024", "the"]
    rows = []
    for body in bodies:
        text = tokenise(" ".join((f"{body} " * MOST_WORDS).split()[:MOST_WORDS]))
        rows.append(encode(text, [set() for _ in text.tokens]).text)
        rows.append(encode(text, [tags for _ in text.tokens]).text)
    return rows


def test_patterns_of_the_planner_read_the_longest_question_in_time(full_attack: bool) -> None:
    shipped = shipped_rulebook().patterns
    assert len(shipped) > 50
    slow = {}
    for compiled in shipped if full_attack else shipped[:: len(shipped) // 20]:
        for row in _rows(compiled, full_attack):
            for one in compiled.expressions:
                begun = thread_time()
                for _ in one.expression.finditer(row, overlapped=True):
                    pass
                if (taken := thread_time() - begun) > 0.3:
                    slow[compiled.pattern.name] = round(taken, 2), row[:60]
    assert slow == {}


def test_pumps_are_texts_of_their_length() -> None:
    assert Pump("<", "ab", ">").text(10) == "<ababababab>"
