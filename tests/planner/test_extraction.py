"""The language of extraction expressions: what it reads, what it refuses and where, what it matches."""

import pytest

from reqap_kg.errors import RuleError
from reqap_kg.planner.patterns.extraction import needs, parse_extraction, sub_patterns
from reqap_kg.planner.patterns.row_expression import row_expression
from reqap_kg.planner.patterns.tokens import encode, tokenise


def spans(expression: str, text: str, tags: dict[int, set[str]] | None = None) -> list[str]:
    """Words that the expression matches in the text, one per place where it can begin."""
    tokens = tokenise(text)
    row = encode(tokens, [(tags or {}).get(i, set()) for i in range(len(tokens.tokens))])
    compiled = row_expression(parse_extraction(expression)).expression
    found = compiled.finditer(row.text, overlapped=True)
    return [tokens.words(row.token_at[m.start()], row.token_at[m.end()]) for m in found if m.end() > m.start()]


@pytest.mark.parametrize(
    ("expression", "text", "expected"),
    [
        ("last (month | year)", "how was LAST Month and last year", ["LAST Month", "last year"]),
        ("~listen to", "I listened to it, listening to it", ["listened to", "listening to"]),
        ("/\\d{4}/", "in 2024 or 20245", ["2024"]),
        ("the? cat", "the cat, a cat", ["the cat", "cat", "cat"]),
        ("^ how many _ $", "how many songs", ["how many songs"]),
        ("^ many", "how many", []),
        ("more _{1,2} now", "more of it now", ["more of it now"]),
        ("!/did|do/+ did", "what songs did did", ["what songs did", "songs did"]),
        ("a , b", "a, b", ["a, b"]),
        ("new year's eve", "on New Year’s Eve", ["New Year’s Eve"]),
        ("sea swim", "a sea-swim", ["sea-swim"]),
        ("at", "a cat at home", ["at"]),
    ],
)
def test_matches_whole_words_only(expression, text, expected):
    assert spans(expression, text) == expected


def test_annotations_and_other_patterns_match_as_one_unit():
    tags = {1: {"Property2", "month1"}}
    assert spans("{@Property}", "my heart rate now", tags) == ["heart rate"]
    assert spans("my {month}", "my heart rate now", tags) == ["my heart"]


@pytest.mark.parametrize(
    ("expression", "line", "column"),
    [
        ("in (the | a", 1, 4),
        ("in the )", 1, 8),
        ("a | | b", 1, 5),
        ("in\n <n: ", 2, 6),
        ("/a.c/", 1, 1),
        ("/[^x]+/", 1, 1),
        ("/(/", 1, 1),
        ("what §", 1, 6),
        ("", 1, 1),
    ],
)
def test_errors_tell_the_place(expression, line, column):
    with pytest.raises(RuleError) as caught:
        parse_extraction(expression, "x.ttl")
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column) == (line, column)
    assert caught.value.expected


def test_needs_is_what_must_be_there():
    found = needs(parse_extraction("(in | on) the? {m=month} /a|b/ _ {@Unit}"))
    assert found == (
        frozenset({"in", "on"}),
        frozenset({"@month"}),
        frozenset({"a", "b"}),
        frozenset({"@Unit"}),
    )
    assert needs(parse_extraction("(in | _)")) == ()


def test_sub_patterns_are_found_everywhere():
    tree = parse_extraction("{a} (b | <n: {c=d}>) {e}?")
    assert [(sub.pattern, sub.name) for sub in sub_patterns(tree)] == [("a", None), ("d", "c"), ("e", None)]
