"""Tree → text, in the one canonical spelling that `parse_tree` reads back to the same tree."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import singledispatch
from keyword import iskeyword
from typing import Any

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
)
from ..nodes import AttributeType, GroupBy, Node, Qud
from .signatures import SIGNATURES

_LAMBDA, _CONDITIONAL, _OR, _AND, _NOT, _COMPARE = range(6)
_SUM, _PRODUCT, _UNARY, _NUMBER, _POSTFIX, _ATOM = range(6, 12)
_TYPES = {
    AttributeType.DATE: "date.fromisoformat",
    AttributeType.TIME: "time.fromisoformat",
    AttributeType.DATETIME: "datetime.fromisoformat",
    AttributeType.DURATION: "timedelta",
}


@singledispatch
def format_tree(node: Node) -> str:
    """The tree's text, on one line."""
    name = "GROUP_BY" if isinstance(node, GroupBy) else type(node).__name__.upper()
    if name not in SIGNATURES:
        raise TypeError(f"not an operator: {type(node).__name__}")
    values = (getattr(node, field.name) for field in fields(node))  # type: ignore[arg-type]
    given = zip(SIGNATURES[name].parameters, values, strict=True)
    said = (f"{parameter}={_argument(kind, value)}" for (parameter, kind), value in given if value is not None)
    return f"{name}({', '.join(said)})"


def _argument(kind: str, value: Any) -> str:
    match kind:
        case "tree":
            return format_tree(value)
        case "text":
            return _quoted(value)
        case "names":
            return f"[{', '.join(map(_quoted, value))}]"
        case "types":
            return f"[{', '.join(str(_TYPES.get(one, one.value)) for one in value)}]"
        case "condition":
            return _condition(format_expression(value))
        case _:
            return format_expression(value)


@format_tree.register
def _(node: Qud) -> str:
    return f"QUD({_quoted(node.question)})"


def format_expression(expression: Expression) -> str:
    """The expression's text."""
    return _print(expression)[0]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _condition(text: str) -> str:
    """A condition in quotes that need no escapes, so that columns inside stay true."""
    if '"' in text and not any(sign in text for sign in "'\\\n"):
        return f"'{text}'"
    return _quoted(text)


def _at(expression: Expression, level: int) -> str:
    """The expression in brackets if it binds looser than `level`."""
    text, own = _print(expression)
    return text if own >= level else f"({text})"


def _items(items: tuple[Expression, ...]) -> str:
    return ", ".join(_at(item, _CONDITIONAL) for item in items)


@singledispatch
def _print(expression: Expression) -> tuple[str, int]:
    raise TypeError(f"not an expression: {type(expression).__name__}")


@_print.register
def _(expression: Literal) -> tuple[str, int]:
    value = expression.value
    if isinstance(value, str):
        return _quoted(value), _ATOM
    if isinstance(value, bool | None):
        return repr(value), _ATOM
    # `1.year` is no Python: a number before a dot needs brackets.
    return repr(value), _UNARY if repr(value).startswith("-") else _NUMBER


@_print.register
def _(expression: Name) -> tuple[str, int]:
    return expression.identifier, _ATOM


@_print.register
def _(expression: Attribute) -> tuple[str, int]:
    base = _at(expression.base, _POSTFIX)
    if base in ("i1", "i2") and _plain(expression.name):
        return f"{base}.{expression.name}", _POSTFIX
    return f"{base}[{_quoted(expression.name)}]", _POSTFIX


def _plain(name: str) -> bool:
    """Whether a name can stand after a dot."""
    return name.isidentifier() and name.isascii() and not iskeyword(name) and not name.startswith("_")


@_print.register
def _(expression: Field) -> tuple[str, int]:
    return f"{_at(expression.base, _POSTFIX)}.{expression.name}", _POSTFIX


@_print.register
def _(expression: Method) -> tuple[str, int]:
    given = _given(expression.arguments, expression.keywords)
    return f"{_at(expression.base, _POSTFIX)}.{expression.name}{given}", _POSTFIX


@_print.register
def _(expression: Call) -> tuple[str, int]:
    return f"{expression.function}{_given(expression.arguments, expression.keywords)}", _POSTFIX


