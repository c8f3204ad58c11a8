"""Text → expression algebra. Python's `ast` gives the syntax only; what the algebra lacks is refused with its place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from ..errors import Place, TreeSyntaxError, TreeTypeError
from .expressions import (
    BUILTINS,
    CALLS,
    FIELDS,
    METHODS,
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
    Method,
    Name,
    Negative,
    Not,
    Slice,
)
from .limits import MAX_DEPTH, check_nesting
from .nodes import Node

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
_SAME_CALL = {
    "avg": "mean",
    "average": "mean",
    "statistics.mean": "mean",
    "tuple": "list",
    "datetime.timedelta": "timedelta",
    "datetime.date": "date",
    "datetime.time": "time",
    "datetime.datetime": "datetime",
    "datetime.date.today": "date.today",
    "datetime.datetime.now": "datetime.now",
    "datetime.datetime.today": "datetime.today",
}
_ALLOWED = "an attribute, a literal, a comparison, and/or/not, arithmetic, or one of the functions of the algebra"
_JOIN_NAMES = ("i1", "i2")


@dataclass(frozen=True)
class Source:
    """A text being read, and where it stands inside a larger one."""

    text: str
    line: int = 1
    column: int = 1
    exact: bool = True
    """False where escapes make columns inside unknowable; then errors point to the start."""

    def place(self, line: int, byte_offset: int | None) -> Place:
        """Place of a 1-based line of the wrapped text and a 0-based UTF-8 byte offset in it."""
        if not self.exact:
            return Place(self.line, self.column)
        lines = self.text.split("\n")
        here = lines[min(line, len(lines)) - 1]
        wrapped = 1 if line == 1 else 0
        offset = max(0, (byte_offset or 0) - wrapped)
        column = len(here.encode()[:offset].decode(errors="ignore")) + 1
        if line == 1:
            return Place(self.line, self.column + column - 1)
        return Place(self.line + line - 1, column)

    def parse(self) -> ast.expr:
        """The text's syntax. Raises TreeSyntaxError where it has none, or is nested too deep."""
        check_nesting(self.text, self.line, self.column)
        try:
            return ast.parse(f"({self.text}\n)", mode="eval").body
        except SyntaxError as bad:
            place = self._place_of_error(bad.lineno or 1, (bad.offset or 1) - 1)
            raise TreeSyntaxError(bad.msg, place=place, expected=_ALLOWED) from bad
        except (RecursionError, MemoryError) as bad:
            raise TreeSyntaxError(
                "nested too deep", place=Place(self.line, self.column), expected=f"at most {MAX_DEPTH} levels"
            ) from bad
        except ValueError as bad:
            raise TreeSyntaxError(str(bad), place=Place(self.line, self.column), expected=_ALLOWED) from bad

    def _place_of_error(self, line: int, characters: int) -> Place:
        """Place of Python's complaint, which counts characters of the wrapped text and may point behind its end."""
        lines = ("(" + self.text).split("\n")
        if line > len(lines):
            line, characters = len(lines), len(lines[-1])
        return self.place(line, len(lines[line - 1][:characters].encode()))


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
            raise self.refused(node, f"{_kind(node)} is not in the algebra", _ALLOWED)
        with self.placed(node):
            return handler(deeper, node)

    def function(self, node: ast.expr) -> Function:
        """A lambda of one parameter, or a function by name."""
        if isinstance(node, ast.Lambda):
            return self._lambda(node)
        if isinstance(node, ast.Name):
            name = _SAME_CALL.get(node.id, node.id)
            if name in BUILTINS:
                return Builtin(name)
            raise self.refused(
                node, f"no function {node.id}", f"lambda attr: …, or one of {', '.join(sorted(BUILTINS))}", BUILTINS
            )
        raise self.refused(node, "this is not a function", "lambda attr: …, or len")

    def _lambda(self, node: ast.Lambda) -> Lambda:
        arguments = node.args
        extra = (
            arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg or arguments.defaults
        )
        if extra or len(arguments.args) != 1:
            raise self.refused(node, "a lambda takes one parameter here", "lambda attr: …")
        name = arguments.args[0].arg
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
    def placed(self, node: ast.expr, expected: str = _ALLOWED) -> Iterator[None]:
        """Gives the refusals of constructors the node's place."""
        try:
            yield
        except TreeTypeError as bad:
            place = self.source.place(node.lineno, node.col_offset)
            raise TreeSyntaxError(str(bad), place=place, expected=expected) from bad


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
    base = node.value
    if node.attr == "result" and isinstance(base, ast.Call) and _operator(base) in reader.operators:
        return Answer(reader.tree(base))
    inner = reader.read(base)
    named = inner.identifier in _JOIN_NAMES or node.attr not in FIELDS if isinstance(inner, Name) else False
    if named and not node.attr.startswith("_"):
        return Attribute(inner, node.attr)
    if node.attr not in FIELDS:
        raise reader.refused(node, f"no part .{node.attr}", f"one of {', '.join(sorted(FIELDS))}", FIELDS)
    return Field(inner, node.attr)


def _subscript(reader: ExpressionReader, node: ast.Subscript) -> Expression:
    base, key = reader.read(node.value), node.slice
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return Attribute(base, key.value)
    if isinstance(key, ast.Slice):
        if key.step is not None:
            raise reader.refused(node, "a slice has no step here", "x[:5] or x[1:3]")
        return Slice(base, *(None if part is None else _position(reader, part) for part in (key.lower, key.upper)))
    return Index(base, _position(reader, key))


