"""The parse tables of the grammar: Lark writes them when the grammar changes (tests/parse_tables.py), since making them
takes longer than answering a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import orjson

STARTS: Final = ("query", "group_graph_pattern_sub", "expression")
"""What may be parsed: a query, the inside of a WHERE, an expression."""
END: Final = "$END"
_FILE: Final = "tables.json"


@dataclass(frozen=True)
class Tables:
    """LALR(1) tables. `actions[state][terminal]` is the state to go to, or the rule to reduce by as -1 - its number;
    `rules` holds each one's length and symbol; `gotos[state][symbol]` is the state after it."""

    starts: Mapping[str, int]
    ends: Mapping[str, int]
    rules: tuple[tuple[int, str], ...]
    actions: tuple[Mapping[str, int], ...]
    gotos: tuple[Mapping[str, int], ...]


@cache
def load_tables() -> Tables:
    """The tables as they were made."""
    held = orjson.loads(files(__name__.rpartition(".")[0]).joinpath(_FILE).read_bytes())
    return Tables(
        held["starts"],
        held["ends"],
        tuple((size, name) for size, name in held["rules"]),
        tuple(held["actions"]),
        tuple(held["gotos"]),
    )