def _given(arguments: tuple[Expression, ...], keywords: tuple[tuple[str, Expression], ...]) -> str:
    """The arguments of a call in brackets; a generator that is the only one needs none of its own."""
    single = arguments[0] if len(arguments) == 1 and not keywords else None
    if isinstance(single, Comprehension | Loops) and single.kind == "generator":
        return _print(single)[0]
    named = [f"{name}={_at(value, _LAMBDA)}" for name, value in keywords]
    return f"({', '.join([*(_at(value, _CONDITIONAL) for value in arguments), *named])})"


@_print.register
def _(expression: Index) -> tuple[str, int]:
    return f"{_at(expression.base, _POSTFIX)}[{expression.position}]", _POSTFIX


@_print.register
def _(expression: Slice) -> tuple[str, int]:
    start = "" if expression.start is None else expression.start
    stop = "" if expression.stop is None else expression.stop
    return f"{_at(expression.base, _POSTFIX)}[{start}:{stop}]", _POSTFIX


@_print.register
def _(expression: Binary) -> tuple[str, int]:
    level = _SUM if expression.operator in "+-" else _PRODUCT
    return f"{_at(expression.left, level)} {expression.operator} {_at(expression.right, level + 1)}", level


@_print.register
def _(expression: Negative) -> tuple[str, int]:
    return f"-{_at(expression.operand, _UNARY)}", _UNARY


@_print.register
def _(expression: Not) -> tuple[str, int]:
    return f"not {_at(expression.operand, _NOT)}", _NOT


@_print.register
def _(expression: Boolean) -> tuple[str, int]:
    level = _AND if expression.operator == "and" else _OR
    return f" {expression.operator} ".join(_at(operand, level + 1) for operand in expression.operands), level


@_print.register
def _(expression: Comparison) -> tuple[str, int]:
    parts = [_at(expression.left, _SUM)]
    for operator, right in zip(expression.operators, expression.rights, strict=True):
        parts += [operator, _at(right, _SUM)]
    return " ".join(parts), _COMPARE


@_print.register
def _(expression: Conditional) -> tuple[str, int]:
    then, test = _at(expression.then, _OR), _at(expression.test, _OR)
    return f"{then} if {test} else {_at(expression.otherwise, _CONDITIONAL)}", _CONDITIONAL


@_print.register
def _(expression: Collection) -> tuple[str, int]:
    items = _items(expression.items)
    if expression.kind == "list":
        return f"[{items}]", _ATOM
    if expression.kind == "set":
        return f"{{{items}}}", _ATOM
    return f"({items},)" if len(expression.items) == 1 else f"({items})", _ATOM


@_print.register
def _(expression: Comprehension) -> tuple[str, int]:
    loop = Loop(expression.variable, expression.iterable, expression.conditions)
    return _comprehended(expression.kind, _at(expression.element, _CONDITIONAL), (loop,)), _ATOM


@_print.register
def _(expression: Loops) -> tuple[str, int]:
    return _comprehended(expression.kind, _at(expression.element, _CONDITIONAL), expression.loops), _ATOM


def _comprehended(kind: str, element: str, loops: tuple[Loop, ...]) -> str:
    parts = [element]
    for loop in loops:
        parts.append(f"for {_target(loop.target)} in {_at(loop.iterable, _OR)}")
        parts += [f"if {_at(test, _OR)}" for test in loop.conditions]
    opening, closing = {"generator": "()", "list": "[]", "set": "{}"}[kind]
    return f"{opening}{' '.join(parts)}{closing}"


def _target(target: Target) -> str:
    if isinstance(target, str):
        return target
    parts = [part if isinstance(part, str) else f"({_target(part)})" for part in target]
    return f"{parts[0]}," if len(parts) == 1 else ", ".join(parts)


@_print.register
def _(expression: Answer) -> tuple[str, int]:
    return f"{format_tree(expression.tree)}.result", _POSTFIX


@_print.register
def _(expression: Lambda) -> tuple[str, int]:
    return f"lambda {expression.parameter}: {_at(expression.body, _CONDITIONAL)}", _LAMBDA


@_print.register
def _(expression: Builtin) -> tuple[str, int]:
    return expression.name, _ATOM