def _position(reader: ExpressionReader, node: ast.expr) -> int:
    sign = 1
    inner = node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, inner = -1, node.operand
    if isinstance(inner, ast.Constant) and type(inner.value) is int:
        return sign * inner.value
    raise reader.refused(node, "a position is a whole number", 'attr["name"], x[0] or x[:5]')


def _call(reader: ExpressionReader, node: ast.Call) -> Expression:
    if (operator := _operator(node)) in reader.operators:
        inside = [value for value in (*node.args, *(k.value for k in node.keywords)) if isinstance(value, ast.Name)]
        if inside and (folded := reader.fold(node, operator, inside[0].id)) is not None:
            return folded
        return Answer(reader.tree(node))
    path = _path(node.func)
    name = _SAME_CALL.get(path, path)
    if name in CALLS and path.split(".")[0] not in reader.bound:
        return _function_call(reader, node, name)
    if isinstance(node.func, ast.Attribute):
        return _method(reader, node, node.func)
    known = frozenset(CALLS)
    raise reader.refused(
        node.func, f"no function {path or 'of this kind'}", f"one of {', '.join(sorted(known))}", known
    )


def _function_call(reader: ExpressionReader, node: ast.Call, name: str) -> Expression:
    keywords: list[tuple[str, Expression]] = []
    for keyword in node.keywords:
        if keyword.arg is None:
            raise reader.refused(keyword.value, "no ** here", "name=value")
        value = reader.function(keyword.value) if keyword.arg == "key" else reader.read(keyword.value)
        keywords.append((keyword.arg, value))
    return Call(name, tuple(reader.read(value) for value in node.args), tuple(keywords))


def _method(reader: ExpressionReader, node: ast.Call, method: ast.Attribute) -> Expression:
    if node.keywords:
        raise reader.refused(node, f".{method.attr}() takes no keywords", f".{method.attr}(…)")
    base = reader.read(method.value)
    if method.attr == "get" and len(node.args) == 1:
        key = reader.read(node.args[0])
        if isinstance(key, Literal) and isinstance(key.value, str):
            return Attribute(base, key.value)
    if method.attr not in METHODS:
        known = frozenset(METHODS)
        raise reader.refused(method, f"no method .{method.attr}()", f"one of {', '.join(sorted(known))}", known)
    return Method(base, method.attr, tuple(reader.read(value) for value in node.args))


def _binary(reader: ExpressionReader, node: ast.BinOp) -> Expression:
    operator = _BINARY.get(type(node.op))
    if operator is None:
        raise reader.refused(node, f"no operator {_kind(node.op)}", "+ - * / // %")
    return Binary(operator, reader.read(node.left), reader.read(node.right))


def _unary(reader: ExpressionReader, node: ast.UnaryOp) -> Expression:
    operand = reader.read(node.operand)
    if isinstance(node.op, ast.Not):
        return Not(operand)
    number = isinstance(operand, Literal) and type(operand.value) in (int, float)
    if isinstance(node.op, ast.USub):
        return Literal(-operand.value) if number else Negative(operand)  # type: ignore[operator, union-attr]
    if isinstance(node.op, ast.UAdd) and number:
        return operand
    raise reader.refused(node, f"no operator {_kind(node.op)}", "not or -")


def _boolean(reader: ExpressionReader, node: ast.BoolOp) -> Expression:
    return Boolean("and" if isinstance(node.op, ast.And) else "or", tuple(reader.read(value) for value in node.values))


def _comparison(reader: ExpressionReader, node: ast.Compare) -> Expression:
    operators = tuple(_COMPARE[type(operator)] for operator in node.ops)
    return Comparison(reader.read(node.left), operators, tuple(reader.read(value) for value in node.comparators))


def _conditional(reader: ExpressionReader, node: ast.IfExp) -> Expression:
    return Conditional(reader.read(node.test), reader.read(node.body), reader.read(node.orelse))


def _collection(reader: ExpressionReader, node: ast.List | ast.Tuple | ast.Set) -> Expression:
    inner = node.elts[0] if isinstance(node, ast.Set) and len(node.elts) == 1 else None
    if isinstance(inner, ast.Set) and len(inner.elts) == 1 and isinstance(inner.elts[0], ast.Call):
        return reader.read(inner.elts[0])  # l={{ QU("…") }}
    return Collection(type(node).__name__.lower(), tuple(reader.read(item) for item in node.elts))


def _comprehension(reader: ExpressionReader, node: ast.GeneratorExp | ast.ListComp | ast.SetComp) -> Expression:
    loop = node.generators[0]
    if len(node.generators) > 1 or loop.is_async or not isinstance(loop.target, ast.Name):
        raise reader.refused(node, "one loop over one name only", "x for x in …")
    kind = {ast.GeneratorExp: "generator", ast.ListComp: "list", ast.SetComp: "set"}[type(node)]
    inside = reader.with_names(loop.target.id)
    conditions = tuple(inside.read(test) for test in loop.ifs)
    return Comprehension(kind, inside.read(node.elt), loop.target.id, reader.read(loop.iter), conditions)


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


def _path(node: ast.expr) -> str:
    """`datetime.date.today` of a dotted name, or '' of anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _kind(node: ast.AST) -> str:
    names = {"JoinedStr": "an f-string", "Lambda": "a lambda", "NamedExpr": ":=", "Pow": "**", "Dict": "a dict"}
    name = type(node).__name__
    return names.get(name, name)
