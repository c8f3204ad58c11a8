"""Finds the calls of `rq:` functions in a SPARQL query, with their constant arguments (docs/derivations.md).

They are found among the tokens that the grammar read (`store/sparql`), so what stands in strings, comments and IRIs is
no call, and a call may be written with any prefix or as a whole IRI.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from ...errors import Place, QueryError
from ...ontology.namespaces import PREFIXES, RQ
from ...operators.nodes import AttributeType
from ...store.sparql.lexer import CLOSING, OPENING, SparqlToken, place_in
from ...store.sparql.printing import iris_in, plain_text
from ...store.sparql.reading import read_tokens

MATCHES, EXTRACT = "matches", "extract"
_TAKES: Final = {MATCHES: ("event", "query"), EXTRACT: ("event", "key", "type")}
_LEAST: Final = 2
MOST_TEXT: Final = 1000
"""Characters of a query or key, as of a question."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of `rq:matches` (`text` is its query) or `rq:extract` (its key, and the type if one is given)."""

    function: str
    text: str
    type: AttributeType | None
    place: Place


def find_calls(query: str) -> tuple[Call, ...]:
    """The calls of `rq:` functions in a query, in order.

    Raises QueryError with line and column for what is no query, a function that there is not, a wrong number of
    arguments, and a query, key or type that is no text written in the query: it must be known before the query runs.
    """
    text, tokens = read_tokens(query)
    found: list[Call] = []
    for at, iri in iris_in(tokens, text, PREFIXES):
        if iri.startswith(RQ) and at + 1 < len(tokens) and tokens[at + 1].kind == "OPEN":
            found.append(_call(text, iri.removeprefix(RQ), tokens, at))
    return tuple(found)


def _call(query: str, name: str, tokens: Sequence[SparqlToken], at: int) -> Call:
    place = place_in(query, tokens[at].offset)
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
    if len(texts[0]) > MOST_TEXT:
        raise QueryError(f"{len(texts[0])} characters are too many", place=place, expected=f"at most {MOST_TEXT}")
    if not any(map(str.isalnum, texts[0])):
        raise QueryError(f"{texts[0]!r} has no word", place=place, expected="words to look for")
    kind = _type(query, arguments[2][0], texts[1]) if len(texts) > 1 else None
    return Call(name, texts[0], kind, place)


def _arguments(tokens: Sequence[SparqlToken], opening: int) -> list[list[SparqlToken]]:
    """The tokens of each argument between a parenthesis and the one that closes it."""
    found, depth = [list[SparqlToken]()], 0
    for token in tokens[opening + 1 :]:
        if token.kind in OPENING:
            depth += 1
        elif token.kind in CLOSING:
            if depth == 0:
                break
            depth -= 1
        if token.kind == "COMMA" and depth == 0:
            found.append([])
        else:
            found[-1].append(token)
    return found if found != [[]] else []


def _text(query: str, function: str, what: str, call: SparqlToken, argument: Sequence[SparqlToken]) -> str:
    """The text of a constant argument; a language tag says nothing here."""
    said = [token for token in argument if token.kind != "LANGTAG"]
    if len(said) != 1 or said[0].kind != "STRING":
        wrong = said[0] if said else call
        raise QueryError(
            f"the {what} of rq:{function} is looked up before the query runs, so it must be written in it",
            place=place_in(query, wrong.offset),
            expected=f"a text in quotes, not {wrong.text if said else 'nothing'}",
        )
    return plain_text(said[0])


def _type(query: str, token: SparqlToken, text: str) -> AttributeType:
    if text not in tuple(AttributeType):
        near = get_close_matches(text, tuple(AttributeType), 1)
        raise QueryError(
            f"there is no type {text!r}",
            place=place_in(query, token.offset),
            expected=f"one of {', '.join(AttributeType)}",
            nearest=near[0] if near else None,
        )
    return AttributeType(text)
