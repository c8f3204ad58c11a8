"""Text → expression algebra. Python's `ast` gives the syntax only; what the algebra lacks is refused with its place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from ...errors import TreeSyntaxError, TreeTypeError
from ..algebra import BUILTINS, CALLS, FIELDS, METHODS
from ..expressions import (
    Answer,
    Attribute,
    Binary,
    Boolean,
    Builtin,
    Call,
    Collection,
    Comparison,
    Comprehension,
    Conditional,
    Expression,
    Field,
    Function,
    Index,
    Lambda,
    Literal,
    Loop,
    Loops,
    Method,
    Name,
    Negative,
    Not,
    Slice,
    Target,
    target_names,
)
from ..nodes import Node
from .limits import ALLOWED, MAX_DEPTH, Source

__all__ = ["ExpressionReader", "Source"]

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_JOIN_NAMES = ("i1", "i2")
_SAME: dict[str, str] = {
    **{f"statistics.{name}": name for name in ("mean", "median")},
    **{f"datetime.{name}": name for name in CALLS if name.startswith(("date", "time"))},
    **dict.fromkeys(("datetime.today", "datetime.datetime.today"), "datetime.now"),
    "tuple": "list",
}
"""Function as it may be written → as the algebra calls it."""
_NOTHING = (Literal(0), Literal(0.0), Call("timedelta"), Call("timedelta", (Literal(0),)))
"""What sum() may begin with."""


@dataclass(frozen=True)
class ExpressionReader:
    """Turns syntax into expressions. `tree` reads a call of an operator, `operators` are their names."""

    source: Source
    tree: Callable[[ast.Call], Node]
    fold: Callable[[ast.Call, str, str], Expression | None]
    operators: frozenset[str]
    bound: tuple[str, ...] = ()
    depth: int = field(default=0)

    def read(self, node: ast.expr) -> Expression:
        """The expression of a piece of syntax. Raises TreeSyntaxError with its place."""
        deeper = replace(self, depth=self.depth + 1)
        if deeper.depth > MAX_DEPTH:
            raise self.refused(node, "nested too deep", f"at most {MAX_DEPTH} levels")
        handler = _HANDLERS.get(type(node))
        if handler is None:
            raise self.refused(node, f"{_kind(node)} is not in the algebra", ALLOWED)
        with self.placed(node):
            return handler(deeper, node)

    def function(self, node: ast.expr) -> Function:
        """A lambda of one parameter, or a function by name: `len`."""
        if isinstance(node, ast.Lambda):
            return self._lambda(node)
        path = dotted(node)
        name = _SAME.get(path, path)
        if name in BUILTINS:
            return Builtin(name)
        allowed = f"lambda attr: …, or one of {', '.join(sorted(BUILTINS))}"
        if path:
            raise self.refused(node, f"no function {path}", allowed, BUILTINS)
        raise self.refused(node, "this is not a function", "lambda attr: …, or len")

    def _lambda(self, node: ast.Lambda) -> Lambda:
        arguments = node.args
        extra = (
            arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg or arguments.defaults
        )
        if extra or len(arguments.args) != 1:
            raise self.refused(node, "a lambda takes one parameter here", "lambda attr: …")
        name = arguments.args[0].arg
        with self.placed(node):
            return Lambda(name, self.with_names(name).read(node.body))

    def with_names(self, *names: str) -> ExpressionReader:
        """The reader inside a scope that binds names."""
        return replace(self, bound=(*self.bound, *names))

    def refused(
        self, node: ast.expr, message: str, expected: str, known: frozenset[str] | None = None
    ) -> TreeSyntaxError:
        """The error of a node, with its place."""
        place = self.source.place(node.lineno, node.col_offset)
        word = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        near = get_close_matches(word, sorted(known), 1) if known and word else []
        return TreeSyntaxError(message, place=place, expected=expected, nearest=near[0] if near else None)

    @contextmanager
    def placed(self, node: ast.expr, expected: str = ALLOWED) -> Iterator[None]:
        """Gives the refusals of constructors the node's place."""
        try:
            yield
        except TreeTypeError as bad:
            place = self.source.place(node.lineno, node.col_offset)
            raise TreeSyntaxError(str(bad), place=place, expected=expected) from bad


# ---------------------------------------------------------------- names, parts and items
def _constant(reader: ExpressionReader, node: ast.Constant) -> Expression:
    if isinstance(node.value, str | int | float | bool | None):
        return Literal(node.value)
    raise reader.refused(node, f"{node.value!r} is not in the algebra", "a number, a text, True, False or None")


def _name(reader: ExpressionReader, node: ast.Name) -> Expression:
    if node.id in reader.bound:
        return Name(node.id)
    known = frozenset(reader.bound)
    raise reader.refused(
        node, f"no name {node.id} here", f"one of {', '.join(reader.bound)}" if known else "no name", known
    )


