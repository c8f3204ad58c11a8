"""The parse tables of the grammar: made by Lark when the grammar changes, read from a file whenever a query is parsed.

    python -m reqap_kg.store.sparql.tables        # after a change of grammar.lark

Making them takes longer than answering a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

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


def make_tables(grammar: str) -> Tables:
    """The tables of a grammar, numbered in the same way each time."""
    from lark import Lark
    from lark.lexer import Lexer
    from lark.parsers.lalr_analysis import Shift

    class _NoLexer(Lexer):
        def __init__(self, *_: Any) -> None: ...

        def lex(self, lexer_state: Any, parser_state: Any) -> Any:
            raise NotImplementedError

    made: Any = Lark(grammar, parser="lalr", lexer=_NoLexer, start=list(STARTS))
    table = made.parser.parser._parse_table
    numbers = {state: at for at, state in enumerate(_in_order(table, Shift))}
    rules = sorted({_said(rule) for rule in made.rules})
    at_rule = {said: number for number, said in enumerate(rules)}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in numbers:
        shifts = {name: numbers[to] for name, (what, to) in table.states[state].items() if what is Shift}
        reduces = {
            name: -1 - at_rule[_said(to)] for name, (what, to) in table.states[state].items() if what is not Shift
        }
        terminals = {name: to for name, to in shifts.items() if name.isupper()}
        actions.append(dict(sorted({**terminals, **reduces}.items())))
        gotos.append(dict(sorted((name, to) for name, to in shifts.items() if not name.isupper())))
    return Tables(
        {name: numbers[table.start_states[name]] for name in STARTS},
        {name: numbers[table.end_states[name]] for name in STARTS},
        tuple((len(symbols), origin) for origin, symbols in rules),
        tuple(actions),
        tuple(gotos),
    )


def _said(rule: Any) -> tuple[str, tuple[str, ...]]:
    return str(rule.origin.name), tuple(str(symbol.name) for symbol in rule.expansion)


def _in_order(table: Any, shift: Any) -> list[Any]:
    """The states as they are met from the starts, symbols in the order of the alphabet."""
    found = dict.fromkeys(table.start_states[name] for name in STARTS)
    waiting = list(found)
    for state in waiting:
        for _, (what, to) in sorted(table.states[state].items(), key=lambda item: str(item[0])):
            if what is shift and to not in found:
                found[to] = None
                waiting.append(to)
    return waiting


def write_tables() -> None:
    """Makes the tables anew beside the grammar."""
    folder = Path(__file__).parent
    made = make_tables((folder / "grammar.lark").read_text(encoding="utf-8"))
    (folder / _FILE).write_bytes(orjson.dumps(made, option=orjson.OPT_APPEND_NEWLINE))


if __name__ == "__main__":
    write_tables()
