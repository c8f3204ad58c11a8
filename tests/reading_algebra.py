"""Reads the text of queries back into algebra, by the grammar of the store: what the printer is held against."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, reduce
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer
from lark.lexer import Lexer

from reqap_kg.compiler.sparql.algebra import (
    BOOLEAN,
    DECIMAL,
    INTEGER,
    Aggregate,
    Call,
    Exists,
    Expr,
    Extend,
    Filter,
    In,
    Iri,
    Join,
    LeftJoin,
    Literal,
    Node,
    Not,
    Operation,
    OrderBy,
    Select,
    Union,
    Values,
    Var,
    triple,
)
from reqap_kg.ontology.namespaces import PREFIXES, RDF_TYPE
from reqap_kg.store.sparql.lexer import SparqlToken as Read
from reqap_kg.store.sparql.lexer import tokens_of, unescaped
from reqap_kg.store.sparql.printing import plain_text

_SIGNS = "OPEN CLOSE LBRACE RBRACE DOT COMMA SEMICOLON AS WHERE SELECT GROUP BY HAVING ORDER LIMIT OFFSET"
_NOISE = frozenset(_SIGNS.split())


def read_algebra(query: str) -> Select:
    """The algebra of a query."""
    return _Reader().transform(_parser().parse(query))


class _Tokens(Lexer):
    """The store's own lexer."""

    def __init__(self, *_: Any) -> None: ...

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        return (Token(kind, said) for kind, said, _ in tokens_of(unescaped(text)))


@cache
def _parser() -> Lark:
    grammar = files("reqap_kg.store.sparql").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer=_Tokens, start="query")


def _is(item: Any, *kinds: str) -> bool:
    return isinstance(item, Token) and item.type in kinds


