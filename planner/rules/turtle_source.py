"""Where things stand in a Turtle document: its terms and literals with their offsets, which parsers do not keep.

Only for telling authors where something is wrong; what a document means comes from the real parser. SPARQL is cut into
the same tokens, as its terms are written alike.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType

from ...errors import Place
from ...ontology.namespaces import PREFIXES, RDF_TYPE

_TOKEN = re.compile(
    r"""
    (?P<comment>\#[^\n\r]*)
  | (?P<string>\"{3}(?:[^"\\]|\\.|\"(?!\"\"))*\"{3}|'{3}(?:[^'\\]|\\.|'(?!''))*'{3}
      |"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
  | (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
  | (?P<variable>[?$]\w+)
  | (?P<directive>@(?:prefix|base)\b)
  | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
  | (?P<blank>_:[\w][\w.-]*)
  | (?P<name>(?:[A-Za-z_][\w-]{0,100}(?:\.[\w-]{1,100}){0,8})?:(?:[\w:%-](?:[\w.:%-]*[\w:%-])?|(?=[\s;,.)])))
  | (?P<number>[+-]?(?:\d+\.\d+|\d+|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<sign>\^\^|\|\||&&|!=|<=|>=|[^\s\w])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    """One token; `kind` is a group of the lexer: string, iri, variable, name, word, number, sign, …"""

    kind: str
    text: str
    offset: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of Turtle or SPARQL, without comments and white space."""
    found = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "sign"
        if kind != "comment":
            found.append(Token(kind, match.group(), match.start()))
    return found


@dataclass(frozen=True)
class Decoded:
    """The text of a literal; `offsets[i]` is where its character i stands in the document."""

    text: str
    offsets: tuple[int, ...]

    def at(self, index: int) -> int:
        """The offset in the document of a character of the text, or of its end."""
        if not self.offsets:
            return 0
        return self.offsets[index] if index < len(self.offsets) else self.offsets[-1] + 1

    def at_place(self, line: int, column: int) -> int:
        """The offset in the document of a line and column of the text, both counted from 1."""
        start = 0
        for _ in range(line - 1):
            start = self.text.find("\n", start) + 1
        return self.at(start + column - 1)


def decoded(token: Token) -> Decoded:
    """What a string token says."""
    quotes = 3 if token.text[:3] in ('"""', "'''") else 1
    inner = token.text[quotes : len(token.text) - quotes]
    text: list[str] = []
    offsets: list[int] = []
    at = 0
    while at < len(inner):
        escape = _ESCAPE.match(inner, at)
        if escape is None:
            char, width = inner[at], 1
        else:
            code = escape[1] or escape[2]
            char, width = (chr(int(code, 16)) if code else _ESCAPES.get(escape[3], escape[3])), len(escape.group())
        text.append(char)
        offsets.append(token.offset + quotes + at)
        at += width
    return Decoded("".join(text), tuple(offsets))


@dataclass(frozen=True)
class Said:
    """One triple as written: subject and predicate as IRIs (empty for blank nodes), the object's first token."""

    subject: str
    predicate: str
    object: Token
    predicate_at: int


@dataclass(frozen=True)
class Document:
    """A Turtle document as written."""

    path: str
    text: str
    _parsed: list[tuple[Said, ...]] = field(default_factory=list, repr=False, compare=False)

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer("\n", self.text))]

    def place(self, offset: int) -> Place:
        """Line and column of an offset."""
        line = bisect_right(self._lines, offset)
        return Place(line, offset - self._lines[line - 1] + 1, self.path)

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """The triples whose subject is named, and those of blank nodes inside them."""
        return _read(self.text)[1]

    @cached_property
    def prefixes(self) -> Mapping[str, str]:
        """The document's own prefixes."""
        return _read(self.text)[0]

    @cached_property
    def defined(self) -> Mapping[str, int]:
        """Offsets of the subjects, at their first."""
        found: dict[str, int] = {}
        for one in self.said:
            if one.subject:
                found.setdefault(one.subject, one.predicate_at)
        return found


@lru_cache(maxsize=256)
def _read(text: str) -> tuple[Mapping[str, str], tuple[Said, ...]]:
    """The prefixes and the triples of a document; kept, since shipped ones are looked at with every other that is
    checked."""
    prefixes: dict[str, str] = {}
    tokens = tokens_of(text)
    for index, token in enumerate(tokens[:-2]):
        if token.text in ("@prefix", "PREFIX", "prefix") and tokens[index + 2].kind == "iri":
            prefixes[tokens[index + 1].text.rstrip(":")] = tokens[index + 2].text[1:-1]
    return MappingProxyType(prefixes), tuple(_Walk(tokens, prefixes).triples())


def iri_of(token: Token, prefixes: Mapping[str, str] = PREFIXES) -> str | None:
    """The IRI that a token writes; None where it writes none, or with an unknown prefix."""
    if token.kind == "iri":
        return token.text[1:-1]
    if token.kind == "name":
        prefix, _, local = token.text.partition(":")
        return prefixes[prefix] + local if prefix in prefixes else None
    return RDF_TYPE if token.kind == "word" and token.text == "a" else None


class _Walk:
    """The triples of a token row. Malformed documents end it early: the real parser complains."""

    def __init__(self, tokens: list[Token], prefixes: Mapping[str, str]) -> None:
        self._tokens = tokens
        self._prefixes = prefixes
        self._next = 0

    def triples(self) -> Iterator[Said]:
        while self._next < len(self._tokens):
            token = self._take()
            if token.text in ("@prefix", "@base"):
                self._skip_to(".")
            elif token.text.upper() in ("PREFIX", "BASE"):
                self._next += 2 if token.text.upper() == "PREFIX" else 1
            else:
                yield from self._subject(token)

    def _take(self) -> Token:
        self._next += 1
        return self._tokens[self._next - 1]

    def _peek(self) -> str:
        return self._tokens[self._next].text if self._next < len(self._tokens) else ""

    def _skip_to(self, sign: str) -> None:
        while self._next < len(self._tokens) and self._take().text != sign:
            pass

    def _subject(self, token: Token) -> Iterator[Said]:
        subject = iri_of(token, self._prefixes) or ""
        if token.text == "[":
            yield from self._pairs("", "]")
        if token.text == "(":
            yield from self._objects("", "", token.offset, ")")
        yield from self._pairs(subject, ".")

    def _pairs(self, subject: str, closing: str) -> Iterator[Said]:
        """Predicates with their objects, up to and with the closing sign."""
        while self._next < len(self._tokens):
            token = self._take()
            if token.text == closing:
                return
            if token.text == ";":
                continue
            yield from self._objects(subject, iri_of(token, self._prefixes) or "", token.offset, closing)

    def _objects(self, subject: str, predicate: str, at: int, closing: str) -> Iterator[Said]:
        while self._next < len(self._tokens):
            if self._peek() in (";", closing):
                if closing == ")":
                    self._next += 1
                return
            token = self._take()
            if token.text == ",":
                continue
            if token.text == "[":
                yield Said(subject, predicate, token, at)
                yield from self._pairs("", "]")
            elif token.text == "(":
                yield Said(subject, predicate, token, at)
                yield from self._objects("", predicate, at, ")")
            elif token.text == "^^":
                self._next += 1
            elif token.kind != "language":
                yield Said(subject, predicate, token, at)
