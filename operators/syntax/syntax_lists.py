"""Reads lists, sets, dicts, comprehensions and f-strings."""

from __future__ import annotations

import ast

from ..evaluation.formats import check_spec
from ..expressions import (
    Binary,
    Call,
    Collection,
    Comprehension,
    Dictionary,
    Expression,
    Literal,
    Loop,
    Loops,
    Target,
    target_names,
)
from .limits import MAX_DEPTH
from .reader import Reader


def collection(reader: Reader, node: ast.List | ast.Tuple | ast.Set) -> Expression:
    """A list, tuple or set; also `{{ QU("…") }}`, which marks a tree inside."""
    inner = node.elts[0] if isinstance(node, ast.Set) and len(node.elts) == 1 else None
    if isinstance(inner, ast.Set) and len(inner.elts) == 1 and isinstance(inner.elts[0], ast.Call):
        return reader.read(inner.elts[0])  # l={{ QU("…") }}
    return Collection(type(node).__name__.lower(), tuple(reader.read(item) for item in node.elts))


def dictionary(reader: Reader, node: ast.Dict) -> Expression:
    """`{key: value}`."""
    entries: list[tuple[Expression, Expression]] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            raise reader.refused(value, "no ** here", "{key: value}")
        entries.append((reader.read(key), reader.read(value)))
    return Dictionary(tuple(entries))


def comprehension(reader: Reader, node: ast.GeneratorExp | ast.ListComp | ast.SetComp) -> Expression:
    """`x for x in …`, over one loop or several."""
    kind = {ast.GeneratorExp: "generator", ast.ListComp: "list", ast.SetComp: "set"}[type(node)]
    inside, loops = _loops(reader, node)
    element, only = inside.read(node.elt), loops[0]
    if len(loops) == 1 and isinstance(only.target, str):
        return Comprehension(kind, element, only.target, only.iterable, only.conditions)
    return Loops(kind, element, loops)


def dict_comprehension(reader: Reader, node: ast.DictComp) -> Expression:
    """`{k: v for …}`."""
    inside, loops = _loops(reader, node)
    return Loops("dict", inside.read(node.value), loops, inside.read(node.key))


def _loops(
    reader: Reader, node: ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp
) -> tuple[Reader, tuple[Loop, ...]]:
    """The loops, and the reader inside them: each sees the names of those before it."""
    loops: list[Loop] = []
    for loop in node.generators:
        if loop.is_async:
            raise reader.refused(loop.target, "no async here", "x for x in …")
        target, iterable = _target(reader, loop.target), reader.read(loop.iter)
        with reader.placed(loop.target, "x for x in …"):
            reader = reader.with_names(*target_names(target))
            loops.append(Loop(target, iterable, tuple(reader.read(test) for test in loop.ifs)))
    return reader, tuple(loops)


def _target(reader: Reader, node: ast.expr) -> Target:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Tuple | ast.List) and node.elts:
        return tuple(_target(reader, part) for part in node.elts)
    raise reader.refused(node, "a loop runs over names", "x for x in …, or k, v for k, v in …")


def f_string(reader: Reader, node: ast.JoinedStr) -> Expression:
    """`f"{x} of {y:02d}"` is `str(x) + " of " + format(y, "02d")`."""
    if reader.depth + len(node.values) > MAX_DEPTH:
        raise reader.refused(node, "an f-string of too many parts", f"at most {MAX_DEPTH} levels")
    parts = [_f_part(reader, part) for part in node.values]
    if not parts:
        return Literal("")
    whole = parts[0]
    for part in parts[1:]:
        whole = Binary("+", whole, part)
    return whole


def _f_part(reader: Reader, node: ast.expr) -> Expression:
    if not isinstance(node, ast.FormattedValue):
        return reader.read(node)
    if node.conversion not in (-1, ord("s")):
        raise reader.refused(node, "no !r, !a or = in an f-string", "{x} or {x:.2f}")
    spec = ""
    if isinstance(node.format_spec, ast.JoinedStr):
        known = [part.value for part in node.format_spec.values if isinstance(part, ast.Constant)]
        if len(known) != len(node.format_spec.values):
            raise reader.refused(node, "a format must be fixed", "{x:.2f}")
        spec = "".join(str(part) for part in known)
        check_spec(spec)
    value = reader.read(node.value)
    return Call("format", (value, Literal(spec))) if spec else Call("str", (value,))
