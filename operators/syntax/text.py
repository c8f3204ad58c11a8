"""Text form of operator trees, as in ReQAP's Tables 14 and 15: `parse_tree` and `format_tree`, which round-trip.

    SUM(l=FILTER(l=EXTRACT(l=RETRIEVE(query="my purchases"), attr_names=["price"], attr_types=[float]),
        filter=lambda attr: attr["price"] > 10), attr_name="price")

Also read: SELECT for EXTRACT, QU for QUD, `l={{ QU("…") }}`, arguments by position, MAP without res_name (it is
`map_result` then), `.result` after a tree inside a condition, `SUM(l=group, attr_name="x")` inside a function of a
group. What models write almost rightly is put right by the rules of `repairs`; `read_tree` says which.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from ...errors import Place, TreeSyntaxError
from ..expressions import Attribute, Call, Comprehension, Expression, Function, Lambda, Name
from ..nodes import AttributeType, Extract, Node, walk
from .limits import MAX_DEPTH, check_attributes, check_length
from .printing import format_expression, format_tree
from .repairs import Repair, join_sides, parameter_named, repaired_arguments, type_path, unbraced
from .signatures import EXPECTED_TREE, NAMES, SIGNATURES, TYPES, fold_name
from .syntax import ExpressionReader, Source

__all__ = [
    "ParsedTree",
    "Repair",
    "format_expression",
    "format_tree",
    "parse_condition",
    "parse_function",
    "parse_tree",
    "read_tree",
]


@dataclass(frozen=True)
class ParsedTree:
    """A tree, and what was put right in its text."""

    node: Node
    repairs: tuple[Repair, ...] = ()


def read_tree(text: str) -> ParsedTree:
    """The tree of a text, and what was put right. Raises TreeSyntaxError as `parse_tree` does."""
    check_length(text)
    source = Source(_lines(text))
    trees = _Trees(source, ())
    node = trees.tree(unbraced(source.parse()), 0)
    check_attributes(len(one.names) for one in walk(node) if isinstance(one, Extract))
    return ParsedTree(node, tuple(trees.repairs))


def parse_tree(text: str) -> Node:
    """The tree of a text. Raises TreeSyntaxError with line, column and what is allowed there."""
    return read_tree(text).node


def parse_condition(text: str) -> Expression:
    """A condition over i1 and i2, as in JOIN. Raises TreeSyntaxError."""
    source = Source(_lines(text))
    return _Trees(source, ("i1", "i2")).reader(0).read(unbraced(source.parse()))


def parse_function(text: str) -> Lambda | Any:
    """A function as in MAP, APPLY and FILTER: `len`, `lambda attr: …`. Raises TreeSyntaxError."""
    source = Source(_lines(text))
    return _Trees(source, ()).reader(0).function(unbraced(source.parse()))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True)
class _Trees:
    """Reads operators; `bound` are the names that conditions inside may use, `repairs` is where repairs are noted."""

    source: Source
    bound: tuple[str, ...]
    repairs: list[Repair] = field(default_factory=list[Repair])

    def reader(self, depth: int) -> ExpressionReader:
        """A reader of expressions whose operators are read by this."""
        return ExpressionReader(self.source, lambda call: self.tree(call, depth + 1), _fold, NAMES, self.bound)

    def tree(self, node: ast.expr, depth: int) -> Node:
        """The operator of a piece of syntax."""
        if depth > MAX_DEPTH:
            raise self.refused(node, "nested too deep", f"at most {MAX_DEPTH} levels")
        if not isinstance(node, ast.Call):
            raise self.refused(node, "this is not an operator", EXPECTED_TREE)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in SIGNATURES:
            raise self.reader(depth).refused(node.func, "no such operator", EXPECTED_TREE, NAMES)
        signature = SIGNATURES[name]
        arguments = repaired_arguments(name, self._arguments(node, name), node, self.note)
        self._complete(node, name, arguments)
        kinds = dict(signature.parameters)
        values = {parameter: self._value(kinds[parameter], value, depth) for parameter, value in arguments.items()}
        with self.reader(depth).placed(node, signature.written(name)):
            return signature.build(*(values.get(parameter) for parameter in signature.names))

    def _arguments(self, node: ast.Call, operator: str) -> dict[str, ast.expr]:
        signature = SIGNATURES[operator]
        wanted = signature.written(operator)
        if len(node.args) > len(signature.names):
            raise self.refused(node, f"{operator} takes {len(signature.names)} arguments", wanted)
        found = dict(zip(signature.names, node.args, strict=False))
        right = [name for name in signature.names if any(keyword.arg == name for keyword in node.keywords)]
        for keyword in node.keywords:
            meant = parameter_named(keyword, operator, (*found, *right), self.note)
            if meant is None:
                raise self.refused(keyword, f"{operator} has no argument {keyword.arg or '**'}", wanted)
            if meant in found:
                raise self.refused(keyword, f"{operator} is given {meant} twice", wanted)
            found[meant] = keyword.value
        return found

    def _complete(self, node: ast.Call, operator: str, arguments: dict[str, ast.expr]) -> None:
        signature = SIGNATURES[operator]
        missing = [name for name in signature.names if name not in arguments and name not in signature.optional]
        if missing:
            raise self.refused(node, f"{operator} lacks {', '.join(missing)}", signature.written(operator))

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
        return self._function(kind, node, depth)

    def _text(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        raise self.refused(node, "this is not a text", 'a text in quotes: "…"')

    def _items(self, node: ast.expr) -> list[ast.expr]:
        if isinstance(node, ast.List | ast.Tuple):
            return node.elts
        raise self.refused(node, "this is not a list", "a list: […]")

    def _type(self, node: ast.expr) -> AttributeType:
        name = type_path(node)
        kind = TYPES.get(name) if not isinstance(node, ast.Subscript) or name == "list" else None
        if kind is None:
            raise self.refused(node, "no such type", f"one of {', '.join(sorted(TYPES))}")
        return kind

    def _function(self, kind: str, node: ast.expr, depth: int) -> Function:
        if kind == "lambda" and not isinstance(node, ast.Lambda):
            raise self.refused(node, "this is not a condition", "lambda attr: …")
        return self.reader(depth).function(node)

    def _condition(self, node: ast.expr, depth: int) -> Expression:
        trees = self
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            trees = self._inside(node, node.value)
            node = unbraced(trees.source.parse())
        node = join_sides(node, trees.note)
        if isinstance(node, ast.Lambda) or (isinstance(node, ast.Constant) and trees is self):
            raise trees.refused(node, "this is not a condition", 'a condition over i1 and i2: "i1.x >= i2.y"')
        inner = _Trees(trees.source, (*self.bound, "i1", "i2"), self.repairs)
        return inner.reader(depth).read(node)

    def _inside(self, node: ast.Constant, value: str) -> _Trees:
        """A reader of the text in a string literal, which knows where it stands."""
        start = self.source.place(node.lineno, node.col_offset)
        raw = ast.get_source_segment(f"({self.source.text}\n)", node) or ""
        source = Source(value, start.line, start.column, exact=False)
        for quotes in (3, 1):
            if raw[quotes:-quotes] == value and len(raw) == len(value) + 2 * quotes:
                source = Source(value, start.line, start.column + quotes, self.source.exact)
                break
        return _Trees(source, self.bound, self.repairs)

    def note(self, rule: str, message: str, node: ast.expr) -> None:
        """Takes down a repair."""
        self.repairs.append(Repair(rule, message, self.source.place(node.lineno, node.col_offset)))

    def refused(self, node: ast.expr | ast.keyword, message: str, expected: str) -> TreeSyntaxError:
        """The error of a node, with its place."""
        place: Place = self.source.place(node.lineno, node.col_offset)
        return TreeSyntaxError(message, place=place, expected=expected)


def _fold(node: ast.Call, operator: str, name: str) -> Expression | None:
    """`SUM(l=group, attr_name="x")` in a function is `sum(e["x"] for e in group)`; None where it is something else."""
    values = {**dict(zip(("l", "attr_name"), node.args, strict=False)), **{k.arg: k.value for k in node.keywords}}
    source, attribute, fold = values.get("l"), values.get("attr_name"), fold_name(operator)
    if fold is None or not isinstance(source, ast.Name) or not isinstance(attribute, ast.Constant):
        return None
    if not isinstance(attribute.value, str):
        return None
    item = "e" if name != "e" else "item"
    return Call(fold, (Comprehension("generator", Attribute(Name(item), attribute.value), item, Name(name)),))
