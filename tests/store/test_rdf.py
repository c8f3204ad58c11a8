"""Comparing datasets whatever their blank nodes are called."""

from __future__ import annotations

import pytest
from isomorphism import isomorphic

from reqap_kg.store.rdf import parse_nquads

ONE = '_:a <http://e/p> _:b .\n_:b <http://e/q> "x" .\n'


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (ONE, True),
        ('_:y <http://e/q> "x" .\n_:x <http://e/p> _:y .\n', True),
        ('_:a <http://e/p> _:b .\n_:a <http://e/q> "x" .\n', False),
        ('_:a <http://e/p> _:b .\n_:b <http://e/q> "x" <http://e/g> .\n', False),
        ('_:a <http://e/p> _:b .\n_:c <http://e/q> "x" .\n', False),
        ("", False),
    ],
)
def test_isomorphic(other, same) -> None:
    assert isomorphic(parse_nquads(ONE), parse_nquads(other)) is same


def test_malformed_n_quads() -> None:
    with pytest.raises(ValueError, match="malformed"):
        list(parse_nquads("<http://e/a> <http://e/p> ."))
    spaced = '<http://e/a b> <http://e/p> "x" .'
    with pytest.raises(ValueError, match="malformed"):
        list(parse_nquads(spaced))
    assert len(list(parse_nquads(spaced, lenient=True))) == 1