def _attribute(reader: ExpressionReader, node: ast.Attribute) -> Expression:
    base, path = node.value, dotted(node)
    if node.attr == "result" and isinstance(base, ast.Call) and _operator(base) in reader.operators:
        return Answer(reader.tree(base))
    if isinstance(base, ast.Name) and base.id not in reader.bound and path in {*CALLS, *_SAME}:
        raise reader.refused(node, f"{path} is a function", f"{path}(…)")
    inner = reader.read(base)
    named = inner.identifier in _JOIN_NAMES or node.attr not in FIELDS if isinstance(inner, Name) else False
    if named and not node.attr.startswith("_"):
        return Attribute(inner, node.attr)
    if node.attr == "weekday" and isinstance(inner, Method) and inner.name == "isocalendar":
        return Index(inner, 2)
    if node.attr not in FIELDS:
        raise reader.refused(node, f"no part .{node.attr}", f"one of {', '.join(sorted(FIELDS))}", FIELDS)
    return Field(inner, node.attr)


def _subscript(reader: ExpressionReader, node: ast.Subscript) -> Expression:
    base, key = reader.read(node.value), node.slice
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return Attribute(base, key.value)
    if isinstance(key, ast.Slice):
        return _slice(reader, base, key)
    at = _position(key)
    if at is None:
        raise reader.refused(key, "a position must be fixed", "a whole number: x[0], x[-1]")
    return Index(base, at)


def _slice(reader: ExpressionReader, base: Expression, key: ast.Slice) -> Expression:
    parts = (key.lower, key.upper)
    fixed = [None if part is None else _position(part) for part in parts]
    for part, at in ((key.step, None), *zip(parts, fixed, strict=True)):
        if part is not None and at is None:
            raise reader.refused(part, "the bounds of a part must be fixed", "whole numbers: x[:5], x[1:3], x[-2:]")
    return Slice(base, *fixed)


def _position(node: ast.expr) -> int | None:
    sign, inner = 1, node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, inner = -1, node.operand
    return sign * inner.value if isinstance(inner, ast.Constant) and type(inner.value) is int else None


# ---------------------------------------------------------------- calls
def _call(reader: ExpressionReader, node: ast.Call) -> Expression:
    if (operator := _operator(node)) in reader.operators:
        inside = [value for value in (*node.args, *(k.value for k in node.keywords)) if isinstance(value, ast.Name)]
        if inside and (folded := reader.fold(node, operator, inside[0].id)) is not None:
            return folded
        return Answer(reader.tree(node))
    unpacked = [part for part in node.args if isinstance(part, ast.Starred)]
    for part in (*unpacked, *(keyword.value for keyword in node.keywords if keyword.arg is None)):
        raise reader.refused(part, "no * or ** here", "arguments one by one")
    path = dotted(node.func)
    name = _SAME.get(path, path)
    is_bound = path.split(".")[0] in reader.bound
    if not is_bound and name in CALLS:
        return _function_call(reader, node, name)
    if isinstance(node.func, ast.Attribute) and (is_bound or not path):
        return _method(reader, node, node.func)
    known = frozenset(CALLS)
    raise reader.refused(
        node.func, f"no function {path or 'of this kind'}", f"one of {', '.join(sorted(known))}", known
    )


def _function_call(reader: ExpressionReader, node: ast.Call, name: str) -> Expression:
    keywords: list[tuple[str, Expression]] = []
    for keyword in node.keywords:
        value = reader.function(keyword.value) if keyword.arg == "key" else reader.read(keyword.value)
        keywords.append((keyword.arg or "", value))
    arguments = tuple(reader.read(value) for value in node.args)
    if name == "sum" and arguments[1:] and arguments[1] in _NOTHING:
        arguments = (arguments[0], *arguments[2:])
    return Call(name, arguments, tuple(keywords))


def _method(reader: ExpressionReader, node: ast.Call, method: ast.Attribute) -> Expression:
    base = reader.read(method.value)
    arguments = tuple(reader.read(value) for value in node.args)
    if method.attr == "get" and not node.keywords:
        return _get(reader, node, base, arguments)
    if method.attr not in METHODS:
        known = frozenset(METHODS)
        raise reader.refused(method, f"no method .{method.attr}()", f"one of {', '.join(sorted(known))}", known)
    keywords = tuple((keyword.arg or "", reader.read(keyword.value)) for keyword in node.keywords)
    return Method(base, method.attr, arguments, keywords)


