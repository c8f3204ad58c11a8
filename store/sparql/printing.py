"""Prints the tokens of a query anew, each in its one plain form, with a space between wherever
Oxigraph takes one.

Whole IRIs stand for prefixed and relative ones, double quotes for all others, capitals for keywords. So no text is left
in which another parser could see a keyword where this one saw a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import pyoxigraph as ox

from ...errors import QueryError
from .lexer import MEANS, SparqlToken, place_in

_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NAME_ESCAPE: Final = re.compile(r"\\(.)")
_TEXT_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_WRITTEN: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})
_TOGETHER: Final = frozenset({("FUNCTION_ANY", "OPEN"), ("BNODE", "OPEN"), ("OPEN", "CLOSE")})
"""Between these Oxigraph takes no space, though the specification does."""
_AS_WRITTEN: Final = frozenset({"INTEGER", "NUMBER", "SIGNED", "A", "LANGTAG", "BLANK"})


def printed(tokens: Sequence[SparqlToken], text: str, prefixes: Mapping[str, str]) -> list[str]:
    """The printed form of each token of a query, empty for its prologue, whose prefixes are added to `prefixes`.

    Raises QueryError with the place of a prefix that is not declared, and of what is no whole IRI.
    """
    scope = _Scope(text, dict(prefixes))
    shown = [""] * scope.read_prologue(tokens)
    shown += [scope.shown(token) for token in tokens[len(shown) :]]
    for at in range(1, len(tokens)):
        if (tokens[at - 1].kind, tokens[at].kind) in _TOGETHER:
            begin = at - 2 if at > 1 and not shown[at - 1] else at - 1
            shown[begin], shown[at] = shown[begin] + shown[at], ""
    return shown


def iris_in(tokens: Sequence[SparqlToken], text: str, prefixes: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """(position, whole IRI) of each IRI outside the prologue. Raises QueryError as `printed` does."""
    scope = _Scope(text, dict(prefixes))
    for at in range(scope.read_prologue(tokens), len(tokens)):
        if tokens[at].kind in ("IRI", "NAME", "NAMESPACE"):
            yield at, scope.iri(tokens[at])


def plain_text(token: SparqlToken) -> str:
    """What a text in quotes says."""
    quotes = 3 if token.text[:3] in ('"""', "'''") else 1
    inner = token.text[quotes:-quotes]
    return _TEXT_ESCAPE.sub(lambda found: MEANS.get(found[1], found[1]), inner) if "\\" in inner else inner


class _Scope:
    """The prefixes and the base that hold in a query."""

    def __init__(self, text: str, prefixes: dict[str, str]) -> None:
        self._text, self._prefixes, self._base = text, prefixes, ""

    def read_prologue(self, tokens: Sequence[SparqlToken]) -> int:
        """Takes in the declarations at the beginning; how many tokens they are."""
        at = 0
        while at < len(tokens):
            if tokens[at].kind == "BASE":
                self._base = self.iri(tokens[at + 1])
                at += 2
            elif tokens[at].kind == "PREFIX":
                self._prefixes[tokens[at + 1].text[:-1]] = self.iri(tokens[at + 2])
                at += 3
            else:
                break
        return at

    def shown(self, token: SparqlToken) -> str:
        """The one plain form of a token."""
        kind, text = token.kind, token.text
        if kind == "VAR":
            return "?" + text[1:]
        if kind in ("IRI", "NAME", "NAMESPACE"):
            return f"<{self.iri(token)}>"
        if kind == "STRING":
            return f'"{plain_text(token).translate(_WRITTEN)}"'
        if kind == "TRUTH":
            return text.lower()
        return text if kind in _AS_WRITTEN else text.upper()

    def iri(self, token: SparqlToken) -> str:
        """The whole IRI that a token writes."""
        if token.kind == "IRI":
            return self._whole(token)
        prefix, _, local = token.text.partition(":")
        space = self._prefixes.get(prefix)
        if space is None:
            place = place_in(self._text, token.offset)
            raise QueryError(f"the prefix {prefix}: is not declared", place=place, expected=f"PREFIX {prefix}: <…>")
        return space + (_NAME_ESCAPE.sub(r"\1", local) if "\\" in local else local)

    def _whole(self, token: SparqlToken) -> str:
        iri = token.text[1:-1]
        if _ABSOLUTE.match(iri):
            return iri
        try:
            if not self._base:
                raise ValueError(iri)
            triple = f"<{iri}> <urn:p> <urn:o> ."
            return next(q.subject.value for q in ox.parse(triple, format=ox.RdfFormat.TURTLE, base_iri=self._base))  # type: ignore[union-attr]
        except (SyntaxError, ValueError) as bad:
            place = place_in(self._text, token.offset)
            raise QueryError(
                f"<{iri}> is no whole IRI", place=place, expected="an IRI with its scheme, or a BASE"
            ) from bad
