"""Makes the parse tables of the SPARQL grammar, which the package reads from a file.

python tests/parse_tables.py        # after a change of store/sparql/grammar.lark
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from lark import Lark
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

from reqap_kg.store.sparql import parser
from reqap_kg.store.sparql.parser import STARTS, ParseTables


class _NoLexer(Lexer):
    def __init__(self, *_: Any) -> None: ...

    def lex(self, lexer_state: Any, parser_state: Any) -> Any:
        raise NotImplementedError


def make_tables(grammar: str) -> ParseTables:
    """The tables of a grammar, numbered in the same way each time."""
    made: Any = Lark(grammar, parser="lalr", lexer=_NoLexer, start=list(STARTS))
    table = made.parser.parser._parse_table
    numbers = {state: at for at, state in enumerate(_in_order(table))}
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
    return ParseTables(
        {name: numbers[table.start_states[name]] for name in STARTS},
        {name: numbers[table.end_states[name]] for name in STARTS},
        tuple((len(symbols), origin) for origin, symbols in rules),
        tuple(actions),
        tuple(gotos),
    )


def _said(rule: Any) -> tuple[str, tuple[str, ...]]:
    return str(rule.origin.name), tuple(str(symbol.name) for symbol in rule.expansion)


def _in_order(table: Any) -> list[Any]:
    """The states as they are met from the starts, symbols in the order of the alphabet."""
    found = dict.fromkeys(table.start_states[name] for name in STARTS)
    waiting = list(found)
    for state in waiting:
        for _, (what, to) in sorted(table.states[state].items(), key=lambda item: str(item[0])):
            if what is Shift and to not in found:
                found[to] = None
                waiting.append(to)
    return waiting


def write_tables() -> None:
    """Makes the tables anew beside the grammar."""
    folder = Path(parser.__file__).parent
    made = make_tables((folder / "grammar.lark").read_text(encoding="utf-8"))
    (folder / "tables.json").write_bytes(orjson.dumps(made, option=orjson.OPT_APPEND_NEWLINE))


if __name__ == "__main__":
    write_tables()
