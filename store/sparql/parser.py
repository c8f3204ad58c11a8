"""The LALR(1) parser of queries. Neither depth nor length of a query costs stack: the parser keeps its own.

Its tables are read from a file, which Lark writes when the grammar changes (tests/parse_tables.py): making them takes
longer than answering a question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

import orjson

from ...errors import QueryError
from .lexer import KEYWORDS, SparqlToken, place_in

STARTS: Final = ("query", "group_graph_pattern_sub", "expression")
"""What may be parsed: a query, the inside of a WHERE, an expression."""
END: Final = "$END"
_FILE: Final = "tables.json"
_KEPT_TOKENS: Final = 2_000
_SHOWN: Final = 12
_NAMES: Final = {
    "OPEN": "(", "CLOSE": ")", "LBRACE": "{", "RBRACE": "}", "LBRACKET": "[", "RBRACKET": "]", "DOT": ".", "COMMA": ",",
    "SEMICOLON": ";", "STAR": "*", "SLASH": "/", "PLUS": "+", "MINUS_SIGN": "-", "NOT_SIGN": "!", "PIPE": "|",
    "CARET": "^", "QUESTION": "?", "OR": "||", "AND": "&&", "EQUALS": "=", "COMPARE": "<", "DATATYPE": "^^",
    "VAR": "a variable", "IRI": "an IRI", "NAME": "a prefixed name", "NAMESPACE": "a prefix", "BLANK": "a blank node",
    "STRING": "a text", "LANGTAG": "a language", "INTEGER": "a number", "NUMBER": "a number", "SIGNED": "a number",
    "A": "a", "TRUTH": "true or false", END: "the end",
}  # fmt: skip
_FUNCTION: Final = "a function"


@dataclass(frozen=True)
class ParseTables:
    """LALR(1) tables. `actions[state][terminal]` is the state to go to, or the rule to reduce by as -1 - its number;
    `rules` holds each one's length and symbol; `gotos[state][symbol]` is the state after it."""

    starts: Mapping[str, int]
    ends: Mapping[str, int]
    rules: tuple[tuple[int, str], ...]
    actions: tuple[Mapping[str, int], ...]
    gotos: tuple[Mapping[str, int], ...]


@cache
def load_tables() -> ParseTables:
    """The tables as they were made."""
    held = orjson.loads(files(__name__.rpartition(".")[0]).joinpath(_FILE).read_bytes())
    return ParseTables(
        held["starts"],
        held["ends"],
        tuple((size, name) for size, name in held["rules"]),
        tuple(held["actions"]),
        tuple(held["gotos"]),
    )


def check_grammar(tokens: Sequence[SparqlToken], text: str, start: str) -> None:
    """Raises QueryError, with the place and what was expected, unless the tokens of `text` are a `start` of the
    grammar."""
    kinds = tuple([token.kind for token in tokens])
    failed = _failed_kept(kinds, start) if len(kinds) <= _KEPT_TOKENS else _failed(kinds, start)
    if failed is None:
        return
    at, expected = failed
    offset = tokens[at].offset if at < len(tokens) else len(text)
    found = f" at {tokens[at].text[:40]!r}" if at < len(tokens) else ": it ends too early"
    names = [name for name in _named(expected) if name]
    shown = " ".join(names[:_SHOWN])
    raise QueryError(
        "this is not SPARQL" + found,
        place=place_in(text, offset),
        expected=("one of " if len(names) > 1 else "") + shown,
    )


@lru_cache(maxsize=4096)
def _failed_kept(kinds: tuple[str, ...], start: str) -> tuple[int, tuple[str, ...]] | None:
    """What is grammatical hangs on the kinds of the tokens alone, so queries that differ in words are parsed once."""
    return _failed(kinds, start)


def _failed(kinds: Sequence[str], start: str) -> tuple[int, tuple[str, ...]] | None:
    """Where the tokens leave the grammar, and the terminals that would not have; None where they keep to it."""
    tables = load_tables()
    actions, gotos, rules, last = tables.actions, tables.gotos, tables.rules, tables.ends[start]
    stack = [tables.starts[start]]
    for at, kind in enumerate((*kinds, END)):
        while True:
            action = actions[stack[-1]].get(kind)
            if action is None:
                return at, _expected(stack)
            if action >= 0:
                stack.append(action)
                break
            size, symbol = rules[-1 - action]
            if size:
                del stack[-size:]
            stack.append(gotos[stack[-1]][symbol])
            if kind == END and stack[-1] == last:
                return None
    return None


def _expected(stack: list[int]) -> tuple[str, ...]:
    return tuple(load_tables().actions[stack[-1]])


def _named(terminals: Sequence[str]) -> list[str]:
    """The terminals as people write them: signs and things first, then keywords."""
    shown = [_NAMES.get(name) or (name if name in KEYWORDS else _FUNCTION) for name in terminals]
    return sorted(dict.fromkeys(shown), key=lambda name: (name.isupper(), name))