class _Reader(Transformer[Token, Any]):
    """One method for each rule that says more than its only part."""

    def __default__(self, data: Any, children: list[Any], meta: Any) -> Any:
        held = [item for item in children if item is not None and not _is(item, *_NOISE)]
        return held[0] if len(held) == 1 else tuple(held)

    def VAR(self, token: Token) -> Var:
        return Var(token[1:])

    def IRI(self, token: Token) -> Iri:
        return Iri(token[1:-1])

    def NAME(self, token: Token) -> Iri:
        prefix, _, local = token.partition(":")
        return Iri(PREFIXES[prefix] + local)

    def A(self, _token: Token) -> Iri:
        return Iri(RDF_TYPE)

    def INTEGER(self, token: Token) -> Literal:
        return Literal(str(token), INTEGER)

    def NUMBER(self, token: Token) -> Literal:
        return Literal(str(token), DECIMAL)

    def SIGNED(self, token: Token) -> Literal:
        return Literal(str(token), DECIMAL if "." in token else INTEGER)

    def TRUTH(self, token: Token) -> Literal:
        return Literal(str(token), BOOLEAN)

    def STRING(self, token: Token) -> Literal:
        return Literal(plain_text(Read("STRING", str(token), 0)))

    def literal(self, items: list[Any]) -> Literal:
        return Literal(items[0].text, items[2].value) if len(items) > 1 else items[0]

    # ------------------------------------------------------------ queries
    def query(self, items: list[Any]) -> Select:
        return next(item for item in items if isinstance(item, Select))

    def prologue(self, _items: list[Any]) -> None:
        return None

    def select_query(self, items: list[Any]) -> Select:
        (columns, distinct), pattern, around = items[:3]
        return Select(columns, pattern, distinct, **around)

    sub_select = select_query

    def select_clause(self, items: list[Any]) -> Any:
        return tuple(i for i in items if isinstance(i, Var | Extend)), any(_is(i, "DISTINCT") for i in items)

    def selected(self, items: list[Any]) -> Any:
        return items[0] if len(items) == 1 else Extend(items[3], items[1])

    group_condition = selected

    def where_clause(self, items: list[Any]) -> Any:
        return items[-1]

    def solution_modifier(self, items: list[Any]) -> dict[str, Any]:
        return {name: value for item in items for name, value in item.items()}

    def group_clause(self, items: list[Any]) -> Any:
        return {"groups": tuple(items[2:])}

    def having_clause(self, items: list[Any]) -> Any:
        return {"having": items[1]}

    def order_clause(self, items: list[Any]) -> Any:
        return {"order": tuple(items[2:])}

    def order_condition(self, items: list[Any]) -> OrderBy:
        return OrderBy(items[-1], descending=_is(items[0], "DESC"))

    def limit_offset(self, items: list[Any]) -> Any:
        return {name: value for item in items for name, value in item.items()}

    def limit(self, items: list[Any]) -> Any:
        return {"limit": int(items[1].text)}

    def offset(self, items: list[Any]) -> Any:
        return {"offset": int(items[1].text)}

    def values_clause(self, _items: list[Any]) -> None:
        return None

    # ------------------------------------------------------------ patterns
    def group_graph_pattern(self, items: list[Any]) -> Any:
        return (items[1],) if isinstance(items[1], Select) else items[1]

    def group_graph_pattern_sub(self, items: list[Any]) -> Any:
        return tuple(step for item in items for step in item)

    def pattern_part(self, items: list[Any]) -> Any:
        return (items[0], *(step for item in items[1:] if isinstance(item, tuple) for step in item))

    def triples_block(self, items: list[Any]) -> Any:
        return (items[0], *(items[2] if len(items) > 2 else ()))

    def triples_same_subject_path(self, items: list[Any]) -> Any:
        return triple(items[0], *items[1])

    def group_or_union(self, items: list[Any]) -> Any:
        patterns: list[Any] = [item for item in items if isinstance(item, tuple)]
        if len(patterns) > 1:
            return Union(tuple(patterns))
        alone = patterns[0][0] if len(patterns[0]) == 1 else None
        return alone if isinstance(alone, Select) else Join(patterns[0])

    def pattern_not_triples(self, items: list[Any]) -> Any:
        if _is(items[0], "OPTIONAL"):
            return LeftJoin(items[1])
        if _is(items[0], "FILTER"):
            return Filter(items[1])
        if _is(items[0], "BIND"):
            return Extend(items[4], items[2])
        return Values(items[1][0], items[1][1:]) if _is(items[0], "VALUES") else items[0]

    def data_block(self, items: list[Any]) -> Any:
        return tuple(item for item in items if isinstance(item, Expr))

    # ------------------------------------------------------------ expressions
    def expression(self, items: list[Any]) -> Expr:
        return items[0] if len(items) == 1 else Operation("||", tuple(items[::2]))

    def and_expression(self, items: list[Any]) -> Expr:
        return items[0] if len(items) == 1 else Operation("&&", tuple(items[::2]))

    def relational(self, items: list[Any]) -> Expr:
        if len(items) == 1:
            return items[0]
        return In(items[0], items[2]) if _is(items[1], "IN") else Operation(str(items[1]), (items[0], items[2]))

    def additive(self, items: list[Any]) -> Expr:
        pairs = zip(items[1::2], items[2::2], strict=True)
        return reduce(lambda left, pair: Operation(str(pair[0]), (left, pair[1])), pairs, items[0])

    multiplicative = additive

    def unary(self, items: list[Any]) -> Expr:
        return Not(items[1]) if _is(items[0], "NOT_SIGN") else items[0]

    def primary(self, items: list[Any]) -> Expr:
        return Call(items[0], items[1]) if len(items) > 1 else items[0]

    def expression_list(self, items: list[Any]) -> Any:
        return tuple(item for item in items if isinstance(item, Expr))

    arg_list = expression_list

    def builtin_call(self, items: list[Any]) -> Expr:
        if _is(items[0], "NOT"):
            return Not(Exists(items[2]))
        if _is(items[0], "EXISTS"):
            return Exists(items[1])
        if len(items) == 1:
            return items[0]
        listed = items[1] if isinstance(items[1], tuple) else items
        return Call(str(items[0]), tuple(item for item in listed if isinstance(item, Expr)))

    def aggregate(self, items: list[Any]) -> Aggregate:
        named: list[Any] = [item for item in items if isinstance(item, Expr)]
        separator = named.pop().text if any(_is(item, "SEPARATOR") for item in items) else None
        distinct = any(_is(item, "DISTINCT") for item in items)
        return Aggregate(str(items[0]), named[0] if named else None, distinct, separator)


def nodes(node: Node) -> Iterator[Node]:
    """A node and all that it is made of, inside of patterns, too."""
    yield node
    for part in node.parts():
        yield from nodes(part)


def looked_up(query: Select) -> dict[Var, tuple[Expr, ...]]:
    """The values that a query looks up, by their variable."""
    return {node.variable: node.terms for node in nodes(query) if isinstance(node, Values)}


def count(query: Select, part: Node) -> int:
    """How often a part stands in a query."""
    return sum(node == part for node in nodes(query))
