"""Finds the calls of `rq:` functions in a SPARQL query, with their constant arguments (docs/derivations.md).

The query is cut into tokens as the SPARQL 1.1 grammar does (section 19.8), so that what stands in strings, comments and
IRIs is no call, and a call may be written with any prefix or as a whole IRI.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final
from urllib.parse import urljoin

from ..errors import Place, QueryError
from ..ontology.namespaces import PREFIXES, RQ
from ..operators.nodes import AttributeType

MATCHES, EXTRACT = "matches", "extract"
_TAKES: Final = {MATCHES: ("event", "query"), EXTRACT: ("event", "key", "type")}
_LEAST: Final = 2
_TOKEN: Final = re.compile(
    r"""
    (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
  | (?P<comment>\#[^\n\r]*)
  | (?P<long>\"{3}(?:[^"\\]|\\.|\"(?!\"\"))*\"{3}|'{3}(?:[^'\\]|\\.|'(?!''))*'{3})
  | (?P<short>"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
  | (?P<variable>[?$]\w+)
  | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
  | (?P<name>(?:[^\W\d_](?:[\w.-]{0,100}[\w-])?)?:(?:(?:[\w:-]|%[0-9A-Fa-f]{2}|\\.)(?:[\w.:-]|%[0-9A-Fa-f]{2}|\\.)*)?)
  | (?P<word>\w+)
  | (?P<space>\s+)
  | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_STRINGS: Final = ("long", "short")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


@dataclass(frozen=True, slots=True)
class Call:
    """A call of `rq:matches` (`text` is its query) or `rq:extract` (its key, and the type if one is given)."""

    function: str
    text: str
    type: AttributeType | None
    place: Place


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    offset: int


def find_calls(query: str) -> tuple[Call, ...]:
    """The calls of `rq:` functions in a query, in order.

    Raises QueryError with line and column for a function that there is not, a wrong number of arguments, and a query,
    key or type that is no text written in the query: it must be known before the query runs.
    """
    tokens = tuple(_tokens(query))
    found: list[Call] = []
    for at, iri in _names(tokens):
        if iri.startswith(RQ) and at + 1 < len(tokens) and tokens[at + 1].text == "(":
            found.append(_call(query, iri.removeprefix(RQ), tokens, at))
    return tuple(found)


def _tokens(query: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(query):
        kind = str(match.lastgroup)
        if kind not in ("space", "comment"):
            yield _Token(kind, match.group(), match.start())


def _names(tokens: Sequence[_Token]) -> Iterator[tuple[int, str]]:
    """(position, whole IRI) of each IRI and prefixed name outside the prologue, by the prefixes declared before it."""
    prefixes, base = dict(PREFIXES), ""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "word" and token.text.upper() == "BASE" and _kind(tokens, at + 1) == "iri":
            base = _resolved(base, tokens[at + 1].text)
            at += 2
        elif token.kind == "word" and token.text.upper() == "PREFIX" and _kind(tokens, at + 2) == "iri":
            prefixes[tokens[at + 1].text.removesuffix(":")] = _resolved(base, tokens[at + 2].text)
            at += 3
        else:
            if token.kind == "iri":
                yield at, _resolved(base, token.text)
            elif token.kind == "name":
                prefix, _, local = token.text.partition(":")
                yield at, prefixes.get(prefix, "") + _plain(local)
            at += 1


def _resolved(base: str, token: str) -> str:
    """The whole IRI of one in angle brackets; urljoin leaves out the sign of an empty fragment."""
    iri = _plain(token[1:-1])
    return urljoin(base, iri) + ("#" if iri.endswith("#") and base else "")


def _kind(tokens: Sequence[_Token], at: int) -> str:
    return tokens[at].kind if at < len(tokens) else ""


def _call(query: str, name: str, tokens: Sequence[_Token], at: int) -> Call:
    place = _place(query, tokens[at].offset)
    if name not in _TAKES:
        near = get_close_matches(name, _TAKES, 1)
        expected = " or ".join(f"rq:{known}" for known in _TAKES)
        raise QueryError(
            f"there is no function rq:{name}", place=place, expected=expected, nearest=f"rq:{near[0]}" if near else None
        )
    takes, arguments = _TAKES[name], _arguments(tokens, at + 1)
    if not _LEAST <= len(arguments) <= len(takes):
        shown = f'rq:{name}(?event, "{takes[1]}")'
        raise QueryError(f"rq:{name} has {len(arguments)} arguments", place=place, expected=shown)
    texts = [_text(query, name, what, tokens[at], own) for what, own in zip(takes[1:], arguments[1:], strict=False)]
    kind = _type(query, arguments[2][0], texts[1]) if len(texts) > 1 else None
    return Call(name, texts[0], kind, place)


def _arguments(tokens: Sequence[_Token], opening: int) -> list[list[_Token]]:
    """The tokens of each argument between a parenthesis and the one that closes it."""
    found, depth = [list[_Token]()], 0
    for token in tokens[opening + 1 :]:
        if token.text in ("(", "[", "{") and token.kind == "sign":
            depth += 1
        elif token.text in (")", "]", "}") and token.kind == "sign":
            if depth == 0:
                break
            depth -= 1
        if token.text == "," and token.kind == "sign" and depth == 0:
            found.append([])
        else:
            found[-1].append(token)
    return found if found != [[]] else []


def _text(query: str, function: str, what: str, call: _Token, argument: Sequence[_Token]) -> str:
    """The text of a constant argument; a language tag says nothing here."""
    said = [token for token in argument if token.kind != "language"]
    if len(said) != 1 or said[0].kind not in _STRINGS:
        wrong = said[0] if said else call
        raise QueryError(
            f"the {what} of rq:{function} is looked up before the query runs, so it must be written in it",
            place=_place(query, wrong.offset),
            expected=f"a text in quotes, not {wrong.text if said else 'nothing'}",
        )
    quotes = 3 if said[0].kind == "long" else 1
    return _plain(said[0].text[quotes:-quotes])


def _type(query: str, token: _Token, text: str) -> AttributeType:
    if text not in tuple(AttributeType):
        near = get_close_matches(text, tuple(AttributeType), 1)
        raise QueryError(
            f"there is no type {text!r}",
            place=_place(query, token.offset),
            expected=f"one of {', '.join(AttributeType)}",
            nearest=near[0] if near else None,
        )
    return AttributeType(text)


def _plain(text: str) -> str:
    """A text with its escapes resolved."""
    return _ESCAPE.sub(_unescaped, text)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code is None:
        return _ESCAPED.get(match[3], match[3])
    number = int(code, 16)
    return chr(number) if number <= 0x10FFFF else match[0]


def _place(text: str, offset: int) -> Place:
    line_start = text.rfind("\n", 0, offset) + 1
    return Place(text.count("\n", 0, offset) + 1, offset - line_start + 1)
