"""Text form of operator trees, as in ReQAP's Tables 14 and 15: `parse_tree` and `format_tree`, which round-trip.

    SUM(l=FILTER(l=EXTRACT(l=RETRIEVE(query="my purchases"), attr_names=["price"], attr_types=[float]),
        filter=lambda attr: attr["price"] > 10), attr_name="price")

Also read: SELECT for EXTRACT, QU for QUD, `l={{ QU("…") }}`, arguments by position, `.result` after a tree inside a
condition, `SUM(l=group, attr_name="x")` inside a function of a group.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import Place, TreeSyntaxError
from .expressions import Attribute, Call, Comprehension, Expression, Lambda, Name
from .limits import MAX_DEPTH
from .nodes import (
    Apply,
    ArgMax,
    ArgMin,
    AttributeType,
    Avg,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Max,
    Min,
    Node,
    Qud,
    Retrieve,
    Sum,
    Unnest,
)
from .printing import format_expression, format_tree
from .syntax import ExpressionReader, Source

__all__ = ["format_expression", "format_tree", "parse_condition", "parse_function", "parse_tree"]

_TYPES = {
    "str": AttributeType.STR,
    "int": AttributeType.INT,
    "float": AttributeType.FLOAT,
    "bool": AttributeType.BOOL,
    "list": AttributeType.LIST,
    "date": AttributeType.DATE,
    "date.fromisoformat": AttributeType.DATE,
    "time": AttributeType.TIME,
    "time.fromisoformat": AttributeType.TIME,
    "datetime": AttributeType.DATETIME,
    "datetime.fromisoformat": AttributeType.DATETIME,
    "datetime.fromtimestamp": AttributeType.DATETIME,
    "duration": AttributeType.DURATION,
    "timedelta": AttributeType.DURATION,
}
_FOLDS = {"SUM": "sum", "MIN": "min", "MAX": "max", "AVG": "mean"}


@dataclass(frozen=True)
class _Operator:
    """How an operator is written: parameter → how its argument is read; the first parameters may stand by position."""

    build: Callable[..., Node]
    parameters: tuple[tuple[str, str], ...]
    optional: frozenset[str] = frozenset()


_L = ("l", "tree")
_EXTRACT = _Operator(Extract, (_L, ("attr_names", "names"), ("attr_types", "types")))
_OPERATORS: dict[str, _Operator] = {
    "QUD": _Operator(Qud, (("question", "text"),)),
    "QU": _Operator(Qud, (("question", "text"),)),
    "RETRIEVE": _Operator(Retrieve, (("query", "text"), ("l", "tree")), frozenset({"l"})),
    "EXTRACT": _EXTRACT,
    "SELECT": _EXTRACT,
    "JOIN": _Operator(Join, (("l1", "tree"), ("l2", "tree"), ("condition", "condition"))),
    "GROUP_BY": _Operator(GroupBy, (_L, ("attr_names", "names"))),
    "FILTER": _Operator(Filter, (_L, ("filter", "lambda"))),
    "MAP": _Operator(Map, (_L, ("fct", "function"), ("res_name", "text"))),
    "APPLY": _Operator(Apply, (_L, ("fct", "function"))),
    "UNNEST": _Operator(
        Unnest, (_L, ("nested_attr_name", "text"), ("unnested_attr_name", "text")), frozenset({"unnested_attr_name"})
    ),
    "ARGMIN": _Operator(ArgMin, (_L, ("arg_attr_name", "text"), ("val_attr_name", "text"))),
    "ARGMAX": _Operator(ArgMax, (_L, ("arg_attr_name", "text"), ("val_attr_name", "text"))),
    "MIN": _Operator(Min, (_L, ("attr_name", "text"))),
    "MAX": _Operator(Max, (_L, ("attr_name", "text"))),
    "SUM": _Operator(Sum, (_L, ("attr_name", "text"))),
    "AVG": _Operator(Avg, (_L, ("attr_name", "text"))),
}
_NAMES = frozenset(_OPERATORS)
_EXPECTED_TREE = "an operator: " + ", ".join(sorted(_NAMES - {"QU", "SELECT"}))


def parse_tree(text: str) -> Node:
    """The tree of a text. Raises TreeSyntaxError with line, column and what is allowed there."""
    source = Source(_lines(text))
    return _Trees(source, ()).tree(source.parse(), 0)


def parse_condition(text: str) -> Expression:
    """A condition over i1 and i2, as in JOIN. Raises TreeSyntaxError."""
    source = Source(_lines(text))
    return _Trees(source, ("i1", "i2")).reader(0).read(source.parse())


def parse_function(text: str) -> Lambda | Any:
    """A function as in MAP, APPLY and FILTER: `len`, `lambda attr: …`. Raises TreeSyntaxError."""
    source = Source(_lines(text))
    return _Trees(source, ()).reader(0).function(source.parse())


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True)
class _Trees:
    """Reads operators; `bound` are the names that conditions inside may use."""

    source: Source
    bound: tuple[str, ...]

    def reader(self, depth: int) -> ExpressionReader:
        """A reader of expressions whose operators are read by this."""
        return ExpressionReader(self.source, lambda call: self.tree(call, depth + 1), _fold, _NAMES, self.bound)

    def tree(self, node: ast.expr, depth: int) -> Node:
        """The operator of a piece of syntax."""
        node = _unwrapped(node)
        if depth > MAX_DEPTH:
            raise self.refused(node, "nested too deep", f"at most {MAX_DEPTH} levels")
        if not isinstance(node, ast.Call):
            raise self.refused(node, "this is not an operator", _EXPECTED_TREE)
        if not isinstance(node.func, ast.Name) or node.func.id not in _NAMES:
            reader = self.reader(depth)
            raise reader.refused(node.func, "no such operator", _EXPECTED_TREE, _NAMES)
        operator = _OPERATORS[node.func.id]
        arguments = self._arguments(node, node.func.id, operator)
        kinds = dict(operator.parameters)
        values = {name: self._value(kinds[name], value, depth) for name, value in arguments.items()}
        with self.reader(depth).placed(node, _signature(node.func.id)):
            return operator.build(*(values.get(name) for name, _ in operator.parameters))

    def _arguments(self, node: ast.Call, name: str, operator: _Operator) -> dict[str, ast.expr]:
        names = [parameter for parameter, _ in operator.parameters]
        wanted = _signature(name)
        if len(node.args) > len(names):
            raise self.refused(node, f"{name} takes {len(names)} arguments", wanted)
        found = dict(zip(names, node.args, strict=False))
        for keyword in node.keywords:
            if keyword.arg not in names:
                raise self.refused(keyword, f"{name} has no argument {keyword.arg or '**'}", wanted)
            if keyword.arg in found:
                raise self.refused(keyword, f"{name} is given {keyword.arg} twice", wanted)
            found[keyword.arg] = keyword.value
        missing = [parameter for parameter in names if parameter not in found and parameter not in operator.optional]
        if missing:
            raise self.refused(node, f"{name} lacks {', '.join(missing)}", wanted)
        return found

    def _value(self, kind: str, node: ast.expr, depth: int) -> Any:
        if kind == "tree":
            return self.tree(node, depth + 1)
        if kind == "text":
            return self._text(node)
        if kind == "names":
            return tuple(self._text(item) for item in self._items(node))
        if kind == "types":
            return tuple(self._type(item) for item in self._items(node))
        if kind == "condition":
            return self._condition(node, depth)
        if kind == "lambda" and not isinstance(node, ast.Lambda):
            raise self.refused(node, "this is not a condition", "lambda attr: …")
        return self.reader(depth).function(node)

    def _text(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        raise self.refused(node, "this is not a text", 'a text in quotes: "…"')

    def _items(self, node: ast.expr) -> list[ast.expr]:
        if isinstance(node, ast.List | ast.Tuple):
            return node.elts
        raise self.refused(node, "this is not a list", "a list: […]")

    def _type(self, node: ast.expr) -> AttributeType:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "list":
            return AttributeType.LIST
        name = ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""
        kind = _TYPES.get(name.removeprefix("datetime.") if name.count(".") > 1 else name)
        if kind is None:
            raise self.refused(node, "no such type", f"one of {', '.join(sorted(_TYPES))}")
        return kind

    def _condition(self, node: ast.expr, depth: int) -> Expression:
        inner, source = node, self.source
        if isinstance(node, ast.Lambda) and [argument.arg for argument in node.args.args] == ["i1", "i2"]:
            inner = node.body
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            source = self._inside(node, node.value)
            inner = source.parse()
        elif isinstance(node, ast.Constant | ast.Lambda):
            raise self.refused(node, "this is not a condition", 'a condition over i1 and i2: "i1.x >= i2.y"')
        return _Trees(source, (*self.bound, "i1", "i2")).reader(depth).read(inner)

    def _inside(self, node: ast.Constant, value: str) -> Source:
        """The text in a string literal, knowing where it stands."""
        start = self.source.place(node.lineno, node.col_offset)
        raw = ast.get_source_segment(f"({self.source.text}\n)", node) or ""
        for quotes in (3, 1):
            if raw[quotes:-quotes] == value and len(raw) == len(value) + 2 * quotes:
                return Source(value, start.line, start.column + quotes, self.source.exact)
        return Source(value, start.line, start.column, exact=False)

    def refused(self, node: ast.expr | ast.keyword, message: str, expected: str) -> TreeSyntaxError:
        """The error of a node, with its place."""
        place: Place = self.source.place(node.lineno, node.col_offset)
        return TreeSyntaxError(message, place=place, expected=expected)


def _signature(name: str) -> str:
    return f"{name}({', '.join(f'{parameter}=…' for parameter, _ in _OPERATORS[name].parameters)})"


def _unwrapped(node: ast.expr) -> ast.expr:
    """`{{ QU("…") }}` is QU("…"): ReQAP's prompts mark sub-calls so."""
    if isinstance(node, ast.Set) and len(node.elts) == 1:
        inner = node.elts[0]
        if isinstance(inner, ast.Set) and len(inner.elts) == 1:
            return inner.elts[0]
    return node


def _fold(node: ast.Call, operator: str, name: str) -> Expression | None:
    """`SUM(l=group, attr_name="x")` in a function is `sum(e["x"] for e in group)`; None where it is something else."""
    values = {**dict(zip(("l", "attr_name"), node.args, strict=False)), **{k.arg: k.value for k in node.keywords}}
    source, attribute = values.get("l"), values.get("attr_name")
    if operator not in _FOLDS or not isinstance(source, ast.Name) or not isinstance(attribute, ast.Constant):
        return None
    if not isinstance(attribute.value, str):
        return None
    item = "e" if name != "e" else "item"
    return Call(
        _FOLDS[operator], (Comprehension("generator", Attribute(Name(item), attribute.value), item, Name(name)),)
    )
