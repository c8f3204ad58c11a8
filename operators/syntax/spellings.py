"""Other ways to write what the algebra has: names of modules, functions of functions, defaults. Each is rewritten."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ..algebra import CALLS, CONSTANTS, METHODS, TYPES
from ..evaluation.formats import check_spec
from ..expressions import (
    Attribute,
    Binary,
    Call,
    Collection,
    Comparison,
    Comprehension,
    Conditional,
    Constant,
    Dictionary,
    Expression,
    Lambda,
    Literal,
    Loop,
    Loops,
    Method,
    Name,
)
from .reader import Reader

_MODULES = {
    "statistics": ("mean", "median", "mode", "stdev", "pstdev", "variance"),
    "math": ("floor", "ceil", "sqrt", "trunc"),
    "datetime": ("timedelta", "date", "time", "datetime"),
    "np": ("mean", "median", "sum", "min", "max", "abs", "round"),
    "numpy": ("mean", "median", "sum", "min", "max", "abs", "round"),
}
SAME: dict[str, str] = {
    **{
        f"{module}.{name}": f"{module}.{name}" if module == "math" else name
        for module, names in _MODULES.items()
        for name in names
    },
    **{name: f"math.{name}" for name in ("floor", "ceil", "sqrt")},
    **{f"datetime.{name}": name for name in CALLS if name.startswith(("date.", "time.", "datetime."))},
    "avg": "mean",
    "average": "mean",
    "fmean": "mean",
    "statistics.fmean": "mean",
    "np.std": "pstdev",
    "numpy.std": "pstdev",
    "math.fabs": "abs",
    "tuple": "list",
    "frozenset": "set",
    "collections.Counter": "Counter",
    "dateutil.relativedelta.relativedelta": "relativedelta",
    "relativedelta.relativedelta": "relativedelta",
    "datetime.utcnow": "datetime.now",
    "datetime.datetime.utcnow": "datetime.now",
    "date.fromtimestamp": "datetime.fromtimestamp",
    "strptime": "datetime.strptime",
    "monthrange": "calendar.monthrange",
}
"""Function as it may be written → as the algebra calls it."""

SAME_CONSTANT: dict[str, str] = {
    "re.I": "re.IGNORECASE",
    "re.M": "re.MULTILINE",
    "re.S": "re.DOTALL",
    **{f"datetime.{kind}.{end}": f"{kind}.{end}" for kind in ("date", "time", "datetime") for end in ("min", "max")},
}
"""Constant as it may be written → as the algebra calls it."""

NUMBERED: dict[str, Expression] = {
    f"calendar.{name}": Literal(number) for number, name in enumerate(map(str.upper, CONSTANTS["calendar.day_name"]))
}
"""Names of numbers."""

_LAST_BY_NAME = {"round": "ndigits", "sum": "start", "re.search": "flags", "re.match": "flags", "re.findall": "flags"}
_EMPTY: dict[str, Expression] = {
    "list": Collection("list", ()),
    "set": Call("set", (Collection("list", ()),)),
    "dict": Dictionary(()),
    "str": Literal(""),
    "int": Literal(0),
    "float": Literal(0.0),
    "bool": Literal(False),
}
_NOTHING = (Literal(0), Literal(0.0), Call("timedelta"), Call("timedelta", (Literal(0),)))
_WRITTEN = {"day_name": "%A", "month_name": "%B"}
OTHER_METHODS = frozenset(_WRITTEN)
"""Methods that are written as another one."""


# ---------------------------------------------------------------- calls
def rewritten_call(reader: Reader, node: ast.Call, name: str) -> Expression | None:
    """The expression that a call stands for, or None where it is a plain function of the algebra."""
    if not node.args and not node.keywords:
        return _EMPTY.get(name)
    rewrite = _REWRITES.get(name)
    if rewrite is not None:
        return rewrite(reader, node)
    if name in _LAST_BY_NAME and [keyword.arg for keyword in node.keywords] == [_LAST_BY_NAME[name]]:
        return _with_start(Call(name, tuple(reader.read(at) for at in (*node.args, node.keywords[0].value))))
    owner, _, method = name.rpartition(".")
    if owner in ("str", "date", "datetime", "timedelta") and method in METHODS and name not in CALLS and node.args:
        first, *others = (reader.read(argument) for argument in node.args)
        return Method(first, method, tuple(others))
    return None


def _map(reader: Reader, node: ast.Call) -> Expression | None:
    """`map(f, x)` is `(f(i) for i in x)`."""
    if len(node.args) != 2 or node.keywords:
        raise reader.refused(node, "map() takes a function and one list", "map(function, list)")
    function, values = reader.function(node.args[0]), reader.read(node.args[1])
    if isinstance(function, Lambda):
        return Comprehension("generator", function.body, function.parameter, values)
    return Comprehension("generator", Call(function.name, (Name("x"),)), "x", values)


def _filter(reader: Reader, node: ast.Call) -> Expression | None:
    """`filter(f, x)` is `(i for i in x if f(i))`."""
    if len(node.args) != 2 or node.keywords:
        raise reader.refused(node, "filter() takes a function and a list", "filter(function, list)")
    asked, values = node.args[0], reader.read(node.args[1])
    if isinstance(asked, ast.Constant) and asked.value is None:
        return Comprehension("generator", Name("x"), "x", values, (Name("x"),))
    function = reader.function(asked)
    if isinstance(function, Lambda):
        name = function.parameter
        return Comprehension("generator", Name(name), name, values, (function.body,))
    return Comprehension("generator", Name("x"), "x", values, (Call(function.name, (Name("x"),)),))


def _is_instance(reader: Reader, node: ast.Call) -> Expression | None:
    if len(node.args) != 2 or node.keywords:
        return None
    asked = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
    kinds: list[Expression] = []
    for part in asked:
        name = ast.unparse(part).removeprefix("datetime.") if isinstance(part, ast.Name | ast.Attribute) else ""
        if name not in TYPES:
            raise reader.refused(part, "no such type", f"one of {', '.join(sorted(TYPES))}")
        kinds.append(Constant(name))
    wanted = Collection("tuple", tuple(kinds)) if isinstance(node.args[1], ast.Tuple) else kinds[0]
    return Call("isinstance", (reader.read(node.args[0]), wanted))


def _sum(reader: Reader, node: ast.Call) -> Expression | None:
    if [keyword.arg for keyword in node.keywords] not in ([], ["start"]):
        return None
    given = (*node.args, *(keyword.value for keyword in node.keywords))
    return _with_start(Call("sum", tuple(reader.read(argument) for argument in given)))


def _with_start(call: Call) -> Expression:
    """`sum(x, 0)` and `sum(x, timedelta())` are `sum(x)`: over nothing it is 0 whatever it sums."""
    if call.function == "sum" and len(call.arguments) == 2 and call.arguments[1] in _NOTHING:
        return Call("sum", call.arguments[:1])
    return call


def _without_key(reader: Reader, node: ast.Call) -> Expression | None:
    """`sorted(x, key=None)` is `sorted(x)`."""
    kept = [
        k for k in node.keywords if k.arg != "key" or not isinstance(k.value, ast.Constant) or k.value.value is not None
    ]
    if len(kept) == len(node.keywords):
        return None
    return reader.read(ast.copy_location(ast.Call(node.func, node.args, kept), node))


def _power(reader: Reader, node: ast.Call) -> Expression | None:
    if len(node.args) != 2 or node.keywords:
        raise reader.refused(node, "pow() takes two numbers", "pow(x, 2)")
    return Binary("**", reader.read(node.args[0]), reader.read(node.args[1]))


def _format(reader: Reader, node: ast.Call) -> Expression | None:
    if len(node.args) == 2 and isinstance(node.args[1], ast.Constant) and isinstance(node.args[1].value, str):
        check_spec(node.args[1].value)
        return None
    if len(node.args) == 1:
        return Call("str", (reader.read(node.args[0]),))
    raise reader.refused(node, "a format must be fixed", 'format(x, ".2f")')


def _dict(reader: Reader, node: ast.Call) -> Expression | None:
    if node.args or any(keyword.arg is None for keyword in node.keywords):
        return None
    return Dictionary(tuple((Literal(keyword.arg or ""), reader.read(keyword.value)) for keyword in node.keywords))


def _attribute_of(reader: Reader, node: ast.Call) -> Expression | None:
    """`getattr(attr, "x", default)` is `attr.get("x", default)`."""
    key = node.args[1] if len(node.args) > 1 else None
    if node.keywords or len(node.args) > 3 or not isinstance(key, ast.Constant) or not isinstance(key.value, str):
        raise reader.refused(node, "the attribute's name must be a text", 'attr["x"], or attr.get("x", default)')
    if key.value.startswith("__"):
        raise reader.refused(key, f"no attribute {key.value}", 'attr["x"]')
    base, *default = (reader.read(argument) for argument in (node.args[0], *node.args[2:]))
    return rewritten_method(base, "get", (Literal(key.value), *default))


def _has_attribute(reader: Reader, node: ast.Call) -> Expression | None:
    found = _attribute_of(reader, node)
    return None if found is None else Comparison(found, ("is not",), (Literal(None),))


def _chain(reader: Reader, node: ast.Call) -> Expression | None:
    lists = Collection("list", tuple(reader.read(argument) for argument in node.args))
    return Loops("list", Name("y"), (Loop("x", lists), Loop("y", Name("x"))))


def _chain_of(reader: Reader, node: ast.Call) -> Expression | None:
    if len(node.args) != 1 or node.keywords:
        raise reader.refused(node, "from_iterable() takes one list of lists", "chain.from_iterable(lists)")
    return Loops("list", Name("y"), (Loop("x", reader.read(node.args[0])), Loop("y", Name("x"))))


_REWRITES: dict[str, Callable[[Reader, ast.Call], Expression | None]] = {
    "map": _map,
    "filter": _filter,
    "isinstance": _is_instance,
    "sum": _sum,
    "sorted": _without_key,
    "min": _without_key,
    "max": _without_key,
    "pow": _power,
    "math.pow": _power,
    "format": _format,
    "dict": _dict,
    "getattr": _attribute_of,
    "hasattr": _has_attribute,
    "chain": _chain,
    "itertools.chain": _chain,
    "chain.from_iterable": _chain_of,
    "itertools.chain.from_iterable": _chain_of,
}


# ---------------------------------------------------------------- methods
def rewritten_method(base: Expression, name: str, arguments: tuple[Expression, ...]) -> Expression | None:
    """The expression that a method stands for, or None where it is a plain method of the algebra.

    `attr.get("x")` is `attr["x"]`; `attr.get("x", 0)` is `attr["x"] if attr["x"] is not None else 0`.
    """
    if name in _WRITTEN and not arguments:
        return Method(base, "strftime", (Literal(_WRITTEN[name]),))
    if name != "get" or not 1 <= len(arguments) <= 2:
        return None
    key = arguments[0]
    if not isinstance(key, Literal) or not isinstance(key.value, str):
        return None
    found = Attribute(base, key.value)
    if len(arguments) == 1 or arguments[1] == Literal(None):
        return found
    if not isinstance(base, Name):  # what is computed would be written twice, and twice in each step of a chain
        return None
    return Conditional(Comparison(found, ("is not",), (Literal(None),)), found, arguments[1])
