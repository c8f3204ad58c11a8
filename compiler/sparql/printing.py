"""Algebra to text: each node in one way, with the brackets that its place needs.

Everything that enters a query is printed here, so nothing can break out of its quotes. Text means what the algebra
means: a Filter works on what stands before it, so a group is closed after it where later operators would change it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import Final

from ...ontology.namespaces import PREFIXES, RDF_TYPE
from .algebra import (
    BGP,
    BOOLEAN,
    DECIMAL,
    INTEGER,
    STRING,
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
    Not,
    Operation,
    OrderBy,
    Pattern,
    Select,
    Step,
    Triple,
    Union,
    Values,
    Var,
)
from .steps import bindable, bound_before

_WIDTH: Final = 140
"""A group stands on one line up to so many signs."""
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LEVELS: Final = {"||": 1, "&&": 2, "+": 4, "-": 4, "*": 5, "/": 5}
_COMPARES, _NEGATES, _WHOLE = 3, 6, 7
"""How tightly operators hold; what stands by itself holds tightest."""


def printed(query: Select) -> str:
    """The text of a whole query, with the prefixes that it needs."""
    used: set[str] = set()
    lines = _select(query, used)
    return "\n".join([*(f"PREFIX {name}: <{PREFIXES[name]}>" for name in sorted(used)), *lines]) + "\n"


# ---------------------------------------------------------------- expressions
@singledispatch
def _expression(node: Expr, _used: set[str]) -> str:
    raise TypeError(f"no expression: {type(node).__name__}")


@_expression.register
def _(node: Var, _used: set[str]) -> str:
    return f"?{node.name}"


@_expression.register
def _(node: Iri, used: set[str]) -> str:
    fitting = [(base, name) for name, base in PREFIXES.items() if node.value.startswith(base)]
    if fitting:
        base, name = max(fitting, key=lambda pair: len(pair[0]))
        local = node.value[len(base) :]
        if _is_local(local):
            used.add(name)
            return f"{name}:{local}"
    return f"<{node.value}>"


def _is_local(name: str) -> bool:
    """Whether a name may stand after a prefix as it is; others may, too, but this is sure."""
    plain = name.replace("-", "_")
    return plain.isascii() and plain.isidentifier() and not name.startswith("-")


@_expression.register
def _(node: Literal, used: set[str]) -> str:
    if _bare(node):
        return node.text
    quoted = '"' + "".join(_ESCAPES.get(sign) or _control(sign) for sign in node.text) + '"'
    return quoted if node.datatype == STRING else f"{quoted}^^{_expression(Iri(node.datatype), used)}"


def _control(sign: str) -> str:
    return f"\\u{ord(sign):04X}" if ord(sign) < 32 or ord(sign) == 127 else sign


def _bare(node: Literal) -> bool:
    """Whether a literal is its datatype's without being said."""
    if node.datatype == BOOLEAN:
        return node.text in ("true", "false")
    if node.datatype not in (INTEGER, DECIMAL):
        return False
    whole, point, places = node.text.removeprefix("-").partition(".")
    digits = (whole, places) if point else (whole,)
    return bool(point) == (node.datatype == DECIMAL) and all(part.isascii() and part.isdecimal() for part in digits)


@_expression.register
def _(node: Operation, used: set[str]) -> str:
    level = _level(node)
    first = level if level != _COMPARES else level + 1  # a comparison of comparisons needs brackets on both sides
    rest = level if level < _COMPARES else level + 1  # && and || may be taken from either side
    sides = [_inside(operand, rest if at else first, used) for at, operand in enumerate(node.operands)]
    return f" {node.operator} ".join(sides)


@_expression.register
def _(node: Not, used: set[str]) -> str:
    if isinstance(node.operand, Exists):
        return f"NOT {_expression(node.operand, used)}"
    return f"!{_inside(node.operand, _WHOLE, used)}"


@_expression.register
def _(node: In, used: set[str]) -> str:
    return f"{_inside(node.operand, _COMPARES + 1, used)} IN ({_listed(node.options, used)})"


@_expression.register
def _(node: Call, used: set[str]) -> str:
    name = node.function if isinstance(node.function, str) else _expression(node.function, used)
    return f"{name}({_listed(node.arguments, used)})"


@_expression.register
def _(node: Exists, used: set[str]) -> str:
    return f"EXISTS {_on_one_line('{', _lines(node.pattern, used))}"


@_expression.register
def _(node: Aggregate, used: set[str]) -> str:
    inside = "*" if node.argument is None else _expression(node.argument, used)
    parted = "" if node.separator is None else f"; SEPARATOR={_expression(Literal(node.separator), used)}"
    return f"{node.function}({'DISTINCT ' if node.distinct else ''}{inside}{parted})"