def _get(reader: ExpressionReader, node: ast.Call, base: Expression, given: tuple[Expression, ...]) -> Expression:
    """`attr.get("x")` is `attr["x"]`; `attr.get("x", 0)` is `attr["x"] if attr["x"] is not None else 0`."""
    key = given[0] if 1 <= len(given) <= 2 else None
    if not isinstance(base, Name) or not isinstance(key, Literal) or not isinstance(key.value, str):
        raise reader.refused(node, "get() is of an attribute of a row", 'attr.get("x"), or attr.get("x", default)')
    found = Attribute(base, key.value)
    if len(given) == 1 or given[1] == Literal(None):
        return found
    return Conditional(Comparison(found, ("is not",), (Literal(None),)), found, given[1])


# ---------------------------------------------------------------- lists
def _collection(reader: ExpressionReader, node: ast.List | ast.Tuple | ast.Set) -> Expression:
    return Collection(type(node).__name__.lower(), tuple(reader.read(item) for item in node.elts))


def _comprehension(reader: ExpressionReader, node: ast.GeneratorExp | ast.ListComp | ast.SetComp) -> Expression:
    """`x for x in …`, over one loop or several; each sees the names of those before it."""
    kind = {ast.GeneratorExp: "generator", ast.ListComp: "list", ast.SetComp: "set"}[type(node)]
    loops: list[Loop] = []
    for loop in node.generators:
        if loop.is_async:
            raise reader.refused(loop.target, "no async here", "x for x in …")
        target, iterable = _target(reader, loop.target), reader.read(loop.iter)
        with reader.placed(loop.target, "x for x in …"):
            reader = reader.with_names(*target_names(target))
            loops.append(Loop(target, iterable, tuple(reader.read(test) for test in loop.ifs)))
    element, only = reader.read(node.elt), loops[0]
    if len(loops) == 1 and isinstance(only.target, str):
        return Comprehension(kind, element, only.target, only.iterable, only.conditions)
    return Loops(kind, element, tuple(loops))


def _target(reader: ExpressionReader, node: ast.expr) -> Target:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Tuple | ast.List) and node.elts:
        return tuple(_target(reader, part) for part in node.elts)
    raise reader.refused(node, "a loop runs over names", "x for x in …, or a, b for a, b in …")


# ---------------------------------------------------------------- operators
def _binary(reader: ExpressionReader, node: ast.BinOp) -> Expression:
    operator = _BINARY.get(type(node.op))
    if operator is None:
        raise reader.refused(node, f"no operator {_kind(node.op)}", "+ - * / // %")
    left = reader.read(node.left)
    if operator == "%" and isinstance(left, Literal) and isinstance(left.value, str):
        raise reader.refused(node, "no % of a text", 'texts put together: x + " and " + y')
    return Binary(operator, left, reader.read(node.right))


def _unary(reader: ExpressionReader, node: ast.UnaryOp) -> Expression:
    operand = reader.read(node.operand)
    if isinstance(node.op, ast.Not):
        return Not(operand)
    if isinstance(node.op, ast.UAdd):
        return operand
    if not isinstance(node.op, ast.USub):
        raise reader.refused(node, f"no operator {_kind(node.op)}", "not or -")
    if isinstance(operand, Literal) and isinstance(operand.value, int | float) and not isinstance(operand.value, bool):
        return Literal(-operand.value)
    return Negative(operand)


def _boolean(reader: ExpressionReader, node: ast.BoolOp) -> Expression:
    return Boolean("and" if isinstance(node.op, ast.And) else "or", tuple(reader.read(value) for value in node.values))


def _comparison(reader: ExpressionReader, node: ast.Compare) -> Expression:
    rights = tuple(reader.read(value) for value in node.comparators)
    operators = tuple(
        _equality(_COMPARE[type(operator)], right) for operator, right in zip(node.ops, rights, strict=True)
    )
    return Comparison(reader.read(node.left), operators, rights)


def _equality(operator: str, right: Expression) -> str:
    """`x is True` is `x == True`."""
    if operator in ("is", "is not") and isinstance(right, Literal) and isinstance(right.value, bool):
        return "==" if operator == "is" else "!="
    return operator


def _conditional(reader: ExpressionReader, node: ast.IfExp) -> Expression:
    return Conditional(reader.read(node.test), reader.read(node.body), reader.read(node.orelse))


_HANDLERS: dict[type[ast.expr], Callable[..., Expression]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _comparison,
    ast.IfExp: _conditional,
    ast.List: _collection,
    ast.Tuple: _collection,
    ast.Set: _collection,
    ast.GeneratorExp: _comprehension,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
}


def _operator(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def dotted(node: ast.expr) -> str:
    """`datetime.date.today` of a dotted name, or '' of anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _kind(node: ast.AST) -> str:
    names = {"Lambda": "a lambda", "NamedExpr": ":=", "Starred": "*", "Await": "await", "Yield": "yield"}
    names |= {"Dict": "a dict", "DictComp": "a dict", "JoinedStr": "an f-string"}
    name = type(node).__name__
    return names.get(name, name)
