"""Random trees in which there is much to rewrite: conditions far above what they need, constants, unused attributes."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from random_expressions import KINDS, QUERIES, TYPES, Grammar

_STANDARD = {"start_date": "date", "start_datetime": "datetime", "end_datetime": "datetime", "start_time": "time"}
_KINDS = {**KINDS, **_STANDARD}
_TYPES = {**TYPES, **_STANDARD}


@dataclass(frozen=True)
class Layer:
    """Text of a tree, the attributes of its rows by kind, and whether each row is one event."""

    text: str
    columns: dict[str, str]
    single: bool = True


@st.composite
def layers(draw: DrawFn, most: int = 4, *, joins: int = 1) -> Layer:
    """Rows with up to `most` operators over a RETRIEVE."""
    layer = draw(extracted(Layer(f'RETRIEVE(query="{draw(st.sampled_from(list(QUERIES)))}")', {})))
    for step in range(draw(st.integers(0, most))):
        kind = draw(st.sampled_from(["filter", "filter", "extract", "map", "unnest", "retrieve", "join"]))
        if kind == "join" and joins:
            layer, joins = draw(joined(layer, joins - 1)), joins - 1
        elif kind == "extract":
            layer = draw(extracted(layer))
        elif kind == "map":
            text, made = draw(Grammar("e", layer.columns).any_value())
            columns = {**layer.columns, f"m{step}": made}
            layer = replace(
                layer, text=f'MAP(l={layer.text}, fct=lambda e: {text}, res_name="m{step}")', columns=columns
            )
        elif kind == "unnest" and "list" in layer.columns.values():
            layer = unnested(layer, draw(st.booleans()))
        elif kind == "retrieve" and layer.single:
            query = draw(st.sampled_from(list(QUERIES)))
            layer = replace(layer, text=f'RETRIEVE(query="{query}", l={layer.text})')
        else:
            layer = draw(filtered(layer))
    return draw(filtered(layer))


@st.composite
def extracted(draw: DrawFn, layer: Layer) -> Layer:
    names = draw(st.lists(st.sampled_from(list(_TYPES)), min_size=1, max_size=4, unique=True))
    listed, types = ", ".join(f'"{name}"' for name in names), ", ".join(_TYPES[name] for name in names)
    text = f"EXTRACT(l={layer.text}, attr_names=[{listed}], attr_types=[{types}])"
    return replace(layer, text=text, columns={**layer.columns, **{name: _KINDS[name] for name in names}})


@st.composite
def filtered(draw: DrawFn, layer: Layer) -> Layer:
    parameter = draw(st.sampled_from(["x", "attr", "p"]))
    return replace(layer, text=f"FILTER(l={layer.text}, filter=lambda {parameter}: {draw(tests(parameter, layer))})")


@st.composite
def tests(draw: DrawFn, row: str, layer: Layer) -> str:
    """A conjunction over the row `row`."""
    grammar = Grammar(row, layer.columns)
    parts = [draw(grammar.condition(draw(st.integers(0, 1)))) for _ in range(draw(st.integers(1, 3)))]
    if not draw(st.integers(0, 3)):
        parts[0] = draw(
            st.sampled_from(
                [
                    f"True and ({parts[0]})",
                    f"not (not ({parts[0]}))",
                    f"({parts[0]}) or 1 > 2",
                    f"({parts[0]}) or 60 * 60 == 3600",
                    "date.today().year - 1 == 2023",
                    f"(({parts[0]}) if date.today().year > 2000 else False)",
                    'SUM(l=EXTRACT(l=RETRIEVE(query="a"), attr_names=["n", "t"], attr_types=[float, str]), '
                    f'attr_name="n").result > {draw(st.integers(-1, 2))}',
                ]
            )
        )
    return " and ".join(f"({part})" for part in parts)


def unnested(layer: Layer, named: bool) -> Layer:
    name = next(name for name, kind in layer.columns.items() if kind == "list")
    tail = ', unnested_attr_name="u"' if named else ""
    text = f'UNNEST(l={layer.text}, nested_attr_name="{name}"{tail})'
    return replace(layer, text=text, columns={**layer.columns, "u" if named else name: "str"})


@st.composite
def joined(draw: DrawFn, left: Layer, joins: int) -> Layer:
    right = draw(st.one_of(layers(1, joins=joins), st.just(left)))
    parts = [draw(tests("i1", left))] if draw(st.booleans()) else []
    parts += [draw(tests("i2", right))] if draw(st.booleans()) else []
    pairs = [
        f'i1["{one}"] {sign} i2["{other}"]'
        for one, kind in left.columns.items()
        for other, same in right.columns.items()
        if kind == same and kind in ("date", "datetime", "float", "str")
        for sign in (("==",) if kind == "str" else ("==", "<=", ">"))
    ]
    if pairs:
        parts.insert(draw(st.integers(0, len(parts))), draw(st.sampled_from(pairs)))
    condition = json.dumps(" and ".join(parts) or "1 == 1", ensure_ascii=False)
    held = dict(left.columns)
    for name, kind in right.columns.items():
        free, count = name, 1
        while free in held or (count > 1 and free in right.columns):
            count += 1
            free = f"{name}_{count}"
        held[free] = kind
    return Layer(f"JOIN(l1={left.text}, l2={right.text}, condition={condition})", held, single=False)


@st.composite
def rewritable_trees(draw: DrawFn) -> str:
    """Text of a whole tree."""
    layer = draw(layers())
    if keys := [name for name, kind in layer.columns.items() if kind in ("date", "str", "int", "bool")]:
        names = draw(st.lists(st.sampled_from(keys), min_size=1, max_size=2, unique=True))
        if draw(st.booleans()):
            layer = draw(grouped(layer, names))
    ordered = [name for name, kind in layer.columns.items() if kind not in ("list", "bool")]
    root = draw(st.sampled_from(["rows", "len", "max", "arg", "set"] if ordered else ["rows", "len"]))
    if root == "len":
        return f"APPLY(l={layer.text}, fct=len)"
    if root == "rows":
        return layer.text
    name = draw(st.sampled_from(ordered))
    if root == "max":
        return f'MAX(l={layer.text}, attr_name="{name}")'
    if root == "set":
        return f'APPLY(l={layer.text}, fct=lambda l: sorted(set(e["{name}"] for e in l)))'
    return (
        f'ARGMIN(l={layer.text}, arg_attr_name="{name}", val_attr_name="{draw(st.sampled_from(list(layer.columns)))}")'
    )


@st.composite
def grouped(draw: DrawFn, layer: Layer, names: list[str]) -> Layer:
    """Groups with how many there are in each, and a condition that may be about their keys only."""
    groups = f"GROUP_BY(l={layer.text}, attr_names=[{', '.join(repr(name) for name in names)}])"
    if draw(st.booleans()):
        groups = f"FILTER(l={groups}, filter=lambda g: len(g) > 1)"
    made = {**{name: layer.columns[name] for name in names}, "r": "int"}
    return draw(filtered(Layer(f'MAP(l={groups}, fct=len, res_name="r")', made, single=False)))