def _listed(nodes: Iterable[Expr], used: set[str]) -> str:
    return ", ".join(_expression(node, used) for node in nodes)


def _level(node: Expr) -> int:
    if isinstance(node, Operation):
        return _LEVELS.get(node.operator, _COMPARES)
    if isinstance(node, In):
        return _COMPARES
    return _NEGATES if isinstance(node, Not) and not isinstance(node.operand, Exists) else _WHOLE


def _inside(node: Expr, level: int, used: set[str]) -> str:
    """An expression beside an operator, in brackets if it holds less tightly."""
    shown = _expression(node, used)
    return f"({shown})" if _level(node) < level else shown


# ---------------------------------------------------------------- patterns
def _lines(pattern: Pattern, used: set[str]) -> list[str]:
    """The inside of a group."""
    if len(pattern) == 1 and isinstance(pattern[0], Select):
        return _select(pattern[0], used)
    begun = _reached(pattern)
    closed = _group("{", pattern[:begun], used) if begun else []
    return [*closed, *(line for step in pattern[begun:] for line in _step(step, used))]


def _reached(pattern: Pattern) -> int:
    """Where the operators begin that could change what a Filter before them holds for, as it comes last in its group of
    SPARQL; 0 where there are none."""
    later, bound = set[Var](), list[frozenset[Var]]()
    for at in reversed(range(len(pattern))):
        step = pattern[at]
        if isinstance(step, Filter) and (asked := step.test.variables & later):
            bound = bound or bound_before(pattern)
            if not asked <= bound[at]:
                return at + 1
        later |= bindable(step)
    return 0


def _group(head: str, pattern: Pattern, used: set[str]) -> list[str]:
    return _braced(head, _lines(pattern, used))


def _braced(head: str, lines: Sequence[str]) -> list[str]:
    short = _on_one_line(head, lines)
    return [short] if len(short) <= _WIDTH else [head, *(f"  {line}" for line in lines), "}"]


def _on_one_line(head: str, lines: Sequence[str]) -> str:
    return " ".join([head, *(line.lstrip() for line in lines), "}"])


@singledispatch
def _step(node: Step, _used: set[str]) -> list[str]:
    raise TypeError(f"no operator of SPARQL: {type(node).__name__}")


@_step.register
def _(node: BGP, used: set[str]) -> list[str]:
    return [_triple(one, used) for one in node.triples]


def _triple(node: Triple, used: set[str]) -> str:
    verb = "a" if node.predicate == Iri(RDF_TYPE) else _expression(node.predicate, used)
    return f"{_expression(node.subject, used)} {verb} {_expression(node.object, used)} ."


@_step.register
def _(node: Join, used: set[str]) -> list[str]:
    return _group("{", node.pattern, used)


@_step.register
def _(node: LeftJoin, used: set[str]) -> list[str]:
    return _group("OPTIONAL {", node.pattern, used)


@_step.register
def _(node: Union, used: set[str]) -> list[str]:
    return [line for at, one in enumerate(node.patterns) for line in _group("UNION {" if at else "{", one, used)]


@_step.register
def _(node: Filter, used: set[str]) -> list[str]:
    return [f"FILTER({_expression(node.test, used)})"]


@_step.register
def _(node: Extend, used: set[str]) -> list[str]:
    return [f"BIND{_named(node, used)}"]


@_step.register
def _(node: Values, used: set[str]) -> list[str]:
    return _braced(f"VALUES ?{node.variable.name} {{", [" ".join(_expression(one, used) for one in node.terms)])


@_step.register
def _(node: Select, used: set[str]) -> list[str]:
    return _braced("{", _select(node, used))


def _select(node: Select, used: set[str]) -> list[str]:
    columns = " ".join(_column(column, used) for column in dict.fromkeys(node.columns))
    head = f"SELECT {'DISTINCT ' if node.distinct else ''}{columns} WHERE {{"
    lines = [head, *(f"  {line}" for line in _lines(node.pattern, used)), "}"]
    if node.groups:
        lines.append(f"GROUP BY {' '.join(_column(key, used) for key in node.groups)}")
    if node.having is not None:
        lines.append(f"HAVING ({_expression(node.having, used)})")
    if node.order:
        lines.append(f"ORDER BY {' '.join(_ordered(key) for key in node.order)}")
    if node.limit is not None:
        lines.append(f"LIMIT {node.limit}")
    if node.offset:
        lines.append(f"OFFSET {node.offset}")
    return lines


def _column(node: Var | Extend, used: set[str]) -> str:
    return _expression(node, used) if isinstance(node, Var) else _named(node, used)


def _named(node: Extend, used: set[str]) -> str:
    return f"({_expression(node.value, used)} AS ?{node.variable.name})"


def _ordered(node: OrderBy) -> str:
    return f"DESC(?{node.variable.name})" if node.descending else f"?{node.variable.name}"
