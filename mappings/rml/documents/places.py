"""Where things stand in a Turtle text: a token scanner that gives each triple the places of its three parts.

The store parses the map; this only looks for places, so it may assume that the text is valid Turtle (RDF 1.1). Triples
are given out when their object is complete, which is the order of the parser too, so that the n-th triple with some
predicate here is the n-th there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from ....errors import Place
from ....ontology.namespaces import RDF_TYPE

_TOKEN = re.compile(
    r"""(?P<skip>\s+|\#[^\n]*)
    |(?P<string>\"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<iri><[^<>\s]*>)
    |(?P<at>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    |(?P<punct>\^\^|[\[\](){},;]|\.(?![0-9]))
    |(?P<number>[+-]?(?:[0-9]*\.[0-9]+|[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<word>(?:[^\s<>"'\[\](){},;\#@^.\\]|\\.|\.(?=[^\s<>"'\[\](){},;\#@^]))+)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


@dataclass(frozen=True)
class TriplePlaces:
    """Places of the subject, predicate and object of one triple; `predicate_iri` to tell which triple it is."""

    predicate_iri: str
    subject: Place
    predicate: Place
    object: Place


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    place: Place


def _tokens(text: str, path: str | None) -> Iterator[_Token]:
    line, start = 1, 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        value = match.group()
        if kind != "skip":
            yield _Token(kind, value, Place(line, match.start() - start + 1, path))
        newlines = value.count("\n")
        if newlines:
            line += newlines
            start = match.start() + value.rindex("\n") + 1
    yield _Token("end", "", Place(line, len(text) - start + 1, path))


class _Scanner:
    """One pass over the tokens; a class because position, prefixes and base move together."""

    def __init__(self, text: str, path: str | None, base: str | None) -> None:
        self._tokens = list(_tokens(text, path))
        self._at = 0
        self._prefixes: dict[str, str] = {}
        self._base = base or ""

    def _peek(self) -> _Token:
        return self._tokens[self._at]

    def _next(self) -> _Token:
        token = self._tokens[self._at]
        if token.kind != "end":
            self._at += 1
        return token

    def document(self) -> Iterator[TriplePlaces]:
        while self._peek().kind != "end":
            word = self._peek().text.lower()
            if word in ("@prefix", "prefix"):
                self._prefix()
            elif word in ("@base", "base"):
                self._next()
                self._base = self._resolved(self._next().text)
                self._drop(".")
            else:
                subject = self._peek().place
                yield from self._node()
                yield from self._pairs(subject)
                self._drop(".")

    def _prefix(self) -> None:
        self._next()
        name = self._next().text
        self._prefixes[name[:-1]] = self._resolved(self._next().text)
        self._drop(".")

    def _drop(self, text: str) -> None:
        if self._peek().text == text:
            self._next()

    def _pairs(self, subject: Place) -> Iterator[TriplePlaces]:
        while self._peek().text not in (".", "]", ""):
            if self._peek().text == ";":
                self._next()
                continue
            predicate = self._next()
            iri = self._iri(predicate)
            while True:
                place = self._peek().place
                yield from self._node()
                yield TriplePlaces(iri, subject, predicate.place, place)
                if self._peek().text != ",":
                    break
                self._next()

    def _iri(self, token: _Token) -> str:
        if token.text == "a":
            return RDF_TYPE
        if token.kind == "iri":
            return self._resolved(token.text)
        prefix, _, local = token.text.partition(":")
        return self._prefixes.get(prefix, prefix + ":") + re.sub(r"\\(.)", r"\1", local)

    def _resolved(self, token: str) -> str:
        """The IRI between brackets; `urljoin` alone would drop an empty fragment, which most namespaces end in."""
        iri = token[1:-1]
        if _SCHEME.match(iri):
            return iri
        return urljoin(self._base, iri) + ("#" if iri.endswith("#") else "")

    def _node(self) -> Iterator[TriplePlaces]:
        """Step over one subject or object, giving out the triples inside brackets."""
        token = self._next()
        if token.kind == "punct" and token.text == "[":
            yield from self._pairs(token.place)
            self._drop("]")
        elif token.kind == "punct" and token.text == "(":
            while self._peek().text not in (")", ""):
                yield from self._node()
            self._drop(")")
        elif token.kind == "string":
            if self._peek().kind == "at":
                self._next()
            elif self._peek().text == "^^":
                self._next()
                self._next()


def triple_places(text: str, *, path: str | None = None, base: str | None = None) -> dict[str, list[TriplePlaces]]:
    """The places of all triples of a valid Turtle text, by predicate IRI, each list in the parser's order."""
    found: dict[str, list[TriplePlaces]] = {}
    for places in _Scanner(text, path, base).document():
        found.setdefault(places.predicate_iri, []).append(places)
    return found
