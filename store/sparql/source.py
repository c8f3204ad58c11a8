"""Where things stand in a Turtle document: its terms and literals with their offsets, which parsers do not keep.

Only for telling authors where something is wrong; what a document means comes from the real parser, so the text may be
taken for valid Turtle.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final
from urllib.parse import urljoin

from ...errors import Place
from ...ontology.namespaces import PREFIXES, RDF, RDF_TYPE
from ..rdf import Quad
from .lexer import MEANS, SparqlToken, scanned

_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_ITEM: Final = RDF + "first"
"""What the items of lists are said with."""
_END: Final = SparqlToken("END", "", 0)


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


def decoded(token: SparqlToken) -> Decoded:
    """What the token of a literal says."""
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
            char, width = (chr(int(code, 16)) if code else MEANS.get(escape[3], escape[3])), len(escape.group())
        text.append(char)
        offsets.append(token.offset + quotes + at)
        at += width
    return Decoded("".join(text), tuple(offsets))


@dataclass(frozen=True, slots=True)
class Said:
    """One triple as written: subject and predicate as IRIs (empty for blank nodes and items of lists), where they
    stand, and the first token of the object."""

    subject: str
    predicate: str
    object: SparqlToken
    subject_at: int
    predicate_at: int


@dataclass(frozen=True)
class Document:
    """A Turtle document as written; relative IRIs are below `base`."""

    path: str | None
    text: str
    base: str = ""

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer("\n", self.text))]

    def place(self, offset: int) -> Place:
        """Line and column of an offset."""
        line = bisect_right(self._lines, offset)
        return Place(line, offset - self._lines[line - 1] + 1, self.path)

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column."""
        return self._lines[min(line, len(self._lines)) - 1] + column - 1

    @property
    def said(self) -> tuple[Said, ...]:
        """The triples in the order of the parser: each when its object is complete."""
        return _read(self.text, self.base)[1]

    @property
    def prefixes(self) -> Mapping[str, str]:
        """The document's own prefixes."""
        return _read(self.text, self.base)[0]

    @cached_property
    def defined(self) -> Mapping[str, int]:
        """Offsets at which something is first said of each subject."""
        return {one.subject: one.predicate_at for one in reversed(self.said) if one.subject}


@lru_cache(maxsize=256)
def _read(text: str, base: str) -> tuple[Mapping[str, str], tuple[Said, ...]]:
    """The prefixes and the triples of a document; kept, since shipped ones are looked at with every other that is
    checked."""
    walk = _Walk(text, base)
    said = tuple(walk.triples())
    return walk.prefixes, said


def placed(quads: Iterable[Quad], document: Document) -> Iterator[tuple[Quad, Said | None]]:
    """Each triple that the parser found in a document, with the place where it is written: the n-th with some predicate
    is the n-th that is written with it."""
    written: defaultdict[str, deque[Said]] = defaultdict(deque)
    for said in document.said:
        written[said.predicate or _ITEM].append(said)
    for quad in quads:
        left = written[quad.predicate.value]
        yield quad, left.popleft() if left else None


def iri_of(token: SparqlToken, prefixes: Mapping[str, str] = PREFIXES) -> str | None:
    """The IRI that a token writes; None where it writes none, or with an unknown prefix."""
    if token.kind == "IRI":
        return token.text[1:-1]
    if token.kind in ("NAME", "NAMESPACE"):
        prefix, _, local = token.text.partition(":")
        return prefixes[prefix] + re.sub(r"\\(.)", r"\1", local) if prefix in prefixes else None
    return RDF_TYPE if token == ("WORD", "a", token.offset) else None


class _Walk:
    """One pass over the tokens; prefixes and base move with it."""

    def __init__(self, text: str, base: str) -> None:
        self._tokens = [*scanned(text), _END]
        self._at = 0
        self._base = base
        self.prefixes: dict[str, str] = {}

    @property
    def _next(self) -> SparqlToken:
        return self._tokens[self._at]

    def _take(self) -> SparqlToken:
        token = self._tokens[self._at]
        self._at += token is not _END
        return token

    def _passed(self, text: str) -> bool:
        """Whether the next token is this one, which is stepped over."""
        found = self._next.text == text
        self._at += found
        return found

    def triples(self) -> Iterator[Said]:
        while self._next is not _END:
            match self._next.text.lower():
                case "@prefix" | "prefix":
                    name = self._tokens[self._at + 1 : self._at + 2]
                    self._at = min(self._at + 2, len(self._tokens) - 1)
                    self.prefixes[name[0].text[:-1]] = self._iri(self._take())
                case "@base" | "base":
                    self._take()
                    self._base = self._iri(self._take())
                case _:
                    subject = self._next
                    yield from self._node()
                    yield from self._pairs(self._iri(subject), subject.offset)
            self._passed(".")

    def _iri(self, token: SparqlToken) -> str:
        """The IRI of a token, in full; empty where it writes none."""
        iri = iri_of(token, self.prefixes) or ""
        if token.kind != "IRI" or _SCHEME.match(iri):
            return iri
        # `urljoin` alone would drop an empty fragment, which most namespaces end in.
        return urljoin(self._base, iri) + ("#" if iri.endswith("#") else "")

    def _pairs(self, subject: str, subject_at: int) -> Iterator[Said]:
        """Predicates with their objects."""
        while self._next.text not in (".", "]", ""):
            if self._passed(";"):
                continue
            predicate = self._take()
            iri = self._iri(predicate)
            while True:
                token = self._next
                yield from self._node()
                yield Said(subject, iri, token, subject_at, predicate.offset)
                if not self._passed(","):
                    break

    def _node(self) -> Iterator[Said]:
        """Steps over one subject or object; the triples inside its brackets."""
        token = self._take()
        if token.text == "[":
            yield from self._pairs("", token.offset)
            self._passed("]")
        elif token.text == "(":
            while self._next.text not in (")", ""):
                item = self._next
                yield from self._node()
                yield Said("", "", item, token.offset, item.offset)
            self._passed(")")
        elif token.kind == "STRING" and (self._next.kind == "LANGTAG" or self._passed("^^")):
            self._take()
