"""Whatever reads foreign text takes time in proportion to its length, whatever stands in it.

The short form tries some of the texts on each function; `--attacks full` all, and each once at 64 KiB.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from pumping import Pump, seconds, slow
from reading_life import LIFE, mail, post, texts

from reqap_kg.engine.functions.sparql_calls import find_calls
from reqap_kg.errors import ReqapError
from reqap_kg.extraction.mentions.films import films_told
from reqap_kg.extraction.mentions.purchases import purchases_told
from reqap_kg.extraction.text_values import read_values
from reqap_kg.mappings.rml.functions.functions import FUNCTIONS
from reqap_kg.mappings.rml.functions.types import Unconvertible
from reqap_kg.mappings.rml.iris import iri_safe, is_iri, is_language_tag, is_unsafe_iri, starts_absolute
from reqap_kg.operators.nodes import AttributeType
from reqap_kg.operators.reading.readers import infer, read, read_amount
from reqap_kg.operators.syntax.text import read_tree
from reqap_kg.planner.patterns.extraction import parse_extraction
from reqap_kg.planner.patterns.tokens import tokenise
from reqap_kg.sources.text import html_to_text, plain, slug, unescape
from reqap_kg.store.sparql.lexer import scanned
from reqap_kg.store.sparql.reading import read_query
from reqap_kg.store.words import fold, key_words, normalise, stem, stems, words
from reqap_kg.texts.actuality import clause_around, heads_unreal, recalls, speaks_of_me
from reqap_kg.texts.document import Document, TextKind
from reqap_kg.texts.lexicon.lexicon import load_lexicon
from reqap_kg.texts.log_lines import log_lines
from reqap_kg.texts.people.mentions import known_as, mentions
from reqap_kg.texts.quantities.lengths import distances, durations
from reqap_kg.texts.quantities.money import money, total_paid
from reqap_kg.texts.quantities.number_words import number_of
from reqap_kg.texts.time.clocks import clocks
from reqap_kg.texts.time.times import event_time, times
from reqap_kg.texts.tokens import tokens, without_accents

PIECES = (
    " ", "a", "1", "-", "(", "[", '"', "'", ",", "\n", "😀", "e\u0301", "\u0301", "א", "a ", "1 ", "1.", "1,", "A ",
    "Aa", "2024-03-05 ", "5 March ", "March ", "at 5pm ", "Maja ", "Maja, ", "with Maja and Otto ", "pizza ",
    "Stockholm ", "€5 ", "5 km ", "a-", "a.b", "a@b.c ", "<a>", "<", "&amp;", "- 5 km run\n", "\n\n", ". ", "x x\n",
    "seventeen ", "my sister's ", "I watched The Blue Kite ", "the ", "\u202e", "tomorrow ", "Dear Maja,\n",
    "item: x\n", "{{", "((", "http://a.b/ ",
)  # fmt: skip
"""Blanks, letters, digits, signs, emoji, marks, words, numbers, dates, names, each of which may make up a text."""
FEW = 4
MORE = 65_536
PER_SIGN = 0.000_1
"""Seconds for each character of 64 KiB, at most: six and a half for all of it."""
LEXICON = load_lexicon()
TEXTS = texts()


def _quiet(run: Callable[[str], object]) -> Callable[[str], object]:
    """A function that may refuse a text."""

    def quiet(text: str) -> object:
        try:
            return run(text)
        except ReqapError as refused:
            return refused

    return quiet


def _note(text: str) -> Document:
    return Document("e:1", TextKind.NOTE, "", text, datetime(2024, 3, 9, 20))


def _of_types(text: str) -> object:
    return [read(text, kind) for kind in AttributeType], [infer([text], kind) for kind in AttributeType]


PLAIN: dict[str, Callable[[str], Any]] = {
    "tokens": tokens, "without_accents": without_accents, "money": money, "total_paid": total_paid,
    "distances": distances, "durations": durations, "clocks": clocks, "number_of": number_of,
    "cues": LEXICON.cues, "speaks_of_me": speaks_of_me, "recalls": recalls, "heads_unreal": heads_unreal,
    "clause_around": lambda text: clause_around(text, len(text) // 2, len(text) // 2 + 1),
    "fold": fold, "words": words, "stem": stem, "stems": stems, "normalise": normalise, "key_words": key_words,
    "tokenise": tokenise, "read": _of_types, "read_amount": read_amount,
    "known_as": lambda text: known_as(text, LIFE.profile),
    "read_tree": _quiet(read_tree), "parse_extraction": _quiet(parse_extraction), "turtle": scanned,
    "find_calls": _quiet(find_calls), "read_query": _quiet(read_query),
    "iris": lambda text: [run(text) for run in (is_iri, is_unsafe_iri, iri_safe, starts_absolute, is_language_tag)],
    "html": html_to_text, "plain": plain, "slug": slug, "unescape": unescape,
}  # fmt: skip
OF_DOCUMENTS: dict[str, Callable[[Document], Any]] = {
    "times": times,
    "event_time": event_time,
    "mentions": lambda document: mentions(document, LIFE.profile),
    "log_lines": lambda document: log_lines(document, times(document)),
}
"""What reads documents."""


def _of_letter(run: Callable[[Document], Any]) -> Callable[[str], object]:
    return lambda text: [
        run(_note(text)),
        run(mail(body=text)),
        run(mail(title=text, sender="Maja Lind", to=("Tove Lind",))),
    ]


def _all_values(text: str) -> object:
    documents = [post(text)]
    return [read_values(documents, key, AttributeType.STR, TEXTS) for key in TEXTS.keys.keys]


def _told(text: str) -> object:
    page = TEXTS.page_of(post(text))
    return films_told(page, TEXTS), purchases_told(page, TEXTS)


def _mapped(run: Callable[..., object]) -> Callable[[str], object]:
    """A function of maps, which may find that it cannot convert a text."""

    def mapped(text: str) -> object:
        try:
            return run(text)
        except Unconvertible as told:
            return told

    return mapped


ALL: dict[str, Callable[[str], object]] = {
    **PLAIN,
    **{name: _of_letter(run) for name, run in OF_DOCUMENTS.items()},
    **{
        f"fn:{one.name}": _mapped(lambda text, one=one: one.run(text, *(None for _ in one.optional)))
        for one in FUNCTIONS.values()
        if one.required == ("value",) and not one.many and not one.zoned
    },
}
OF_PAGES: dict[str, Callable[[str], object]] = {"values": _all_values, "told": _told}


@pytest.mark.parametrize("name", ALL)
def test_readers_of_text_are_linear(name: str, full_attack: bool) -> None:
    run = ALL[name]
    run("a")  # what is loaded once is no part of it
    start = sorted(ALL).index(name)
    tried = PIECES if full_attack else (PIECES * 2)[start % len(PIECES) :][:FEW]
    found = {piece: shown for piece in tried if (shown := slow(run, Pump("", piece, ""), swift=0.003, least=PER_SIGN))}
    assert found == {}


@pytest.mark.smoke
@pytest.mark.parametrize("name", ALL)
def test_long_texts_are_read_in_time(name: str, full_attack: bool) -> None:
    if not full_attack:
        pytest.skip("64 KiB of each text: --attacks full")
    run, most = ALL[name], PER_SIGN * MORE
    took = {piece: seconds(run, Pump("", piece, "").text(MORE), patience=2 * most) for piece in PIECES}
    assert {piece: spent for piece, spent in took.items() if spent > most} == {}


@pytest.mark.parametrize("name", OF_PAGES)
def test_what_texts_tell_is_read_in_linear_time(name: str, full_attack: bool) -> None:
    run = OF_PAGES[name]
    run("a")
    for piece in PIECES if full_attack else ("Maja, ", "5 March "):
        assert slow(run, Pump("", piece, ""), swift=0.2, least=20 * PER_SIGN) is None, piece
