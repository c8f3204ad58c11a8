"""The views of a text's words, against plain expressions that say what each of them has."""

import re

from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.texts.tokens import atoms, letters, pieces, words

TEXTS = st.text(st.sampled_from("ab1é²_ '’&.+-\x01,😀ß\n"), max_size=20) | st.text(max_size=30)
PIECE = re.compile(r"[^\W_]+(?:[’'&.+-][^\W_]+)*\+?|[^\s\w]")


@given(TEXTS)
def test_pieces_are_words_with_what_joins_them_and_single_signs(text):
    assert [(p.text, p.start, p.end) for p in pieces(text)] == [(m[0], *m.span()) for m in PIECE.finditer(text)]


@given(TEXTS)
def test_atoms_are_runs_of_letters_and_digits(text):
    assert atoms(text) == re.findall(r"[^\W_]+", text)


@given(TEXTS)
def test_letters_are_runs_of_letters(text):
    assert letters(text) == re.findall(r"[^\W\d_]+", text)


def test_views():
    said = "Don't play R&B on 3rd Ave., A+!"
    assert words(said) == ["Don't", "play", "R", "B", "on", "3rd", "Ave", "A"]
    assert [piece.text for piece in pieces(said)][:4] == ["Don't", "play", "R&B", "on"]
    assert atoms("don't") == ["don", "t"]
    assert letters("3rd Ave") == ["rd", "Ave"]
