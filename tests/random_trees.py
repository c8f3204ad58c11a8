"""Random well-typed trees over the random graphs."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from random_expressions import KEYS, KINDS, KINDS_TEXT, QUERIES, Grammar


# ---------------------------------------------------------------- trees
@st.composite
def rows(draw: DrawFn, depth: int = 2) -> tuple[str, dict[str, str]]:
    """Text of a tree that gives rows, and the attributes that they have by kind."""
    query = draw(st.sampled_from(list(QUERIES)))
    source = ""
    if not draw(st.integers(0, 7)):
        source = f', l=RETRIEVE(query="{draw(st.sampled_from(["a", "b"]))}")'
    tree, columns = (
        f'EXTRACT(l=RETRIEVE(query="{query}"{source}), attr_names=[{KEYS}], attr_types=[{KINDS_TEXT}])',
        KINDS,
    )
    for step in range(draw(st.integers(0, depth))):
        tree, columns = draw(changed(tree, columns, step))
    return tree, columns


@st.composite
def changed(draw: DrawFn, tree: str, columns: dict[str, str], step: int) -> tuple[str, dict[str, str]]:
    grammar = Grammar("x", columns)
    choice = draw(st.sampled_from(["filter", "filter", "map", "unnest", "sorted", "slice", "join", "join", "answer"]))
    if choice == "answer":
        return f"FILTER(l={tree}, filter=lambda x: {draw(answered())})", columns
    if choice == "filter":
        return f"FILTER(l={tree}, filter=lambda x: {draw(grammar.condition())})", columns
    if choice == "map":
        text, kind = draw(grammar.any_value())
        return f'MAP(l={tree}, fct=lambda x: {text}, res_name="m{step}")', {**columns, f"m{step}": kind}
    if choice == "unnest" and "list" in columns.values():
        name = next(name for name, kind in columns.items() if kind == "list")
        made = draw(st.sampled_from([name, f"u{step}"]))
        tail = "" if made == name else f', unnested_attr_name="{made}"'
        return f'UNNEST(l={tree}, nested_attr_name="{name}"{tail})', {**columns, made: "str"}
    ordered = [name for name, kind in columns.items() if kind not in ("list", "bool")]
    if choice == "sorted":
        key, reverse = draw(st.sampled_from(ordered)), draw(st.booleans())
        cut = draw(st.sampled_from(["", "[:2]", "[1:3]", "[-2:]", "[1:]"]))
        return f'APPLY(l={tree}, fct=lambda l: sorted(l, key=lambda y: y["{key}"], reverse={reverse}){cut})', columns
    if choice == "slice":
        return (
            f"APPLY(l={tree}, fct=lambda l: {draw(st.sampled_from(['l[:2]', 'l[-2:]', 'l[1:4]', 'l[0]', 'l[-1]']))})",
            columns,
        )
    if choice == "join":
        return draw(joined(tree, columns))
    return tree, columns


@st.composite
def answered(draw: DrawFn) -> str:
    """A condition that another tree decides."""
    other = f'EXTRACT(l=RETRIEVE(query="{draw(st.sampled_from(list(QUERIES)))}"), attr_names=["n", "d", "t"], '
    other += "attr_types=[float, date, str])"
    return draw(
        st.sampled_from(
            [
                f'x["start_date"] >= MIN(l={other}, attr_name="d").result',
                f'x["start_date"] > MAX(l={other}, attr_name="d").result - timedelta(days=20) or True',
                f'ARGMAX(l={other}, arg_attr_name="n", val_attr_name="d").result == x["start_date"]',
                f'x["start_date"] in ARGMIN(l={other}, arg_attr_name="n", val_attr_name="d").result',
                f'x["start_date"].month <= APPLY(l={other}, fct=len).result',
            ]
        )
    )


@st.composite
def joined(draw: DrawFn, tree: str, columns: dict[str, str]) -> tuple[str, dict[str, str]]:
    query = draw(st.sampled_from(list(QUERIES)))
    names, kinds = '["d", "dt", "e", "t", "n"]', "[date, datetime, datetime, str, float]"
    other = f'EXTRACT(l=RETRIEVE(query="{query}"), attr_names={names}, attr_types={kinds})'
    right = {"d": "date", "dt": "datetime", "e": "datetime", "t": "str", "n": "float"}
    condition = draw(
        st.sampled_from(
            [
                "i1.dt <= i2.e and i2.dt <= i1.e",
                "i1.d == i2.d",
                "i1.d == i2.d and i1.t != i2.t",
                "i2.dt <= i1.dt and i1.e <= i2.e",
                "i2.d <= i1.dt < i2.e and i1.n != 3",
                "i1.dt == i2.dt",
                "i2.dt.date() == i1.dt.date() + timedelta(days=1)",
                "i1.t.lower() == i2.t.lower() and i1.n > 1",
                "i2.dt < i1.dt <= i2.dt + timedelta(days=20)",
                "i1.n + i2.n > 3 or i1.t == i2.t",
                "i2.t in i1.tags" if columns.get("tags") == "list" else "i1.n >= i2.n",
                "i1.start_date == i2.start_date",
            ]
        )
    )
    if "start_date" in condition and any(name in columns for name in ("start_date_2",)):
        condition = "i1.d == i2.d"
    merged = dict(columns)
    given = {**right, **({"start_date": "date"} if "start_date" in condition else {})}
    if "start_date" in condition:
        merged = {"start_date": "date", **merged}
    for name, kind in given.items():
        free, count = name, 1
        while free in merged or (count > 1 and free in given):
            count += 1
            free = f"{name}_{count}"
        merged[free] = kind
    return f'JOIN(l1={tree}, l2={other}, condition="{condition}")', merged


@st.composite
def grouped(draw: DrawFn) -> tuple[str, dict[str, str]]:
    """Groups with a value each."""
    tree, columns = draw(rows(1))
    keys = [name for name, kind in columns.items() if kind in ("date", "str", "int", "bool")]
    names = draw(st.lists(st.sampled_from(keys), min_size=1, max_size=2, unique=True))
    inner = Grammar("e", columns)
    folds = st.one_of(
        st.just(("len", "int")),
        st.just(('lambda g: SUM(l=g, attr_name="n")', "float")),
        inner.number(1).map(lambda x: (f"lambda g: sum({x} for e in g)", "float")),
        inner.number(1).map(lambda x: (f"lambda g: max({x} for e in g)", "float")),
        inner.number(1).map(lambda x: (f"lambda g: mean([{x} for e in g])", "float")),
        inner.condition(1).map(lambda x: (f"lambda g: len([e for e in g if {x}])", "int")),
        inner.condition(1).map(lambda x: (f'lambda g: sum(e["n"] for e in g if {x})', "float")),
        inner.day(1).map(lambda x: (f"lambda g: min({x} for e in g)", "date")),
        inner.text(1).map(lambda x: (f"lambda g: len(set({x} for e in g))", "int")),
        st.just(('lambda g: max(e["dt"] for e in g) - min(e["dt"] for e in g)', "duration")),
        st.just(('lambda g: sum(e["n"] for e in g) / len(g)', "float")),
        inner.condition(0).map(lambda x: (f"lambda g: any({x} for e in g)", "bool")),
    )
    groups = f"GROUP_BY(l={tree}, attr_names=[{', '.join(repr(name) for name in names)}])"
    if not draw(st.integers(0, 4)):
        groups = f"FILTER(l={groups}, filter=lambda g: len(g) > 1)"
    function, kind = draw(folds)
    made = {name: columns[name] for name in names}
    return f'MAP(l={groups}, fct={function}, res_name="r")', {**made, "r": kind}


@st.composite
def trees(draw: DrawFn) -> str:
    """Text of a whole tree."""
    tree, columns = draw(st.one_of(rows(), grouped()))
    summed = [name for name, kind in columns.items() if kind in ("int", "float", "duration")]
    ordered = [name for name, kind in columns.items() if kind not in ("list", "bool")]
    roots = ["rows", "len", "set", *(["extreme", "arg", "max"] if ordered else []), *(["sum"] if summed else [])]
    choice = draw(st.sampled_from(roots))
    if choice == "len":
        return f"APPLY(l={tree}, fct=len)"
    if choice == "sum":
        return f'{draw(st.sampled_from(["SUM", "AVG"]))}(l={tree}, attr_name="{draw(st.sampled_from(summed))}")'
    if choice == "extreme":
        return f'{draw(st.sampled_from(["MIN", "MAX"]))}(l={tree}, attr_name="{draw(st.sampled_from(ordered))}")'
    if choice == "arg":
        name, value = draw(st.sampled_from(ordered)), draw(st.sampled_from(list(columns)))
        return (
            f'{draw(st.sampled_from(["ARGMIN", "ARGMAX"]))}(l={tree}, arg_attr_name="{name}", val_attr_name="{value}")'
        )
    if choice == "set":
        text, _ = draw(Grammar("e", columns).any_value())
        wrapped = draw(
            st.sampled_from(["set({})", "sorted(set({}))", "len(set({}))", "len([{}])", "sorted(set({}))[:2]"])
        )
        return f"APPLY(l={tree}, fct=lambda l: {wrapped.format(f'{text} for e in l')})"
    if choice == "max":
        key = draw(st.sampled_from(ordered))
        return f'APPLY(l={tree}, fct=lambda l: max(l, key=lambda e: e["{key}"])["{draw(st.sampled_from(ordered))}"])'
    return tree


@st.composite
def narrowed(draw: DrawFn) -> str:
    """The number of events that are, or are not, among those that others stand beside, twice over: the same part stands
    in several places of the tree, with attributes read in between."""
    tree = f'EXTRACT(l=RETRIEVE(query="a"), attr_names=[{KEYS}], attr_types=[{KINDS_TEXT}])'
    other = f'EXTRACT(l=RETRIEVE(query="b"), attr_names=[{KEYS}], attr_types=[{KINDS_TEXT}])'
    for _ in range(draw(st.integers(1, 2))):
        condition = draw(st.sampled_from(("i2.dt <= i1.dt", "i1.n == i2.n", "i1.d < i2.d")))
        pairs = f'JOIN(l1={tree}, l2={other}, condition="{condition}")'
        among = f'APPLY(l={pairs}, fct=lambda rows: set(r["n"] for r in rows))'
        word = draw(st.sampled_from(("in", "not in")))
        tree = f'FILTER(l={tree}, filter=lambda e: e["n"] {word} {among}.result)'
        if draw(st.booleans()):
            tree = f'EXTRACT(l={tree}, attr_names=["t"], attr_types=[str])'
    return f"APPLY(l={tree}, fct=len)"
