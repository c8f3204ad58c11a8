"""Random well-typed trees over small random graphs: the compiled query and the naive evaluator must agree."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reqap_kg.errors import TreeTypeError
from reqap_kg.execution.reference import Event, Grouped, Many, One, Reference
from reqap_kg.execution.run import Result, run
from reqap_kg.ontology.namespaces import DATA, EV, RDF_TYPE, XSD
from reqap_kg.operators.nodes import Node
from reqap_kg.operators.resolution import AttributeMatch, ClassMatch, Constraint, Resolution
from reqap_kg.operators.text import parse_tree
from reqap_kg.planner.compile import compile_tree
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import Literal, NamedNode, Quad

NOW = datetime(2024, 3, 10, 12, 30)
QUERIES = {
    "a": ClassMatch((EV + "A",)),
    "b": ClassMatch((EV + "B", EV + "C")),
    "kept": ClassMatch((EV + "A",), (Constraint(EV + "kind", ("red", "Blue")),)),
}
ATTRIBUTES = {
    "n": AttributeMatch((EV + "number",)),
    "i": AttributeMatch((EV + "count", EV + "number")),
    "t": AttributeMatch((EV + "kind",)),
    "tags": AttributeMatch((EV + "tag", EV + "kind"), multiple=True),
    "d": AttributeMatch((EV + "start",)),
    "dt": AttributeMatch((EV + "start",)),
    "tm": AttributeMatch((EV + "start",)),
    "e": AttributeMatch((EV + "end",)),
    "len": AttributeMatch((EV + "count",)),
    "flag": AttributeMatch((EV + "flag",)),
    "when": AttributeMatch((EV + "when",)),
}
TYPES = {
    "n": "float",
    "i": "int",
    "t": "str",
    "tags": "list",
    "d": "date",
    "dt": "datetime",
    "tm": "time",
    "e": "datetime",
    "len": "timedelta",
    "flag": "bool",
    "when": "date",
}
KINDS = {name: {"timedelta": "duration"}.get(kind, kind) for name, kind in TYPES.items()}
RESOLUTION = Resolution(
    tuple(QUERIES.items()), tuple(((query, key), match) for query in QUERIES for key, match in ATTRIBUTES.items())
)
DATATYPES = {"number": "decimal", "count": "integer", "start": "dateTime", "end": "dateTime", "flag": "boolean"}
KEYS = ", ".join(f'"{name}"' for name in TYPES)
KINDS_TEXT = ", ".join(TYPES.values())
checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


# ---------------------------------------------------------------- graphs
@st.composite
def events(draw: DrawFn) -> list[Event]:
    """Up to eight events with missing, repeated and malformed values."""
    moments = st.datetimes(datetime(2023, 12, 28), datetime(2024, 3, 8)).map(
        lambda at: at.replace(microsecond=0).isoformat()
    )
    found = []
    for position in range(draw(st.integers(0, 10))):
        values: dict[str, tuple[str, ...]] = {}
        start = draw(moments)
        if draw(st.integers(0, 9)):
            values["start"] = (start,)
        if draw(st.integers(0, 2)):
            minutes = draw(st.sampled_from([-60, 0, 1, 45, 600, 3000, 120_000, 6_000_000]))
            values["end"] = ((datetime.fromisoformat(start) + timedelta(minutes=minutes)).isoformat(),)
        if not draw(st.integers(0, 4)):
            values["timePrecision"] = ("day",)
        if draw(st.integers(0, 3)):
            values["number"] = tuple(
                draw(st.lists(st.sampled_from(["-1.5", "0", "2.25", "3", "10.0"]), min_size=1, max_size=2))
            )
        if draw(st.integers(0, 2)):
            values["count"] = (str(draw(st.integers(-2, 4000))),)
        if draw(st.integers(0, 2)):
            values["kind"] = tuple(
                draw(st.lists(st.sampled_from(["red", "Red", "blue", ' "x\\ ']), min_size=1, max_size=2))
            )
        values["tag"] = tuple(draw(st.lists(st.sampled_from(["ABBA", "cher", "Abba", "é"]), max_size=3)))
        if draw(st.booleans()):
            values["flag"] = (draw(st.sampled_from(["true", "false"])),)
        if draw(st.booleans()):
            values["when"] = (draw(st.sampled_from(["2024-02-29", "2023-12-31T10:00:00", "soon", "2024-1-1"])),)
        kind = EV + draw(st.sampled_from("AAABBC"))
        named = {EV + name: held for name, held in values.items() if held}
        found.append(Event(f"{DATA}x/{position}", frozenset({kind}), named))
    return found


def graph_of(found: list[Event]) -> MemoryGraph:
    """The events as quads; every other event stands in a second graph too, as if exported twice."""
    quads = []
    for position, event in enumerate(found):
        subject = NamedNode(event.iri)
        for graph in ["urn:one", "urn:two"][: 1 + position % 2]:
            at = NamedNode(graph)
            quads += [Quad(subject, NamedNode(RDF_TYPE), NamedNode(kind), at) for kind in event.classes]
            for name, held in event.values.items():
                datatype = DATATYPES.get(name.removeprefix(EV))
                terms = [
                    Literal(text, datatype=NamedNode(XSD + datatype)) if datatype else Literal(text) for text in held
                ]
                quads += [Quad(subject, NamedNode(name), term, at) for term in terms]
    return MemoryGraph(quads)


# ---------------------------------------------------------------- expressions
Texts = SearchStrategy[str]


@dataclass(frozen=True)
class Grammar:
    """Texts of expressions by type, over one row called `at` with attributes by kind."""

    at: str
    columns: dict[str, str]

    def of(self, kind: str) -> list[str]:
        return [f'{self.at}["{name}"]' for name, held in self.columns.items() if held == kind]

    def leaf(self, kind: str, *literals: str) -> Texts:
        return st.sampled_from([*self.of(kind), *literals])

    def number(self, depth: int = 2) -> Texts:
        leaf = self.leaf("int", "0", "2", "-3") | self.leaf("float", "1.5", "3")
        if depth == 0:
            return leaf
        inner, text, day, moment = self.number(depth - 1), self.text(0), self.day(depth - 1), self.moment(depth - 1)
        parts = [
            leaf,
            st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner).map(
                lambda p: f"({p[0]} {p[1]} {p[2]})"
            ),
            inner.map(lambda x: f"abs({x})"),
            inner.map(lambda x: f"round({x})"),
            inner.map(lambda x: f"round({x}, 1)"),
            inner.map(lambda x: f"int({x})"),
            st.tuples(inner, inner).map(lambda p: f"max({p[0]}, {p[1]})"),
            text.map(lambda x: f"len({x})"),
            st.tuples(day, st.sampled_from(["year", "month", "day"])).map(lambda p: f"{p[0]}.{p[1]}"),
            st.tuples(
                day, st.sampled_from(["weekday()", "isoweekday()", "isocalendar().week", "isocalendar()[0]"])
            ).map(lambda p: f"{p[0]}.{p[1]}"),
            st.tuples(moment, st.sampled_from(["hour", "minute", "second", "weekday()"])).map(
                lambda p: f"{p[0]}.{p[1]}"
            ),
            self.length(depth - 1).map(lambda x: f"({x}).total_seconds()"),
            self.length(depth - 1).map(lambda x: f"({x}).days"),
            st.tuples(inner, self.condition(0), inner).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
        ]
        if clocks := self.of("time"):
            parts.append(
                st.tuples(st.sampled_from(clocks), st.sampled_from(["hour", "minute", "second"])).map(
                    lambda p: f"{p[0]}.{p[1]}"
                )
            )
        if lists := self.of("list"):
            parts.append(st.sampled_from(lists).map(lambda x: f"len({x})"))
        return st.one_of(parts)

    def text(self, depth: int = 1) -> Texts:
        leaf = self.leaf("str", '"red"', '"a"', "' \"x\\\\'")
        if depth == 0:
            return leaf
        inner = self.text(depth - 1)
        return st.one_of(
            leaf,
            inner.map(lambda x: f"{x}.lower()"),
            inner.map(lambda x: f"{x}.upper()"),
            inner.map(lambda x: f"{x}.strip()"),
            inner.map(lambda x: f"{x}[:2]"),
            inner.map(lambda x: f"{x}[1:3]"),
            st.tuples(inner, inner).map(lambda p: f"({p[0]} + {p[1]})"),
            self.leaf("int", "7").map(lambda x: f"str({x})"),
            self.day(0).map(lambda x: f"str({x})"),
        )

    def day(self, depth: int = 1) -> Texts:
        leaf = self.leaf("date", "date(2024, 2, 29)", "date.today()", "(date.today() - relativedelta(months=1))")
        if depth == 0:
            return leaf
        return st.one_of(
            leaf,
            self.moment(depth - 1).map(lambda x: f"{x}.date()"),
            st.tuples(self.day(depth - 1), st.sampled_from(["+", "-"]), st.integers(0, 400)).map(
                lambda p: f"({p[0]} {p[1]} timedelta(days={p[2]}))"
            ),
        )

    def moment(self, depth: int = 1) -> Texts:
        leaf = self.leaf("datetime", "datetime.now()", "datetime(2024, 1, 1, 10)")
        if depth == 0:
            return leaf
        return leaf | st.tuples(self.moment(depth - 1), st.sampled_from(["+", "-"]), self.length(0)).map(
            lambda p: f"({p[0]} {p[1]} {p[2]})"
        )

    def length(self, depth: int = 1) -> Texts:
        leaf = self.leaf("duration", "timedelta(hours=30)", "timedelta(days=1, minutes=5)")
        if depth == 0:
            return leaf
        return st.one_of(
            leaf,
            st.tuples(self.day(depth - 1), self.day(depth - 1)).map(lambda p: f"({p[0]} - {p[1]})"),
            st.tuples(self.moment(depth - 1), self.moment(depth - 1)).map(lambda p: f"({p[0]} - {p[1]})"),
            st.tuples(self.moment(depth - 1), self.day(depth - 1)).map(lambda p: f"({p[0]} - {p[1]})"),
            self.length(depth - 1).map(lambda x: f"({x} + timedelta(hours=1)) * 2"),
            self.length(depth - 1).map(lambda x: f"({x} / 4)"),
        )

    def condition(self, depth: int = 2) -> Texts:
        compare = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])

        def both(side: Texts, other: Texts | None = None) -> Texts:
            return st.tuples(side, compare, side if other is None else other).map(lambda p: f"{p[0]} {p[1]} {p[2]}")

        def chain(side: Texts) -> Texts:
            return st.tuples(side, side, side).map(lambda p: f"{p[0]} <= {p[1]} < {p[2]}")

        low = max(0, depth - 1)
        every = [f'{self.at}["{name}"]' for name in self.columns]
        parts = [
            both(self.number(low)),
            both(self.text(low)),
            both(self.day(low)),
            both(self.moment(low)),
            both(self.day(low), self.moment(low)),
            both(self.length(low)),
            both(self.day(0), st.just('"2024-01-15"')),
            chain(self.number(0)),
            chain(self.day(0)),
            st.tuples(self.text(0), self.text(low)).map(lambda p: f"{p[0]} in {p[1]}"),
            self.text(low).map(lambda x: f'{x} in ["red", "blue", "RED"]'),
            self.number(low).map(lambda x: f"{x} not in (1, 2, 3.0)"),
            st.tuples(self.text(low), st.sampled_from(["startswith", "endswith"])).map(
                lambda p: f'{p[0]}.{p[1]}("re")'
            ),
            st.tuples(st.sampled_from(every), st.sampled_from(["is None", "is not None"])).map(
                lambda p: f"{p[0]} {p[1]}"
            ),
            self.leaf("bool", "True"),
            self.leaf("bool", "False").map(lambda x: f"{x} == True"),
        ]
        if clocks := self.of("time"):
            parts.append(st.sampled_from(clocks).map(lambda x: f"time(8) <= {x} < time(20, 30)"))
        if lists := self.of("list"):
            held = st.sampled_from(lists)
            parts += [
                st.tuples(self.text(0), held).map(lambda p: f"{p[0]} in {p[1]}"),
                held.map(lambda x: f'"ABBA" not in {x}'),
                st.tuples(st.sampled_from(["any", "all"]), held).map(
                    lambda p: f'{p[0]}("b" in p.lower() for p in {p[1]})'
                ),
                st.tuples(held, self.text(0)).map(lambda p: f'any(p.lower() == {p[1]} for p in {p[0]} if p != "cher")'),
                st.tuples(held, self.text(0)).map(lambda p: f"{p[1]} in [p.upper() for p in {p[0]}]"),
                self.text(0).map(lambda x: f'any(w in {x}.lower() for w in ["red", "b"])'),
            ]
        if depth > 0:
            inner = self.condition(depth - 1)
            parts += [
                st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
                inner.map(lambda x: f"(not ({x}))"),
            ]
        return st.one_of(parts)

    def any_value(self) -> SearchStrategy[tuple[str, str]]:
        """An expression with its kind."""
        return st.one_of(
            self.number().map(lambda x: (x, "float")),
            self.text().map(lambda x: (x, "str")),
            self.day().map(lambda x: (x, "date")),
            self.moment().map(lambda x: (x, "datetime")),
            self.length().map(lambda x: (x, "duration")),
            self.condition(1).map(lambda x: (x, "bool")),
        )


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


# ---------------------------------------------------------------- comparing
def plain(value: Any) -> Any:
    """A value for comparison: numbers to nine places, lists sorted."""
    if isinstance(value, bool) or value is None or isinstance(value, str | date | time):
        return value
    if isinstance(value, int | float | Decimal):
        return round(float(value), 6) + 0.0
    if isinstance(value, timedelta):
        return ("seconds", round(value.total_seconds(), 3))
    return tuple(sorted(value))


def expected(reference: Reference, tree: Node) -> Any:
    found = reference.run(tree)
    if isinstance(found, One):
        return ("one", plain(found.value))
    if isinstance(found, Many):
        return ("many", tuple(plain(value) for value in found.values))
    assert not isinstance(found, Grouped)
    return ("rows", tuple({name: plain(value) for name, value in row.items()} for row in found))


def actual(found: Result, shape: str) -> Any:
    if shape == "one":
        values = [row[0] for row in found.rows]
        assert len(values) <= 1
        return ("one", plain(values[0]) if values else None)
    if shape == "many":
        return ("many", tuple(plain(row[0]) for row in found.rows))
    return ("rows", tuple({n: plain(v) for n, v in zip(found.columns, row, strict=True)} for row in found.rows))


def same(left: Any, right: Any) -> bool:
    """Equal, numbers nearly."""
    if isinstance(left, float) and isinstance(right, float):
        return abs(left - right) <= 1e-5 * max(1.0, abs(left))
    if left == 0.0 and right == ("seconds", 0.0):
        return True  # a sum over nothing
    if isinstance(left, tuple | list) and isinstance(right, tuple | list):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return bool(left == right)


@settings(max_examples=250, deadline=None, suppress_health_check=checks)
@given(events(), trees())
def test_the_query_answers_what_the_algebra_means(found: list[Event], text: str) -> None:
    tree = parse_tree(text)
    note(text)
    try:
        query = compile_tree(tree, RESOLUTION, NOW)
    except TreeTypeError as bad:
        assert "has no value" in str(bad) or "is not written" in str(bad) or "order" in str(bad), text  # noqa: PT017
        return
    note(query.sparql)
    wanted = expected(Reference(found, RESOLUTION, NOW), tree)
    result = run(tree, graph=graph_of(found), resolution=RESOLUTION, now=NOW)
    got = actual(result, wanted[0] if wanted[1] != () else query.shape.value.replace("values", "many"))
    assert same(wanted[1], got[1]), f"{text}\n{wanted}\n{got}\n{query.sparql}"


@settings(max_examples=150, deadline=None, suppress_health_check=checks)
@given(events(), trees())
def test_the_evidence_alone_gives_the_same_answer(found: list[Event], text: str) -> None:
    # Parts counted from a place in the list and answers of other trees need more than the evidence.
    assume(not any(part in text for part in (".result", "[1:", "[1]", "[-")))
    note(text)
    tree = parse_tree(text)
    try:
        whole = run(tree, graph=graph_of(found), resolution=RESOLUTION, now=NOW)
    except TreeTypeError:
        return
    assert set(whole.events) <= {event.iri for event in found}
    behind = [event for event in found if event.iri in whole.events]
    alone = run(tree, graph=graph_of(behind), resolution=RESOLUTION, now=NOW)
    assert same([plain(v) for v in whole.answer], [plain(v) for v in alone.answer]), whole.sparql
    assert set(alone.events) == set(whole.events), whole.sparql
