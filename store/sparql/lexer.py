"""Cuts SPARQL into the tokens of its grammar (SPARQL 1.1, section 19.8): the longest match wins, as the specification
says, which parsers without tokens do not do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from ...errors import Place, QueryError

_BASE: Final = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_FIRST: Final = _BASE + "_"
_CHARS: Final = _FIRST + "0-9\u00b7\u0300-\u036f\u203f-\u2040-"
_PLX: Final = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
# So long at most, as what looks like a prefix and is none would be read to its end again and again.
_PREFIX: Final = rf"(?:[{_BASE}](?:\.*[{_CHARS}]){{0,250}})?:"
_EXPONENT: Final = r"[eE][+-]?[0-9]+"


def _pattern(escape: str, iri: str) -> re.Pattern[str]:
    """All tokens, given what may follow a backslash in a text, and what stands in an IRI."""
    return re.compile(
        rf"""
    [ \t\r\n]+ | \#[^\r\n]*
  | (?P<VAR>[?$][{_FIRST}0-9][{_FIRST}0-9\u00b7\u0300-\u036f\u203f-\u2040]*)
  | (?P<IRI><{iri}*>)
  | (?P<NAME>{_PREFIX}(?:[{_FIRST}:0-9]|{_PLX})(?:\.*(?:[{_CHARS}:]|{_PLX}))*)
  | (?P<NAMESPACE>{_PREFIX})
  | (?P<BLANK>_:[{_FIRST}0-9](?:\.*[{_CHARS}])*)
  | (?P<WORD>[A-Za-z][A-Za-z0-9_]*)
  | (?P<STRING>\"\"\"(?:\"{{0,2}}(?:[^"\\]|\\{escape}))*\"\"\" | \'\'\'(?:'{{0,2}}(?:[^'\\]|\\{escape}))*\'\'\'
      | "(?:[^"\\\r\n]|\\{escape})*" | '(?:[^'\\\r\n]|\\{escape})*')
  | (?P<UNCLOSED>["'][\s\S]*)
  | (?P<LANGTAG>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
  | (?P<NUMERIC>[+-]?(?:[0-9]+\.[0-9]*{_EXPONENT}|\.?[0-9]+{_EXPONENT}|[0-9]*\.[0-9]+|[0-9]+))
  | (?P<SIGN>\^\^|\|\||&&|!=|<=|>=|[{{}}()\[\].;,=<>+\-*/!|^?])
    """,
        re.VERBOSE,
    )


_TOKEN: Final = _pattern(r"""[tbnrf\\"']""", r'[^<>"{}|^`\\\x00-\x20]')
_SIGNS: Final = {
    "(": "OPEN", ")": "CLOSE", "{": "LBRACE", "}": "RBRACE", "[": "LBRACKET", "]": "RBRACKET", ".": "DOT", ",": "COMMA",
    ";": "SEMICOLON", "*": "STAR", "/": "SLASH", "+": "PLUS", "-": "MINUS_SIGN", "!": "NOT_SIGN", "|": "PIPE",
    "^": "CARET", "?": "QUESTION", "||": "OR", "&&": "AND", "=": "EQUALS", "^^": "DATATYPE",
    **dict.fromkeys(("!=", "<", ">", "<=", ">="), "COMPARE"),
}  # fmt: skip
_OWN: Final = """BASE PREFIX SELECT DISTINCT REDUCED CONSTRUCT DESCRIBE ASK WHERE AS GROUP BY HAVING ORDER ASC DESC
  LIMIT OFFSET VALUES OPTIONAL MINUS GRAPH FILTER BIND UNION UNDEF NOT IN EXISTS BNODE BOUND COUNT
  GROUP_CONCAT SEPARATOR"""
_FUNCTIONS: Final = {
    "FUNCTION_0": "NOW RAND UUID STRUUID",
    "FUNCTION_1": """STR LANG DATATYPE IRI URI ABS CEIL FLOOR ROUND STRLEN UCASE LCASE ENCODE_FOR_URI YEAR MONTH DAY
        HOURS MINUTES SECONDS TIMEZONE TZ MD5 SHA1 SHA256 SHA384 SHA512 ISIRI ISURI ISBLANK ISLITERAL ISNUMERIC""",
    "FUNCTION_2": "LANGMATCHES CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER STRLANG STRDT SAMETERM",
    "FUNCTION_2_3": "SUBSTR REGEX",
    "FUNCTION_3": "IF",
    "FUNCTION_3_4": "REPLACE",
    "FUNCTION_ANY": "CONCAT COALESCE",
    "AGGREGATE": "SUM MIN MAX AVG SAMPLE",
    "TRUTH": "TRUE FALSE",
}
KEYWORDS: Final = {
    **{word: word for word in _OWN.split()},
    **{word: kind for kind, words in _FUNCTIONS.items() for word in words.split()},
}
"""Terminal of the grammar by keyword, in capitals."""
NETWORK: Final = frozenset({"SERVICE", "SILENT"})
OTHER_DATA: Final = frozenset({"FROM", "NAMED"})
_DATASET: Final = {word: word for word in OTHER_DATA}
UPDATES: Final = frozenset(
    ("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD", "INTO", "TO", "DATA", "WITH")
)
"""Keywords of SPARQL 1.1 that stand in no query that the grammar reads (of OTHER_DATA: `datasets.py`)."""
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.)", re.DOTALL)


_KEPT_CHARS: Final = 10_000
"""Texts so long at most are kept with their tokens."""
MEANS: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
"""What a letter behind a backslash means in a text; every other sign means itself."""


class SparqlToken(NamedTuple):
    """One token; `kind` is its terminal in the grammar, `text` is as written, `offset` where it begins."""

    kind: str
    text: str
    offset: int


def unescaped(query: str) -> str:
    """The query with its codepoint escapes resolved, which comes before all else (SPARQL 1.1, section 19.2).

    A backslash that is itself escaped begins none. Raises QueryError for an escape that is no character.
    """

    def resolved(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        if code is None:
            return match.group()
        number = int(code, 16)
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            raise QueryError(f"{match.group()} is no character", place=place_in(query, match.start()))
        return chr(number)

    return _ESCAPE.sub(resolved, query) if "\\" in query else query


def tokens_of(text: str, *, with_dataset: bool = False) -> Iterator[SparqlToken]:
    """The tokens of a query without escapes of codepoints; comments and white space are left out.

    Raises QueryError with the place of what is no token, or a word that no query may contain; `with_dataset`, FROM and
    NAMED are words.
    """
    end, size = 0, len(text)
    keywords = KEYWORDS | _DATASET if with_dataset else KEYWORDS
    while end < size:
        found = _TOKEN.match(text, end)
        if found is None or found.lastgroup == "UNCLOSED":
            raise QueryError(_unreadable(text, end), place=place_in(text, end), expected="a token of SPARQL 1.1")
        offset, end, kind = end, found.end(), found.lastgroup
        if kind is None:
            continue
        written = found.group()
        if kind == "WORD":
            kind = keywords.get(written.upper()) if written != "a" else "A"
            if kind is None:
                raise _refused(text, written, offset)
        elif kind == "SIGN":
            kind = _SIGNS[written]
        elif kind == "NUMERIC":
            kind = "SIGNED" if written[0] in "+-" else "INTEGER" if written.isdecimal() else "NUMBER"
        yield SparqlToken(kind, written, offset)


@cache
def _lenient() -> re.Pattern[str]:
    """Escapes of codepoints stand in texts and IRIs as they are written, as Turtle has them."""
    return _pattern(r"[\s\S]", r'[^<>"{}|^`\x00-\x20]')


def scanned(text: str) -> list[SparqlToken]:
    """The tokens of Turtle or SPARQL by the group that they match: VAR, IRI, NAME, WORD, … Nothing is refused: what is
    no token is left out."""
    return list(_scanned_kept(text) if len(text) <= _KEPT_CHARS else _scanned(text))


@lru_cache(maxsize=2048)
def _scanned_kept(text: str) -> tuple[SparqlToken, ...]:
    """What ships is looked at with every document that is checked."""
    return tuple(_scanned(text))


def _scanned(text: str) -> Iterator[SparqlToken]:
    return (SparqlToken(m.lastgroup, m.group(), m.start()) for m in _lenient().finditer(text) if m.lastgroup)


def place_in(text: str, offset: int) -> Place:
    """Line and column of an offset."""
    line_start = text.rfind("\n", 0, offset) + 1
    return Place(text.count("\n", 0, offset) + 1, offset - line_start + 1)


def _unreadable(text: str, offset: int) -> str:
    if text[offset] in "\"'":
        return "this text is not closed, or holds an unknown escape"
    return f"{text[offset]!r} begins nothing in SPARQL"


def _refused(text: str, word: str, offset: int) -> QueryError:
    place, name = place_in(text, offset), word.upper()
    if name in NETWORK:
        return QueryError(f"{name} would reach the network", place=place, expected="a query over this store only")
    if name in OTHER_DATA:
        return QueryError(f"{name} would read other data", place=place, expected="a query over the data it is given")
    if name in UPDATES:
        return QueryError(f"{name} would write", place=place, expected="SELECT, ASK, CONSTRUCT or DESCRIBE")
    return QueryError(f"this is not SPARQL: {word} is no keyword", place=place, expected="SPARQL 1.1")


MOST_DEEP: Final = 200
"""Brackets of any kind inside one another."""
MOST_LINKS: Final = 5_000
"""Operators, elements of a group and triples, each of which Oxigraph puts around those before it."""
OPENING: Final = frozenset({"OPEN", "LBRACE", "LBRACKET"})
CLOSING: Final = frozenset({"CLOSE", "RBRACE", "RBRACKET"})
_LINKED_BY: Final = """OR AND PIPE SLASH STAR PLUS MINUS_SIGN SIGNED CARET NOT_SIGN EQUALS COMPARE DOT SEMICOLON UNION
  OPTIONAL MINUS FILTER BIND GRAPH VALUES EXISTS AS"""
_LINKS: Final = frozenset(_LINKED_BY.split())


def check_nesting(tokens: Sequence[SparqlToken], text: str) -> None:
    """Raises QueryError with the place of the bracket that is nested too deeply, or the link that is one too many."""
    depth = links = 0
    for kind, _, offset in tokens:
        depth += (kind in OPENING) - (kind in CLOSING)
        links += kind in _LINKS
        if depth > MOST_DEEP:
            wrong, expected = f"this is nested more than {MOST_DEEP} deep", "fewer brackets"
        elif links > MOST_LINKS:
            wrong, expected = f"the query has more than {MOST_LINKS:,} operators and elements", "a shorter query"
        else:
            continue
        raise QueryError(wrong, place=place_in(text, offset), expected=expected)
